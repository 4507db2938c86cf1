import type { RawAnswer, Transports } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import { folderProblem, type FolderPlace } from '../text/shared-folder.ts';
import { withWords } from '../text/shell.ts';
import lockText from './lock.sh';
import { ageOf, fileNameOf, GONE, TAKEN, type LockStore, type Standing } from './lock-store.ts';

const DEADLINE_MS = 8_000;

/** More than any console writes into a lock. */
const MOST_BYTES = 32_000;

/** Stands between the lock's text and the two clock readings, so that a banner or a line in the text is not taken for them. */
const MARK = '--faultline-lock--';

/** Exit codes of the script that are no command's own. */
const NOT_READ = 4;
const OTHERS = 5;

/**
 * Locks as files in the shared folder on one host of the site. Ages are by that host's own clock, so the consoles' clocks need not agree.
 */
export const createSharedStore = (
  shared: FolderPlace,
  transports: Transports,
  newId: () => string,
): LockStore => {
  const folder = `${shared.dir}/locks`;
  const scriptOf = (doing: 'look' | 'put' | 'remove', name: string, ...words: readonly string[]): string =>
    withWords(
      lockText,
      doing,
      shared.dir,
      folder,
      `${folder}/${fileNameOf(name)}.lock`,
      String(MOST_BYTES),
      MARK,
      ...words,
    );
  const run = (script: string): Promise<RawAnswer> =>
    transports.transportTo(shared.host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });
  const problem = (answer: RawAnswer, doing: 'read' | 'written'): string =>
    folderProblem(answer, shared, { doing, deadlineMs: DEADLINE_MS });

  const look: LockStore['look'] = async (name) => {
    const answer = await run(scriptOf('look', name));
    const found = standingOf(answer);
    if (found) return { state: 'held', ...found };
    if (isMissing(answer)) return { state: 'none' };
    return { state: 'failed', reason: problem(answer, 'read') };
  };

  return {
    where: `${shared.host}:${shared.dir}`,
    look,
    put: async (name, text) => {
      const draft = `${folder}/${fileNameOf(name)}.${newId()}`;
      const answer = await run(scriptOf('put', name, text, draft));
      // An answer that was lost says nothing about what was done: look, do not send again.
      const found = standingOf(answer) ?? (answer.notConnected ? undefined : await look(name));
      if (found && 'text' in found)
        return found.text === text ? { state: 'made' } : { ...found, state: 'held' };
      if (/File exists/.test(decode(answer.stderr)) && isMissing(answer))
        return { state: 'failed', reason: `${shared.host}: a lock stood there and went: try again` };
      return { state: 'failed', reason: problem(answer, 'written') };
    },
    remove: async (name, text) => {
      const answer = await run(scriptOf('remove', name, text));
      if (answer.exitCode === 0) return undefined;
      if (isMissing(answer)) return GONE;
      return answer.exitCode === OTHERS ? TAKEN : problem(answer, 'written');
    },
  };
};

/** The folder is there, and no such lock is in it. */
const isMissing = (answer: RawAnswer): boolean =>
  answer.exitCode === NOT_READ && /No such file or directory/.test(decode(answer.stderr));

const standingOf = (answer: RawAnswer): Standing | undefined => {
  if (answer.exitCode !== 0 || answer.truncated) return undefined;
  const match = new RegExp(`^([^]*)\\n${MARK}\\n(\\d+)\\n(\\d+)\\n$`).exec(decode(answer.stdout));
  if (!match) return undefined;
  // The line's own end; a text that was cut has none.
  const text = match[1] ?? '';
  return {
    text: text.endsWith('\n') ? text.slice(0, -1) : text,
    ageMs: ageOf(Number(match[3]) * 1000, Number(match[2]) * 1000),
  };
};
