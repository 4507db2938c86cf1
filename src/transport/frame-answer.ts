import type { RawAnswer } from '../model/answer.ts';
import { readEnding } from './frame.ts';
import type { StreamDecoder } from './frame-stream.ts';

/** Why nobody listens any more; nothing set when the answer is whole or the wire went away. */
export interface How {
  timedOut?: boolean;
  cancelled?: boolean;
  flooded?: boolean;
}

/** What came of one framed request, once nothing more comes. `seconds`: its remote limit. */
export const answerFrom = (
  out: StreamDecoder,
  err: StreamDecoder,
  how: How & { seconds: number; durationMs: number },
): RawAnswer => {
  out.end();
  err.end();
  const { seconds, durationMs } = how;
  const { exitCode, hostMs } = (err.state === 'done' ? readEnding(out.tail ?? '') : undefined) ?? {};
  const killed = (exitCode === 124 || exitCode === 137) && durationMs >= seconds * 1000;
  return {
    stdout: out.content(),
    stderr: err.content(),
    ...(exitCode !== undefined && { exitCode }),
    truncated: out.truncated || err.truncated,
    stdoutBytes: out.bytes,
    timedOut: how.timedOut === true || killed,
    lost: exitCode === undefined && !how.timedOut && !how.flooded,
    cancelled: how.cancelled === true,
    durationMs,
    // Its clock ticks in steps of 10 ms.
    ...(hostMs !== undefined && { hostMs: Math.min(hostMs, durationMs) }),
  };
};
