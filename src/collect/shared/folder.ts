import type { RawAnswer, Transports } from '../../model/answer.ts';
import { decode } from '../../text/bytes.ts';
import { addLine, folderProblem, type FolderTry } from '../../text/shared-folder.ts';
import { withWords } from '../../text/shell.ts';
import { isLockFile, lockSeen, type LockSeen } from './lock-seen.ts';
import { oddOwners, ownersScript } from './owners.ts';
import readText from './read-folder.sh';
import locksText from './read-locks.sh';

const DEADLINE_MS = 8_000;

/** Stands before the events in an answer; what comes before it are the sizes and the consoles. */
const MARK = '--faultline-events--';

/** Of printf: a line break before and after a line, so that a half-written one before it harms only itself. */
const LINE = '\\n%s\\n';

/** At most so much of the file is read at once, and at the start: the newest. */
const MOST = 4_000_000;

/** A file of presence larger than this is begun anew: who was on last week is of no use. */
const PRESENCE_BYTES = 64_000;

/** Exit code of the script that is no command's own. */
const NO_FOLDER = 3;

/** More locks than this stand there at once only when something is very wrong. */
const MOST_LOCKS = 50;

/** More than any console writes into one. */
const LOCK_BYTES = 32_000;

export type Read =
  { ok: true; events: readonly string[]; consoles: readonly string[]; locks: readonly LockSeen[] } | Problem;

export interface Problem {
  ok: false;
  reason: string;
  /** The command may still hang there: nothing more is sent for a while. */
  hangs: boolean;
  /** There is no such folder: the first that is written makes it. */
  missing?: boolean;
}

/** The folder that consoles of a site share. Never throws. */
export interface Folder {
  readonly where: string;
  /** Complete lines that came since the last read, from the beginning when the file was begun anew. */
  read(): Promise<Read>;
  /** Adds one line; `ok` when the host says that it is written. */
  append(line: string): Promise<{ ok: true } | Problem>;
  tellPresence(line: string): Promise<{ ok: true } | Problem>;
  /** What is odd about whose files lie there; undefined when it could not be told. */
  findOddOwners(): Promise<readonly string[] | undefined>;
}

/**
 * Files on one host of the site, one JSON line per event, only ever appended to. A line is written with a line break before and
 * after it in one small write, so that a half-written line before it (a full disk) harms only itself. Plain commands: `mkdir`,
 * `env printf` (a shell's own says "I/O error" of a full disk), `stat`, `tail`, `ls`, `head`. Read from the position reached, so that a poll costs the same after a long night.
 */
export const createFolder = (shared: { host: string; dir: string }, transports: Transports): Folder => {
  const events = `${shared.dir}/events.jsonl`;
  const consoles = `${shared.dir}/consoles.jsonl`;
  const locks = `${shared.dir}/locks`;
  /** Bytes of the events file that were read, up to the end of a line. */
  let position = 0;
  let size = 0;
  let consolesSize = 0;

  const readAnew = (lines: readonly string[]): Read => {
    position = 0;
    size = 0;
    return { ok: true, events: [], consoles: lines, locks: [] };
  };

  const run = (script: string): Promise<RawAnswer> =>
    transports
      .transportTo(shared.host)
      .run({ script, deadlineMs: DEADLINE_MS, maxBytes: MOST + 200_000, fresh: true });

  const problem = (answer: RawAnswer, doing: FolderTry['doing']): Problem => ({
    ok: false,
    reason: folderProblem(answer, shared, { doing, deadlineMs: DEADLINE_MS }),
    hangs: answer.timedOut,
  });

  const write = async (script: string): Promise<{ ok: true } | Problem> => {
    const answer = await run(script);
    return answer.exitCode === 0 ? { ok: true } : problem(answer, 'written');
  };

  return {
    where: `${shared.host}:${shared.dir}`,
    append: (line) => write(addLine(shared.dir, events, line, LINE)),
    tellPresence: (line) => write(addLine(shared.dir, consoles, line, LINE, consolesSize > PRESENCE_BYTES)),
    findOddOwners: async () => oddOwners(await run(ownersScript(shared.dir))),
    read: async () => {
      const answer = await run(readScript({ dir: shared.dir, events, consoles, locks, position }));
      if (answer.exitCode === NO_FOLDER) {
        const missing = /No such file/.test(decode(answer.stderr));
        return { ...problem(answer, 'read'), missing };
      }
      // More came than is read at once: its end is read with the next poll, as at the start.
      if (answer.truncated) return readAnew([]);
      if (answer.exitCode !== 0 || isRefused(answer)) return problem(answer, 'read');
      const parts = partsOf(answer.stdout);
      if (!parts) return { ok: false, reason: `${shared.host}: the answer was not understood`, hangs: false };
      const { head, tail } = parts;
      const now = sizeIn(head, 'events');
      consolesSize = sizeIn(head, 'consoles');
      // Somebody began the file anew: what is known stays, and all of it is read with the next poll.
      if (now < size) return readAnew(consoleLines(head));
      const end = tail.lastIndexOf(0x0a) + 1;
      // The first read may be of the end of a large file only, from the middle of a line.
      const missed = position === 0 ? Math.max(0, now - tail.length) : 0;
      const start = missed > 0 ? tail.indexOf(0x0a) + 1 : 0;
      position += missed + end;
      size = now;
      return {
        ok: true,
        events: decode(new Uint8Array(tail.subarray(Math.min(start, end), end))).split('\n'),
        consoles: consoleLines(head),
        locks: await readLocks(locks, head.filter(isLockFile).slice(0, MOST_LOCKS), run),
      };
    },
  };
};

/** Something was said beside that a file is not there yet. */
const isRefused = ({ stderr }: RawAnswer): boolean =>
  decode(stderr)
    .split('\n')
    .some((line) => line.trim() !== '' && !line.includes('No such file'));

/** `position`: bytes of the events file that are known already. */
const readScript = (at: Record<'dir' | 'events' | 'consoles' | 'locks', string> & { position: number }) =>
  withWords(
    readText,
    at.dir,
    at.events,
    at.consoles,
    at.locks,
    String(PRESENCE_BYTES),
    MARK,
    at.position === 0 ? String(MOST) : `+${at.position + 1}`,
  );

const partsOf = (stdout: Uint8Array): { head: readonly string[]; tail: Buffer } | undefined => {
  const bytes = Buffer.from(stdout);
  const at = bytes.indexOf(`\n${MARK}\n`);
  if (at < 0) return undefined;
  const head = bytes.subarray(0, at).toString('utf8').split('\n');
  return { head, tail: bytes.subarray(at + MARK.length + 2) };
};

const readLocks = async (
  folder: string,
  names: readonly string[],
  run: (script: string) => Promise<RawAnswer>,
): Promise<readonly LockSeen[]> => {
  if (names.length === 0) return [];
  const answer = await run(withWords(locksText, folder, String(LOCK_BYTES), ...names));
  const lines = decode(answer.stdout).split('\n');
  let from = 0;
  return names.flatMap((name) => {
    const at = lines.indexOf(name, from);
    if (at < 0) return [];
    const text = lines.slice(from, at).join('');
    from = at + 1;
    return [lockSeen(name, text)];
  });
};

const sizeIn = (head: readonly string[], name: string): number =>
  Number(head.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? 0) || 0;

const consoleLines = (head: readonly string[]): string[] => head.filter((line) => line.startsWith('{'));
