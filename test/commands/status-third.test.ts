import { describe, expect, it } from 'vitest';
import { switchProbes } from '../../probes/switch/ask/probes.ts';
import { askAll } from '../../src/collect/ask-all.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, broken, host, probeOf, systemOf } from '../collect/helpers/fake-site.ts';
import { siteOf, Sources, start } from '../helpers/judging.ts';
import type { Probe } from '../../src/model/system.ts';
import type { CountersReading } from '../../probes/switch/readings.ts';

interface World {
  third?: boolean;
  /** How the second or third answer comes. */
  fails?: boolean;
  hangs?: boolean;
  isTooFew?: Probe<string>['isTooFew'];
  deadlineMs?: number;
}

/** A source whose probe finds two readings too few unless said otherwise: when it was asked, s after the first time, and what is known of it. */
const askRate = async ({
  third = true,
  fails = false,
  hangs = false,
  isTooFew = (samples) => samples.length < 3,
  deadlineMs = 45_000,
}: World = {}) => {
  const probe = probeOf('sys.rate', { keep: 3, isTooFew });
  const system = systemOf('sys', [probe, probeOf('sys.once')]);
  let asked = 0;
  const made = rig(
    siteOf([host('h1')]),
    [system],
    (_host, { script }) => {
      asked += script === 'show sys.rate' ? 1 : 0;
      if (hangs && asked === 3) return 'hang';
      return fails && asked === 2 ? broken({ timedOut: true }) : answerOf('x');
    },
    { once: true },
  );
  const asking = askAll(made.collector, deadlineMs, { third });
  await made.clock.advance(60_000);
  await asking;
  const at = made.transports.calls
    .filter(({ request }) => request.script === 'show sys.rate')
    .map((call) => call.at);
  const source = made.collector.store.source('sys.rate', 'h1');
  return { at: at.map((one) => Math.round((one - (at[0] ?? 0)) / 1000)), source };
};

describe('a third reading', () => {
  it('is asked for 6 s after two that are too few to tell', async () => {
    expect((await askRate()).at).toEqual([0, 2, 8]);
  });

  it('is asked for where the probe throws over the two: nobody else is hurt', async () => {
    expect((await askRate({ isTooFew: () => JSON.parse('{') })).at).toEqual([0, 2, 8]);
  });

  it.each([
    ['two are enough', { isTooFew: () => false }],
    ['the second one failed', { fails: true }],
    ['an action is planned, or --quick', { third: false }],
  ])('is not asked for where %s', async (_what, world) => {
    expect((await askRate(world)).at).toEqual([0, 2]);
  });

  it('is not asked for behind the deadline, and what the two say stands', async () => {
    const { at, source } = await askRate({ deadlineMs: 5000 });
    expect(at).toEqual([0, 2]);
    expect(source).toMatchObject({ state: 'fresh', before: [{}] });
    expect(source?.failure).toBeUndefined();
  });

  it('that does not come until the deadline is told as that', async () => {
    const { at, source } = await askRate({ hangs: true, deadlineMs: 10_000 });
    expect(at).toEqual([0, 2, 8]);
    expect(source?.failure?.message).toContain('sys.rate: no third answer within 10 s');
    expect(source).toMatchObject({ good: {}, before: [{}] });
  });
});

describe('a second reading', () => {
  it.each([0, 1])(
    'does not wait for a daemon that hangs (of which %i earlier ones are kept)',
    async (keep) => {
      const system = systemOf('sys', [
        probeOf('sys.rate', { keep: 1 }),
        probeOf('sys.hangs', { mayHang: true, deadlineMs: 60_000, keep }),
      ]);
      const made = rig(
        siteOf([host('h1')]),
        [system],
        (_host, { script }) => (script === 'show sys.hangs' ? 'hang' : answerOf('x')),
        { once: true },
      );
      const asking = askAll(made.collector, 45_000);
      await made.clock.advance(60_000);
      await asking;
      const { store } = made.collector;
      expect(store.source('sys.rate', 'h1')).toMatchObject({ state: 'fresh', before: [{}] });
      expect(store.source('sys.hangs', 'h1')?.state).toBe('failed');
    },
  );
});

describe('counters of ports', () => {
  interface Port {
    bad?: readonly [bigint, bigint];
    packets?: bigint;
    transitions?: bigint;
  }

  /** Whether two readings 2 s apart of a switch with this port are too few. */
  const isTooFew = ({
    bad = [0n, 0n],
    packets = 1_800_000n,
    transitions = 0n,
  }: Port): boolean | undefined => {
    const site = siteOf([{ name: 'leaf7', roles: ['switch'], platform: 'arista_eos' }]);
    const readings = new Sources();
    const port = (rxCrc: bigint, rxPackets: bigint, linkTransitions: bigint) => ({
      port: 'eth1',
      name: 'Ethernet1',
      link: 'connected',
      state: 'up' as const,
      counts: { rxPackets, rxCrc, linkTransitions },
    });
    readings.good('switch.counters', 'leaf7', { ports: [port(bad[0], 10n ** 10n, 0n)] }, start, 20, 2);
    const now = { ports: [port(bad[1], 10n ** 10n + packets, transitions)] };
    readings.good('switch.counters', 'leaf7', now, start + 2000, 20, 2);
    const source = readings.source<CountersReading>('switch.counters', 'leaf7');
    const probe = switchProbes.find(({ id }) => id === 'switch.counters');
    return source?.good && probe?.isTooFew?.([source.good, ...source.before], site);
  };

  it.each([1n, 2n])('%s bad frames of 1.8 million in 2 s: they may go on', (by) =>
    expect(isTooFew({ bad: [70n, 70n + by] })).toBe(true),
  );

  it('many bad frames on a link that went once: it may flap', () =>
    expect(isTooFew({ bad: [70n, 370n], transitions: 2n })).toBe(true));

  it.each([
    ['the link went, without a bad frame', { transitions: 2n }],
    ['no bad frame, though there were some long ago', { bad: [70n, 70n] }],
    ['enough for a finding', { bad: [70n, 73n] }],
    ['below the share of a warning', { bad: [70n, 71n], packets: 60_000_000n }],
    ['the link came up in between', { bad: [70n, 72n], transitions: 2n }],
  ] as const)('%s: two readings tell all', (_what, world) => expect(isTooFew(world)).toBe(false));
});
