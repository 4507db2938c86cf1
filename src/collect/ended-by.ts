import type { Probe } from '../model/system.ts';
import type { AskResult } from './ask.ts';
import type { Ended } from './schedule.ts';

/** How an ask ended, as the schedule sees it. */
export const endedBy = (
  { pulse }: Probe,
  { interpreted, hung, answered, untouched, durationMs, hostMs }: AskResult,
): Ended => {
  if (hung) return { kind: 'hung' };
  // What can't be read was answered all the same; a command that fails may mean that its daemon does not work.
  const works = interpreted.ok
    ? (pulse?.works(interpreted.value) ?? true)
    : interpreted.failure.kind !== 'command';
  if (answered) return { kind: 'answered', tookMs: hostMs ?? durationMs, works };
  if (!interpreted.ok && interpreted.failure.kind === 'connect') {
    return { kind: 'unreachable', why: interpreted.failure.connect, untouched };
  }
  return { kind: 'failed' };
};
