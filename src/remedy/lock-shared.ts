import type { RawAnswer, Transports } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import { visible } from '../text/safe.ts';
import { quote } from '../text/shell.ts';
import { fileNameOf, type LockStore, type Standing } from './lock-store.ts';

const DEADLINE_MS = 8_000;

/** Stands between the lock's text and the two clock readings, so that a banner or a line in the text is not taken for them. */
const MARK = '--faultline-lock--';

/**
 * Locks as files in the shared folder on one host of the site. A draft is written and then linked to the lock's name: `ln`
 * makes the name whole or not at all, never replaces, and is atomic on NFS too. Ages are by that host's own clock, so the
 * consoles' clocks need not agree. Only plain commands: `mkdir`, `printf`, `ln`, `rm`, `cat`, `stat`, `date`.
 */
export const createSharedStore = (
  shared: { host: string; dir: string },
  transports: Transports,
  newId: () => string,
): LockStore => {
  const folder = `${shared.dir}/locks`;
  const pathOf = (name: string): string => quote(`${folder}/${fileNameOf(name)}.lock`);
  const show = (name: string): string =>
    `cat ${pathOf(name)} && echo ${MARK} && stat -c %Y ${pathOf(name)} && date +%s`;
  const run = (script: string): Promise<RawAnswer> =>
    transports.to(shared.host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });

  const look: LockStore['look'] = async (name) => {
    const answer = await run(show(name));
    const found = standingOf(answer);
    if (found) return { state: 'held', ...found };
    if (answer.exitCode === 1 && /No such file/.test(decode(answer.stderr))) return { state: 'none' };
    return { state: 'failed', reason: whyNot(answer, shared.host) };
  };

  return {
    where: `${shared.host}:${shared.dir}`,
    look,
    put: async (name, text) => {
      const draft = quote(`${folder}/${fileNameOf(name)}.${newId()}`);
      const answer = await run(
        [
          `mkdir -p -m 2775 ${quote(folder)} && printf '%s\\n' ${quote(text)} >${draft} && ln ${draft} ${pathOf(name)}`,
          `rm -f ${draft}`,
          show(name),
        ].join('\n'),
      );
      // An answer that was lost says nothing about what was done: look, do not send again.
      const found = standingOf(answer) ?? (answer.notConnected ? undefined : await look(name));
      if (found && 'text' in found)
        return found.text === text ? { state: 'made' } : { ...found, state: 'held' };
      return { state: 'failed', reason: whyNot(answer, shared.host) };
    },
    remove: async (name, text) => {
      const found = await look(name);
      if (found.state === 'failed') return found.reason;
      if (found.state === 'none') return 'it is gone';
      if (found.text !== text) return 'it is somebody else’s now';
      const answer = await run(`rm ${pathOf(name)}`);
      return answer.exitCode === 0 ? undefined : whyNot(answer, shared.host);
    },
  };
};

const standingOf = (answer: RawAnswer): Standing | undefined => {
  if (answer.exitCode !== 0 || answer.truncated) return undefined;
  const match = new RegExp(`^([^]*)\\n${MARK}\\n(\\d+)\\n(\\d+)\\n$`).exec(decode(answer.stdout));
  if (!match) return undefined;
  return { text: match[1] ?? '', ageMs: Math.max(0, (Number(match[3]) - Number(match[2])) * 1000) };
};

const whyNot = (answer: RawAnswer, host: string): string => {
  if (answer.notConnected) return answer.notConnected.message;
  if (answer.timedOut) return `${host} did not answer within ${DEADLINE_MS / 1000} s`;
  if (answer.lost || answer.exitCode === undefined) return `the connection to ${host} was lost`;
  const line = decode(answer.stderr).trim().split('\n').at(-1) ?? '';
  return visible(line === '' ? `exit ${answer.exitCode} on ${host}` : `${host}: ${line}`, 300);
};
