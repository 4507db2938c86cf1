import type { RawAnswer } from '../../../src/model/answer.ts';
import { answerOf, broken } from './fake-site.ts';

/** From when to when (monotonic ms) something stands still. */
export interface Stop {
  from: number;
  to: number;
}

const during = ({ from, to }: Stop, now: number): boolean => now >= from && now < to;

/** How long scontrol waits for slurmctld before it gives up (MessageTimeout's default). */
const GIVES_UP = 10_000;
/** Remote limit and grace of the session: then nobody listens to the answer any more. */
const SESSION = 14_000;
/** An sshd that opens no channel, or sends no banner, is given up after so long. */
const CONNECT = 8_000;

export interface StallingHost {
  /** What a question put at `now` brings: `durationMs` later. */
  ask(script: string, now: number): RawAnswer;
  /** Every question: when, and what. */
  asked: { at: number; script: string }[];
}

/**
 * A host with one shell for all questions, whose sshd or whose daemon is stopped for a while with SIGSTOP: what was sent meanwhile is
 * carried out when it goes on, as real ones do. `busyMs`: what each command takes on the host while nothing is stopped.
 */
export const stallingHost = (
  stops: { sshd?: Stop; daemon?: Stop },
  busyMs: (script: string, now: number) => number,
): StallingHost => {
  const { sshd = { from: Infinity, to: Infinity }, daemon = { from: Infinity, to: Infinity } } = stops;
  let freeAt = 0;
  let shell: 'up' | 'closed' | 'disconnected' = 'up';
  const asked: StallingHost['asked'] = [];

  const run = (script: string, from: number): { end: number; failed: boolean; hostMs: number } => {
    const begun = during(sshd, from) ? sshd.to : from;
    const busy = busyMs(script, begun);
    const waits = during(daemon, begun) ? daemon.to - begun : 0;
    const failed = waits > GIVES_UP;
    const hostMs = failed ? GIVES_UP : waits + busy;
    const end = begun + hostMs;
    return { end: during(sshd, end) ? sshd.to : end, failed, hostMs };
  };
  const connect = (now: number, at: number): RawAnswer | undefined => {
    if (shell === 'up' || !during(sshd, at) || sshd.to - at <= CONNECT) {
      shell = 'up';
      return undefined;
    }
    const message = 'h1: no SSH banner within 8 s';
    const kind = shell === 'closed' ? 'timeout' : 'noBanner';
    shell = 'disconnected';
    freeAt = at + CONNECT;
    return broken({ durationMs: freeAt - now, notConnected: { kind, message } });
  };
  return {
    asked,
    ask: (script, now) => {
      asked.push({ at: now, script });
      const at = Math.max(now, freeAt);
      const refused = connect(now, at);
      if (refused) return refused;
      const { end, failed, hostMs } = run(script, at);
      freeAt = Math.min(end, at + SESSION);
      const durationMs = freeAt - now;
      if (end > freeAt) {
        shell = 'closed';
        return broken({ timedOut: true, durationMs });
      }
      const more = { durationMs, hostMs };
      if (!failed) return answerOf(script === 'show d.pulse' ? 'UP' : 'ok', more);
      return script === 'show d.pulse'
        ? answerOf('DOWN', { ...more, exitCode: 1 })
        : answerOf('', { ...more, exitCode: 1 });
    },
  };
};
