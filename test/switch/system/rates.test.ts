import { describe, expect, it } from 'vitest';
import { changeOf, ratesByPort, ratesOf } from '../../../probes/switch/judge/rates.ts';
import { parseClearedAgo } from '../../../probes/switch/read/link-changes.ts';
import type { CountersReading, Port } from '../../../probes/switch/readings.ts';
import type { Reading } from '../../../src/model/reading.ts';

const plain = { restarted: false, stuck: false };
const port = (counts: Record<string, bigint>, more: Partial<Port> = {}): Port => ({
  port: 'te3/46',
  name: 'TenGigabitEthernet 3/46',
  counts,
  ...more,
});

describe('one counter between two samples', () => {
  it.each([
    ['rises', 5n, 9n, plain, { kind: 'rose', by: 4n }],
    ['rises beyond 2^53', 2n ** 60n, 2n ** 60n + 1n, plain, { kind: 'rose', by: 1n }],
    ['stands', 7n, 7n, plain, { kind: 'rose', by: 0n }],
    ['wraps at 32 bit', 2n ** 32n - 6n, 10n, plain, { kind: 'wrapped', by: 16n }],
    ['falls from where no wrap can be', 1_000_000n, 10n, plain, { kind: 'odd' }],
    ['falls from beyond 32 bit', 2n ** 40n, 10n, plain, { kind: 'odd' }],
    ['was cleared', 1000n, 3n, { restarted: true, stuck: false }, { kind: 'cleared' }],
    [
      'rises past its old value after a clear',
      5n,
      9n,
      { restarted: true, stuck: false },
      { kind: 'cleared' },
    ],
    ['stands at its maximum', 65_535n, 65_535n, { restarted: false, stuck: true }, { kind: 'stuck' }],
    ['is missing', undefined, 4n, plain, { kind: 'absent' }],
  ] as const)('%s', (_what, before, after, how, expected) => {
    expect(changeOf(before, after, how)).toEqual(expected);
  });
});

describe('rates of a port', () => {
  it('of a port that sends nothing a clear is a clear, not a wrap', () => {
    const before = port({ rxBytes: 4_200_000_000n, rxPackets: 3_000_000n, txBytes: 0n, txPackets: 0n });
    const after = port({ rxBytes: 1000n, rxPackets: 10n, txBytes: 0n, txPackets: 0n });
    expect(ratesOf(before, after, 10, 0)).toEqual({
      at: 0,
      seconds: 10,
      remarks: ['counters were cleared or the device restarted'],
    });
  });

  it('knows the share of bad frames', () => {
    const before = port({ rxPackets: 1000n, rxCrc: 10n, txPackets: 5n });
    const after = port({ rxPackets: 22_000n, rxCrc: 1214n, txPackets: 5n });
    expect(ratesOf(before, after, 10, 0)).toMatchObject({ rxBad: 120.4, rxBadCount: 1204n, rxPackets: 2100 });
    expect(ratesOf(before, after, 10, 0).rxShare).toBeCloseTo(1204 / 21_000, 6);
  });

  it('cleared by the device: no rate, said so', () => {
    const before = port({ rxPackets: 1000n, rxCrc: 10n }, { lastClear: '41w2d3h' });
    const after = port({ rxPackets: 5000n, rxCrc: 12n }, { lastClear: '00:00:04' });
    const rates = ratesOf(before, after, 10, 0);
    expect(rates.rxBad).toBeUndefined();
    expect(rates.remarks).toEqual(['counters were cleared or the device restarted']);
  });

  it('all traffic counters fell: a restart', () => {
    const before = port({ rxPackets: 1000n, txPackets: 900n, rxCrc: 5n });
    const after = port({ rxPackets: 3n, txPackets: 2n, rxCrc: 0n });
    expect(ratesOf(before, after, 10, 0).rxBad).toBeUndefined();
  });

  it('one counter alone went backwards: that one has no rate', () => {
    const before = port({ rxPackets: 1000n, txPackets: 900n, rxCrc: 5n });
    const after = port({ rxPackets: 2000n, txPackets: 1900n, rxCrc: 4n });
    const rates = ratesOf(before, after, 10, 0);
    expect(rates).toMatchObject({ rxPackets: 100, remarks: ['rxCrc went backwards alone: no rate'] });
    expect(rates.rxBad).toBeUndefined();
  });

  it('a saturated counter is at least what it shows, never a rate of nothing', () => {
    const before = port({ symbolErrorCounter: 65_535n });
    const after = port({ symbolErrorCounter: 65_535n }, { saturated: ['symbolErrorCounter'] });
    const rates = ratesOf(before, after, 10, 0);
    expect(rates.symbolErrors).toBeUndefined();
    expect(rates.remarks[0]).toContain('at least 65535');
  });

  it('input errors without a CRC counter leave out overruns and giants', () => {
    const before = port({ rxErrors: 0n, rxOverrun: 0n, rxGiants: 0n, rxPackets: 0n });
    const after = port({ rxErrors: 50n, rxOverrun: 30n, rxGiants: 15n, rxPackets: 1000n });
    expect(ratesOf(before, after, 1, 0).rxBadCount).toBe(5n);
  });

  it('a single reading gives none; three give two intervals, newest first', () => {
    const reading = (mono: number, crc: bigint): Reading<CountersReading> => ({
      probe: 'switch.counters',
      host: 'core3',
      at: mono,
      mono,
      durationMs: 1,
      notUnderstood: 0,
      value: { ports: [port({ rxCrc: crc, rxPackets: crc * 10n })] },
    });
    expect(ratesByPort([reading(0, 1n)]).size).toBe(0);
    const three = ratesByPort([reading(30_000, 61n), reading(10_000, 21n), reading(0, 1n)]);
    expect(three.get('te3/46')?.map(({ rxBad, seconds }) => [rxBad, seconds])).toEqual([
      [2, 20],
      [2, 10],
    ]);
  });
});

describe('last clearing', () => {
  it.each([
    ['41w2d3h', 41 * 604_800 + 2 * 86_400 + 3 * 3600],
    ['00:01:40', 100],
    ['never', undefined],
    [undefined, undefined],
  ])('%s', (text, seconds) => expect(parseClearedAgo(text)).toBe(seconds));
});
