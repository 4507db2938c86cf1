import { describe, expect, it } from 'vitest';
import type { Block, Row, TableBlock } from '../../src/model/view.ts';
import { slurm } from '../../probes/slurm/index.ts';
import { slurmSettings } from '../../probes/slurm/settings.ts';
import { cluster, drainedBy, node, sick } from './make.ts';
import { watched } from '../helpers/counted.ts';
import { historyOf, judgementOf, start } from '../helpers/judging.ts';

const table = (blocks: readonly Block[], id: string): TableBlock => {
  const found = blocks.find((one) => one.id === id);
  if (found?.type !== 'table') throw new Error(`no table ${id}`);
  return found;
};
const texts = (row: Row | undefined) =>
  Object.fromEntries(Object.entries(row?.cells ?? {}).map(([key, cell]) => [key, cell.text]));

const jobs = [
  { jobId: '4711', userName: 'bob', jobState: 'RUNNING', nodes: 'n[40-41]', endTime: start + 111 * 60_000 },
];
const world = () => {
  const made = cluster(
    [sick('n12'), sick('n13'), drainedBy('n40', 'alice', 'bad DIMM', { state: 'MIXED' })],
    { jobs },
  );
  made.check('n12');
  made.check('n13', '/hdfs is empty');
  return made;
};

describe('the pane', () => {
  it('groups, largest first, with who, since when and what the check says', () => {
    const { blocks, summary, wall, sign } = slurm.view(world().judgement());
    expect({ summary, wall, sign }).toEqual({
      summary: '100 nodes, 3 out of service',
      wall: '97/100 nodes up',
      sign: 'warning',
    });
    const { rows } = table(blocks, 'groups');
    expect(texts(rows[0])).toEqual({
      reason: 'HDFS mount lost',
      count: '2',
      nodes: 'n[12-13]',
      by: 'health',
      since: '',
      check: '1/2 pass',
    });
    expect(rows[0]).toMatchObject({
      members: [{ id: 'n12' }, { id: 'n13' }],
      sign: 'warning',
      cells: { since: { age: start - 43 * 60_000 } },
    });
    expect(texts(rows[1])).toMatchObject({ reason: 'bad DIMM', by: 'alice', check: '' });
    expect(rows[1]?.sign).toBe('notice');
  });

  it('nodes out of service first, then in the order of their numbers, with jobs and users', () => {
    const { rows } = table(slurm.view(world().judgement()).blocks, 'nodes');
    expect(rows.map((row) => row.key).slice(0, 6)).toEqual(['n12', 'n13', 'n40', 'n1', 'n2', 'n3']);
    expect(rows).toHaveLength(100);
    expect(texts(rows[1])).toEqual({
      node: 'n13',
      state: 'drained',
      reason: 'HDFS mount lost',
      by: 'health',
      since: '',
      partitions: 'batch',
      jobs: '',
      check: 'fails: /hdfs is empty',
    });
    expect(texts(rows[2])).toMatchObject({ state: 'draining', jobs: '4711 bob until 04:12' });
  });

  it('a row that says the same is the same object', () => {
    const made = world();
    const before = table(slurm.view(made.judgement()).blocks, 'nodes').rows;
    made.change(drainedBy('n1', 'bob', 'x'));
    const after = new Map(
      table(slurm.view(made.judgement()).blocks, 'nodes').rows.map((row) => [row.key, row]),
    );
    expect(before.filter((row) => after.get(row.key) !== row).map((row) => row.key)).toEqual(['n1']);
  });

  it('ten times as many nodes are ten times as much to look at, not a hundred', () => {
    const reads = (total: number): number => {
      let count = 0;
      const seen = Array.from({ length: total }, (_, at) =>
        watched(at === 11 ? sick('n12') : node(`n${at + 1}`), () => (count += 1)),
      );
      const made = cluster(seen, { total });
      slurm.findings(made.judgement());
      slurm.view(made.judgement());
      slurm.facts(made.judgement());
      slurm.track(made.judgement());
      return count;
    };
    expect(reads(3000)).toBeLessThan(reads(300) * 15);
  });
});

describe('the detail', () => {
  it('of a node: facts, jobs, advice and how often it was drained', () => {
    const made = world();
    const history = historyOf({
      'slurm/node/n40/state': [1, 5, 9, 13].toReversed().flatMap((day) => [
        { at: start - day * 86_400_000, value: 'DRAIN' },
        { at: start - day * 86_400_000 + 1, value: 'UP' },
      ]),
    });
    const blocks = slurm.detail({ kind: 'node', id: 'n40' }, judgementOf({ ...made, history }));
    const facts = blocks.find((one) => one.type === 'facts');
    expect(facts?.facts.map((one) => [one.name, one.cell.text])).toContainEqual(['reason', 'bad DIMM']);
    expect(facts?.facts.every((one) => one.source !== undefined)).toBe(true);
    expect(blocks.find((one) => one.id === 'jobs')).toMatchObject({
      lines: [{ text: 'job 4711 of bob, running, at most 1 h 51 m more' }],
    });
    expect(blocks.find((one) => one.id === 'history')).toMatchObject({
      title: 'History: drained 4 times in 14 days',
    });
  });

  it('of a group, a partition, the controller and of what is not known', () => {
    const judgement = world().judgement();
    expect(
      table(slurm.detail({ kind: 'node', id: 'n[12-13]' }, judgement), 'members').rows.map((row) => row.key),
    ).toEqual(['n12', 'n13']);
    expect(table(slurm.detail({ kind: 'partition', id: 'batch' }, judgement), 'members').rows).toHaveLength(
      3,
    );
    expect(slurm.detail({ kind: 'host', id: 'ctl1' }, judgement).map((block) => block.id)).toEqual([
      'controller',
      'latency',
    ]);
    expect(slurm.detail({ kind: 'node', id: 'nosuch' }, judgement)).toEqual([]);
    expect(slurm.detail({ kind: 'port', id: 'core3:te3/46' }, judgement)).toEqual([]);
  });
});

describe('what others are told', () => {
  it('facts', () => {
    const made = cluster(
      [node('n1', { flags: ['DRAIN', 'REBOOT_ISSUED'], state: 'DOWN', reason: 'x', reasonAt: 5 })],
      { jobs },
    );
    expect(slurm.facts(made.judgement())).toEqual([
      { name: 'node.busy', subject: { kind: 'node', id: 'n40' }, value: { jobs: ['4711'], users: ['bob'] } },
      { name: 'node.busy', subject: { kind: 'node', id: 'n41' }, value: { jobs: ['4711'], users: ['bob'] } },
      { name: 'node.drained', subject: { kind: 'node', id: 'n1' }, value: { reason: 'x', since: 5 } },
      { name: 'node.rebooting', subject: { kind: 'node', id: 'n1' }, value: true },
      { name: 'node.off', subject: { kind: 'node', id: 'n1' }, value: { why: 'reboot' } },
      {
        name: 'group',
        subject: { kind: 'partition', id: 'batch' },
        value: { name: 'slurm:batch', members: made.nodes.map(({ name }) => name) },
      },
    ]);
  });

  it('facts are the same list until something was read again', () => {
    const made = cluster([sick('n2')], { jobs });
    const list = slurm.facts(made.judgement());
    expect(slurm.facts(made.judgement())).toBe(list);
    made.change();
    expect(slurm.facts(made.judgement())).not.toBe(list);
    expect(slurm.facts(made.judgement())).toEqual(list);
  });

  it('history: states that come and go with jobs are one', () => {
    const made = cluster([node('n1', { state: 'MIXED' }), sick('n2')], { total: 3 });
    const tracks = new Map(slurm.track(made.judgement()).map((one) => [one.series, one.value]));
    expect(tracks.get('slurm/node/n1/state')).toBe('UP');
    expect(tracks.get('slurm/node/n2/state')).toBe('DRAIN');
    expect(tracks.get('slurm/node/n2/reason')).toBe('NHC: HDFS mount lost');
    expect(tracks.get('slurm/partition/batch/out')).toBe(1);
    expect(tracks.get('slurm/controller/ctl1/ms')).toBe(20);
  });
});

describe('the section of the site file', () => {
  it('fills in what design and domain say, and changes nothing when read again', () => {
    const once = slurmSettings.parse({ check: { command: ['/x'] } });
    expect(once).toEqual({
      check: { command: ['/x'], env: {}, timeout: 20, users: ['root', 'slurm'], reasons: ['^NHC:'] },
      clusters: {},
      limits: { partitionOut: '20%' },
      watchNodes: 512,
    });
    expect(slurmSettings.parse(once)).toEqual(once);
    expect(slurmSettings.parse({})).toMatchObject({ watchNodes: 512 });
  });

  it.each([
    { chek: {} },
    { check: { reasons: ['('] } },
    { limits: { partitionOut: 'many' } },
    { check: { command: [] } },
  ])('refuses %j', (section) => {
    expect(slurmSettings.safeParse(section).success).toBe(false);
  });
});
