import { describe, expect, it } from 'vitest';
import {
  type Allocation,
  type AllocationInput,
  allocationOf,
  qosOf,
} from '../../probes/lustre/judge/allocation.ts';

const uneven = { thresholdPct: 17, avail: [610, 1000] };
const even = { thresholdPct: 17, avail: [840, 1000] };

const fine: Omit<AllocationInput, 'qos'> = {
  active: true,
  state: 'FULL',
  prealloc: 0,
  maxCreateCount: 20_000,
};

type Case = [
  string,
  string | undefined,
  Partial<AllocationInput>,
  typeof even,
  Allocation['verdict'],
  RegExp,
];

describe('will an MDT put new objects there', () => {
  it.each<Case>([
    ['nothing set', '2.15.8', {}, even, 'allocates', /nothing stops it/],
    ['inactive', '2.7.0', { active: false }, even, 'blocked', /active=0/],
    [
      'max_create_count=0, 2.8',
      '2.8.0',
      { maxCreateCount: 0 },
      even,
      'allocates',
      /ignored by Lustre 2\.8: it counts since 2\.9/,
    ],
    ['max_create_count=0, 2.9', '2.9.0', { maxCreateCount: 0 }, even, 'blocked', /max_create_count=0/],
    [
      'max_create_count=0, version unknown',
      undefined,
      { maxCreateCount: 0 },
      even,
      'unknown',
      /version, which is not known/,
    ],
    [
      'degraded, 2.7, uneven',
      '2.7.22',
      { degraded: true },
      uneven,
      'allocates',
      /degraded is ignored because Lustre 2\.7 and free space is unbalanced \(min 61 % of max free, QOS in use: used below 83 %\)/,
    ],
    ['degraded, 2.7, even', '2.7.22', { degraded: true }, even, 'avoided', /round-robin/],
    ['degraded, 2.8, uneven', '2.8.60', { degraded: true }, uneven, 'allocates', /ignored/],
    ['degraded, 2.9, uneven', '2.9.0', { degraded: true }, uneven, 'avoided', /still used when too few/],
    ['degraded, 2.10, uneven', '2.10.8', { degraded: true }, uneven, 'avoided', /still used/],
    ['degraded, version unknown', undefined, { degraded: true }, uneven, 'unknown', /version/],
    [
      'degraded, 2.5, threshold unknown',
      '2.5.3.90',
      { degraded: true },
      { thresholdPct: NaN, avail: [] },
      'unknown',
      /only while QOS is not in use/,
    ],
    [
      'degraded and max 0, 2.7, uneven',
      '2.7.0',
      { degraded: true, maxCreateCount: 0 },
      uneven,
      'allocates',
      /degraded is ignored/,
    ],
    ['degraded and inactive, 2.7', '2.7.0', { degraded: true, active: false }, uneven, 'blocked', /active=0/],
    ['no_create', '2.17.0', { noCreate: true }, even, 'blocked', /no_create/],
    ['read-only', '2.12.9', { readOnly: true }, even, 'blocked', /read-only/],
    ['disconnected', '2.12.9', { state: 'DISCONN', prealloc: -19 }, even, 'blocked', /DISCONN/],
    ['full', '2.12.9', { prealloc: -28 }, even, 'blocked', /no space or inodes left \(prealloc_status -28\)/],
    ['never precreated', '2.12.9', { prealloc: -11 }, even, 'blocked', /-11/],
    ['idle is healthy', '2.15.0', { state: 'IDLE' }, even, 'allocates', /nothing stops it/],
  ])('%s', (_name, version, more, balance, verdict, because) => {
    const thresholdPct = Number.isNaN(balance.thresholdPct) ? undefined : balance.thresholdPct;
    const got = allocationOf({
      ...fine,
      ...more,
      version,
      qos: qosOf({ thresholdPct, avail: balance.avail }),
    });
    expect(got.verdict).toBe(verdict);
    expect(got.because).toMatch(because);
  });

  it('an MDT that was not read is not known', () => {
    expect(allocationOf({ version: '2.12.9', qos: qosOf({ avail: [] }) }).verdict).toBe('unknown');
  });
});

describe('is weighing by free space in use', () => {
  it.each<[string, number, number[], boolean]>([
    // t = 43 of 256: below 213/256 of the maximum.
    ['just below the limit', 17, [832, 1000], true],
    ['just above the limit', 17, [833, 1000], false],
    ['one OST alone', 17, [1000], false],
    ['one OST alone, threshold 0', 0, [1000], false],
    ['threshold 0: any difference', 0, [999, 1000], true],
    ['threshold 100', 100, [1, 1000], false],
    ['an OST with nothing available is passed over', 17, [0, 1000, 990], false],
    ['one with nothing available, the others uneven', 17, [0, 1000, 600], true],
    ['threshold 100, an OST with nothing available', 100, [0, 900, 1000], false],
    ['nothing available anywhere', 17, [0, 0], false],
    ['sizes beyond 32 bits', 17, [4_075_068_964, 41_799_755_952], true],
  ])('%s', (_name, thresholdPct, avail, inUse) => {
    expect(qosOf({ thresholdPct, avail }).inUse).toBe(inUse);
  });
});
