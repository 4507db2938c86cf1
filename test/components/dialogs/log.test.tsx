import { afterEach, expect, test } from 'vitest';
import type { AuditRecord, LogEntry } from '../../../src/model/run.ts';
import { findings, firstUpdate, NOW, updateOf } from '../fixture.ts';
import { rig, type Replies, type Rig } from '../harness.tsx';

const record: AuditRecord = {
  seq: 1,
  at: new Date(NOW - 60_000).toISOString(),
  monoMs: 0,
  prev: '0',
  kind: 'intent',
  hash: 'f00',
  operator: 'alice',
  uid: 1,
  console: { host: 'adm1', pid: 1, version: '0' },
  site: 's',
  detail: { reason: 'as asked' },
};

const node = (number: number) => ({ kind: 'node', id: `node${number}` }) as const;

const entry = (change: Partial<LogEntry> = {}): LogEntry => ({
  run: 'r-1',
  at: NOW - 60_000,
  endedAt: NOW - 50_000,
  operator: 'alice',
  console: 'adm1',
  what: 'slurm.resume',
  title: 'Resume 2 nodes',
  on: 'node[12-13]',
  outcome: 'done',
  text: '',
  undoText: 'drain again',
  undoable: [node(12), node(13)],
  targets: [12, 13].map((number) => ({ subject: node(number), outcome: 'done', text: 'reads idle' })),
  commands: ['ctl1: scontrol update nodename=node12 state=resume'],
  records: [record],
  ...change,
});

const shell = entry({
  run: undefined,
  what: 'shell',
  title: 'shell opened',
  on: 'node140',
  undoable: [],
  targets: [],
  commands: [],
  outcome: undefined,
  records: [{ ...record, hash: 'bee' }],
} as never);

const old = entry({
  run: 'r-0',
  title: 'Drain node1',
  on: 'node1',
  undone: 'whole',
  undoable: [],
  at: NOW - 3_600_000,
});

let one: Rig;
const open = async (
  replies: Replies = {},
  more: Parameters<typeof rig>[0] = { columns: 160, rows: 45 },
): Promise<void> => {
  one = await rig({
    ...more,
    replies: {
      detail: () => [],
      audit: () => ({ entries: [entry(), shell, old], verified: true }),
      plan: () => ({ refused: { guard: '3 plan is stale', reason: 'node12 is down' } }),
      ...replies,
    },
  });
  one.mirror.receive(firstUpdate());
  await one.settle();
};
afterEach(() => one.close());

const sent = (name: string) =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));

test('L lists runs newest first with their ids, Enter opens one, d shows its records', async () => {
  await open();
  await one.keys('L');
  expect(one.screen()).toContain('✓ the chain of hashes is whole');
  const rows = one.lines().filter((line) => /r-[01]|shell opened/.test(line));
  expect(rows[0]).toMatch(/02:40 +alice +Resume 2 nodes +node\[12-13\] +done +r-1/);
  expect(rows.slice(0, 3).map((row) => row[0])).toEqual(['>', ' ', ' ']);
  expect(rows[1]).toMatch(/shell opened +node140/);
  expect(rows[2]).toMatch(/Drain node1 +node1 +done, undone +r-0|Drain node1.*r-0/);
  await one.keys('Enter');
  expect(one.screen()).toMatch(/undo +u, or faultline act undo:r-1/);
  expect(one.screen()).toContain('node13  done: reads idle');
  expect(one.screen()).not.toContain('as asked');
  await one.keys('d');
  expect(one.screen()).toMatch(/reason +as asked/);
  await one.keys('Esc', 'd');
  expect(one.screen()).toMatch(/reason +as asked/);
});

test('an opened run names the keys of the operator', async () => {
  await open({}, { columns: 160, rows: 45, settings: { keys: { undo: ['U'], raw: ['B'] } } });
  await one.keys('L', 'Enter');
  expect(one.screen()).toMatch(/undo +U, or faultline act undo:r-1/);
  expect(one.screen()).toMatch(/as written: B/);
  await one.keys('B');
  expect(one.screen()).toMatch(/reason +as asked/);
});

test('u asks for the plan that undoes the run, and shows why it was refused; the log stays below', async () => {
  await open();
  await one.keys('L', 'u');
  expect(sent('plan')).toEqual([{ action: 'undo:r-1', subjects: [], set: {} }]);
  expect(one.screen()).toContain('node12 is down');
  await one.keys('Esc');
  expect(one.screen()).toContain('─ Audit log ─');
});

test.each([
  ['no run', ['j'], 'shell opened: this entry is no run'],
  ['undone already', ['G'], 'Drain node1: undone already'],
])('u on what is %s asks for no plan', async (_, keys, said) => {
  await open();
  await one.keys('L', ...keys, 'u');
  expect(sent('plan')).toEqual([]);
  expect(one.screen()).toContain(said);
});

test('of a run that failed, u does not say that it changed nothing: its first steps may have been done', async () => {
  await open({
    audit: () => ({ entries: [{ ...entry(), outcome: 'failed', undoable: [] }], verified: true }),
  });
  await one.keys('L', 'u');
  expect(sent('plan')).toEqual([]);
  expect(one.screen()).toContain('this run failed and has no undo: open it to see what was sent');
});

test('of a run without undo u says why, in full at 80 columns', async () => {
  const start = entry({
    title: 'Start gl2:/data/brick2/data1',
    on: 'gl2:/data/brick2/data1',
    undoText: 'none: a running brick is not stopped again',
    undoable: [],
    text: 'gl2:/data/brick2/data1 is up',
  });
  await open({ audit: () => ({ entries: [start], verified: true }) }, { columns: 80, rows: 24 });
  await one.keys('L');
  expect(one.screen()).toMatch(/^─ Start gl2:\/data\/brick2\/data1 ─.* slurm\.resume ─$/m);
  expect(one.screen()).toContain(' on gl2:/data/brick2/data1\n gl2:/data/brick2/data1 is up');
  await one.keys('u');
  expect(one.lines().at(-1)).toContain('no undo: a running brick is not stopped again');
});

test('/ and n find an entry, also by what stands in its result', async () => {
  await open({
    audit: () => ({ entries: [entry(), shell, { ...old, text: 'the DIMM is out' }], verified: true }),
  });
  await one.keys('L', '/');
  await one.type('dimm');
  await one.keys('Enter');
  expect(one.screen()).toContain('3 of 3');
  await one.keys('/');
  await one.type('alice');
  await one.keys('Enter');
  expect(one.screen()).toContain('3 of 3');
  await one.keys('n');
  expect(one.screen()).toContain('1 of 3');
  await one.keys('N');
  expect(one.screen()).toContain('3 of 3');
});

test('a damaged log says so; at 80x24 the id of the run stands in full', async () => {
  await open(
    {
      audit: () => ({
        entries: [entry({ run: 'r-5f0c2a91be77' })],
        verified: false,
        problem: 'line 3 was changed',
      }),
    },
    { columns: 80, rows: 24 },
  );
  await one.keys('L');
  expect(one.screen()).toContain('✖ the log does not verify: line 3 was changed');
  expect(one.screen()).toMatch(/done +r-5f0c2a91be77 *\n/);
});

test('a run that ends while the log is open is read anew', async () => {
  await open();
  await one.keys('L');
  one.mirror.receive(
    updateOf({
      seq: 2,
      now: NOW,
      runs: [{ id: 'r-9', title: 'x', state: 'done', startedAt: NOW, targets: [] }],
    }),
  );
  one.pass(1000);
  await one.settle();
  expect(sent('audit')).toHaveLength(2);
});

test('u on a row undoes what changed it, of the run only that part', async () => {
  await open();
  await one.keys('1', '/');
  await one.type('node13');
  await one.keys('Enter', 'u');
  expect(sent('plan')).toEqual([{ action: 'undo:r-1', subjects: [node(13)], set: {} }]);
});

test('u on a row that no run changed says so', async () => {
  await open();
  await one.keys('1', '/');
  await one.type('node9');
  await one.keys('Enter', 'u');
  expect(sent('plan')).toEqual([]);
  expect(one.screen()).toContain('no run of the last 24 h changed this row');
});

test('what was fixed stands below the findings, with who and how, and u undoes it', async () => {
  await open();
  one.mirror.receive(
    updateOf({
      seq: 2,
      now: NOW,
      findings,
      fixed: [
        {
          id: 'x',
          system: 'slurm',
          summary: (findings[0] as never as { summary: never }).summary,
          subject: node(12),
          members: [node(12), node(13)],
          on: 'node[12-13]',
          at: NOW - 5000,
          run: 'r-1',
          verb: 'resume',
          operator: 'alice',
        },
      ],
    }),
  );
  await one.settle();
  expect(one.screen()).toContain('Fixed in the last hour');
  expect(one.screen()).toMatch(/✓ slurm +node\[12-13\] +resume by alice +node\[12-28,31\] drained/);
  await one.keys('G', 'u');
  expect(sent('plan')).toEqual([{ action: 'undo:r-1', subjects: [], set: {} }]);
});
