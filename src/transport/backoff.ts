import type { ConnectFailureKind } from '../model/answer.ts';

const MINUTE = 60_000;

/** Failures that a server counts against us, or that only a person can mend: asked again 1, 5, then every 30 min. */
const slow: ReadonlySet<ConnectFailureKind> = new Set([
  'auth',
  'hostKeyUnknown',
  'hostKeyChanged',
  'hostKeyRevoked',
]);

export const isSlow = (kind: ConnectFailureKind | undefined): boolean => kind !== undefined && slow.has(kind);

/**
 * How long to leave a host alone after its `failures`-th failure in a row (from 1), ms. Doubling from 1 to 60 s, with
 * jitter, so that 200 nodes behind one breaker don't come back in one burst. `random` is 0 to 1.
 */
export const backoff = (kind: ConnectFailureKind, failures: number, random: number): number => {
  if (isSlow(kind)) return ([1, 5][failures - 1] ?? 30) * MINUTE;
  return Math.min(MINUTE, 1000 * 2 ** (failures - 1)) * (0.5 + random / 2);
};
