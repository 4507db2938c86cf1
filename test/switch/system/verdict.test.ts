import { describe, expect, it } from 'vitest';
import { groundText } from '../../../probes/switch/verdict/case.ts';
import { verdictOf } from '../../../probes/switch/verdict/verdict.ts';
import { A, B, rates, bad, lane, sender, receiver, rxLimits, place } from './verdict-ends.ts';
import { expectVerdict, type VerdictRow } from './verdict-rows.ts';

const table: readonly VerdictRow[] = [
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
];

describe('the verdict', () => {
  it.each(table)('$what', expectVerdict);

  it('none from a single sample, none without bad frames', () => {
    expect(verdictOf({ from: sender(), to: receiver({ rates: [] }), bothWays: false })).toBeUndefined();
    expect(
      verdictOf({ from: sender(), to: receiver({ rates: [rates()] }), bothWays: false }),
    ).toBeUndefined();
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
