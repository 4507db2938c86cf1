import { describe, expect, it } from 'vitest';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { createFixed } from '../../src/collect/fixed.ts';
import { createKnownRuns } from '../../src/collect/known-runs.ts';
import type { RankedFinding } from '../../src/model/finding.ts';
import type { PastRun } from '../../src/model/run.ts';
import { ranked } from '../helpers/drafts.ts';

const minute = 60_000;
const now = 100 * minute;
const node = (id: string) => ({ kind: 'node', id }) as const;

const drained = (ids: readonly string[], change: Partial<RankedFinding<string>> = {}): RankedFinding =>
  ranked({
    id: 'slurm:drained-group:hdfs',
    system: 'slurm',
    kind: 'drained-group',
    severity: 'warning',
    subject: node(ids.join()),
    members: ids.map(node),
    summary: `${ids.join()} drained`,
    evidence: [],
    hurt: {},
    remedies: [],
    since: 0,
    explains: 0,
    ...change,
  });

const resume = (id: string, change: Partial<PastRun> = {}): PastRun => ({
  run: 'r-1',
  verb: 'resume',
  subject: node(id),
  operator: 'alice',
  at: now - minute,
  outcome: 'done',
  ...change,
});

const runsOf = (...runs: readonly PastRun[]) => {
  const known = createKnownRuns();
  known.tell(runs);
  return known.runs();
};

describe('fixed in the last hour', () => {
  it('what left its finding after a run is told once a run, with who and how', () => {
    const fixed = createFixed(memoryHistory(), now);
    fixed.record([drained(['n1', 'n2', 'n3'])], [], now - 2 * minute);
    fixed.record([drained(['n3'])], [], now);
    const runs = runsOf(resume('n1'), resume('n2'));
    expect(fixed.list(runs, now)).toMatchObject([
      { on: 'n[1-2]', verb: 'resume', operator: 'alice', run: 'r-1', at: now, summary: 'n1,n2,n3 drained' },
    ]);
    fixed.record([], ['slurm:drained-group:hdfs'], now + minute);
    expect(fixed.list(runsOf(resume('n1'), resume('n2'), resume('n3')), now + minute)).toMatchObject([
      { on: 'n[1-3]', at: now + minute },
    ]);
  });

  it('the port that a finding of a node names to be shut counts as its cure', () => {
    const fixed = createFixed(memoryHistory(), now);
    const port = { kind: 'port', id: 'sw1:te1/1' } as const;
    fixed.record([drained(['n1'], { remedies: [{ action: 'switch.shut', subjects: [port] }] })], [], 0);
    fixed.record([], ['slurm:drained-group:hdfs'], now);
    expect(fixed.list(runsOf(resume('n1', { subject: port, verb: 'shut' })), now)).toMatchObject([
      { on: 'n1', verb: 'shut' },
    ]);
  });

  const gone = () => {
    const fixed = createFixed(memoryHistory(), now);
    fixed.record([drained(['n1'])], [], now - 2 * minute);
    fixed.record([], ['slurm:drained-group:hdfs'], now);
    return fixed;
  };

  it.each([
    ['nobody acted', undefined],
    ['the run was on something else', resume('n2')],
    ['the run began after it was gone', resume('n1', { at: now + 1 })],
    ['the run began hours before', resume('n1', { at: now - 61 * minute })],
    ['the run failed', resume('n1', { outcome: 'failed' })],
    ['nobody knows what came of the run', resume('n1', { outcome: 'unknown' })],
  ])('silent when %s', (_, run) => {
    expect(gone().list(runsOf(...(run ? [run] : [])), now)).toEqual([]);
  });

  it('silent while what it rests on is not read, after an hour, and when it is back', () => {
    const runs = runsOf(resume('n1'));
    const unread = createFixed(memoryHistory(), now);
    unread.record([drained(['n1', 'n2'])], [], now - 2 * minute);
    unread.record([drained(['n2'], { lastRead: 1 })], [], now);
    unread.record([], [], now);
    expect(unread.list(runs, now)).toEqual([]);

    const fixed = gone();
    expect(fixed.list(runs, now)).toHaveLength(1);
    expect(fixed.list(undefined, now)).toEqual([]);
    expect(fixed.list(runs, now + 61 * minute)).toEqual([]);
    fixed.record([drained(['n1'])], [], now + minute);
    expect(fixed.list(runs, now + minute)).toEqual([]);
  });

  describe('after a restart of the console', () => {
    const before = () => {
      const history = memoryHistory();
      const fixed = createFixed(history, now);
      fixed.record([drained(['n1', 'n2'])], [], now - 2 * minute);
      fixed.record([], ['slurm:drained-group:hdfs'], now);
      fixed.list(runsOf(resume('n1'), resume('n2')), now);
      return history;
    };
    const again = (at = now + minute) => createFixed(before(), at);

    it('is still told, with who and how, once the audit log was read', () => {
      const fixed = again();
      expect(fixed.list(undefined, now + minute)).toEqual([]);
      const [told, ...more] = fixed.list(runsOf(resume('n1'), resume('n2')), now + minute);
      expect(told).toMatchObject({ on: 'n[1-2]', verb: 'resume', operator: 'alice', at: now });
      expect(told).not.toHaveProperty('done');
      expect(more).toEqual([]);
    });

    it('is not told where the audit log tells it no more as done', () => {
      expect(again().list(runsOf(resume('n1', { run: 'r-2' })), now + minute)).toEqual([]);
    });

    it('is not told when the same is found again, nor when the hour is over', () => {
      const runs = runsOf(resume('n1'), resume('n2'));
      const back = again();
      back.record([drained(['n2'])], [], now + minute);
      expect(back.list(runs, now + minute)).toEqual([]);
      expect(again().list(runs, now + 61 * minute)).toEqual([]);
    });

    it('what another version wrote is left out', () => {
      const history = before();
      history.record(
        [
          { series: 'fixed/x', value: '{"id":' },
          { series: 'fixed/y', value: '{}' },
        ],
        now,
      );
      expect(createFixed(history, now).list(runsOf(resume('n1')), now)).toHaveLength(1);
    });
  });
});
