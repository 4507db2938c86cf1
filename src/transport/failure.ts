import type { ConnectFailure, ConnectFailureKind, RawAnswer } from '../model/answer.ts';
import { makeSafe } from '../text/safe.ts';

/** `host: what; next step`, remote text in it made visible. */
export const failure = (
  kind: ConnectFailureKind,
  host: string,
  what: string,
  nextStep: string,
): ConnectFailure => ({ kind, message: makeSafe(`${host}: ${what}; ${nextStep}`, 1000) });

/** A failure that came before any server program was reached. */
export const markUntouched = (why: ConnectFailure): ConnectFailure => ({ ...why, untouched: true });

/** The same failure seen from behind: a target that is reached through a jump host that can't be reached. */
export const failBehindJump = (host: string, jump: ConnectFailure): ConnectFailure => ({
  kind: jump.kind,
  message: `${host}: behind jump host ${jump.message}`,
});

/** What an error says, for a message. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nothing = { stdout: new Uint8Array(), stderr: new Uint8Array(), stdoutBytes: 0, truncated: false };

/** Nothing was sent, and why. */
export const unsentAnswer = (notConnected: ConnectFailure, durationMs: number): RawAnswer => ({
  ...nothing,
  timedOut: false,
  lost: false,
  cancelled: false,
  notConnected,
  durationMs,
});

/** The caller gave up before anything was sent: nothing can have happened. */
export const cancelledAnswer = (durationMs: number): RawAnswer => ({
  ...nothing,
  timedOut: false,
  lost: false,
  cancelled: true,
  durationMs,
});
