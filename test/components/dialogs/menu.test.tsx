import { afterEach, describe, expect, test } from 'vitest';
import { finding, findings, firstUpdate, nodeRow } from '../fixture.ts';
import { card, entries, entry, one, open, requests, start, toDialog } from './acting.ts';

afterEach(() => one.close());

describe('the action menu', () => {
  test('chooses the remedy of the finding, and keeps unavailable actions with their reason', async () => {
    await open(card());
    await one.keys('a');
    expect(requests('menu')).toHaveLength(1);
    expect(one.lines().find((line) => line.includes('> resume'))).toContain('17 of 18 pass their check');
    expect(one.lines().find((line) => line.includes('- reboot'))).toContain('not drained');
    await one.keys('Down', 'Enter');
    expect(one.screen()).toContain('not available: not drained');
    expect(requests('plan')).toEqual([]);
  });

  test('a, Enter, y resumes: three keys from the board', async () => {
    await open(card());
    await toDialog();
    expect(requests('plan')).toEqual([{ action: 'slurm.resume', subjects: findings[0]?.members, set: {} }]);
    await one.keys('y');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'y' }]);
  });

  test('a remedy on something else stands behind the first one, with its own subject and parameters', async () => {
    const rack = { kind: 'volume' as const, id: 'scratch' };
    const remedies = [
      { action: 'slurm.resume', subjects: [{ kind: 'node' as const, id: 'node12' }] },
      { action: 'lustre.qos', subjects: [rack], set: { threshold: '100' } },
    ];
    const asked: unknown[] = [];
    await open(card(), {
      menu: ({ subjects }) => {
        asked.push(subjects);
        return subjects[0]?.kind === 'volume'
          ? [
              entry('lustre.other'),
              entry('lustre.qos', { prompts: [{ name: 'threshold', label: 't', required: true }] }),
            ]
          : entries;
      },
    });
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [finding('drained-group', { remedies })] }));
    await one.settle();
    await one.keys('a');
    expect(asked).toHaveLength(2);
    const rows = one.lines().filter((line) => /(?:drain|resume|qos: scratch|reboot|other) {2,}/.test(line));
    expect(rows.map((line) => /(drain|resume|qos: scratch|reboot|other) {2,}/.exec(line)?.[1])).toEqual([
      'drain',
      'resume',
      'qos: scratch',
      'reboot',
    ]);
    await one.keys('Down', 'Enter');
    expect(requests('plan')).toEqual([{ action: 'lustre.qos', subjects: [rack], set: { threshold: '100' } }]);
  });

  test('a row with another end offers its actions too, each with its name and on that end alone', async () => {
    const other = { kind: 'node' as const, id: 'node99' };
    await open(card(), {
      menu: ({ subjects }) => (subjects[0]?.id === 'node99' ? entries.slice(1) : entries),
    });
    const rows = [
      {
        pane: 'slurm',
        block: 'nodes',
        upsert: [nodeRow(1, { beside: [other] })],
        remove: [],
        order: ['node1'],
      },
    ];
    one.mirror.receive(firstUpdate({ seq: 2, rows }));
    await one.settle();
    await one.keys('1', 'a');
    expect(one.screen()).toContain('resume: node99');
    await one.keys('Down', 'Down', 'Down', 'Enter');
    expect(requests('plan')).toEqual([{ action: 'slurm.resume', subjects: [other], set: {} }]);
  });

  test('a finding with another end does so as well, behind its own remedy', async () => {
    const far = { kind: 'port' as const, id: 'nfs-sw1:te1/12' };
    await open(card(), {
      menu: ({ subjects }) => (subjects[0]?.id === far.id ? entries.slice(1, 2) : entries),
    });
    const found = [finding('bad-link', { beside: [far] })];
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: found }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toMatch(/> resume {2,}/);
    await one.keys('Down', 'Down', 'Enter');
    expect(requests('plan')).toEqual([{ action: 'slurm.resume', subjects: [far], set: {} }]);
  });

  test('the name of the other end is whole at the smallest size', async () => {
    const far = { kind: 'port' as const, id: 'sonic-leaf01:Ethernet48' };
    await open(
      card(),
      { menu: ({ subjects }) => (subjects[0]?.id === far.id ? [entry('switch.mark baseline')] : entries) },
      { columns: 80, rows: 24 },
    );
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [finding('bad-link', { beside: [far] })] }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toContain('mark baseline: sonic-leaf01:Ethernet48  ');
  });

  test('a reason that is cut stands below in full, for the entry that is chosen', async () => {
    const reason = `no console of this site is known to have shut it: ${'to take over, say why '.repeat(4)}end`;
    await open(
      card(),
      { menu: () => [entry('slurm.drain', { text: reason }), ...entries.slice(1)] },
      { columns: 100, rows: 30 },
    );
    await one.keys('a', 'Up', 'Up');
    expect(one.screen()).toContain('why to take over, say why end');
    await one.keys('Down');
    expect(one.screen()).not.toContain('say why end');
  });

  test('what only reads says what it reads where commands would stand', async () => {
    await open(card({ commands: [], measures: 'no command of its own: each client pings' }));
    await toDialog();
    expect(one.lines().find((line) => line.includes('will run'))).toContain(
      'no command of its own: each client',
    );
  });

  test('acts on the marked rows', async () => {
    await open(card());
    await one.keys('1', 'Space', 'Space', 'a');
    expect(requests('menu')).toEqual([
      {
        subjects: [
          { kind: 'node', id: 'node1' },
          { kind: 'node', id: 'node2' },
        ],
        system: 'slurm',
      },
    ]);
    expect(one.screen()).toContain('2 rows: 2 targets');
  });

  test('asks for what is required, and for options only when told to', async () => {
    await open(card());
    await one.keys('1', 'a', 'Up', 'Enter', 'Enter');
    expect(one.screen()).toContain('reason: required');
    await one.type('bad DIMM');
    await one.keys('Enter');
    expect(requests('plan')).toEqual([
      { action: 'slurm.drain', subjects: [{ kind: 'node', id: 'node1' }], set: { reason: 'bad DIMM' } },
    ]);
    one.pass(1000);
    await one.keys('Esc', 'a', 'Down', 'o');
    expect(one.screen()).toContain('take over because');
  });

  test('a refused plan names guard and reason', async () => {
    await open(card(), {
      plan: () => ({ refused: { guard: '4 ownership', reason: 'drained by alice: "bad DIMM"' } }),
    });
    await one.keys('a', 'Enter');
    expect(one.screen()).toContain('Refused by guard 4 ownership');
    expect(one.screen()).toContain('drained by alice: "bad DIMM"');
    expect(one.screen()).toContain('Nothing was sent to any host.');
  });

  test('a read-only console has no menu', async () => {
    await start({ readOnly: true });
    expect(one.lines()[0]).toContain('read-only');
    expect(one.lines().at(-1)).not.toContain('actions');
    await one.keys('a');
    expect(one.screen()).toContain('this console is read-only');
    expect(requests('menu')).toEqual([]);
  });
});
