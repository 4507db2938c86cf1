import type { Answer } from '../../src/model/answer.ts';

/** What a host said to a script, as probes get it: it ended by itself with success, unless told otherwise. */
export const answerOf = (stdout: string, more: Partial<Answer> = {}): Answer => ({
  stdout,
  stderr: '',
  exitCode: 0,
  truncated: false,
  stdoutBytes: stdout.length,
  timedOut: false,
  lost: false,
  cancelled: false,
  durationMs: 5,
  ...more,
});

/** An answer whose exit code was never learned. */
export const withoutExit = (more: Partial<Answer>): Answer => {
  const { exitCode: _, ...rest } = answerOf('', more);
  return rest;
};

/** An answer of parts (src/kit/part.sh): each with what its command printed and, when that is not 0, its exit code. */
export const answerOfParts = (
  ...parts: readonly (readonly [word: string, text: string, code?: number])[]
): Answer =>
  answerOf(
    `${parts.map(([word, text, code = 0]) => `@@faultline ${word}\n${text}\n@@faultline ${word}-exit ${code}\n`).join('')}@@faultline end\n`,
  );
