import type { Lane, Repair } from './readings.ts';
import type { PortRates } from './rates.ts';

/** Everything that speaks about one end of a link. */
export interface End {
  /** `core3:te3/46`, or a foreign device's own words. */
  id: string;
  /** As it is said: `core3 te3/46`. */
  name: string;
  /** Intervals, newest first; none: its counters are not known. */
  rates: readonly PortRates[];
  lanes: readonly Lane[];
  repairs: readonly Repair[];
  /** Its switch sends frames on before it knows their checksum. */
  cutThrough?: boolean;
  speedMbps?: number;
  /** Other links on the same breakout cable or card, and how many of them receive bad frames now. */
  neighbours?: { what: string; total: number; bad: number };
  /** Other ports of its switch that receive bad frames now: where stomped frames come from. */
  otherSources?: readonly string[];
}

/** One direction of a link that carries bad frames: `from` sends, `to` counts them. */
export interface Case {
  from: End;
  to: End;
  /** The other direction is bad too. */
  bothWays: boolean;
  /** Lossy jumbo cells beside clean small ones on paths over this link. */
  jumbo?: { lossy: number; cells: number };
  /** Share of bad frames and load (0..1) of earlier intervals, oldest first. */
  past?: readonly { share: number; load: number }[];
  linkedForSeconds?: number;
}

export type CauseKind =
  | 'upstream'
  | 'mismatch'
  | 'congestion'
  | 'mtu'
  | 'shared'
  | 'fibre'
  | 'connector'
  | 'transmitter'
  | 'farOptic'
  | 'nearOptic'
  | 'lane'
  | 'port';

/** One thing that may be the reason. `weight` orders them; only the order is shown. */
export interface Cause {
  kind: CauseKind;
  weight: number;
  /** What it is, where. */
  text: string;
  evidence: readonly string[];
  /** The end to go to, and what to do there in which order. */
  at?: string;
  steps: readonly string[];
}

export interface Verdict {
  causes: readonly Cause[];
  /** The end to look at first and what to do there; then the next. */
  first: { at: string; steps: readonly string[] };
  next?: { at: string; steps: readonly string[] };
  confidence: 'high' | 'medium' | 'low';
  /** Why no more can be said. */
  caveats: readonly string[];
}

const clean = ['clean', 'reseat', 'then swap'];

/**
 * Ranked causes of bad frames in one direction. Starts from the tree operators use (bad frames are received: the peer is
 * looked at first) and weighs what the tree leaves out: optical power at both ends against the module's own limits (the
 * symptom table of CorrOpt, SIGCOMM 2017), frames stomped by cut-through switches, error correction, single lanes, links on
 * the same breakout or card, mismatched settings, load, and what was repaired already. Pure. A case with no interval gives
 * none: no verdict from a single sample.
 */
export const verdictOf = (one: Case): Verdict | undefined => {
  const { from, to } = one;
  const [now] = to.rates;
  if (!now || (now.rxBad ?? 0) <= 0) return undefined;
  const ranked = [
    upstream(one, now),
    mismatch(one, now),
    congestion(one, now),
    mtu(one, now),
    shared(one),
    lane(one),
    ...optical(one),
    ...tree(one, now),
  ]
    .flatMap((cause) => cause ?? [])
    .map((cause) => afterRepairs(cause, one))
    .toSorted((a, b) => b.weight - a.weight);
  const [best] = ranked;
  if (!best) return undefined;
  const first = { at: best.at ?? from.name, steps: best.steps };
  const other = ranked.find((cause) => cause.at !== undefined && cause.at !== first.at);
  const caveats = caveatsOf(one);
  return {
    causes: ranked,
    first,
    ...(other?.at !== undefined && { next: { at: other.at, steps: other.steps } }),
    confidence: confidenceOf(best, ranked[1], caveats.length),
    caveats,
  };
};

const rate = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 1 ? 1 : 2);

/** Nearly all bad frames are marked as damaged elsewhere: the fault is behind the sender. */
const upstream = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const bad = now.rxBad ?? 0;
  const stomped = now.rxStomped ?? 0;
  const counted = stomped > 0 && stomped >= 0.8 * bad;
  // A cut-through sender that itself receives as many bad frames passes them on.
  const sources = from.otherSources ?? [];
  const passedOn = from.cutThrough === true && sources.length > 0;
  if (!counted && !passedOn) return undefined;
  const where = sources.length > 0 ? sources.join(', ') : `a port of ${hostOf(from.name)}`;
  return {
    kind: 'upstream',
    weight: counted ? 120 : 95,
    text: `frames are damaged before ${hostOf(from.name)}, which cuts through and sends them on`,
    evidence: [
      ...(counted ? [`${to.name} counts ${rate(stomped)}/s of ${rate(bad)}/s as stomped`] : []),
      ...(passedOn ? [`${hostOf(from.name)} cuts through and receives bad frames on ${where}`] : []),
    ],
    at: sources[0] ?? from.name,
    steps: ['find the first receiver of bad frames upstream', 'this link itself is probably well'],
  };
};

/** Late collisions, or different speeds at both ends. */
const mismatch = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const far = from.rates[0];
  const late = (far?.collisions ?? 0) > 0 || (now.collisions ?? 0) > 0;
  const speeds =
    from.speedMbps !== undefined && to.speedMbps !== undefined && from.speedMbps !== to.speedMbps;
  if (!late && !speeds) return undefined;
  return {
    kind: 'mismatch',
    weight: 110,
    text: 'the two ends are set differently',
    evidence: [
      ...(speeds ? [`speed ${from.speedMbps} Mbit/s at ${from.name}, ${to.speedMbps} at ${to.name}`] : []),
      ...(late ? [`collisions rise at ${(far?.collisions ?? 0) > 0 ? from.name : to.name}: duplex`] : []),
    ],
    at: from.name,
    steps: ['compare speed, duplex, autonegotiation and FEC of both ends'],
  };
};

/** Corruption does not follow the load (CorrOpt); what does is congestion or a buffer. */
const congestion = ({ to, past = [] }: Case, now: PortRates): Cause | undefined => {
  const discards = (now.rxDiscards ?? 0) + (now.rxOverruns ?? 0);
  const follows = past.length >= 6 && correlation(past) > 0.8;
  if (!follows && discards <= (now.rxBad ?? 0)) return undefined;
  return {
    kind: 'congestion',
    weight: follows ? 70 : 30,
    text: `${to.name} is overrun rather than receiving damage`,
    evidence: [
      ...(follows ? [`bad frames follow the load (${past.length} intervals)`] : []),
      ...(discards > 0
        ? [`${rate(discards)} discards and overruns/s beside ${rate(now.rxBad ?? 0)} bad/s`]
        : []),
    ],
    at: to.name,
    steps: ['look at load, flow control and buffers before any part'],
  };
};

const correlation = (points: readonly { share: number; load: number }[]): number => {
  const mean = (pick: (one: { share: number; load: number }) => number): number =>
    points.reduce((sum, one) => sum + pick(one), 0) / points.length;
  const [share, load] = [mean((one) => one.share), mean((one) => one.load)];
  const sum = (pick: (one: { share: number; load: number }) => number): number =>
    points.reduce((total, one) => total + pick(one), 0);
  const spread = Math.sqrt(sum((one) => (one.share - share) ** 2) * sum((one) => (one.load - load) ** 2));
  return spread === 0 ? 0 : sum((one) => (one.share - share) * (one.load - load)) / spread;
};

/** Frames longer than the port takes are no damage. */
const mtu = ({ from, to }: Case, now: PortRates): Cause | undefined =>
  (now.rxGiants ?? 0) > 0 && (now.rxGiants ?? 0) >= 0.8 * (now.rxBad ?? 0)
    ? {
        kind: 'mtu',
        weight: 105,
        text: `${to.name} refuses frames longer than its MTU`,
        evidence: [`${rate(now.rxGiants ?? 0)} giants/s of ${rate(now.rxBad ?? 0)} bad frames/s`],
        at: to.name,
        steps: [`compare the MTU with ${from.name}`],
      }
    : undefined;

/** Neighbouring links are bad too: what they share is at fault, not each of them. */
const shared = ({ from, to }: Case): Cause | undefined => {
  const end = [to, from].find(({ neighbours }) => neighbours !== undefined && neighbours.bad > 0);
  if (!end?.neighbours) return undefined;
  const { what, bad, total } = end.neighbours;
  return {
    kind: 'shared',
    weight: bad * 2 >= total ? 100 : 55,
    text: `${what} of ${hostOf(end.name)} is bad: its other links suffer too`,
    evidence: [`${bad} of ${total} other links on ${what} receive bad frames`],
    at: end.name,
    steps: [`replace or reseat ${what}`],
  };
};

type Light = 'fine' | 'low' | 'unknown';

/** The weakest lane against the module's own limits: no limits, no judgement. */
const light = (lanes: readonly Lane[], side: 'tx' | 'rx'): Light => {
  const known = lanes.flatMap((lane) => {
    const power = side === 'tx' ? lane.txDbm : lane.rxDbm;
    const limits = side === 'tx' ? lane.txLimits : lane.rxLimits;
    const low = limits?.warnLow ?? limits?.alarmLow;
    return power === undefined || low === undefined ? [] : [power < low];
  });
  return known.length === 0 ? 'unknown' : known.some(Boolean) ? 'low' : 'fine';
};

const power = (lanes: readonly Lane[], side: 'tx' | 'rx'): string => {
  const values = lanes.flatMap((lane) => (side === 'tx' ? lane.txDbm : lane.rxDbm) ?? []);
  return values.length === 0 ? '' : `${Math.min(...values).toFixed(1)} dBm`;
};

/** CorrOpt's symptom table. A sends (`from`), B sees the errors (`to`). */
const optical = ({ from, to, bothWays }: Case): Cause[] => {
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
const lane = ({ from, to }: Case): Cause | undefined => {
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

/** The tree: received errors point at the sender, then at the own receiver; both directions at what lies between. */
const tree = ({ from, to, bothWays, jumbo }: Case, now: PortRates): Cause[] => {
  const far = from.rates[0];
  const seen = `${to.name} receives ${rate(now.rxBad ?? 0)} bad frames/s${now.rxShare === undefined ? '' : ` (${percentOf(now.rxShare)})`}`;
  const quiet = far?.rxBad === 0 ? [`${from.name} receives none: one direction only`] : [];
  const sent =
    (far?.txBad ?? 0) > 0 ? [`${from.name} counts ${rate(far?.txBad ?? 0)} transmit errors/s itself`] : [];
  const fec =
    (now.fecUncorrected ?? 0) > 0 ? [`FEC cannot correct ${rate(now.fecUncorrected ?? 0)} blocks/s`] : [];
  const paths =
    jumbo && jumbo.lossy > 0 ? [`${jumbo.lossy} jumbo paths lose packets whose small pings are clean`] : [];
  const fine =
    light(from.lanes, 'tx') === 'fine' && light(to.lanes, 'rx') === 'fine'
      ? [
          `light is fine: TX ${power(from.lanes, 'tx')} at ${from.name}, RX ${power(to.lanes, 'rx')} at ${to.name}`,
        ]
      : [];
  const cable: Cause = {
    kind: 'fibre',
    weight: bothWays ? 85 : 40,
    text: bothWays ? 'both directions carry bad frames: cable or fibre' : 'cable or fibre between the two',
    evidence: bothWays ? ['both ends receive bad frames'] : ['left when both optics are ruled out'],
    at: from.name,
    steps: ['swap the fibre or cable'],
  };
  return [
    {
      kind: 'farOptic',
      weight: sent.length > 0 ? 88 : 80,
      text: `the sending side, ${from.name}`,
      evidence: [seen, ...quiet, ...sent, ...fec, ...fine, ...paths],
      at: from.name,
      steps: clean,
    },
    {
      kind: 'nearOptic',
      weight: 60,
      text: `the receiving side, ${to.name}`,
      evidence: [seen, ...fine],
      at: to.name,
      steps: clean,
    },
    cable,
    {
      kind: 'port',
      weight: 10,
      text: `a port of the switches themselves`,
      evidence: ['left when optics and fibre are ruled out'],
      at: to.name,
      steps: ['move the link to another port of each switch in turn'],
    },
  ];
};

const percentOf = (share: number): string => {
  const value = share * 100;
  return value >= 0.05 ? `${value.toFixed(1)} %` : `${value.toExponential(0)} %`;
};

/** Which repairs rule a cause out, or nearly. */
const rulesOut: Readonly<Partial<Record<CauseKind, readonly Repair['part'][]>>> = {
  farOptic: ['optic'],
  nearOptic: ['optic'],
  transmitter: ['optic'],
  connector: ['cleaned', 'fibre'],
  fibre: ['fibre'],
  port: ['linecard'],
};

/** A part that was changed while the errors went on is ruled out; what was only cleaned or reseated is to be swapped next. */
const afterRepairs = (cause: Cause, { from, to }: Case): Cause => {
  const anyEnd = cause.kind === 'fibre' || cause.kind === 'connector';
  const repairs = anyEnd
    ? [...from.repairs, ...to.repairs]
    : ([from, to].find((end) => end.name === cause.at)?.repairs ?? []);
  const done = repairs.filter((one) => rulesOut[cause.kind]?.includes(one.part));
  const touched = repairs.filter((one) => one.part === 'cleaned' || one.part === 'reseated');
  const still = done.map((one) => `${one.text} (${one.by}): errors go on since`);
  // Clean, and the light is still low: then it is lost in the fibre (CorrOpt, decision order).
  if (cause.kind === 'connector' && done.length > 0 && !done.some(({ part }) => part === 'fibre'))
    return {
      ...cause,
      kind: 'fibre',
      text: 'light is lost in the fibre: the connectors were cleaned',
      evidence: [...cause.evidence, ...still],
      steps: ['replace the fibre'],
    };
  if (done.length > 0)
    return {
      ...cause,
      weight: Math.min(5, cause.weight - 70),
      evidence: [...cause.evidence, ...still],
    };
  if (touched.length > 0 && (cause.kind === 'farOptic' || cause.kind === 'nearOptic'))
    return {
      ...cause,
      steps: ['swap the optic'],
      evidence: [...cause.evidence, ...touched.map((one) => `${one.text} (${one.by}): errors go on since`)],
    };
  return cause;
};

const caveatsOf = ({ from, to, linkedForSeconds }: Case): string[] => [
  ...(from.rates.length === 0 ? [`the counters of ${from.name} are not known`] : []),
  ...(light(from.lanes, 'tx') === 'unknown' || light(to.lanes, 'rx') === 'unknown'
    ? ['optical power is not known at both ends']
    : []),
  ...(to.rates.length < 2 ? ['one interval so far'] : []),
  ...(linkedForSeconds !== undefined && linkedForSeconds < 60
    ? ['the link came up less than a minute ago']
    : []),
];

const confidenceOf = (best: Cause, second: Cause | undefined, caveats: number): Verdict['confidence'] => {
  const lead = best.weight - (second?.weight ?? 0);
  if (caveats >= 2 || lead < 10) return 'low';
  return best.weight >= 100 && caveats === 0 ? 'high' : 'medium';
};

const hostOf = (name: string): string => name.split(' ')[0] ?? name;
