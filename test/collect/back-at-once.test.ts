import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Answer } from '../../src/model/answer.ts';
import type { Probe } from '../../src/model/system.ts';
import { siteOf } from '../helpers/judging.ts';
import { rig } from './helpers/fake-collector.ts';
import { broken, host, probeOf, systemOf } from './helpers/fake-site.ts';
import { stallingHost, type StallingHost, type Stop } from './helpers/stalling-host.ts';

/** A command that fails says so with its exit code, as scontrol does. */
const read = ({ stdout, exitCode }: Answer): { value: string } => {
  if (exitCode !== 0) throw new CommandFailed('controllerHung', 'Socket timed out');
  return { value: stdout };
};
const pulse: Probe = probeOf('d.pulse', {
  pulse: { of: ['d.nodes', 'd.jobs', 'd.rare'], works: (value) => value === 'UP' },
});
const followers = [
  probeOf('d.nodes', { read }),
  probeOf('d.jobs', { read, everyMs: 20_000 }),
  probeOf('d.rare', { read, everyMs: 60_000 }),
];
const withPulse = systemOf('d', [pulse, ...followers]);
const without = systemOf('d', followers);
const site = siteOf([host('h1')]);
/** The fake clock begins at 1 s. */
const BEGIN = 1000;
const quick = (script: string): number => (script === 'show d.nodes' ? 150 : 20);

const start = (stops: { sshd?: Stop; daemon?: Stop }, system = withPulse, seed = 1, busy = quick) => {
  const stalling: StallingHost = stallingHost(stops, busy);
  const made = rig(site, [system], (_host, { script }, clock) => stalling.ask(script, clock.mono()), {
    seed,
  });
  made.collector.start();
  const ageAt = (probe: string): number =>
    made.clock.mono() - (made.collector.store.source(probe, 'h1')?.good?.mono ?? -Infinity);
  return { ...made, stalling, ageAt };
};

/** More than the interval: the longest a command takes, and the spreading of those that waited. */
const SLACK = 1000;

/**
 * Runs until the stop is over and for two minutes more; gives the moments at which a source that had its interval since was not read again
 * within it: what changes right after the fault must be seen in time, too.
 */
const lateAfter = async (
  stop: Stop,
  stops: { sshd?: Stop; daemon?: Stop },
  system = withPulse,
  seed = 1,
): Promise<readonly string[]> => {
  const { clock, collector } = start(stops, system, seed);
  await clock.advance(stop.to + SLACK - BEGIN);
  const late: string[] = [];
  for (let n = 0; n < 130; n += 1) {
    await clock.advance(1000);
    for (const { probe } of collector.slots()) {
      const since = clock.mono() - probe.everyMs - SLACK;
      if (since < stop.to) continue;
      const source = collector.store.source(probe.id, 'h1');
      if (source?.state !== 'fresh' || (source.good?.mono ?? 0) < since)
        late.push(`${clock.mono()}: ${probe.id} ${source?.state} of ${source?.good?.mono}`);
    }
  }
  await collector.close();
  return late;
};

const stopOf = (from: number, seconds: number): Stop => ({ from, to: from + seconds * 1000 });

describe('after the end of a fault every source is fresh within its interval', () => {
  it.each([18, 60])('sshd stopped for %d s', async (seconds) => {
    for (let from = 30_000; from < 60_000; from += 1_700) {
      const stop = stopOf(from, seconds);
      expect(await lateAfter(stop, { sshd: stop })).toEqual([]);
      expect(await lateAfter(stop, { sshd: stop }, without)).toEqual([]);
    }
  });

  it.each([5, 20, 60])('slurmctld stopped for %d s', async (seconds) => {
    for (let from = 30_000; from < 60_000; from += 1_700) {
      const stop = stopOf(from, seconds);
      expect(await lateAfter(stop, { daemon: stop })).toEqual([]);
      expect(await lateAfter(stop, { daemon: stop }, without)).toEqual([]);
    }
  });

  it('whatever stops, when and for how long', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('sshd' as const, 'daemon' as const),
        fc.integer({ min: 1_001, max: 120_000 }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        fc.nat(1000),
        async (what, from, seconds, pulsed, seed) => {
          const stop = stopOf(from, seconds);
          expect(await lateAfter(stop, { [what]: stop }, pulsed ? withPulse : without, seed)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a stall is no slow command', () => {
  it('a stop of sshd stretches no interval', async () => {
    const { clock, collector } = start({ sshd: stopOf(31_000, 18) });
    await clock.advance(120_000);
    for (const slot of collector.slots()) expect(slot.paceMs).toBe(slot.everyMs);
    await collector.close();
  });

  it('a daemon that answers after 5 s of 10 is asked less often, and says so, until it is quick again', async () => {
    let slow = true;
    const busy = (script: string): number => (slow && script === 'show d.nodes' ? 5_000 : 20);
    const { clock, collector, stalling } = start({}, withPulse, 1, busy);
    await clock.advance(120_000);
    const source = collector.store.source('d.nodes', 'h1');
    expect(source).toMatchObject({ state: 'fresh', everyMs: 10_000, slowedToMs: 25_000 });
    const asks = stalling.asked.filter(({ script }) => script === 'show d.nodes');
    // Twice at its own interval, then every 25 s.
    expect(asks.length).toBeLessThanOrEqual(7);
    slow = false;
    await clock.advance(25_000);
    expect(collector.store.source('d.nodes', 'h1')).not.toHaveProperty('slowedToMs');
    await collector.close();
  });

  it('a slow way to a quick host is no slow command', async () => {
    const { clock, collector } = rig(site, [withPulse], () => ({
      ...broken({ durationMs: 6_000, hostMs: 20 }),
      exitCode: 0,
      stdout: Buffer.from('UP'),
    }));
    collector.start();
    await clock.advance(120_000);
    expect(collector.store.source('d.nodes', 'h1')).toMatchObject({ durations: [20, 20, 20, 20, 20] });
    expect(collector.store.source('d.nodes', 'h1')).not.toHaveProperty('slowedToMs');
    await collector.close();
  });
});

describe('what a hung daemon is asked', () => {
  const asksIn = ({ stalling }: { stalling: StallingHost }, { from, to }: Stop, script: string): number =>
    stalling.asked.filter((one) => one.script === script && one.at >= from && one.at < to).length;

  it('is its cheapest question, one at a time: the dear ones wait for that', async () => {
    const stop = stopOf(31_000, 300);
    const made = start({ daemon: stop });
    await made.clock.advance(stop.to - BEGIN);
    expect(asksIn(made, stop, 'show d.pulse')).toBeGreaterThan(8);
    // At their own intervals these would be 30 and 15.
    expect(asksIn(made, stop, 'show d.nodes')).toBeLessThanOrEqual(10);
    expect(asksIn(made, stop, 'show d.jobs')).toBeLessThanOrEqual(8);
    await made.clock.advance(2_000);
    expect(made.ageAt('d.nodes')).toBeLessThan(2_000);
    await made.collector.close();
  });

  it('while it works, its cheapest question is asked at its own interval only', async () => {
    const made = start({});
    await made.clock.advance(600_000);
    expect(made.stalling.asked.filter(({ script }) => script === 'show d.pulse').length).toBeLessThanOrEqual(
      67,
    );
    await made.collector.close();
  });

  it('a pulse that says no, with all else well, is not asked more often', async () => {
    const { clock, collector, transports } = rig(site, [withPulse], (_host, { script }) => ({
      ...broken({ durationMs: 20 }),
      exitCode: 0,
      stdout: Buffer.from(script === 'show d.pulse' ? 'DOWN' : 'ok'),
    }));
    collector.start();
    await clock.advance(600_000);
    expect(
      transports.calls.filter(({ request }) => request.script === 'show d.pulse').length,
    ).toBeLessThanOrEqual(67);
    await collector.close();
  });

  it('a question that fails for another reason, with its daemon well, keeps its own interval', async () => {
    const { clock, collector, transports } = rig(site, [withPulse], (_host, { script }) => ({
      ...broken({ durationMs: 20 }),
      exitCode: script === 'show d.jobs' ? 1 : 0,
      stdout: Buffer.from(script === 'show d.pulse' ? 'UP' : 'ok'),
    }));
    collector.start();
    await clock.advance(600_000);
    expect(
      transports.calls.filter(({ request }) => request.script === 'show d.jobs').length,
    ).toBeLessThanOrEqual(34);
    await collector.close();
  });

  it('at most twice, where even the remote time limit does not end the command', async () => {
    const { clock, collector, transports } = rig(site, [withPulse], () =>
      broken({ timedOut: true, durationMs: 14_000 }),
    );
    collector.start();
    await clock.advance(500_000);
    for (const { key, probe } of collector.slots())
      expect(
        transports.calls.filter(({ request }) => request.script === `show ${probe.id}`).length,
        key,
      ).toBeLessThanOrEqual(2);
    await collector.close();
  });
});

describe('connections', () => {
  it('a refused login is never tried sooner, whatever waits for it', async () => {
    const { clock, collector, transports } = rig(site, [withPulse], () =>
      broken({ durationMs: 100, notConnected: { kind: 'auth', message: 'h1: permission denied' } }),
    );
    collector.start();
    await clock.advance(4 * 3_600_000);
    const tries = [...new Set(transports.calls.map(({ at }) => Math.round(at / 1000)))];
    const gaps = tries.slice(1).map((at, n) => at - (tries[n] ?? 0));
    // 1, 5, then every 30 minutes: ten tries in four hours.
    expect(tries.length).toBeLessThanOrEqual(11);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60);
    expect(gaps.slice(2).every((gap) => gap >= 1_800)).toBe(true);
    await collector.close();
  });

  it.each([30, 300, 3000])(
    'where nobody listened for %d s the sources are fresh within their interval',
    async (seconds) => {
      let up = false;
      const { clock, collector } = rig(site, [withPulse], () =>
        up
          ? { ...broken({ durationMs: 20 }), exitCode: 0, stdout: Buffer.from('UP') }
          : broken({
              durationMs: 5,
              notConnected: { kind: 'unreachable', message: 'h1: connection refused', untouched: true },
            }),
      );
      collector.start();
      await clock.advance(seconds * 1000);
      up = true;
      // Up to a tenth more, so that hosts lost together do not come back together.
      await clock.advance(11_000 + SLACK);
      for (const probe of ['d.nodes', 'd.pulse', 'd.jobs'])
        expect(collector.store.source(probe, 'h1')?.state).toBe('fresh');
      await collector.close();
    },
  );

  it('no burst after a suspend in the middle of a fault', async () => {
    const hosts = Array.from({ length: 100 }, (_, n) => host(`n${n}`));
    let hung = true;
    const { clock, collector, transports } = rig(siteOf(hosts), [withPulse], (_host, { script }) => ({
      ...broken({ durationMs: hung ? 10_000 : 20 }),
      exitCode: hung ? 1 : 0,
      stdout: Buffer.from(script === 'show d.pulse' && !hung ? 'UP' : ''),
    }));
    collector.start();
    await clock.advance(40_000);
    const before = transports.calls.length;
    hung = false;
    clock.suspend(300_000);
    await clock.advance(1_100);
    // 400 sources; at their own pace 27 a second.
    expect(transports.calls.length - before).toBeLessThan(120);
    await collector.close();
  });
});
