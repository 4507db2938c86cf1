import type { ConnectFailureKind } from '../model/answer.ts';
import type { Probe } from '../model/system.ts';
import type { AskResult } from './ask.ts';

/**
 * How an ask ended, as far as the schedule cares. `tookMs`: on the host, where that is known, or on the one that asks it with many others. `works`: false when the command failed, or
 * its answer says that the daemon it asks does not work. `untouched`: see `ConnectFailure`. `unreadable`: reading the
 * answer had to be ended.
 */
export type Ended =
  | { kind: 'answered'; tookMs: number; works: boolean; unreadable?: true }
  | { kind: 'unreachable'; why: ConnectFailureKind | undefined; untouched: boolean }
  | { kind: 'hung' }
  | { kind: 'failed' }
  | { kind: 'skipped' };

/** How an ask ended, as the schedule sees it. */
export const endOfAsk = (
  { pulse }: Probe,
  { interpreted, hung, answered, untouched, durationMs, hostMs, relayMs = 0 }: AskResult,
): Ended => {
  if (hung) return { kind: 'hung' };
  // What can't be read was answered all the same; a command that fails may mean that its daemon does not work.
  const works = interpreted.ok
    ? (pulse?.works(interpreted.value) ?? true)
    : interpreted.failure.kind !== 'command';
  if (answered) {
    const unreadable = !interpreted.ok && interpreted.failure.kind === 'unreadable';
    return {
      kind: 'answered',
      tookMs: Math.max(hostMs ?? durationMs, relayMs),
      works,
      ...(unreadable && { unreadable }),
    };
  }
  if (!interpreted.ok && interpreted.failure.kind === 'connect') {
    return { kind: 'unreachable', why: interpreted.failure.connect, untouched };
  }
  return { kind: 'failed' };
};
