import type { Judgement } from '../../src/model/system.ts';
import { figure } from './figure.ts';
import { allRuns } from './pairs.ts';
import { samplesOf } from './samples.ts';
import { solveSweep, type SweepAnswer, type SweepTest } from './sweep-solve.ts';

/** The last sweep and what it says. */
export interface SweepState {
  name: string;
  at: number;
  hosts: number;
  running: number;
  tests: readonly SweepTest[];
  answer: SweepAnswer;
  lines: readonly string[];
}

/** Sweeps are named after their hosts: tests of one name that began within this time of the newest belong together, ms. */
const together = 30 * 60_000;

/** Reads the last sweep back from the hosts that took part. */
export const sweepOf = (judgement: Judgement): SweepState | undefined => {
  const all = allRuns(judgement).filter((run) => run.sweep !== undefined);
  const [newest] = all;
  if (newest?.sweep === undefined) return undefined;
  const seen = new Set<string>();
  const runs = all.filter((run) => {
    const key = `${run.client}:${run.server}`;
    if (run.sweep !== newest.sweep || newest.startedAt - run.startedAt > together || seen.has(key))
      return false;
    seen.add(key);
    return true;
  });
  const ended = runs.filter(({ status }) => status !== 'running');
  const tests = ended.map((run): SweepTest => ({
    from: run.client,
    to: run.server,
    bps: samplesOf(run, 'there')?.total ?? 0,
  }));
  const answer = solveSweep(tests);
  return {
    name: newest.sweep,
    at: newest.endedAt ?? newest.startedAt,
    hosts: new Set(runs.flatMap(({ client, server }) => [client, server])).size,
    running: runs.length - ended.length,
    tests,
    answer,
    lines: tests
      .toSorted((a, b) => a.bps - b.bps)
      .slice(0, 8)
      .map(({ from, to, bps }) => `${from} → ${to} ${bps === 0 ? 'failed' : `${figure(bps)} Gbit/s`}`),
  };
};
