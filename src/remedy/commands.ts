import { sha256 } from '../audit/audit-line.ts';
import type { Refusals, Step } from '../model/action.ts';
import type { Dialect, RawAnswer, Transport } from '../model/answer.ts';
import type { CommandLine } from '../model/run.ts';
import { isPlain } from '../text/safe.ts';
import { shellCommand } from '../text/shell.ts';
import { shellRefusals } from './said-no.ts';

/** Remote `timeout` of a step that names none. */
const DEADLINE_MS = 10_000;

/** The exact bytes for one host, made once, when the plan is made: shown, hashed, written down and sent from here. */
export interface Command {
  readonly host: string;
  readonly script: string;
  readonly stdin?: string;
  /** Lines are typed on a device that has no shell; then `script` is those lines. */
  readonly dialect?: Dialect;
  readonly deadlineMs: number;
  /** What proves that it did nothing: the tool's own words, and those of the shell and of sudo for this command. */
  readonly refusals?: readonly Refusals[];
  /** Of `Step`. */
  readonly note?: true;
  readonly changes?: readonly string[];
}

/** Text that cannot be shown exactly as it will be sent (guard 2). */
export class NotShowable extends Error {}

/** A step as the bytes that will be sent. Throws NotShowable when a byte of it would look different on the screen. */
export const commandOf = (step: Step): Command => {
  const script = 'argv' in step ? shellCommand(step.argv) : step.lines.join('\n');
  const stdin = 'argv' in step ? step.stdin : undefined;
  const refusals = [
    ...(step.refusals ? [step.refusals] : []),
    ...('argv' in step ? shellRefusals(step.argv) : []),
  ];
  // A shell line is one line: a line feed inside a quoted word would look like a second command.
  if ('argv' in step && !isPlain(script)) throw notShowable(step.host);
  return requireShowable({
    host: step.host,
    script,
    ...(stdin !== undefined && { stdin }),
    ...('dialect' in step && { dialect: step.dialect }),
    ...(refusals.length > 0 && { refusals }),
    ...('argv' in step && step.note && { note: step.note }),
    ...('argv' in step && step.changes && { changes: knownWords(step.changes, stdin ?? '') }),
    deadlineMs: step.deadlineMs ?? DEADLINE_MS,
  });
};

/** The same command, frozen; throws NotShowable when a byte of it would look different on the screen. */
const requireShowable = (command: Command): Command => {
  if (command.script === '' || linesOf(command).some(({ line }) => !isPlain(line)))
    throw notShowable(command.host);
  return Object.freeze(command);
};

const notShowable = (host: string): NotShowable =>
  new NotShowable(`a command for ${host} cannot be shown as it would be sent`);

/** A word that marks no line would hide what it was meant to show. */
const knownWords = (words: readonly string[], script: string): readonly string[] => {
  const unknown = words.find((word) => !script.includes(word));
  if (unknown !== undefined) throw new Error(`no line of the script holds "${unknown}"`);
  return words;
};

/** What a dialog draws: every line of every command, in order; standard input is marked, and what only writes down. */
export const linesOf = ({ host, script, stdin, note, changes }: Command): CommandLine[] => {
  const folded = { folded: true as const };
  const isFolded = (line: string): boolean => changes?.some((word) => line.includes(word)) === false;
  return [
    ...script.split('\n').map((line) => ({ host, line, ...(note && { note, ...folded }) })),
    ...(stdin?.split('\n') ?? []).map((line) => ({
      host,
      line,
      stdin: true as const,
      ...(note && { note }),
      ...((note ?? isFolded(line)) && folded),
    })),
  ];
};

/** SHA-256 over host, script and standard input of the commands in order: shown and sent agree when it agrees. */
export const hashOf = (commands: readonly Command[]): string =>
  sha256(JSON.stringify(commands.map(({ host, script, stdin }) => [host, script, stdin])));

/** Sends a command on a channel of its own. Nothing is added: the remote `timeout` is the transport's constant frame. */
export const send = (command: Command, transport: Transport): Promise<RawAnswer> => {
  const { script, stdin, dialect, deadlineMs } = command;
  if (dialect === undefined)
    return transport.run({ script, deadlineMs, fresh: true, ...(stdin !== undefined && { stdin }) });
  if (transport.type === undefined) throw new Error(`${command.host} is not reached as a device`);
  return transport.type({ lines: script.split('\n'), dialect, deadlineMs, stopOnError: true });
};

/** The longest these commands can go on on their hosts after the first byte was sent, ms: deadlines and the grace of the client. */
export const boundOf = (commands: readonly Command[]): number =>
  commands.reduce((sum, { deadlineMs }) => sum + deadlineMs + 3_000, 0);
