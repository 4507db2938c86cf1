import type { ConnectFailure, ConnectFailureKind } from '../model/answer.ts';

const MINUTE = 60_000;

/** Failures that a server counts against us, or that only a person can mend: asked again 1, 5, then every 30 min. */
const slow: ReadonlySet<ConnectFailureKind> = new Set([
  'auth',
  'hostKeyUnknown',
  'hostKeyChanged',
  'hostKeyRevoked',
]);

export const isSlow = (kind: ConnectFailureKind | undefined): boolean => kind !== undefined && slow.has(kind);

/** Where trying leaves no trace on the host it is up to who asks; this only keeps many askers from trying at once, ms. */
const UNTOUCHED = 8000;

/**
 * How long to leave a host alone after its `failures`-th failure in a row (from 1), ms. Doubling from 1 to 60 s, with
 * jitter, so that 200 nodes behind one breaker don't come back in one burst; to 8 s where no server program was reached. `random` is
 * 0 to 1.
 */
export const backoff = (
  { kind, untouched }: Pick<ConnectFailure, 'kind' | 'untouched'>,
  failures: number,
  random: number,
): number => {
  if (isSlow(kind)) return ([1, 5][failures - 1] ?? 30) * MINUTE;
  const longest = untouched ? UNTOUCHED : MINUTE;
  return Math.min(longest, 1000 * 2 ** (failures - 1)) * (0.5 + random / 2);
};
