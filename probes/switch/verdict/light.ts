import { dropUndefined } from '../../../src/kit/known.ts';
import type { Lane } from '../readings.ts';
import type { Case, Cause, End, Ground } from './case.ts';

export type Light = 'fine' | 'low' | 'high' | 'unknown';
type Side = 'tx' | 'rx';

const dbmOf = (lane: Lane, side: Side): number | undefined => (side === 'tx' ? lane.txDbm : lane.rxDbm);

/** The module's own limits in dBm, the narrower ones first; limits that leave no room were never written into the module. */
export const limitsOf = (lane: Lane, side: Side): { low?: number; high?: number } => {
  const limits = side === 'tx' ? lane.txLimits : lane.rxLimits;
  const low = limits?.warnLow ?? limits?.alarmLow;
  const high = limits?.warnHigh ?? limits?.alarmHigh;
  if (low !== undefined && high !== undefined && low >= high) return {};
  return dropUndefined({ low, high });
};

const judgeLane = (lane: Lane, side: Side): Light => {
  const dbm = dbmOf(lane, side);
  const { low, high } = limitsOf(lane, side);
  if (dbm === undefined || low === undefined) return 'unknown';
  if (dbm < low) return 'low';
  return high !== undefined && dbm > high ? 'high' : 'fine';
};

/** The worst lane against the module's own limits: no limits, no judgement. */
export const judgeLight = (lanes: readonly Lane[], side: Side): Light => {
  const known = new Set(lanes.map((lane) => judgeLane(lane, side)));
  return (['low', 'high', 'fine'] as const).find((one) => known.has(one)) ?? 'unknown';
};

/** Of the lane that is judged: the brightest where there is too much light, else the weakest. */
export const power = (lanes: readonly Lane[], side: Side): string => {
  const values = lanes.flatMap((lane) => dbmOf(lane, side) ?? []);
  const worst = judgeLight(lanes, side) === 'high' ? Math.max(...values) : Math.min(...values);
  return values.length === 0 ? '' : `${worst.toFixed(1)} dBm`;
};

/** The weakest light and the module's own limit, typed. */
const valuesOf = (lanes: readonly Lane[], side: Side): NonNullable<Cause['values']> => {
  const [weakest] = lanes
    .filter((one) => dbmOf(one, side) !== undefined)
    .toSorted((one, two) => (dbmOf(one, side) ?? 0) - (dbmOf(two, side) ?? 0));
  const dbm = weakest && dbmOf(weakest, side);
  const lowWarn = weakest && limitsOf(weakest, side).low;
  return {
    ...(dbm !== undefined && { [`${side}Dbm`]: Math.round(dbm * 10) / 10 }),
    ...(lowWarn !== undefined && { lowWarn }),
  };
};

/** What is said of the light on a side of an end; nothing when it is not known. */
const lightGrounds = (end: End, side: Side, state: Light): Ground[] =>
  state === 'unknown'
    ? []
    : [
        {
          text: `${side.toUpperCase()} power at ${end.name} ${state} (${power(end.lanes, side)})`,
          rests: 'optics',
        },
      ];

/** CorrOpt's symptom table. A sends (`from`), B sees the errors (`to`). */
export const opticalCauses = ({ from, to, bothWays }: Case): Cause[] => {
  const txA = judgeLight(from.lanes, 'tx');
  const rxB = judgeLight(to.lanes, 'rx');
  const rxA = judgeLight(from.lanes, 'rx');
  if (txA === 'low')
    return [
      {
        kind: 'transmitter',
        weight: 115,
        values: valuesOf(from.lanes, 'tx'),
        text: `the transmitter at ${from.name} is getting weak`,
        evidence: [...lightGrounds(from, 'tx', txA), ...lightGrounds(to, 'rx', rxB)],
        at: from,
        steps: ['swap its optic'],
      },
    ];
  // Above the receiver's overload nothing is dirty: optics of a long reach on a short fibre (IEEE 802.3 clause 52, receiver overload).
  if (rxB === 'high')
    return [
      {
        kind: 'overload',
        weight: 107,
        text: `${to.name} receives more light than its receiver tolerates`,
        evidence: [...lightGrounds(to, 'rx', rxB), ...lightGrounds(from, 'tx', txA)],
        at: to,
        steps: [
          'put an attenuator in front of the receiver',
          'then use optics made for this length at both ends',
        ],
      },
    ];
  if (rxB !== 'low') return [];
  const evidence = [
    ...lightGrounds(from, 'tx', txA),
    ...lightGrounds(to, 'rx', rxB),
    ...lightGrounds(from, 'rx', rxA),
  ];
  if (rxA === 'low' || bothWays)
    return [
      {
        kind: 'fibre',
        weight: 112,
        values: valuesOf(to.lanes, 'rx'),
        text: 'the fibre is bent or damaged: light is lost in both directions',
        evidence: [...evidence, ...(bothWays ? ['both directions carry bad frames'] : [])],
        at: from,
        steps: ['follow the fibre for bends', 'replace it'],
      },
    ];
  return [
    {
      kind: 'connector',
      weight: txA === 'fine' ? 108 : 90,
      values: valuesOf(to.lanes, 'rx'),
      text: `light is lost on the way to ${to.name}: a dirty connector`,
      evidence,
      at: to,
      steps: ['clean the connectors at both ends', 'then replace the fibre'],
    },
  ];
};

/** Lanes of one module may differ by 4 dB (IEEE 802.3, 86.7.1, launch power of any two lanes): so much more is a lane that has a fault, dB. */
const apart = 10;

/** What modules say of no light at all: -40 dBm by SFF-8636, -30 to -37 as makes round it. */
const noLight = -30;

/** It tells anything of light or of its laser. */
const isLit = ({ txDbm, rxDbm, biasMa }: Lane): boolean => (txDbm ?? rxDbm ?? biasMa) !== undefined;

/** The one lane of several that is weak, by its module's limits or beside the others. `unread`: it tells no value while all others do. */
interface WeakLane {
  lane: Lane;
  unread?: true;
}

/**
 * One weak lane of a module. Makes print no figure, or `-inf` and `N/A`, of a lane without any light (EOS, IOS, NX-OS); of what is sent
 * a missing figure says nothing.
 */
export const weakLane = (rows: readonly Lane[], side: Side): WeakLane | undefined => {
  const [first, ...rest] = rows;
  // NX-OS counts what a whole CFP measures as its first lane.
  const lanes = first && !isLit(first) && rest.every(isLit) ? rest : rows;
  if (lanes.length < 2) return undefined;
  const low = lanes.filter((one) => judgeLight([one], side) === 'low');
  const [lane] = low;
  if (lane) return low.length === 1 ? { lane } : undefined;
  const unread = lanes.filter((one) => dbmOf(one, side) === undefined);
  const [dark] = unread;
  // Beside another one without light it is not the one.
  if (dark) {
    const others = lanes.flatMap((one) => dbmOf(one, side) ?? []);
    const isOne = unread.length === 1 && side === 'rx' && others.every((dbm) => dbm > noLight);
    return isOne ? { lane: dark, unread: true } : undefined;
  }
  const [weakest, next] = lanes.toSorted((one, two) => (dbmOf(one, side) ?? 0) - (dbmOf(two, side) ?? 0));
  if (!weakest || !next || judgeLight([weakest], side) !== 'unknown') return undefined;
  return (dbmOf(next, side) ?? 0) - (dbmOf(weakest, side) ?? 0) >= apart ? { lane: weakest } : undefined;
};

/** `lane 3: RX -14.2 dBm, the others are fine`. */
export const weakLaneText = ({ lane: one, unread }: WeakLane, side: Side): string =>
  `lane ${one.lane ?? '?'}: ${side.toUpperCase()} ${unread ? 'without a value' : power([one], side)}, the others are fine`;

/** Which lane it is, typed, with its light. */
export const weakLaneValues = ({ lane: one }: WeakLane, side: Side): NonNullable<Cause['values']> => ({
  ...dropUndefined({ lane: one.lane }),
  ...valuesOf([one], side),
});

/** The one weak lane of a link in one direction: of what is sent before what is received, for that is weak by the other. */
export const findWeakLane = <End extends { lanes: readonly Lane[] }>(
  from: End,
  to: End,
): { end: End; side: Side; weak: WeakLane } | undefined => {
  const sent = weakLane(from.lanes, 'tx');
  if (sent) return { end: from, side: 'tx', weak: sent };
  const received = weakLane(to.lanes, 'rx');
  return received && { end: to, side: 'rx', weak: received };
};

/** One lane of several is weak: dirt on it, or that lane's laser. */
export const lane = ({ from, to }: Case): Cause | undefined => {
  const found = findWeakLane(from, to);
  if (!found) return undefined;
  const { end, side, weak } = found;
  return {
    kind: 'lane',
    weight: weak.unread ? 95 : 116,
    values: weakLaneValues(weak, side),
    text: `one lane of ${end.lanes.length} is weak at ${end.name}`,
    evidence: [{ text: weakLaneText(weak, side), rests: 'optics' }],
    at: end,
    steps: side === 'rx' ? ['clean the connector', 'then swap the optic of the sender'] : ['swap its optic'],
  };
};
