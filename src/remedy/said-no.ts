import type { RefusalLine, Refusals } from '../model/action.ts';
import type { RawAnswer } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import type { Command } from './commands.ts';

/** What an answer other than exit 0 proves. */
export interface Refused {
  /** Lines of it, typed on a device before the one that was refused, may have changed something. */
  changed: boolean;
}

/**
 * Whether the answer proves that the command, or the line of a device at which it ended, did nothing; undefined: it proves nothing.
 * A missing exit code, a cut answer, silence, and one line that no table knows prove nothing.
 */
export const findRefusal = (
  { refusals = [], dialect, script }: Pick<Command, 'refusals' | 'dialect' | 'script'>,
  answer: RawAnswer,
): Refused | undefined => {
  const { exitCode } = answer;
  if (exitCode === undefined || exitCode === 0 || answer.truncated || answer.signal !== undefined)
    return undefined;
  if (answer.timedOut || answer.lost || answer.cancelled) return undefined;
  if (dialect !== undefined) return refusedLine(script.split('\n'), refusals, exitCode, answer.stderr);
  const said = linesOf(answer.stderr, answer.stdout);
  return refusals.some((table) => isProof(table, said, exitCode)) ? { changed: false } : undefined;
};

const linesOf = (...streams: readonly Uint8Array[]): string[] =>
  streams
    .flatMap((bytes) => decode(bytes).split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');

const isWhole = (source: string, line: string): boolean => new RegExp(`^(?:${source})$`).test(line);

/** A wrapper that tries twice says no to the second and not that the first is under way: so every line counts. */
const isProof = (
  { lines, beside = [], atLeast = 1 }: Refusals,
  said: readonly string[],
  exitCode: number,
): boolean => {
  const refuses = (line: string): boolean =>
    lines.some(({ text, exit }) => (exit === undefined || exit === exitCode) && isWhole(text, line));
  const refusing = said.filter(refuses).length;
  return (
    refusing >= atLeast &&
    said.every((line) => refuses(line) || beside.some((source) => isWhole(source, line)))
  );
};

/** The device shell types until a line is refused, and says that line with the device's words: `shutdown: % Invalid input`. */
const refusedLine = (
  typed: readonly string[],
  refusals: readonly Refusals[],
  exitCode: number,
  stderr: Uint8Array,
): Refused | undefined => {
  const [said, ...more] = linesOf(stderr);
  if (said === undefined || more.length > 0) return undefined;
  // Of the same line typed twice the second: then what stands between them may have been done.
  const at = typed.findLastIndex((line) => said.startsWith(`${line.trim()}: `));
  const line = typed[at];
  if (line === undefined) return undefined;
  const words = said.slice(line.trim().length + 2).trim();
  const table = refusals.find((one) => isProof(one, [words], exitCode));
  if (table === undefined) return undefined;
  const isHarmless = (one: string): boolean =>
    (table.harmless ?? []).some((source) => isWhole(source, one.trim()));
  return { changed: !typed.slice(0, at).every(isHarmless) };
};

/** What sudo says before it runs anything (sudo 1.8 to 1.9, plugins/sudoers and src/sudo.c); as root none of it is ever said. */
const sudoLines: readonly RefusalLine[] = [
  'sudo: a password is required',
  "sudo: a terminal is required to read the password; either use (?:the -S option to read from standard input|ssh's -t option) or configure an askpass helper",
  'sudo: no tty present and no askpass program specified',
  'sudo: sorry, you must have a tty to run sudo',
  'sudo: interactive authentication is required',
  String.raw`Sorry, user \S+ is not allowed to execute '.*' as \S+ on \S+\.`,
  String.raw`Sorry, user \S+ may not run sudo on \S+\.`,
  String.raw`\S+ is not in the sudoers file\.(?: +This incident (?:will be|has been) reported(?: to the administrator)?\.)?`,
].map((text) => ({ text, exit: 1, source: 'sudo 1.8 to 1.9: said before the command is run' }));

/** Said beside anything: the host's name is not in its own /etc/hosts. */
const sudoBeside = String.raw`sudo: unable to resolve host \S+: .*`;

const plainName = (name: string): string => name.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** The words of the shell that was to run a command, and of sudo, for this very command: what runs inside it may say the same. */
export const shellRefusals = (argv: readonly string[]): readonly Refusals[] => {
  const [name = '', ...rest] = argv;
  const shell = (text: string, exit: number): RefusalLine => ({
    text: String.raw`sh: (?:(?:line )?\d+: )?${text}`,
    exit,
    source: `POSIX sh 2.8.2 (exit ${exit}); words of dash, bash and busybox`,
  });
  const lines = [
    shell(`${plainName(name)}: (?:command )?not found`, 127),
    shell(String.raw`(?:\S*\/)?${plainName(name)}: Permission denied`, 126),
  ];
  if (name !== 'sudo') return [{ tool: 'sh', lines }];
  const inner = rest.find((word) => !word.startsWith('-')) ?? '';
  const missing = {
    text: `sudo: ${plainName(inner)}: command not found`,
    exit: 1,
    source: 'sudo 1.8 to 1.9, src/sudo.c',
  };
  return [
    { tool: 'sh', lines },
    { tool: 'sudo', lines: [...sudoLines, missing], beside: [sudoBeside] },
  ];
};
