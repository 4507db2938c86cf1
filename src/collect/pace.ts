import type { ConnectFailureKind } from '../model/answer.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A host that can't be reached is tried again at least this often. */
export const LONGEST_BACKOFF = MINUTE;

/** Up to a tenth early, so that hosts drift apart; never late. Takes and gives ms; `random` is 0..1. */
export const jitter = (ms: number, random: number): number => ms * (1 - 0.1 * random);

/**
 * The interval for a command that keeps its host busy for `tookMs`: five times that when it is longer than a fifth of its interval, so
 * that we never keep a host busy for more than a fifth of the time; at most ten times the interval.
 */
export const slowDown = (everyMs: number, tookMs: number): number =>
  tookMs * 5 > everyMs ? Math.min(tookMs * 5, everyMs * 10) : everyMs;

/** How soon after its answer the cheapest question is put again to a daemon that does not work, ms. */
export const pulsePause = (everyMs: number): number => Math.max(SECOND, Math.min(5 * SECOND, everyMs / 5));

/** The next moment after `after` at which all that are asked together are due; `beat`: the part of the interval, 0..1. */
export const nextBeat = (everyMs: number, beat: number, after: number): number =>
  (Math.floor(after / everyMs - beat) + 1 + beat) * everyMs;

/** Failures that a server counts against us, or that only a person can mend. */
const slow: ReadonlySet<ConnectFailureKind | undefined> = new Set<ConnectFailureKind>([
  'auth',
  'hostKeyUnknown',
  'hostKeyChanged',
  'hostKeyRevoked',
]);

/**
 * How long to leave a host alone after the n-th failed connection in a row, in ms: 2 to 60 s; refused logins and keys 1, 5, then
 * 30 minutes: sshd's PerSourcePenalties and fail2ban would ban the whole console. Up to a tenth
 * more, so that hosts lost together do not come back together; never less than the transport's own back-off, which would
 * only repeat the old failure. `random` is 0..1. `longestMs`: less than a minute where trying leaves no trace on the host.
 */
export const connectBackoff = (
  kind: ConnectFailureKind | undefined,
  failures: number,
  random: number,
  longestMs = LONGEST_BACKOFF,
): number => {
  const ms = slow.has(kind)
    ? ([MINUTE, 5 * MINUTE][failures - 1] ?? 30 * MINUTE)
    : Math.min(longestMs, SECOND * 2 ** Math.min(failures, 10));
  return ms * (1 + 0.1 * random);
};

/** How long a probe rests after the n-th try in a row that must not be repeated soon, ms: 10 minutes, then twice as long, up to an hour. */
export const restPause = (tries: number): number =>
  Math.min(60 * MINUTE, 10 * MINUTE * 2 ** Math.max(0, tries - 1));

/** Two commands that hang are too many. */
export const pauseOfAbandoned = (hung: number): number => restPause(hung - 1);
