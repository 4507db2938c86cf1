import type { RawAnswer, Transports } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import { folderProblem, refuseOdd, type FolderPlace } from '../text/shared-folder.ts';
import { quote } from '../text/shell.ts';
import { ageOf, fileNameOf, GONE, TAKEN, type LockStore, type Standing } from './lock-store.ts';

const DEADLINE_MS = 8_000;

/** More than any console writes into a lock. */
const MOST_BYTES = 32_000;

/** Stands between the lock's text and the two clock readings, so that a banner or a line in the text is not taken for them. */
const MARK = '--faultline-lock--';

/** Exit codes of the scripts below that are no command's own. */
const NO_FOLDER = 3;
const NOT_READ = 4;
const OTHERS = 5;

/**
 * Locks as files in the shared folder on one host of the site. A draft is written and then linked to the lock's name: `ln`
 * makes the name whole or not at all, never replaces, and is atomic on NFS too. Ages are by that host's own clock, so the
 * consoles' clocks need not agree. Only plain commands: `mkdir`, `env printf` (a shell's own says "I/O error" of a full disk),
 * `ln`, `rm`, `head`, `ls`, `stat`, `date`.
 */
export const createSharedStore = (
  shared: FolderPlace,
  transports: Transports,
  newId: () => string,
): LockStore => {
  const dir = quote(shared.dir);
  const folder = `${shared.dir}/locks`;
  const pathOf = (name: string): string => quote(`${folder}/${fileNameOf(name)}.lock`);
  const refuse = (name: string): string => refuseOdd([pathOf(name)], quote(folder));
  /** Ends the script with an exit code that tells a folder that is gone from a lock that is not there. */
  const show = (name: string): string[] => [
    `${refuse(name)}; head -c ${MOST_BYTES} ${pathOf(name)} && printf '\\n%s\\n' '${MARK}' && stat -c %Y ${pathOf(name)} && date +%s && exit 0`,
    `ls -d ${dir}/. >/dev/null || exit ${NO_FOLDER}`,
    `exit ${NOT_READ}`,
  ];
  const run = (script: readonly string[]): Promise<RawAnswer> =>
    transports
      .transportTo(shared.host)
      .run({ script: script.join('\n'), deadlineMs: DEADLINE_MS, fresh: true });
  const problem = (answer: RawAnswer, doing: 'read' | 'written'): string =>
    folderProblem(answer, shared, { doing, deadlineMs: DEADLINE_MS });

  const look: LockStore['look'] = async (name) => {
    const answer = await run(show(name));
    const found = standingOf(answer);
    if (found) return { state: 'held', ...found };
    if (isMissing(answer)) return { state: 'none' };
    return { state: 'failed', reason: problem(answer, 'read') };
  };

  return {
    where: `${shared.host}:${shared.dir}`,
    look,
    put: async (name, text) => {
      const draft = quote(`${folder}/${fileNameOf(name)}.${newId()}`);
      const answer = await run([
        // What one operator made the others must be able to use.
        'umask 002',
        refuse(name),
        `mkdir -p -m 2770 ${dir} ${quote(folder)} && env printf '%s\\n' ${quote(text)} >${draft} && ln ${draft} ${pathOf(name)}`,
        `rm -f ${draft}`,
        ...show(name),
      ]);
      // An answer that was lost says nothing about what was done: look, do not send again.
      const found = standingOf(answer) ?? (answer.notConnected ? undefined : await look(name));
      if (found && 'text' in found)
        return found.text === text ? { state: 'made' } : { ...found, state: 'held' };
      if (/File exists/.test(decode(answer.stderr)) && isMissing(answer))
        return { state: 'failed', reason: `${shared.host}: a lock stood there and went: try again` };
      return { state: 'failed', reason: problem(answer, 'written') };
    },
    remove: async (name, text) => {
      const answer = await run([
        // Compared where it is removed: a command that was held up for minutes must not remove what somebody else made meanwhile.
        refuse(name),
        `text=$(head -c ${MOST_BYTES} ${pathOf(name)}) || { ls -d ${dir}/. >/dev/null || exit ${NO_FOLDER}; exit ${NOT_READ}; }`,
        `[ "$text" = ${quote(text)} ] || exit ${OTHERS}`,
        `rm -f ${pathOf(name)}`,
      ]);
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
