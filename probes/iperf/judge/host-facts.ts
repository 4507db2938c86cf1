import type { FactsReading } from '../readings.ts';

/** Every interrupt of a NIC of several queues on one and the same core: the sentence for it; else undefined. */
export const crowdedText = (host: string, facts: FactsReading | undefined): string | undefined => {
  const queues = facts?.queues ?? [];
  if (queues.length < 2 || (facts?.cores ?? 0) < 2) return undefined;
  const [first] = queues;
  const one = first?.cores;
  return one !== undefined && /^\d+$/.test(one) && queues.every(({ cores }) => cores === one)
    ? `${host}: all ${queues.length} queues of ${facts?.nic} interrupt core ${one}`
    : undefined;
};

/** `8 queues on 8 cores`, `8 queues on core 0`; empty when not known. */
export const queuesText = (facts: FactsReading): string => {
  if (facts.queues.length === 0) return '';
  const sets = new Set(facts.queues.flatMap(({ cores }) => cores ?? []));
  if (sets.size === 0) return `${facts.queues.length} queues`;
  const [only] = sets;
  const where =
    sets.size === 1 ? `${/^\d+$/.test(only ?? '') ? 'core' : 'cores'} ${only}` : `${sets.size} cores`;
  return `${facts.queues.length} queues on ${where}`;
};

/** What decides how fast a host sends and receives, by the names under which it is shown. */
const namedValues: readonly (readonly [string, (facts: FactsReading) => string | undefined])[] = [
  ['NIC', ({ nic }) => nic],
  ['speed', ({ speedMbps }) => (speedMbps === undefined ? undefined : `${speedMbps / 1000} Gbit/s`)],
  ['kernel', ({ kernel }) => kernel],
  ['driver', ({ driver }) => driver],
  ['firmware', ({ firmware }) => firmware],
  ['MTU', ({ mtu }) => text(mtu)],
  ['adaptive-rx', ({ adaptiveRx }) => (adaptiveRx === undefined ? undefined : adaptiveRx ? 'on' : 'off')],
  ['rx-usecs', ({ rxUsecs }) => text(rxUsecs)],
  ['interrupts', (facts) => queuesText(facts) || undefined],
  [
    'irqbalance',
    ({ irqbalance }) => (irqbalance === undefined ? undefined : irqbalance ? 'runs' : 'does not run'),
  ],
  ['tcp_rmem', ({ rmemMax }) => text(rmemMax)],
  ['tcp_wmem', ({ wmemMax }) => text(wmemMax)],
  ['load', ({ load }) => text(load)],
];

const text = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

export type NamedFacts = Readonly<Record<string, string>>;

/** The facts of a host as they are shown and kept; what it does not tell is absent. */
export const nameFacts = (facts: FactsReading): NamedFacts =>
  Object.fromEntries(
    namedValues.flatMap(([name, of]) => {
      const value = of(facts);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export const factNames: readonly string[] = namedValues.map(([name]) => name);

/** `kernel 2.6.32-042stab059.7`: what all slow hosts share and no fast one has. */
export interface Shared {
  name: string;
  value: string;
}

/** What may be why several hosts are slow alike. */
const comparable = new Set([
  'kernel',
  'driver',
  'firmware',
  'MTU',
  'adaptive-rx',
  'rx-usecs',
  'tcp_rmem',
  'tcp_wmem',
]);

/**
 * The facts that every slow host has in common and no fast host shares (all slow hosts run one kernel). Needs two
 * slow hosts, and a fast one to compare with: else anything is "in common".
 */
export const findSharedBySlow = (
  slow: readonly (FactsReading | undefined)[],
  fast: readonly (FactsReading | undefined)[],
): Shared[] => {
  if (slow.length < 2 || !fast.some((facts) => facts !== undefined)) return [];
  return namedValues.flatMap(([name, of]) => {
    if (!comparable.has(name)) return [];
    const values = new Set(slow.map((facts) => facts && of(facts)));
    const [value] = values;
    if (values.size !== 1 || value === undefined) return [];
    return fast.some((facts) => facts && of(facts) === value) ? [] : [{ name, value }];
  });
};
