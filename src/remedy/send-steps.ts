import type { RawAnswer, Transports } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import { makeSafe } from '../text/safe.ts';
import { sha256 } from '../audit/audit-line.ts';
import { send, type Command } from './commands.ts';
import { findRefusal } from './said-no.ts';

/** One stream of an answer as the audit log keeps it. */
interface Kept {
  sha256: string;
  bytes: number;
  /** The first 4 KiB. */
  text: string;
}

/** How one command ended, for the audit log. */
export interface StepResult {
  host: string;
  sha256: string;
  exitCode?: number;
  signal?: string;
  timedOut?: true;
  lost?: true;
  notConnected?: string;
  error?: string;
  durationMs?: number;
  stdout?: Kept;
  stderr?: Kept;
}

/**
 * How far the commands of one target came. `accepted`: every one exited 0; `rejected`: the last proves that it did nothing;
 * `uncertain`: it is not known what the last did (guard 11: it is never sent again); `notSent`: nothing left this machine.
 */
export interface Sent {
  state: 'accepted' | 'rejected' | 'uncertain' | 'notSent';
  /** Something before the last was carried out, whatever came of the last: a command that exited 0, a line of a device. */
  changed: boolean;
  text: string;
  /** Why what was done could not be written down where it should stand. */
  unwritten?: string;
  results: readonly StepResult[];
}

/**
 * Sends the commands in order and stops at the first that did not exit 0. What only writes down what they did follows, unless it is
 * proven that they did nothing: then there is nothing to tell.
 */
export const sendSteps = async (commands: readonly Command[], transports: Transports): Promise<Sent> => {
  const sent = await sendInOrder(
    commands.filter(({ note }) => !note),
    transports,
  );
  const notes = commands.filter(({ note }) => note);
  if (notes.length === 0 || sent.state === 'notSent' || isNothing(sent)) return sent;
  const sendOutcome = await sendInOrder(notes, transports);
  return {
    ...sent,
    results: [...sent.results, ...sendOutcome.results],
    ...(sendOutcome.state !== 'accepted' && { unwritten: sendOutcome.text }),
  };
};

/** Before the first command there was a reason to send none. */
export const nothingSent = (text: string): Sent => ({ state: 'notSent', changed: false, text, results: [] });

/** Whether it is proven that nothing at all was done. */
export const isNothing = ({ state, changed }: Pick<Sent, 'state' | 'changed'>): boolean =>
  state === 'rejected' && !changed;

const sendInOrder = async (commands: readonly Command[], transports: Transports): Promise<Sent> => {
  const results: StepResult[] = [];
  const end = (state: Sent['state'], text: string, changed = false): Sent => ({
    state,
    text,
    results,
    changed: changed || results.some(({ exitCode }) => exitCode === 0),
  });
  for (const command of commands) {
    const identity = { host: command.host, sha256: sha256(command.script) };
    let answer: RawAnswer;
    try {
      answer = await send(command, transports.transportTo(command.host));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      results.push({ ...identity, error: text });
      return end('uncertain', makeSafe(text, 300));
    }
    results.push({ ...identity, ...keptOutput(answer) });
    if (answer.notConnected) {
      const first = results.length === 1;
      return end(first ? 'notSent' : 'rejected', answer.notConnected.message);
    }
    if (answer.stoppedAt !== undefined)
      return end('uncertain', makeSafe(`it stopped at "${answer.stoppedAt}" and waits for a key`, 300));
    if (answer.timedOut) return end('uncertain', `no end within ${command.deadlineMs / 1000} s`);
    if (answer.lost || answer.cancelled || answer.exitCode === undefined)
      return end('uncertain', `the connection to ${command.host} was lost after the command was sent`);
    if (answer.exitCode === 0) continue;
    const refused = findRefusal(command, answer);
    return end(refused ? 'rejected' : 'uncertain', saidNo(answer, refused !== undefined), refused?.changed);
  }
  return end('accepted', 'accepted');
};

/** How a script of our own says that it did nothing, and why. */
const OWN = 'faultline: ';

const saidNo = (answer: RawAnswer, isProven: boolean): string => {
  const streams = `${decode(answer.stderr)}\n${decode(answer.stdout)}`;
  const said = streams.split('\n').find((line) => line.trim() !== '');
  if (isProven && said?.startsWith(OWN) === true)
    return makeSafe(`refused: ${said.slice(OWN.length).trim()}`, 300);
  return makeSafe(`exit ${answer.exitCode}${said === undefined ? '' : `: ${said.trim()}`}`, 300);
};

const keptOutput = (answer: RawAnswer): Partial<StepResult> => ({
  ...(answer.exitCode !== undefined && { exitCode: answer.exitCode }),
  ...(answer.signal !== undefined && { signal: answer.signal }),
  ...(answer.timedOut && { timedOut: true }),
  ...(answer.lost && { lost: true }),
  ...(answer.notConnected && { notConnected: answer.notConnected.message }),
  durationMs: Math.round(answer.durationMs),
  stdout: stream(answer.stdout),
  stderr: stream(answer.stderr),
});

const stream = (bytes: Uint8Array): Kept => ({
  sha256: sha256(bytes),
  bytes: bytes.length,
  text: decode(bytes.subarray(0, 4096)),
});

/** Both streams of all commands for the screen: every line safe, at most 4 KiB each. */
export const outputOf = (results: readonly StepResult[]): string =>
  results
    .flatMap(({ stdout, stderr }) => [stdout?.text ?? '', stderr?.text ?? ''])
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => makeSafe(line, 500))
    .join('\n');
