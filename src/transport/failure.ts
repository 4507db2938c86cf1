import type { ConnectFailure, ConnectFailureKind, RawAnswer } from '../model/answer.ts';
import { messageOn, type Said } from '../text/said.ts';
import { makeSafe } from '../text/safe.ts';

/** `host: what (detail); next step`, remote text in it made visible. */
export const failure = (
  kind: ConnectFailureKind,
  host: string,
  what: string | readonly [what: string, detail: string],
  next: string,
): ConnectFailure => {
  const said = typeof what === 'string' ? { what, next } : { what: what[0], detail: what[1], next };
  return { kind, ...messageOf(host, said) };
};

const messageOf = (host: string, said: Said): Pick<ConnectFailure, 'message' | 'said'> => ({
  message: makeSafe(messageOn(host, said), 1000),
  said: {
    what: makeSafe(said.what, 1000),
    ...(said.detail !== undefined && { detail: makeSafe(said.detail, 1000) }),
    ...(said.next !== undefined && { next: makeSafe(said.next, 1000) }),
  },
});

/** A failure that came before any server program was reached. */
export const markUntouched = (why: ConnectFailure): ConnectFailure => ({ ...why, untouched: true });

/** The same failure seen from behind: a target that is reached through a jump host that can't be reached. */
export const failBehindJump = (host: string, via: string, jump: ConnectFailure): ConnectFailure => ({
  kind: jump.kind,
  message: `${host}: behind jump host ${jump.message}`,
  ...(jump.said && { said: { ...jump.said, what: `behind jump host ${via}: ${jump.said.what}` } }),
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
