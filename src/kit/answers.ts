import type { Answer } from '../model/answer.ts';
import { CommandFailed, ParseError } from '../model/errors.ts';
import type { ParseInput } from '../model/system.ts';

/** What a tool said first: mostly why it failed. Empty when it said nothing. */
export const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** Throws where the shell found no such command; `hint`: what that means here. */
export const requireCommand = (
  command: string,
  { exitCode }: Pick<Answer, 'exitCode'>,
  hint: string,
): void => {
  if (exitCode === 127) throw new CommandFailed('noCommand', `${command}: ${hint}`);
};

/**
 * Reads an answer with a parser of `faultline parse`. What it can't read is a failed command where the exit code says so, else a
 * parse error that names the command. A CommandFailed of the parser's own goes through as it is.
 */
export const readAnswer = <T>(command: string, answer: Answer, parse: (input: ParseInput) => T): T => {
  const { stdout, stderr, exitCode } = answer;
  try {
    return parse({ stdout, stderr, ...(exitCode !== undefined && { exitCode }) });
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    requireCommand(command, answer, 'no such command in the PATH');
    if (exitCode !== undefined && exitCode !== 0) {
      const said = firstLine(stderr);
      const text = `${command}: exit ${exitCode}${said === '' ? '' : `, ${said}`}`;
      throw new CommandFailed('other', text, { cause });
    }
    if (cause instanceof ParseError) throw cause;
    const why = cause instanceof Error ? cause.message : 'not understood';
    throw new ParseError(`${command}: ${why}`, 'line 1', stdout, { cause });
  }
};

/** Lines `name=value` by name; other lines are left out. */
export const fieldsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
    }),
  );

/** A failure in a tool's own words, with its kind as the rules for all formats name it (docs/formats.md). */
export interface ReportedError<Kind extends string = string> {
  kind: Kind | 'other';
  message: string;
}

/** Sorts failures by a tool's words: the first form that fits says the kind. The text decides, never the exit code. */
export const errorSorter =
  <Kind extends string>(kinds: readonly (readonly [form: RegExp, kind: Kind])[]) =>
  (message: string): ReportedError<Kind> => ({
    kind: kinds.find(([form]) => form.test(message))?.[1] ?? 'other',
    message: message.trim(),
  });
