import { describe, expect, it } from 'vitest';
import type { Reread } from '../../src/model/action.ts';
import type { Clock, Reader } from '../../src/model/ports.ts';
import { firstMissing, readGently, readLive } from '../../src/remedy/live.ts';
import { Sources, judgementOf, siteOf } from '../helpers/judging.ts';

const reads = [{ probe: 'slurm.nodes', host: 'ctl1' }];
const missing = (readings: Sources, waitedMs: number): string | undefined =>
  firstMissing(judgementOf({ readings, site: siteOf([]), mono: 60_000 + waitedMs }), reads, 60_000);

describe('a reading that did not come in time', () => {
  it('says how long was waited, what the last answer took, and that the link took it', () => {
    const readings = new Sources();
    readings.good('slurm.nodes', 'ctl1', 1, undefined, 14_000);
    const source = readings.source('slurm.nodes', 'ctl1');
    if (!source?.good) throw new Error('no reading');
    readings.put({ ...source, good: { ...source.good, hostMs: 100 } });
    expect(missing(readings, 8_000)).toBe(
      'ctl1 gave no fresh answer to slurm.nodes within 8.0 s; its last answer took 14.0 s, 13.9 s of it there and back: the link to ctl1 is slow',
    );
  });

  it('blames no link where the command was slow, or where that is not known', () => {
    const readings = new Sources();
    readings.good('slurm.nodes', 'ctl1', 1, undefined, 14_000);
    const said = 'ctl1 gave no fresh answer to slurm.nodes within 8.0 s; its last answer took 14.0 s';
    expect(missing(readings, 8_000)).toBe(said);
    const source = readings.source('slurm.nodes', 'ctl1');
    if (!source?.good) throw new Error('no reading');
    readings.put({ ...source, good: { ...source.good, hostMs: 13_900 } });
    expect(missing(readings, 8_000)).toBe(said);
  });

  it('a failure speaks for itself, and a quick host of which nothing is known is not called slow', () => {
    const readings = new Sources();
    expect(missing(readings, 8_000)).toBe('ctl1 gave no fresh answer to slurm.nodes within 8.0 s');
    readings.fail('slurm.nodes', 'ctl1', { kind: 'timeout', message: 'ctl1: timed out' });
    expect(missing(readings, 8_000)).toBe('ctl1: timed out');
  });
});

const NODES = { probe: 'slurm.nodes', host: 'ctl1' };
const JOBS = { probe: 'slurm.jobs', host: 'ctl1' };

/** A reader whose answers `answer` puts into its readings, and a clock that stands still but for what `later` says. */
const desk = (
  answer: (at: { readings: Sources; mono: number; tries: number }) => unknown = () => undefined,
) => {
  const readings = new Sources();
  const at = { mono: 60_000 };
  const asked: Reread[][] = [];
  const timers: { ms: number; signal: AbortSignal | undefined; ring: () => void }[] = [];
  const touching = new Set<string>();
  const signals: AbortSignal[] = [];
  const reader: Reader = {
    judgement: () => judgementOf({ readings, site: siteOf([]), mono: at.mono }),
    touches: (probe) => (touching.has(probe) ? 'traffic' : 'nothing') as ReturnType<Reader['touches']>,
    readNow: async (reads, signal) => {
      asked.push([...reads]);
      if (signal) signals.push(signal);
      await answer({ readings, mono: at.mono, tries: asked.length });
    },
  };
  const clock: Clock = {
    now: () => at.mono,
    mono: () => at.mono,
    sleep: (ms, signal) => new Promise((ring) => void timers.push({ ms, signal, ring })),
  };
  /** An answer that took so long and whose question began at this moment. */
  const put = (mono: number, durationMs = 0, read: Reread = NODES): void => {
    readings.good(read.probe, read.host, 1, undefined, durationMs);
    const source = readings.source(read.probe, read.host);
    if (!source?.good) throw new Error('no reading');
    readings.put({ ...source, good: { ...source.good, mono: mono + durationMs } });
  };
  return { readings, at, asked, timers, touching, signals, parts: { reader, clock }, put };
};

describe('reading again before something is sent', () => {
  it('asks each question once and takes answers whose question began after the call', async () => {
    const { parts, asked, put } = desk(() => put(60_000, 40));
    expect(await readLive(parts, [NODES, { ...NODES }])).toMatchObject({ ok: true });
    expect(asked).toEqual([[NODES]]);
  });

  it('an answer to a question of two ms before counts, durations being rounded; one of three does not', async () => {
    const near = desk(() => near.put(59_998, 40));
    expect((await readLive(near.parts, [NODES])).ok).toBe(true);
    const early = desk(() => early.put(59_997, 40));
    expect((await readLive(early.parts, [NODES])).ok).toBe(false);
    expect((await readLive(early.parts, [NODES], { since: 59_000 })).ok).toBe(true);
  });

  it('a question that was under way before is asked once more, three times at most', async () => {
    const { parts, asked, put } = desk(({ tries }) => put(tries === 2 ? 60_000 : 50_000));
    expect(await readLive(parts, [NODES])).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    const stuck = desk(() => stuck.put(50_000));
    expect(await readLive(stuck.parts, [NODES])).toMatchObject({
      ok: false,
      missing: 'ctl1 gave no fresh answer to slurm.nodes within 0.0 s',
    });
    expect(stuck.asked).toHaveLength(3);
  });

  it('what failed is not asked again, be the rest joined; nor is anything when the time is over', async () => {
    const failed = desk(({ readings }) => {
      failed.put(50_000);
      readings.fail('slurm.jobs', 'ctl1', { kind: 'timeout', message: 'ctl1: timed out' });
    });
    expect(await readLive(failed.parts, [JOBS, NODES])).toMatchObject({
      ok: false,
      missing: 'ctl1: timed out',
    });
    expect(failed.asked).toHaveLength(1);
    const late = desk(() => {
      late.put(50_000);
      late.at.mono += 100;
    });
    expect((await readLive(late.parts, [NODES], { limitMs: 100 })).ok).toBe(false);
    expect(late.asked).toHaveLength(1);
    const inTime = desk(() => {
      inTime.put(50_000);
      inTime.at.mono += 1;
    });
    expect((await readLive(inTime.parts, [NODES], { limitMs: 100 })).ok).toBe(false);
    expect(inTime.asked).toHaveLength(3);
  });

  it('a source that was good once and is not fresh now has not answered', async () => {
    const { parts, put, readings } = desk(() => {
      put(60_000);
      const source = readings.source('slurm.nodes', 'ctl1');
      if (source) readings.put({ ...source, state: 'stale' });
    });
    expect((await readLive(parts, [NODES])).ok).toBe(false);
  });

  it('says why nothing was asked at all', async () => {
    const why = 'slurm.nodes is not asked on ctl1';
    const { parts } = desk(() => Promise.reject(new Error(why)));
    expect(await readLive(parts, [NODES])).toMatchObject({ ok: false, missing: why, notAsked: why });
    const silent = desk();
    expect(await readLive(silent.parts, [NODES])).not.toHaveProperty('notAsked');
  });

  it('nothing to read is read at once, without asking', async () => {
    const { parts, asked } = desk();
    expect((await readLive(parts, [], { limitMs: 5 })).ok).toBe(true);
    expect(asked).toEqual([]);
  });

  it('leaves a reader that hangs after the limit, and tells it to stop', async () => {
    const { parts, timers, at, signals } = desk(() => new Promise(() => undefined));
    const waiting = readLive(parts, [NODES], { limitMs: 5_000 });
    expect(timers.map(({ ms }) => ms)).toEqual([5_000]);
    at.mono += 5_000;
    timers[0]?.ring();
    expect(await waiting).toMatchObject({
      ok: false,
      missing: 'ctl1 gave no fresh answer to slurm.nodes within 5.0 s',
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('an answer in time ends the timer and stops nothing', async () => {
    const { parts, timers, signals, put } = desk(() => put(60_000));
    expect((await readLive(parts, [NODES], { limitMs: 5_000 })).ok).toBe(true);
    expect([timers[0]?.signal?.aborted, signals[0]?.aborted]).toEqual([true, false]);
  });
});

describe('reading for a plan that somebody reads', () => {
  /** Whether it is asked, so long after a good answer that took so long. */
  const isAsked = async (restMs: number, durationMs: number, everyMs?: number): Promise<boolean> => {
    const { parts, asked, put, readings, touching } = desk();
    put(60_000 - restMs - durationMs, durationMs);
    const source = readings.source('slurm.nodes', 'ctl1');
    if (everyMs !== undefined && source) {
      touching.add('slurm.nodes');
      readings.put({ ...source, everyMs });
    }
    await readGently(parts, [NODES], 1_000);
    return asked.length > 0;
  };

  it('asks again after three seconds, a slow source after five times as long as it takes', async () => {
    expect([await isAsked(3_000, 10), await isAsked(3_001, 10)]).toEqual([false, true]);
    expect([await isAsked(10_000, 2_000), await isAsked(10_001, 2_000)]).toEqual([false, true]);
  });

  it('what touches more than its answer is asked as often as anyway, and on demand never', async () => {
    expect([await isAsked(60_000, 10, 60_000), await isAsked(60_001, 10, 60_000)]).toEqual([false, true]);
    expect([await isAsked(3_000, 10, 1), await isAsked(3_001, 10, 1)]).toEqual([false, true]);
    expect(await isAsked(59_000, 10, 0)).toBe(false);
  });

  it('asks what was never read, and what failed last', async () => {
    const { parts, asked, put, readings, timers } = desk();
    put(60_000, 10, JOBS);
    await readGently(parts, [NODES, JOBS], 1_000);
    readings.fail('slurm.jobs', 'ctl1', { kind: 'timeout', message: 'ctl1: timed out' });
    put(60_000);
    await readGently(parts, [NODES, JOBS], 1_000);
    expect(asked).toEqual([[NODES], [JOBS]]);
    expect(timers.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
  });

  it('asks nothing, and starts no timer, while all of it is of now', async () => {
    const { parts, asked, put, timers } = desk();
    put(60_000);
    await readGently(parts, [NODES], 1_000);
    expect([asked, timers]).toEqual([[], []]);
  });
});

describe('how long an answer is told to have taken', () => {
  const said = (durationMs: number, hostMs?: number): string | undefined => {
    const readings = new Sources();
    readings.good('slurm.nodes', 'ctl1', 1, undefined, durationMs);
    const source = readings.source('slurm.nodes', 'ctl1');
    if (source?.good && hostMs !== undefined) readings.put({ ...source, good: { ...source.good, hostMs } });
    return missing(readings, -5)?.replace('ctl1 gave no fresh answer to slurm.nodes within 0.0 s', '');
  };

  it('from a second on, and the link from a second on', () => {
    expect([said(999), said(1000)]).toEqual(['', '; its last answer took 1.0 s']);
    expect(said(2000, 1001)).toBe('; its last answer took 2.0 s');
    expect(said(2000, 1000)).toMatch(/, 1\.0 s of it there and back: the link to ctl1 is slow$/);
  });
});
