import type { EvidenceValue } from '../../../src/model/finding.ts';
import type { PortSettings } from '../read/port-settings.ts';
import type { PortRates } from '../judge/rates.ts';
import { rate, type Case, type Cause, type End, type LinkCause } from './case.ts';
import { isFrameSizeDifferent } from './frame-sizes.ts';

const fecWords = { rs: 'Reed-Solomon FEC', fc: 'fire code FEC', none: 'no FEC' } as const;

/** What an end says of each setting. `weight`: how surely a difference alone makes errors. */
const compared: readonly {
  weight: number;
  cause: LinkCause;
  check: string;
  describe(settings: PortSettings): { text: string; value: EvidenceValue } | undefined;
}[] = [
  {
    weight: 110,
    cause: 'speed',
    check: 'speed',
    describe: ({ speedMbps: value }) =>
      value === undefined ? undefined : { text: `${value} Mbit/s`, value },
  },
  {
    weight: 110,
    cause: 'duplex',
    check: 'duplex',
    describe: ({ duplex: value }) => (value === undefined ? undefined : { text: `${value} duplex`, value }),
  },
  {
    weight: 109,
    cause: 'fec',
    check: 'FEC',
    describe: ({ fec: value }) => (value === undefined ? undefined : { text: fecWords[value], value }),
  },
  {
    // A side that does not negotiate makes the other fall back to half duplex (1000BASE-T, 802.3 clause 28); on fibre it is harmless.
    weight: 65,
    cause: 'autoneg',
    check: 'autonegotiation',
    describe: ({ autoneg: value }) =>
      value === undefined ? undefined : { text: `autonegotiation ${value ? 'on' : 'off'}`, value },
  },
];

/** A setting that the two ends of a link have differently. */
interface Difference {
  cause: LinkCause;
  check: string;
  weight: number;
  here: { text: string; value: EvidenceValue };
  there: { text: string; value: EvidenceValue };
}

/** What the two ends say differently, without their MTU. */
export const differencesOf = (here: PortSettings, there: PortSettings): readonly Difference[] =>
  compared.flatMap(({ describe: of, ...rest }) => {
    const [one, two] = [of(here), of(there)];
    return one === undefined || two === undefined || one.value === two.value
      ? []
      : [{ ...rest, here: one, there: two }];
  });

/** The two ends are set differently, or one counts collisions. */
export const mismatch = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const far = from.rates[0];
  const differ = differencesOf(from.settings ?? {}, to.settings ?? {});
  const colliding = [from, to].find((end) => (end === from ? far : now)?.collisions);
  const half = [from, to].find(({ settings }) => settings?.duplex === 'half');
  if (differ.length === 0 && !colliding && !half) return undefined;
  const surest = differ.toSorted((one, two) => two.weight - one.weight)[0];
  const duplex = colliding !== undefined || half !== undefined;
  return {
    kind: 'mismatch',
    weight: Math.max(surest?.weight ?? 0, duplex ? 110 : 0),
    cause: duplex && surest?.cause !== 'speed' ? 'duplex' : (surest?.cause ?? 'duplex'),
    ...(surest && { values: { here: surest.here.value, there: surest.there.value } }),
    text: 'the two ends are set differently',
    evidence: [
      ...differ.map(({ here, there }) => `${here.text} at ${from.name}, ${there.text} at ${to.name}`),
      ...(colliding ? [`collisions rise at ${colliding.name}: duplex`] : []),
      ...(half && !differ.some(({ cause }) => cause === 'duplex') ? [`half duplex at ${half.name}`] : []),
    ],
    at: from,
    steps: [
      `compare ${[...new Set([...differ.map(({ check }) => check), 'duplex'])].join(', ')} of both ends`,
    ],
  };
};

/** Frames longer than the port takes are no damage. */
export const mtu = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const { refused = now.rxGiants ?? 0 } = to;
  if (refused <= 0 || refused < 0.8 * (now.rxBad ?? 0)) return undefined;
  return {
    kind: 'mtu',
    weight: 105,
    text: `${to.name} refuses frames longer than its MTU`,
    evidence: [`${rate(refused)} giants/s of ${rate(now.rxBad ?? 0)} bad frames/s`, ...mtusOf(from, to)],
    at: to,
    steps: [`compare the MTU with ${from.name}`],
    ...mtuValues(to, from),
  };
};

/** Where the two carry frames of another size, in the makes' own figures. */
export const mtusOf = (from: End, to: End): string[] =>
  isFrameSizeDifferent(from.payload, to.payload)
    ? [`MTU ${from.settings?.mtu} at ${from.name}, ${to.settings?.mtu} at ${to.name}`]
    : [];

const mtuValues = ({ settings: here }: End, { settings: there }: End): Pick<Cause, 'values'> =>
  here?.mtu === undefined || there?.mtu === undefined ? {} : { values: { here: here.mtu, there: there.mtu } };
