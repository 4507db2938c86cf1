import type { PortSettings } from '../read/port-settings.ts';
import type { PortRates } from '../judge/rates.ts';
import { rate, type Case, type Cause, type End } from './case.ts';

/** MTUs are counted with or without the frame's head: less than this apart they are the same. Bytes. */
const headBytes = 50;

const fecWords = { rs: 'Reed-Solomon FEC', fc: 'fire code FEC', none: 'no FEC' } as const;

/** What both ends say about a setting, when they say different things. `weight`: how surely that alone makes errors. */
const differences: readonly {
  weight: number;
  check: string;
  of(settings: PortSettings): string | undefined;
}[] = [
  {
    weight: 110,
    check: 'speed',
    of: ({ speedMbps }) => (speedMbps === undefined ? undefined : `${speedMbps} Mbit/s`),
  },
  {
    weight: 110,
    check: 'duplex',
    of: ({ duplex }) => (duplex === undefined ? undefined : `${duplex} duplex`),
  },
  { weight: 109, check: 'FEC', of: ({ fec }) => (fec === undefined ? undefined : fecWords[fec]) },
  {
    // A side that does not negotiate makes the other fall back to half duplex (1000BASE-T, 802.3 clause 28); on fibre it is harmless.
    weight: 65,
    check: 'autonegotiation',
    of: ({ autoneg }) => (autoneg === undefined ? undefined : `autonegotiation ${autoneg ? 'on' : 'off'}`),
  },
];

/** The two ends are set differently, or one counts collisions. */
export const mismatch = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const far = from.rates[0];
  const differ = differences.flatMap(({ weight, check, of }) => {
    const [one, two] = [of(from.settings ?? {}), of(to.settings ?? {})];
    return one === undefined || two === undefined || one === two
      ? []
      : [{ weight, check, text: `${one} at ${from.name}, ${two} at ${to.name}` }];
  });
  const colliding = [from, to].find((end) => (end === from ? far : now)?.collisions);
  const half = [from, to].find(({ settings }) => settings?.duplex === 'half');
  if (differ.length === 0 && !colliding && !half) return undefined;
  return {
    kind: 'mismatch',
    weight: Math.max(...differ.map(({ weight }) => weight), colliding || half ? 110 : 0),
    text: 'the two ends are set differently',
    evidence: [
      ...differ.map(({ text }) => text),
      ...(colliding ? [`collisions rise at ${colliding.name}: duplex`] : []),
      ...(half && !differ.some(({ check }) => check === 'duplex') ? [`half duplex at ${half.name}`] : []),
    ],
    at: from,
    steps: [
      `compare ${[...new Set([...differ.map(({ check }) => check), 'duplex'])].join(', ')} of both ends`,
    ],
  };
};

/** Frames longer than the port takes are no damage. */
export const mtu = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const giants = now.rxGiants ?? 0;
  if (giants <= 0 || giants < 0.8 * (now.rxBad ?? 0)) return undefined;
  return {
    kind: 'mtu',
    weight: 105,
    text: `${to.name} refuses frames longer than its MTU`,
    evidence: [`${rate(giants)} giants/s of ${rate(now.rxBad ?? 0)} bad frames/s`, ...mtusOf(from, to)],
    at: to,
    steps: [`compare the MTU with ${from.name}`],
  };
};

const mtusOf = (from: End, to: End): string[] => {
  const [one, two] = [from.settings?.mtu, to.settings?.mtu];
  return one === undefined || two === undefined || Math.abs(one - two) <= headBytes
    ? []
    : [`MTU ${one} at ${from.name}, ${two} at ${to.name}`];
};
