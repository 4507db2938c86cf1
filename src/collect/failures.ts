import { ZodError } from 'zod';
import type { RawAnswer } from '../model/answer.ts';
import { CommandFailed, ParseError } from '../model/errors.ts';
import type { Failure } from '../model/reading.ts';
import { visible } from '../text/safe.ts';
import { cut } from '../text/width.ts';

/** Which host and command a failure is about, and the limit that was set. */
export interface Asked {
  host: string;
  command: string;
  deadlineMs: number;
}

const bytes = (count: number): string =>
  count >= 1e6
    ? `${Math.round(count / 1e6)} MB`
    : count >= 1e3
      ? `${Math.round(count / 1e3)} kB`
      : `${count} B`;

const oneLine = (text: string, columns = 200): string => cut(visible(text), columns);

/** What kept an answer from being whole; undefined when it can be read. */
export const answerFailure = (answer: RawAnswer, asked: Asked): Failure | undefined => {
  const { host, command } = asked;
  if (answer.notConnected) {
    const { kind, message } = answer.notConnected;
    return { kind: 'connect', connect: kind, message: oneLine(message) };
  }
  if (answer.cancelled) return { kind: 'cancelled', message: `${host}: ${command} was cancelled` };
  if (answer.timedOut) {
    const seconds = Math.round(asked.deadlineMs / 1000);
    return { kind: 'timeout', message: `${host}: ${command} timed out after ${seconds} s` };
  }
  if (answer.truncated) {
    const kept = answer.stdout.byteLength;
    const how =
      answer.stdoutBytes > kept
        ? `${bytes(answer.stdoutBytes)} came, ${bytes(kept)} kept`
        : 'too much error output came';
    return { kind: 'truncated', message: `${host}: answer of ${command} truncated: ${how}` };
  }
  if (answer.lost || (answer.exitCode === undefined && answer.signal === undefined)) {
    return { kind: 'lost', message: `${host}: connection lost while ${command} ran` };
  }
  return undefined;
};

/** What a probe threw while reading: the system's own failure, a part that can't be read, or a fault in the parser. */
export const readFailure = (error: unknown, { host, command }: Asked): Failure => {
  if (error instanceof CommandFailed) {
    return { kind: 'command', code: error.code, message: `${host}: ${oneLine(error.message)}` };
  }
  const what = `${host}: answer of ${command} not understood`;
  if (error instanceof ParseError) {
    const text = error.text === '' ? '' : `: "${oneLine(error.text, 120)}"`;
    return {
      kind: 'parse',
      message: `${what} at ${oneLine(error.place, 60)}: ${oneLine(error.message)}${text}`,
    };
  }
  if (error instanceof ZodError) {
    const [first] = error.issues;
    const place = first?.path.join('.') ?? '';
    const more = error.issues.length > 1 ? `, and ${error.issues.length - 1} more` : '';
    return {
      kind: 'parse',
      message: `${what} at ${oneLine(place, 60)}: ${oneLine(first?.message ?? '')}${more}`,
    };
  }
  return {
    kind: 'parse',
    message: `${what}: ${oneLine(error instanceof Error ? error.message : String(error))}`,
  };
};
