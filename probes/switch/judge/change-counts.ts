import type { Port } from '../readings.ts';

/** Comings and goings of a link that its device counted, in all. */
export const changesSeries = (portId: string): string => `switch/port/${portId}/changes`;

/** The half hours in which a host was read: what does not change is written once, and does not say whether anybody looked. */
export const readSeries = (host: string): string => `switch/host/${host}/read`;

/**
 * What a device counts: both the coming and the going (IF-MIB, Linux carrier_changes, EOS), or one of the two alone: InfiniBand's LinkDowned;
 * Junos' carrier transitions, which are the times that the interface came up after it was down (`show interfaces extensive`).
 */
export const changeCount = ({ counts }: Port): { value: bigint; each: number } | undefined => {
  const [both, downs] = [counts['linkTransitions'], counts['linkDownedCounter']];
  if (both !== undefined) return { value: both, each: counts['txCarrierTransitions'] === undefined ? 2 : 1 };
  return downs === undefined ? undefined : { value: downs, each: 1 };
};
