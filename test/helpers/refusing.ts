import type { Refusals, Step } from '../../src/model/action.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import { commandOf } from '../../src/remedy/commands.ts';
import { findRefusal } from '../../src/remedy/said-no.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An answer that ended with an exit code and words on both streams. */
export const ended = (exitCode: number, stderr: string, stdout = ''): RawAnswer => ({
  exitCode,
  stdout: bytes(stdout),
  stderr: bytes(stderr),
  truncated: false,
  stdoutBytes: stdout.length,
  timedOut: false,
  lost: false,
  cancelled: false,
  durationMs: 3,
});

/** What an answer proves of a step with this table: `nothing done`, `earlier lines done`, or `not known`. */
export const provedBy = (
  refusals: Refusals | undefined,
  answer: RawAnswer,
  step: Step = { host: 'h', argv: ['tool', 'x'] },
): 'nothing done' | 'earlier lines done' | 'not known' => {
  const refused = findRefusal(commandOf({ ...step, ...(refusals && { refusals }) }), answer);
  if (refused === undefined) return 'not known';
  return refused.changed ? 'earlier lines done' : 'nothing done';
};
