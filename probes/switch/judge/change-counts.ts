import type { Port } from '../readings.ts';

/** Comings and goings of a link that its device counted, in all. */
export const changesSeries = (portId: string): string => `switch/port/${portId}/changes`;

/** What a device counts: both the coming and the going (IF-MIB, Linux carrier_changes, EOS), or goings alone (InfiniBand LinkDowned). */
export const changeCount = ({ counts }: Port): { value: bigint; each: number } | undefined => {
  const [both, downs] = [counts['linkTransitions'], counts['linkDownedCounter']];
  if (both !== undefined) return { value: both, each: 2 };
  return downs === undefined ? undefined : { value: downs, each: 1 };
};
