import type { RawAnswer, Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { decode } from '../text/bytes.ts';
import { makeSafe } from '../text/safe.ts';
import { quote, withWords } from '../text/shell.ts';
import type { Past } from './past-runs.ts';
import { linesIn } from './shared-lines.ts';
import pastText from './shared-past.sh';

/** A command on the shared folder waits this long, ms. */
export const DEADLINE_MS = 8_000;
/**
 * After a read that did not come back nobody's wish but an operator's asks again for so long, and twice as long after each further
 * one: each command on a hung mount leaves a process there that no signal ends.
 */
const HUNG_MS = 60_000;
const HUNG_MOST_MS = 32 * HUNG_MS;
/** More than a night has; whether the 24 h of a cool-down are in it is proven by the oldest line, not assumed. */
const BYTES = 1_000_000;
/** Stands between what is told of the file and the file. */
const MARK = '--faultline-actions--';

/** `past` undefined: nothing was read. `unclear`: why this may not be all that was done in the last 24 h; one line with the next step. */
export interface SharedRead {
  past?: readonly Past[];
  unclear?: string;
}

/** What all consoles of the site have done lately, as the shared folder tells. Never throws. */
export interface SharedPast {
  read(): Promise<SharedRead>;
  /** The same for what nobody waits for: not asked while the folder is left alone because it hung. */
  poll(): Promise<SharedRead>;
}

/** Where consoles write what they do, one JSON line per action, on the shared host. */
export const actionsFile = (dir: string): string => `${dir}/actions.jsonl`;

export const createSharedPast = (
  shared: { host: string; dir: string },
  transports: Transports,
  clock: Pick<Clock, 'mono' | 'now'>,
): SharedPast => {
  const script = withWords(pastText, shared.dir, actionsFile(shared.dir), MARK, String(BYTES));
  let hungMs = 0;
  let notBefore = -Infinity;
  const read: SharedPast['read'] = async () => {
    const maxBytes = BYTES + 10_000;
    const answer = await transports
      .transportTo(shared.host)
      .run({ script, deadlineMs: DEADLINE_MS, fresh: true, maxBytes });
    hungMs = answer.timedOut ? Math.min(Math.max(HUNG_MS, hungMs * 2), HUNG_MOST_MS) : 0;
    notBefore = clock.mono() + hungMs;
    const where = `${shared.host}:${actionsFile(shared.dir)}`;
    const found = fileIn(answer, shared);
    if (typeof found === 'string') return { unclear: makeSafe(found, 300) };
    const { past, unclear } = linesIn(found.text, { where, cut: found.cut, now: clock.now() });
    return { past, ...(unclear !== undefined && { unclear: makeSafe(unclear, 300) }) };
  };
  const leftAlone = `${shared.host} did not answer and is left alone for a while`;
  return { read, poll: async () => (clock.mono() < notBefore ? { unclear: leftAlone } : read()) };
};

/** The end of the file as text, and whether more stands before it; or why that is not known. */
const fileIn = (
  answer: RawAnswer,
  { host, dir }: { host: string; dir: string },
): { text: string; cut: boolean } | string => {
  const where = `${host}:${actionsFile(dir)}`;
  if (answer.notConnected) return answer.notConnected.message;
  if (answer.timedOut) return `${where}: ${host} did not answer within ${DEADLINE_MS / 1000} s`;
  if (answer.exitCode === undefined) return `the connection to ${host} was lost while ${where} was read`;
  if (answer.truncated) return `${where}: the answer was cut at ${answer.stdoutBytes} bytes`;
  const bytes = Buffer.from(answer.stdout);
  const at = bytes.indexOf(`${MARK}\n`);
  if (answer.exitCode !== 0 || at < 0)
    return `${where} could not be read: exit ${answer.exitCode} on ${host}: ${lastLine(answer.stderr)}`;
  const head = bytes.subarray(0, at).toString('utf8').split('\n');
  const text = bytes.subarray(at + MARK.length + 1);
  const [, size, kind = ''] =
    /^file (\d+) (.+)$/.exec(head.find((line) => line.startsWith('file ')) ?? '') ?? [];
  if (size === undefined) {
    const said = lastLine(answer.stderr);
    if (!/No such file/.test(said)) return `${where} could not be read: ${said || 'stat said nothing'}`;
    return head.includes('folder')
      ? { text: '', cut: false }
      : `there is no folder ${host}:${dir}: what colleagues did is not known; if it was never there, make it there: mkdir -m 2770 ${quote(dir)}`;
  }
  if (!/^regular (?:empty )?file$/.test(kind))
    return `${where} is a ${kind}, not a file: see who made it, and remove it`;
  if (text.length < Math.min(Number(size), BYTES))
    return `${where}: ${text.length} of ${size} bytes could be read: ${lastLine(answer.stderr) || 'it changed meanwhile'}`;
  return { text: decode(new Uint8Array(text)), cut: Number(size) > BYTES || text.length >= BYTES };
};

const lastLine = (bytes: Uint8Array): string => decode(bytes).trim().split('\n').at(-1) ?? '';
