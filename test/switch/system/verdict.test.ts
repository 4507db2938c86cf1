import { describe, expect, it } from 'vitest';
import { groundText, type Case, type CauseKind, type End } from '../../../probes/switch/verdict/case.ts';
import { verdictOf } from '../../../probes/switch/verdict/verdict.ts';

import { A, B, rates, bad, lane, sender, receiver, repair, rxLimits, place } from './verdict-ends.ts';

interface Row {
  what: string;
  from?: Partial<End>;
  to?: Partial<End>;
  more?: Partial<Case>;
  best: CauseKind;
  first: string;
  next?: string;
  second?: CauseKind;
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
    what: 'more light than the receiver takes: no dirt, and its optic is well',
    to: {
      lanes: [lane(-2.5, -2.9, { lane: 1, rxLimits }), lane(-2.5, 3.1, { lane: 2, rxLimits })],
    },
    best: 'overload',
    first: B,
    next: A,
    says: /RX power at core3 te3\/46 high \(3\.1 dBm\)/,
  },
  {
    what: 'limits without room between them are none: a module nobody wrote them into',
    to: { lanes: [lane(-2.5, -2.9, { rxLimits: { warnLow: 0, warnHigh: 0 } })] },
    best: 'farOptic',
    first: A,
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
    from: { origins: [{ at: place('nfs-sw1 te1/1'), from: place('core1 te2/2'), through: [] }] },
    best: 'upstream',
    first: 'core1 te2/2',
    next: A,
    says: /495\/s of 500\/s as stomped; nfs-sw1 te1\/1 receives bad frames from core1 te2\/2/,
  },
  {
    what: 'stomped, and nobody upstream could be read: the switch that sends them',
    to: { rates: [rates({ rxBad: 500, rxStomped: 495 }), bad] },
    best: 'upstream',
    first: A,
  },
  {
    what: 'a tenth is stomped: this link all the same',
    to: { rates: [rates({ rxBad: 500, rxStomped: 50, rxShare: 0.02 }), bad] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'a cut-through sender that receives bad frames itself passes them on',
    from: { cutThrough: true, origins: [{ at: place('core1 te9'), through: ['spine1', 'spine2'] }] },
    best: 'upstream',
    first: 'core1 te9',
    says: /core1 te9 receives bad frames, on through spine1, spine2/,
  },
  {
    what: 'of a cut-through sender that receives far fewer than it would have sent on: its own link',
    from: { cutThrough: true, origins: [{ at: place('core1 te9'), through: [] }], arriving: 20 },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'a cut-through sender that receives as many as arrive here passes them on',
    from: { cutThrough: true, origins: [{ at: place('core1 te9'), through: [] }], arriving: 5000 },
    best: 'upstream',
    first: 'core1 te9',
  },
  {
    what: 'cuts through, but receives none: its own link',
    from: { cutThrough: true, origins: [] },
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
    what: 'the only other link of the breakout is bad: a second thought',
    to: { neighbours: { what: 'breakout xe-0/0/1', total: 1, bad: 1 } },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'one neighbour of many is bad: still this link',
    to: { neighbours: { what: 'card te3', total: 40, bad: 1 } },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'different speeds',
    from: { settings: { speedMbps: 1000 } },
    to: { settings: { speedMbps: 10_000 } },
    best: 'mismatch',
    first: A,
    says: /1000 Mbit\/s at nfs-sw1 te1\/12, 10000 Mbit\/s at core3 te3\/46/,
  },
  {
    what: 'different duplex',
    from: { settings: { duplex: 'half', speedMbps: 1000 } },
    to: { settings: { duplex: 'full', speedMbps: 1000 } },
    best: 'mismatch',
    first: A,
    says: /half duplex at nfs-sw1 te1\/12, full duplex at core3 te3\/46/,
  },
  {
    what: 'different error correction',
    from: { settings: { fec: 'rs' } },
    to: { settings: { fec: 'none' } },
    best: 'mismatch',
    first: A,
    says: /Reed-Solomon FEC at .*, no FEC at/,
  },
  {
    what: 'only one side negotiates: worth a look after the optics, and before the fibre',
    from: { settings: { autoneg: true } },
    to: { settings: { autoneg: false } },
    best: 'farOptic',
    first: A,
    second: 'mismatch',
  },
  {
    what: 'settings known of one end only: no mismatch',
    from: { settings: { fec: 'rs', autoneg: true, duplex: 'full', speedMbps: 25_000 } },
    best: 'farOptic',
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
    what: 'errors that follow the load without a discard: congestion is the second thought',
    more: { past: [1, 2, 3, 4, 5, 6].map((n) => ({ share: n / 100, load: n * 1000 })) },
    best: 'farOptic',
    first: A,
    second: 'congestion',
  },
  {
    what: 'errors that follow the load, and the port discards: congestion',
    to: { rates: [rates({ rxBad: 20, rxShare: 0.001, rxDiscards: 900 }), bad] },
    more: { past: [1, 2, 3, 4, 5, 6].map((n) => ({ share: n / 100, load: n * 1000 })) },
    best: 'congestion',
    first: B,
    says: /follows the load \(6 intervals\); 900 discards/,
  },
  {
    what: 'the same share at any load: damage, not congestion',
    more: { past: [1, 3, 2, 4, 1, 5, 2].map((n) => ({ share: 0.05 + n / 10_000, load: n * 1000 })) },
    best: 'farOptic',
    first: A,
    says: /does not follow the load \(7 intervals\): damage, not congestion/,
  },
  {
    what: 'five intervals tell nothing about the load',
    more: { past: [1, 2, 3, 4, 5].map((n) => ({ share: n / 100, load: n * 1000 })) },
    best: 'farOptic',
    first: A,
    second: 'nearOptic',
  },
  {
    what: 'error correction that rises is evidence of a weak signal',
    to: { rates: [{ ...bad, fecCorrected: 51_000, fecUncorrected: 12 }, bad] },
    best: 'farOptic',
    first: A,
    says: /FEC cannot correct 12 blocks\/s; FEC corrects 51,000\/s/,
  },
  {
    what: 'a link that goes up and down is evidence',
    more: { flaps: 4 },
    best: 'farOptic',
    first: A,
    says: /went down 4 times/,
  },
  {
    what: 'all four lanes weak at the receiver: light is lost before it, not one lane',
    to: { lanes: [1, 2, 3, 4].map((n) => lane(-2, -13, { lane: n })) },
    from: { lanes: [1, 2, 3, 4].map((n) => lane(-2, -3, { lane: n })) },
    best: 'connector',
    first: B,
  },
  {
    what: 'one lane of four gets little light at the receiver',
    to: { lanes: [1, 2, 3, 4].map((n) => lane(-2, n === 2 ? -14 : -3, { lane: n })) },
    best: 'lane',
    first: B,
    says: /lane 2: RX -14.0 dBm/,
  },
  {
    what: 'one lane of four tells no light, as makes print none: that lane',
    to: {
      lanes: [1, 2, 3, 4].map((n) =>
        n === 2 ? { port: 'p', lane: n, txDbm: -2 } : lane(-2, -3, { lane: n }),
      ),
    },
    best: 'lane',
    first: B,
    says: /lane 2: RX without a value/,
  },
  {
    what: 'two of four lanes tell no light: no one lane',
    to: { lanes: [1, 2, 3, 4].map((n) => (n < 3 ? { port: 'p', lane: n } : lane(-2, -3, { lane: n }))) },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'what a whole module measures is no dark lane',
    to: { lanes: [{ port: 'p', lane: 1, tempC: 40 }, ...[2, 3].map((n) => lane(-2, -3, { lane: n }))] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'no module tells limits, and one lane is far below the others',
    to: { lanes: [1, 2, 3, 4].map((n) => ({ port: 'p', lane: n, rxDbm: n === 4 ? -31 : -2.5 })) },
    best: 'lane',
    first: B,
    says: /lane 4: RX -31.0 dBm/,
  },
  {
    what: 'lanes without limits that differ by a few dB',
    to: { lanes: [1, 2, 3, 4].map((n) => ({ port: 'p', lane: n, rxDbm: -1 - n * 1.5 })) },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'a lane that does not tell what it sends',
    from: { lanes: [1, 2].map((n) => ({ port: 'p', lane: n, rxDbm: -2, ...(n === 1 && { txDbm: -2 }) })) },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'giants, and the MTUs differ',
    from: { settings: { mtu: 9216 }, payload: 9216 },
    to: { rates: [rates({ rxBad: 100, rxGiants: 100 }), bad], settings: { mtu: 1554 }, payload: 1500 },
    best: 'mtu',
    first: B,
    says: /MTU 9216 at nfs-sw1 te1\/12, 1554 at core3 te3\/46/,
  },
  {
    what: 'MTUs counted with and without the head are the same',
    from: { settings: { mtu: 9216 }, payload: 9216 },
    to: { rates: [rates({ rxBad: 100, rxGiants: 100 }), bad], settings: { mtu: 9194 }, payload: 9194 },
    best: 'mtu',
    first: B,
    says: /^100 giants\/s of 100 bad frames\/s$/,
  },
  {
    what: 'half of the breakout of the sender is bad',
    from: { neighbours: { what: 'breakout xe-0/0/1', total: 3, bad: 3 } },
    best: 'shared',
    first: A,
  },
  {
    what: 'transmit errors that nobody receives: the port itself',
    from: { rates: [rates({ txBad: 40, txShare: 0.001 }), rates({ txBad: 40, txShare: 0.001 })] },
    to: { rates: [rates(), rates()] },
    best: 'sender',
    first: A,
    says: /40 transmit errors\/s, core3 te3\/46 receives no bad frame/,
  },
  {
    what: 'transmit errors of a switch that cuts through what it receives: upstream',
    from: {
      rates: [rates({ txBad: 40 }), rates({ txBad: 40 })],
      cutThrough: true,
      origins: [{ at: place('nfs-sw1 te1/1'), from: place('core1 te2/2'), through: [] }],
    },
    to: { rates: [rates(), rates()] },
    best: 'upstream',
    first: 'core1 te2/2',
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
  it.each(table)('$what', ({ from, to, more, best, first, next, second, confidence, says }) => {
    const verdict = verdictOf({ from: sender(from), to: receiver(to), bothWays: false, ...more });
    expect(verdict?.causes[0]?.kind).toBe(best);
    expect(verdict?.first.at.name).toBe(first);
    if (second !== undefined) expect(verdict?.causes[1]?.kind).toBe(second);
    if (next !== undefined) expect(verdict?.next?.at.name).toBe(next);
    if (confidence !== undefined) expect(verdict?.confidence).toBe(confidence);
    if (says) expect(verdict?.causes[0]?.evidence.map(groundText).join('; ')).toMatch(says);
    expect(verdict?.causes.every(({ evidence }) => evidence.length > 0)).toBe(true);
    expect(verdict?.first.steps.join()).not.toBe('replace');
  });

  it('none from a single sample, none without bad frames', () => {
    expect(verdictOf({ from: sender(), to: receiver({ rates: [] }), bothWays: false })).toBeUndefined();
    expect(
      verdictOf({ from: sender(), to: receiver({ rates: [rates()] }), bothWays: false }),
    ).toBeUndefined();
  });

  it('with the near optic ruled out the fibre comes next, not the ports', () => {
    const to = receiver({ repairs: [repair('core3:te3/46', 'optic')] });
    expect(verdictOf({ from: sender(), to, bothWays: false })).toMatchObject({
      first: { at: place(A) },
      next: { at: place(A), steps: ['swap the fibre or cable'] },
    });
  });

  it('what was only cleaned is to be swapped next', () => {
    const from = sender({ repairs: [repair('nfs-sw1:te1/12', 'reseated')] });
    expect(verdictOf({ from, to: receiver(), bothWays: false })?.first).toEqual({
      at: place(A),
      steps: ['swap the optic'],
    });
  });

  it('lossy jumbo paths beside clean small ones are evidence', () => {
    const verdict = verdictOf({
      from: sender(),
      to: receiver(),
      bothWays: false,
      jumbo: { lossy: 2, cells: 8, onPath: true },
    });
    expect(verdict?.causes[0]?.evidence.map(groundText).join()).toContain(
      '2 of 8 jumbo paths that lead this way lose packets whose small pings are clean',
    );
  });
});
