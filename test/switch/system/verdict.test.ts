import { describe, expect, it } from 'vitest';
import { verdictOf, type Case, type CauseKind, type End } from '../../../probes/switch/verdict.ts';
import type { PortRates } from '../../../probes/switch/rates.ts';
import type { Lane, Repair } from '../../../probes/switch/readings.ts';

const A = 'nfs-sw1 te1/12';
const B = 'core3 te3/46';

const rates = (more: Partial<PortRates> = {}): PortRates => ({
  at: 0,
  seconds: 10,
  rxBad: 0,
  txBad: 0,
  rxPackets: 21_000,
  rxShare: 0,
  remarks: [],
  ...more,
});

const bad = rates({ rxBad: 1204, rxShare: 0.057 });
const low = { txLimits: { warnLow: -6 }, rxLimits: { warnLow: -11 } };
const lane = (txDbm: number, rxDbm: number, more: Partial<Lane> = {}): Lane => ({
  port: 'p',
  txDbm,
  rxDbm,
  ...low,
  ...more,
});
const fine = [lane(-2.5, -2.9)];

const sender = (more: Partial<End> = {}): End => ({
  id: 'nfs-sw1:te1/12',
  name: A,
  rates: [rates(), rates()],
  lanes: fine,
  repairs: [],
  ...more,
});
const receiver = (more: Partial<End> = {}): End => ({
  id: 'core3:te3/46',
  name: B,
  rates: [bad, bad],
  lanes: fine,
  repairs: [],
  ...more,
});
const repair = (port: string, part: Repair['part']): Repair => ({
  at: 0,
  port,
  part,
  text: `${part} done`,
  by: 'alice',
});

interface Row {
  what: string;
  from?: Partial<End>;
  to?: Partial<End>;
  more?: Partial<Case>;
  best: CauseKind;
  first: string;
  next?: string;
  confidence?: 'high' | 'medium' | 'low';
  says?: RegExp;
}

const table: readonly Row[] = [
  {
    what: 'received errors, light fine at both ends: the sender first, then the receiver',
    best: 'farOptic',
    first: A,
    next: B,
    confidence: 'medium',
    says: /one direction only.*light is fine/,
  },
  {
    what: 'the sender counts transmit errors itself',
    from: { rates: [rates({ txBad: 900 })] },
    best: 'farOptic',
    first: A,
    says: /900 transmit errors/,
  },
  {
    what: 'no optical readings: the tree alone, less sure',
    from: { lanes: [] },
    to: { lanes: [] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'the sender is not known at all: low confidence',
    from: { lanes: [], rates: [] },
    to: { lanes: [] },
    best: 'farOptic',
    first: A,
    confidence: 'low',
  },
  {
    what: 'weak transmitter at the sender',
    from: { lanes: [lane(-9, -3)] },
    to: { lanes: [lane(-2.5, -13)] },
    best: 'transmitter',
    first: A,
    confidence: 'high',
  },
  {
    what: 'light lost on the way, one direction: a dirty connector at the receiver',
    to: { lanes: [lane(-2.5, -13)] },
    best: 'connector',
    first: B,
    confidence: 'high',
    says: /RX power at core3 te3\/46 low/,
  },
  {
    what: 'light lost both ways: the fibre',
    from: { lanes: [lane(-2.5, -14)] },
    to: { lanes: [lane(-2.5, -13)] },
    best: 'fibre',
    first: A,
  },
  {
    what: 'both directions bad, light fine: what lies between',
    more: { bothWays: true },
    best: 'fibre',
    first: A,
  },
  {
    what: 'stomped elsewhere: upstream of the sender',
    to: { rates: [rates({ rxBad: 500, rxStomped: 495 }), bad] },
    from: { otherSources: ['nfs-sw1 te1/1'] },
    best: 'upstream',
    first: 'nfs-sw1 te1/1',
    says: /495\/s of 500\/s as stomped/,
  },
  {
    what: 'a cut-through sender that receives bad frames itself passes them on',
    from: { cutThrough: true, otherSources: ['nfs-sw1 te1/1'] },
    best: 'upstream',
    first: 'nfs-sw1 te1/1',
  },
  {
    what: 'cuts through, but receives none: its own link',
    from: { cutThrough: true, otherSources: [] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'one lane of four is weak at the sender',
    from: { lanes: [1, 2, 3, 4].map((n) => lane(n === 3 ? -9 : -2, -3, { lane: n })) },
    best: 'lane',
    first: A,
    says: /lane 3/,
  },
  {
    what: 'half of the card is bad: what they share',
    to: { neighbours: { what: 'card te3', total: 4, bad: 2 } },
    best: 'shared',
    first: B,
    says: /2 of 4 other links on card te3/,
  },
  {
    what: 'one neighbour of many is bad: still this link',
    to: { neighbours: { what: 'card te3', total: 40, bad: 1 } },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'different speeds',
    from: { speedMbps: 1000 },
    to: { speedMbps: 10_000 },
    best: 'mismatch',
    first: A,
  },
  {
    what: 'late collisions',
    from: { rates: [rates({ collisions: 3 })] },
    best: 'mismatch',
    first: A,
    says: /duplex/,
  },
  {
    what: 'giants are an MTU',
    to: { rates: [rates({ rxBad: 100, rxGiants: 100 }), bad] },
    best: 'mtu',
    first: B,
  },
  {
    what: 'errors that follow the load are congestion; the tree still leads when light speaks for nothing',
    more: { past: [1, 2, 3, 4, 5, 6].map((n) => ({ share: n / 100, load: n * 1000 })) },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'the far optic was swapped and errors go on: the near one next',
    from: { repairs: [repair('nfs-sw1:te1/12', 'optic')] },
    best: 'nearOptic',
    first: B,
  },
  {
    what: 'the near optic was swapped: the far one stays first',
    to: { repairs: [repair('core3:te3/46', 'optic')] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'both optics swapped: the fibre',
    from: { repairs: [repair('nfs-sw1:te1/12', 'optic')] },
    to: { repairs: [repair('core3:te3/46', 'optic')] },
    best: 'fibre',
    first: A,
  },
  {
    what: 'optics and fibre replaced: the ports themselves',
    from: { repairs: [repair('nfs-sw1:te1/12', 'optic'), repair('nfs-sw1:te1/12', 'fibre')] },
    to: { repairs: [repair('core3:te3/46', 'optic')] },
    best: 'port',
    first: B,
  },
  {
    what: 'cleaned and the light is still low: the fibre',
    to: { lanes: [lane(-2.5, -13)], repairs: [repair('core3:te3/46', 'cleaned')] },
    best: 'fibre',
    first: B,
  },
];

describe('the verdict', () => {
  it.each(table)('$what', ({ from, to, more, best, first, next, confidence, says }) => {
    const verdict = verdictOf({ from: sender(from), to: receiver(to), bothWays: false, ...more });
    expect(verdict?.causes[0]?.kind).toBe(best);
    expect(verdict?.first.at).toBe(first);
    if (next !== undefined) expect(verdict?.next?.at).toBe(next);
    if (confidence !== undefined) expect(verdict?.confidence).toBe(confidence);
    if (says) expect(verdict?.causes[0]?.evidence.join('; ')).toMatch(says);
    expect(verdict?.causes.every(({ evidence }) => evidence.length > 0)).toBe(true);
    expect(verdict?.first.steps.join()).not.toBe('replace');
  });

  it('none from a single sample, none without bad frames', () => {
    expect(verdictOf({ from: sender(), to: receiver({ rates: [] }), bothWays: false })).toBeUndefined();
    expect(
      verdictOf({ from: sender(), to: receiver({ rates: [rates()] }), bothWays: false }),
    ).toBeUndefined();
  });

  it('what was only cleaned is to be swapped next', () => {
    const from = sender({ repairs: [repair('nfs-sw1:te1/12', 'reseated')] });
    expect(verdictOf({ from, to: receiver(), bothWays: false })?.first).toEqual({
      at: A,
      steps: ['swap the optic'],
    });
  });

  it('lossy jumbo paths beside clean small ones are evidence', () => {
    const verdict = verdictOf({
      from: sender(),
      to: receiver(),
      bothWays: false,
      jumbo: { lossy: 2, cells: 16 },
    });
    expect(verdict?.causes[0]?.evidence.join()).toContain(
      '2 jumbo paths lose packets whose small pings are clean',
    );
  });
});
