import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { placeLanes } from '../../../probes/switch/read/lane-ports.ts';
import type { CountersReading, Lane } from '../../../probes/switch/readings.ts';

const form = platformOf('arista_eos')?.lanesLikePorts;
const printed: Lane[] = [1, 2, 3, 4].map((one) => ({ port: `eth50/${one}`, rxDbm: one === 3 ? -30 : -2 }));
const port = (name: string, more: Partial<CountersReading['ports'][number]>) => ({
  port: name,
  name,
  counts: {},
  ...more,
});
const named = (ports: CountersReading['ports'] | undefined): string[] =>
  placeLanes(printed, { form, counters: ports && { ports } }).map(
    ({ port: name, lane }) => `${name} ${lane}`,
  );

describe('Et50/1 to Et50/4 of EOS', () => {
  const ofOne = ['eth50/1 1', 'eth50/1 2', 'eth50/1 3', 'eth50/1 4'];
  const four = [1, 2, 3, 4].map((one) => `eth50/${one} undefined`);

  it('are lanes of one port where the others are none', () => {
    expect(named([port('eth50/1', { state: 'up', speedMbps: 100_000 })])).toEqual(ofOne);
    // Without light it tells no speed.
    expect(named([port('eth50/1', { state: 'dark' })])).toEqual(ofOne);
  });

  it('and where they are listed beside it without a link', () => {
    const others = [2, 3, 4].map((one) => port(`eth50/${one}`, { state: 'down' }));
    expect(named([port('eth50/1', { state: 'up', speedMbps: 40_000 }), ...others])).toEqual(ofOne);
  });

  it('are four ports where it is broken out', () => {
    const all = [1, 2, 3, 4].map((one) => port(`eth50/${one}`, { state: 'up', speedMbps: 25_000 }));
    expect(named(all)).toEqual(four);
    const dark = all.map((one, at) => (at === 2 ? { ...one, state: 'dark' as const } : one));
    expect(named(dark)).toEqual(four);
  });

  it('of eight lanes belong to the nearest port before them, shut or not', () => {
    const eight: Lane[] = [1, 2, 3, 4, 5, 6, 7, 8].map((one) => ({
      port: `eth1/${one}`,
      rxDbm: one > 4 ? -30 : -2,
    }));
    const lanesWith = (second: Partial<CountersReading['ports'][number]>) => {
      const ports = [port('eth1/1', { state: 'up', speedMbps: 100_000 }), port('eth1/5', second)];
      return placeLanes(eight, { form, counters: { ports } }).map(
        ({ port: name, lane }) => `${name} ${lane}`,
      );
    };
    const [first, second] = ['eth1/1', 'eth1/5'].map((name) => [1, 2, 3, 4].map((lane) => `${name} ${lane}`));
    expect(lanesWith({ state: 'shut' })).toEqual([...(first ?? []), ...(second ?? [])]);
    expect(lanesWith({ state: 'up', speedMbps: 100_000 })).toEqual([...(first ?? []), ...(second ?? [])]);
    // One port over all eight: the others are listed beside it, without a link of their own.
    expect(lanesWith({ state: 'down' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((lane) => `eth1/1 ${lane}`));
  });

  it('are all four of a port of 40 Gbit/s, though somebody shut those beside it', () => {
    const others = [2, 3, 4].map((one) => port(`eth50/${one}`, { state: 'shut' }));
    expect(named([port('eth50/1', { state: 'up', speedMbps: 40_000 }), ...others])).toEqual(ofOne);
  });

  it('stay as printed where nobody counted, and where the module is not known', () => {
    expect(named(undefined)).toEqual(four);
    expect(named([port('eth1', { state: 'up', speedMbps: 100_000 })])).toEqual(four);
  });

  it('a port of one lane has no number', () => {
    const lanes = placeLanes([{ port: 'eth3/1', rxDbm: -2 }], {
      form,
      counters: { ports: [port('eth3/1', { state: 'up', speedMbps: 100_000 })] },
    });
    expect(lanes).toEqual([{ port: 'eth3/1', rxDbm: -2 }]);
  });
});
