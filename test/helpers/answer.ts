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
