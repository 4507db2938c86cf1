import { afterEach, expect, test } from 'vitest';
import type { Block } from '../../src/model/view.ts';
import { makeSafe } from '../../src/text/safe.ts';
import { findings, firstUpdate, updateOf } from './fixture.ts';
import { rig, type Rig } from './harness.tsx';

const page = (text: string): readonly Block[] => [{ type: 'text', id: 'x', lines: [{ text }] }];

let one: Rig;
afterEach(() => one.close());

/** A console whose pages of changes and of hosts count how often they were asked for. */
const open = async (lines = 1): Promise<void> => {
  let asked = 0;
  const answer = () => {
    asked += 1;
    return Array.from({ length: lines }, (_, at) => page(`answer ${asked}, line ${at}`)).flat();
  };
  one = await rig({ columns: 100, rows: 30, replies: { changed: answer, host: answer, detail: () => [] } });
  one.mirror.receive(firstUpdate());
  await one.settle();
};

const pass = async (ms: number): Promise<void> => {
  one.pass(ms);
  await one.settle();
};

test('a page of what is true now is filled again while it is looked at', async () => {
  await open();
  await one.keys('C');
  expect(one.screen()).toContain('answer 1,');
  await pass(4000);
  expect(one.screen()).toContain('answer 1,');
  await pass(1500);
  expect(one.screen()).toContain('answer 2,');
  await pass(5000);
  expect(one.screen()).toContain('answer 3,');
});

test('it stands still below its first line and while it is searched, and goes on after that', async () => {
  await open(200);
  await one.keys('C', 'PgDn');
  await pass(6000);
  await one.keys('/', 'l', 'i', 'n', 'e');
  await pass(6000);
  expect(one.screen()).toContain('answer 1, line');
  await one.keys('Esc', 'Home');
  await pass(100);
  expect(one.screen()).toContain('answer 2, line 0');
});

test('nothing is asked for once it is closed; a collector that does not answer is told on it', async () => {
  await open();
  await one.keys('C', 'Esc');
  const before = one.sent.length;
  await pass(20_000);
  expect(one.sent.slice(before).filter(({ type }) => type === 'request')).toEqual([]);
  one.close();

  one = await rig({ columns: 100, rows: 30, replies: { detail: () => [] } });
  one.mirror.receive(firstUpdate());
  await one.settle();
  await one.keys('C');
  expect(one.screen()).toContain('asking the collector');
  const asked = one.sent.findLast((message) => message.type === 'request');
  if (asked?.type !== 'request') throw new Error('nothing was asked');
  one.mirror.receive({ type: 'reply', id: asked.id, ok: false, error: makeSafe('it has ended') });
  await one.settle();
  expect(one.screen()).toContain('no answer: it has ended');
});

test('the finding on its own page is as it is now, and told to be gone once it is', async () => {
  one = await rig({ columns: 100, rows: 30, replies: { detail: () => page('of the system') } });
  one.mirror.receive(firstUpdate());
  await one.settle();
  await one.keys('Enter', 'Enter');
  expect(one.screen()).toContain('DRAIN since 01:58');
  one.mirror.receive(
    updateOf({
      seq: 2,
      findings: findings.map((finding) => ({
        ...finding,
        evidence: [{ text: 'DRAIN since 02:20' as never, probe: 'slurm.nodes', host: 'ctl1' }],
      })),
    }),
  );
  await pass(6000);
  expect(one.screen()).toContain('DRAIN since 02:20');
  expect(one.screen()).not.toContain('DRAIN since 01:58');
  one.mirror.receive(updateOf({ seq: 3, findings: [] }));
  await pass(6000);
  expect(one.screen()).toMatch(/no longer found: node\[12-28,31\] drained/);
  expect(one.screen()).toContain('of the system');
});
