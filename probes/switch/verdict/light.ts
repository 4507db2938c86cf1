import type { Lane } from '../readings.ts';
import type { Case, Cause, End } from './case.ts';

export type Light = 'fine' | 'low' | 'unknown';

/** The weakest lane against the module's own limits: no limits, no judgement. */
export const light = (lanes: readonly Lane[], side: 'tx' | 'rx'): Light => {
  const known = lanes.flatMap((lane) => {
    const power = side === 'tx' ? lane.txDbm : lane.rxDbm;
    const limits = side === 'tx' ? lane.txLimits : lane.rxLimits;
    const low = limits?.warnLow ?? limits?.alarmLow;
    return power === undefined || low === undefined ? [] : [power < low];
  });
  return known.length === 0 ? 'unknown' : known.some(Boolean) ? 'low' : 'fine';
};

export const power = (lanes: readonly Lane[], side: 'tx' | 'rx'): string => {
  const values = lanes.flatMap((lane) => (side === 'tx' ? lane.txDbm : lane.rxDbm) ?? []);
  return values.length === 0 ? '' : `${Math.min(...values).toFixed(1)} dBm`;
};

/** CorrOpt's symptom table. A sends (`from`), B sees the errors (`to`). */
export const optical = ({ from, to, bothWays }: Case): Cause[] => {
  const txA = light(from.lanes, 'tx');
  const rxB = light(to.lanes, 'rx');
  const rxA = light(from.lanes, 'rx');
  const said = (end: End, side: 'tx' | 'rx', state: Light): string[] =>
    state === 'unknown'
      ? []
      : [`${side.toUpperCase()} power at ${end.name} ${state} (${power(end.lanes, side)})`];
  if (txA === 'low')
    return [
      {
        kind: 'transmitter',
        weight: 115,
        text: `the transmitter at ${from.name} is getting weak`,
        evidence: [...said(from, 'tx', txA), ...said(to, 'rx', rxB)],
        at: from.name,
        steps: ['swap its optic'],
      },
    ];
  if (rxB !== 'low') return [];
  const evidence = [...said(from, 'tx', txA), ...said(to, 'rx', rxB), ...said(from, 'rx', rxA)];
  if (rxA === 'low' || bothWays)
    return [
      {
        kind: 'fibre',
        weight: 112,
        text: 'the fibre is bent or damaged: light is lost in both directions',
        evidence: [...evidence, ...(bothWays ? ['both directions carry bad frames'] : [])],
        at: from.name,
        steps: ['follow the fibre for bends', 'replace it'],
      },
    ];
  return [
    {
      kind: 'connector',
      weight: txA === 'fine' ? 108 : 90,
      text: `light is lost on the way to ${to.name}: a dirty connector`,
      evidence,
      at: to.name,
      steps: ['clean the connectors at both ends', 'then replace the fibre'],
    },
  ];
};

/** One lane of several is weak: dirt on it, or that lane's laser. */
export const lane = ({ from, to }: Case): Cause | undefined => {
  for (const [end, side] of [
    [from, 'tx'],
    [to, 'rx'],
  ] as const) {
    const weak = end.lanes.filter((one) => light([one], side) === 'low');
    if (end.lanes.length < 2 || weak.length !== 1) continue;
    return {
      kind: 'lane',
      weight: 116,
      text: `one lane of ${end.lanes.length} is weak at ${end.name}`,
      evidence: [
        `lane ${weak[0]?.lane ?? '?'}: ${side.toUpperCase()} ${power(weak, side)}, the others are fine`,
      ],
      at: end.name,
      steps:
        side === 'rx' ? ['clean the connector', 'then swap the optic of the sender'] : ['swap its optic'],
    };
  }
  return undefined;
};
