import { describe, expect, it } from 'vitest';
import type { TrafficRule } from '../../src/model/site.ts';
import { createTraffic, ruleName } from '../../src/collect/traffic.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const HOUR = 3_600_000;
const system = systemOf('sys', [
  probeOf('sys.a'),
  probeOf('sys.flood', { touches: 'traffic', everyMs: 10_000 }),
]);
const rule = (more: Partial<TrafficRule> = {}): TrafficRule => ({
  probe: 'sys.flood',
  hosts: ['h1'],
  everyMs: 6 * HOUR,
  from: 3 * 60,
  to: 5 * 60,
  zone: 'UTC',
  ...more,
});
const hosts = [host('h1'), host('h2')];
/** The fake clock starts at 02:00 UTC. */
const night = Date.UTC(2026, 10, 20, 2, 0);

describe('a probe that puts traffic on the network', () => {
  const run = async (traffic: readonly TrafficRule[], ms: number, readOnly = false): Promise<string[]> => {
    const { clock, collector, transports } = rig(siteOf(hosts, { traffic }), [system], () => answerOf('x'), {
      readOnly,
    });
    const times: string[] = [];
    collector.start();
    let seen = 0;
    for (let at = 0; at < ms; at += 60_000) {
      await clock.advance(60_000);
      const calls = transports.calls.slice(seen);
      seen = transports.calls.length;
      for (const call of calls)
        if (call.request.script === 'show sys.flood')
          times.push(`${call.host} ${new Date(clock.now()).toISOString().slice(11, 13)}`);
    }
    await collector.close();
    return times;
  };

  it('is never asked by an interval, whatever the probe or the site file says', async () => {
    expect(await run([], 2 * HOUR)).toEqual([]);
  });

  it('is asked in its part of the day, on its hosts alone, once in its interval', async () => {
    expect(await run([rule()], 4 * HOUR)).toEqual(['h1 03']);
    expect(await run([rule({ everyMs: HOUR, hosts: ['h1', 'h2'] })], 4 * HOUR)).toEqual([
      'h1 03',
      'h2 03',
      'h1 04',
      'h2 04',
    ]);
  });

  it('is never asked by a read-only console', async () => {
    expect(await run([rule()], 4 * HOUR, true)).toEqual([]);
  });

  it('makes nothing stale between two nights, and "r" does not ask it', async () => {
    const { clock, collector, transports } = rig(
      siteOf(hosts, { traffic: [rule({ from: 120, to: 180 })] }),
      [system],
      () => answerOf('x'),
    );
    collector.start();
    await clock.advance(HOUR);
    const flooded = () => transports.calls.filter(({ request }) => request.script === 'show sys.flood');
    expect(flooded()).toHaveLength(1);
    await clock.advance(3 * HOUR);
    collector.refresh({});
    await clock.advance(60_000);
    expect(flooded()).toHaveLength(1);
    expect(collector.store.source('sys.flood', 'h1')?.state).toBe('fresh');
    expect(clock.now() - (collector.store.oldestAt() ?? 0)).toBeLessThan(HOUR);
    await collector.close();
  });
});

describe('rules of the site', () => {
  const told = () => {
    const known = new Map<string, number>();
    const add = async (event: object) => {
      if ('rule' in event) known.set(String(event.rule), night);
      return { where: 'shared' } as const;
    };
    return { traffic: (name: string) => known.get(name), add, known };
  };

  it('one console begins, the others know', () => {
    const shared = told();
    const [one, other] = [createTraffic([rule()], shared, () => 0), createTraffic([rule()], shared, () => 0)];
    const at = night + HOUR;
    shared.known.set(ruleName(rule()), at - HOUR);
    expect([one.listDue(at), one.listDue(at + 60_000)]).toEqual([[], []]);
    shared.known.clear();
    expect(other.listDue(at)).toEqual([]);
    expect(one.listDue(at + 60_000)).toEqual([rule()]);
    expect(other.listDue(at + 60_000)).toEqual([]);
  });

  it('consoles begin at different moments', () => {
    const late = createTraffic([rule()], undefined, () => 0.5);
    const at = night + HOUR;
    expect(late.listDue(at)).toEqual([]);
    expect(late.listDue(at + 4 * 60_000)).toEqual([]);
    expect(late.listDue(at + 5 * 60_000)).toEqual([rule()]);
  });

  it.each([
    ['UTC', '2026-11-20T02:59Z', false],
    ['UTC', '2026-11-20T03:00Z', true],
    ['UTC', '2026-11-20T05:00Z', false],
    ['Europe/Zurich', '2026-11-20T02:00Z', true],
    ['Europe/Zurich', '2026-07-20T01:00Z', true],
    ['Europe/Zurich', '2026-07-20T03:30Z', false],
    ['America/New_York', '2026-11-20T08:30Z', true],
  ])('03:00-05:00 in %s holds %s: %s', (zone, at, open) => {
    const traffic = createTraffic([rule({ zone })], undefined, () => 0);
    expect(traffic.allows('sys.flood', 'h1', Date.parse(at))).toBe(open);
    expect(traffic.allows('sys.flood', 'h2', Date.parse(at))).toBe(false);
  });

  it('a part of the day may go over midnight', () => {
    const traffic = createTraffic([rule({ from: 23 * 60, to: 60 })], undefined, () => 0);
    const open = ['22:59', '23:00', '00:59', '01:00'].map((time) =>
      traffic.allows('sys.flood', 'h1', Date.parse(`2026-11-20T${time}Z`)),
    );
    expect(open).toEqual([false, true, true, false]);
  });
});
