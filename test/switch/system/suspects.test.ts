import { describe, expect, it } from 'vitest';
import { severityOf } from '../../../probes/switch/judge/severity.ts';
import { ratesOf } from '../../../probes/switch/judge/rates.ts';
import { suspectsOf } from '../../../probes/switch/verdict/suspects.ts';
import { verdictOf } from '../../../probes/switch/verdict/verdict.ts';
import type { Case, End } from '../../../probes/switch/verdict/case.ts';
import { siteOf } from '../../helpers/judging.ts';
import { lane, rates, receiver, sender } from './verdict-ends.ts';

const first = (from: Partial<End>, to: Partial<End>, more: Partial<Case> = {}) => {
  const verdict = verdictOf({ from: sender(from), to: receiver(to), bothWays: false, ...more });
  if (!verdict) throw new Error('no verdict');
  return suspectsOf(verdict)[0];
};

describe('a verdict as data', () => {
  it.each([
    ['light lost on the way', {}, { lanes: [lane(-2.5, -13)] }, 'light-lost', 'core3:te3/46'],
    [
      'a weak laser',
      { lanes: [lane(-9, -3)] },
      { lanes: [lane(-2.5, -13)] },
      'transmitter',
      'nfs-sw1:te1/12',
    ],
    ['light is fine', {}, {}, 'optic', 'nfs-sw1:te1/12'],
    [
      'half duplex at one end',
      { settings: { duplex: 'half' } },
      { settings: { duplex: 'full' } },
      'duplex',
      'nfs-sw1:te1/12',
    ],
    ['error correction', { settings: { fec: 'rs' } }, { settings: { fec: 'none' } }, 'fec', 'nfs-sw1:te1/12'],
  ] as const)('%s', (_what, from, to, cause, id) => {
    expect(first(from, to)).toMatchObject({ cause, subject: { kind: 'port', id } });
  });

  it('names the lane and its light', () => {
    const lanes = [1, 2, 3, 4].map((number) => lane(-2.5, number === 3 ? -13.4 : -2.9, { lane: number }));
    expect(first({}, { lanes })).toMatchObject({
      cause: 'lane',
      values: { lane: 3, rxDbm: -13.4, lowWarn: -11 },
    });
  });

  it('both directions: the cable', () => {
    expect(first({}, {}, { bothWays: true })).toMatchObject({ cause: 'cable' });
  });
});

describe('a single interval', () => {
  const site = siteOf([]);
  const one = (share: number, count: bigint) => [rates({ rxShare: share, rxBadCount: count, rxBad: 1 })];

  it('is critical where the count leaves no doubt', () => {
    expect(severityOf(one(0.05, 2000n), { site })).toBe('critical');
  });

  it.each([
    ['the share is near the threshold', one(1.1e-4, 100n)],
    ['there are few frames', one(0.01, 12n)],
    ['the one before it was clean', [...one(0.05, 2000n), rates({ rxBadCount: 0n })]],
  ])('is a warning as long as %s', (_what, list) => {
    expect(severityOf(list, { site })).toBe('warning');
  });
});

describe('input errors without a counter of damage', () => {
  const port = (counts: Record<string, bigint>) => ({ port: 'eth0', name: 'Ethernet0', counts });

  it('are not less for healthy jumbo frames', () => {
    const before = port({ rxErrors: 0n, rxOversize: 0n, rxPackets: 0n });
    const after = port({ rxErrors: 300n, rxOversize: 50_000n, rxPackets: 100_000n });
    expect(ratesOf(before, after, 10, 0).rxBadCount).toBe(300n);
  });
});
