import type { FactsReading } from './readings.ts';

/** Every interrupt of a NIC of several queues on one and the same core: the sentence for it; else undefined. */
export const crowded = (host: string, facts: FactsReading | undefined): string | undefined => {
  const queues = facts?.queues ?? [];
  if (queues.length < 2 || (facts?.cores ?? 0) < 2) return undefined;
  const [first] = queues;
  const one = first?.cores;
  return one !== undefined && /^\d+$/.test(one) && queues.every(({ cores }) => cores === one)
    ? `${host}: all ${queues.length} queues of ${facts?.nic} interrupt core ${one}`
    : undefined;
};

/** `8 queues on 8 cores`, `8 queues on core 0`; empty when not known. */
export const spreadOf = (facts: FactsReading): string => {
  if (facts.queues.length === 0) return '';
  const sets = new Set(facts.queues.flatMap(({ cores }) => cores ?? []));
  if (sets.size === 0) return `${facts.queues.length} queues`;
  const [only] = sets;
  const where =
    sets.size === 1 ? `${/^\d+$/.test(only ?? '') ? 'core' : 'cores'} ${only}` : `${sets.size} cores`;
  return `${facts.queues.length} queues on ${where}`;
};
