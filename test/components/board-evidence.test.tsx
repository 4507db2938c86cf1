import { afterEach, expect, test } from 'vitest';
import { rig, type Replies, type Rig } from './harness.tsx';
import type { Excerpt, RawEvidence } from '../../src/model/evidence.ts';
import { excerpt, firstUpdate, otherHead, slurmHead } from './fixture.ts';

let one: Rig;
const open = async (replies: Replies = {}, size = { columns: 160, rows: 45 }): Promise<void> => {
  one = await rig({
    ...size,
    replies: {
      detail: () => [{ type: 'facts', id: 'f', facts: [{ name: 'kernel', cell: { text: '6.1.0' } }] }],
      ...replies,
    },
  });
  one.mirror.receive(firstUpdate({ heads: [slurmHead, otherHead('switch', 'Switches')] }));
  await one.settle();
};
afterEach(() => one.close());
const requests = (name: string) =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));

test('e shows the raw answers with what is hostile in them, searchable and copyable', async () => {
  await open({
    evidence: ({ sources }) =>
      sources.map(({ probe, host }) => ({
        probe,
        host,
        command: 'scontrol show node -o',
        at: 0,
        durationMs: 812,
        ended: 'exit 0',
        endedWell: true,
        stdout: excerpt(`${'line\n'.repeat(200)}Reason=\u001B[31mevil\u0007`),
        stderr: excerpt(''),
        reading: excerpt('{"nodes": 1}'),
      })),
  });
  await one.keys('1', 'e');
  expect(requests('evidence')).toEqual([
    { sources: [{ probe: 'slurm.nodes', host: 'ctl1', about: [{ kind: 'node', id: 'node1' }] }] },
  ]);
  for (const text of ['slurm.nodes on ctl1', 'exit 0', 'scontrol show node -o', 'took 812 ms'])
    expect(one.screen()).toContain(text);
  await one.keys('/');
  await one.type('evil');
  await one.keys('Enter');
  expect(one.screen()).toContain('Reason=^[[31mevil^G');
  await one.keys('y');
  expect(one.raw).toHaveLength(1);
  await one.keys('/');
  await one.type('nowhere');
  await one.keys('Enter');
  expect(one.screen()).toContain('"nowhere" is not found here');
  await one.keys('Esc');
  expect(one.lines()[1]).toContain('Findings');
});

test('e opens at the marked lines, n goes on to the next, d shows all and folds again', async () => {
  const filler = Array.from({ length: 90 }, (_, index) => `filler ${index}`).join('\n');
  const answer = {
    command: 'scontrol',
    at: 0,
    durationMs: 1,
    ended: 'exit 0',
    endedWell: true,
    others: [1, 2],
  };
  const text = `${filler}\nState=DRAIN\n${filler}\nReason=DRAIN as well\n${filler}`;
  const folded: Excerpt = {
    lines: 272,
    marked: 'values',
    parts: [
      { at: 1, folded: 90 },
      { at: 91, lines: [{ text: 'State=DRAIN', mark: true }] },
      { at: 92, folded: 181 },
    ],
  };
  await open({
    evidence: ({ sources, whole }) =>
      sources.map(({ probe, host }) => ({
        ...answer,
        probe,
        host,
        stdout: whole ? excerpt(text, 'DRAIN') : folded,
        stderr: excerpt(''),
        reading: excerpt(''),
      })),
  });
  await one.keys('1', 'e');
  expect(one.screen()).toContain('> State=DRAIN');
  expect(one.screen()).toContain('stdout: 272 lines, marked: what is said of node1');
  expect(one.screen()).toContain('… 90 lines');
  expect(one.screen()).toContain('2 earlier answers folded');
  await one.keys('d');
  expect(one.screen()).toContain('> State=DRAIN');
  expect(one.screen()).toContain('filler 89');
  expect(one.screen()).not.toContain('Reason=');
  await one.keys('n');
  expect(one.screen()).toContain('> Reason=DRAIN as well');
  await one.keys('N');
  expect(one.screen()).toContain('> State=DRAIN');
  await one.keys('d');
  expect(one.screen()).toContain('… 181 lines');
  expect(requests('evidence').map((args) => 'whole' in (args as object))).toEqual([false, true, false]);
});

/** On the board, where every source answered the same. */
const openAnswer = (texts: Pick<RawEvidence, 'stdout' | 'reading'>): Promise<void> =>
  open({
    evidence: ({ sources }) =>
      sources.map(({ probe, host }) => ({
        probe,
        host,
        command: 'sinfo',
        at: 0,
        durationMs: 1,
        ended: 'exit 0',
        endedWell: true,
        stderr: excerpt(''),
        ...texts,
      })),
  });

test('evidence in which nothing is named says so and begins at its top', async () => {
  await openAnswer({ stdout: { ...excerpt('a\nb'), marked: 'nothing' }, reading: excerpt('') });
  await one.keys('1', 'e');
  expect(one.screen()).toContain('The answer does not name node1: no line is marked.');
  expect(one.screen()).toContain('stdout: 2 lines, none names node1');
  await one.keys('n');
  expect(one.screen()).toContain('nothing is marked here');
});

test.each([
  ['is all about the row', { stdout: excerpt('a\nb'), reading: excerpt('') }],
  [
    'is named in the reading alone',
    { stdout: { ...excerpt('a'), marked: 'nothing' as const }, reading: excerpt('node1 up', 'node1') },
  ],
  ['is empty', { stdout: excerpt(''), reading: excerpt('') }],
])('evidence that %s is not said to lack its name', async (_, texts) => {
  await openAnswer(texts);
  await one.keys('1', 'e');
  expect(one.screen()).toContain('slurm.nodes on ctl1');
  expect(one.screen()).not.toContain('does not name');
});

test('a question that the collector can not answer says so', async () => {
  await open();
  await one.keys('L');
  expect(one.screen()).toContain('asking the collector');
  one.mirror.noteStopped('killed');
  await one.settle();
  expect(one.screen()).toContain('the audit log was not read: the collector stopped');
});
