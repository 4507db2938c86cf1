import { describe, expect, it } from 'vitest';
import type { FindingDraft } from '../../src/model/finding.ts';
import { findings } from '../../probes/slurm/judge/findings.ts';
import { cluster, drainedBy, silent } from './make.ts';
import { historyOf, judgementOf, start } from '../helpers/judging.ts';

const minute = 60_000;
const hour = 60 * minute;
const kinds = (list: readonly FindingDraft[]): string[] => list.map(({ kind }) => kind);
const of = (list: readonly FindingDraft[], kind: string): FindingDraft | undefined =>
  list.find((one) => one.kind === kind);

describe('jobs up to MaxJobCount', () => {
  const seen = (jobs: object, config: object = { maxJobCount: 10_000 }) => {
    const { site, readings } = cluster([]);
    readings.good('slurm.sdiag', 'ctl1', { ...jobs, rpcs: [], users: [], pending: [] });
    readings.good('slurm.config', 'ctl1', config);
    return of(findings(judgementOf({ site, readings })), 'job-limit');
  };

  it('is a notice when it is near, and a warning when submissions fail', () => {
    expect(seen({ jobsPending: 9_000, jobsRunning: 200 })).toMatchObject({ severity: 'notice' });
    expect(seen({ jobsPending: 9_969, jobsRunning: 31 })).toMatchObject({
      severity: 'warning',
      summary: 'slurmctld on ctl1: 10,000 jobs, MaxJobCount is 10,000: sbatch is refused',
    });
  });

  it.each([
    ['room for a tenth', { jobsPending: 8_500, jobsRunning: 300 }, undefined],
    ['a site with a high limit', { jobsPending: 9_969, jobsRunning: 31 }, { maxJobCount: 350_000 }],
    ['more than the limit: another one is in force', { jobsPending: 50_000, jobsRunning: 31 }, undefined],
    ['a limit that was not read', { jobsPending: 9_969, jobsRunning: 31 }, {}],
    ['jobs that sdiag of old does not count', {}, undefined],
  ])('nothing: %s', (_what, jobs, config) => expect(seen(jobs, config)).toBeUndefined());
});

describe('accounting records that wait for slurmdbd', () => {
  const seen = (waiting: number, config: object = {}, history: Parameters<typeof historyOf>[0] = {}) => {
    const { site, readings } = cluster([]);
    readings.good('slurm.sdiag', 'ctl1', { dbdAgentQueueSize: waiting, rpcs: [], users: [], pending: [] });
    readings.good('slurm.config', 'ctl1', config);
    return findings(judgementOf({ site, readings, history: historyOf(history) }));
  };
  const series = 'slurm/controller/ctl1/dbd';
  const at = (minutes: number, value: number) => ({ at: start - minutes * minute, value });

  it.each<[string, number, object, string | undefined]>([
    ['none', 0, {}, undefined],
    ['some hundred when an array ends', 800, {}, undefined],
    ['thousands in one look: worth knowing', 3_000, {}, 'notice'],
    ['a quarter of the default limit, when an array of thousands is cancelled', 5_200, {}, 'notice'],
    ['half of the default limit', 10_300, {}, 'warning'],
    ['82 % of a small limit in one look: not lost yet', 8_200, { maxDbdMsgs: 10_000 }, 'warning'],
    ['at a small limit: lost', 10_000, { maxDbdMsgs: 10_000 }, 'critical'],
    ['beyond the default limit (20,400 for 100 nodes)', 48_211, {}, 'critical'],
    ['the same at a site with a high limit', 48_211, { maxDbdMsgs: 712_560 }, 'notice'],
    ['a large MaxJobCount raises the default', 48_211, { maxJobCount: 350_000 }, 'notice'],
  ])('%s', (_name, waiting, config, severity) => {
    expect(of(seen(waiting, config), 'accounting-behind')?.severity).toBe(severity);
  });

  it('what it does is said only of a queue that grows; near the limit that is critical', () => {
    const near = (history: Parameters<typeof historyOf>[0]) =>
      of(seen(8_200, { maxDbdMsgs: 10_000 }, history), 'accounting-behind');
    const grown = near({ [series]: [at(60, 1_500), at(12, 8_000), at(5, 8_100)] });
    expect(grown?.severity).toBe('critical');
    expect(grown?.summary).toContain('takes too few records or none');
    expect(near({ [series]: [at(60, 0), at(2, 8_000)] })?.summary).toContain('is behind with the records');
    expect(near({ [series]: [at(60, 9_500), at(12, 9_000)] })?.severity).toBe('warning');
  });

  it('grows for ten minutes: a warning; a burst that was not there before is none', () => {
    expect(
      of(seen(3_000, {}, { [series]: [at(60, 1_500), at(12, 2_000), at(5, 2_500)] }), 'accounting-behind')
        ?.severity,
    ).toBe('warning');
    expect(of(seen(3_000, {}, { [series]: [at(60, 0), at(2, 3_000)] }), 'accounting-behind')?.severity).toBe(
      'notice',
    );
    expect(
      of(seen(3_000, {}, { [series]: [at(60, 5_000), at(12, 4_500)] }), 'accounting-behind')?.severity,
    ).toBe('notice');
  });
});

describe('the clock of slurmctld', () => {
  const seen = (aheadMs: number, durationMs = 40) => {
    const world = cluster([drainedBy('n5', 'alice', 'x', { reasonAt: start + aheadMs - hour })]);
    world.readings.good(
      'slurm.sdiag',
      'ctl1',
      { clockAt: start + aheadMs, rpcs: [], users: [], pending: [] },
      start,
      durationMs,
    );
    return findings(world.judgement());
  };

  it('two hours ahead: said, and no time lies in the future', () => {
    const list = seen(2 * hour);
    expect(of(list, 'clock-differs')?.summary).toBe("slurmctld on ctl1: clock 2 h ahead of this console's");
    expect(of(list, 'drained-group')?.since).toBe(start - hour);
  });

  it('behind', () => expect(of(seen(-5 * minute), 'clock-differs')?.summary).toContain('5 min behind'));

  it('within a minute and the time of the answer nothing is said', () => {
    expect(kinds(seen(50_000))).toEqual(['drained-group']);
    expect(kinds(seen(65_000, 11_000))).toEqual(['drained-group']);
  });

  it('a maintenance is in force by its own clock', () => {
    const world = cluster([silent('n1')]);
    const times = { startTime: start + hour, endTime: start + 3 * hour };
    world.readings.good('slurm.reservations', 'ctl1', {
      reservations: [{ reservationName: 'm', flags: ['MAINT'], nodes: 'n1', ...times }],
    });
    expect(findings(world.judgement())[0]?.plannedUntil).toBeUndefined();
    world.readings.good('slurm.sdiag', 'ctl1', {
      clockAt: start + 2 * hour,
      rpcs: [],
      users: [],
      pending: [],
    });
    expect(of(findings(world.judgement()), 'not-responding')?.plannedUntil).toBe(start + hour);
  });
});

describe('what sdiag says of a busy slurmctld', () => {
  const seen = (...values: object[]) => {
    const world = cluster([]);
    for (const value of values)
      world.readings.good(
        'slurm.sdiag',
        'ctl1',
        { rpcs: [], users: [], pending: [], ...value },
        start,
        20,
        1,
      );
    return findings(world.judgement()).map(({ kind, severity }) => `${kind} ${severity}`);
  };

  it.each<[string, object, string[]]>([
    ['all threads', { serverThreadCount: 250 }, ['controller-busy notice']],
    ['thousands of messages', { agentQueueSize: 4_000 }, ['controller-busy notice']],
    ['a cycle of half a minute', { lastCycleUs: 34e6 }, ['controller-busy notice']],
    ['a burst of threads', { serverThreadCount: 90 }, []],
    ['a long queue of jobs and a cycle of seconds', { jobsPending: 90_000, lastCycleUs: 3e6 }, []],
    ['the longest cycle of the day', { maxCycleUs: 60e6 }, []],
  ])('%s', (_name, value, wanted) => expect(seen(value)).toEqual(wanted));

  it('twice in a row is a warning', () =>
    expect(seen({ serverThreadCount: 250 }, { serverThreadCount: 240 })).toEqual([
      'controller-busy warning',
    ]));
});
