import type { FactsReading } from './readings.ts';

/** `kernel 2.6.32-042stab059.7`: what all slow hosts share and no fast one has. */
export interface Shared {
  name: string;
  value: string;
}

const named: readonly (readonly [string, (facts: FactsReading) => string | undefined])[] = [
  ['kernel', (facts) => facts.kernel],
  ['driver', (facts) => facts.driver],
  ['firmware', (facts) => facts.firmware],
  ['MTU', (facts) => text(facts.mtu)],
  ['adaptive-rx', (facts) => (facts.adaptiveRx === undefined ? undefined : facts.adaptiveRx ? 'on' : 'off')],
  ['rx-usecs', (facts) => text(facts.rxUsecs)],
  ['tcp_rmem', (facts) => text(facts.rmemMax)],
  ['tcp_wmem', (facts) => text(facts.wmemMax)],
];

const text = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/**
 * The facts that every slow host has in common and no fast host shares (incident 11: all slow hosts run one kernel). Needs two
 * slow hosts, and a fast one to compare with: else anything is "in common".
 */
export const sharedBySlow = (
  slow: readonly (FactsReading | undefined)[],
  fast: readonly (FactsReading | undefined)[],
): Shared[] => {
  if (slow.length < 2 || !fast.some((facts) => facts !== undefined)) return [];
  return named.flatMap(([name, of]) => {
    const values = new Set(slow.map((facts) => facts && of(facts)));
    const [value] = values;
    if (values.size !== 1 || value === undefined) return [];
    return fast.some((facts) => facts && of(facts) === value) ? [] : [{ name, value }];
  });
};
