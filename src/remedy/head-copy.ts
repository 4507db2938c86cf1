import { DEADLINE_MS } from '../audit/shared-past.ts';
import type { Verified } from '../audit/audit-verify.ts';
import { sha256 } from '../audit/audit-line.ts';
import { holdsMark, type Mark } from '../audit/mark.ts';
import type { RawAnswer, Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { decode } from '../text/bytes.ts';
import { visible } from '../text/safe.ts';
import { quote } from '../text/shell.ts';

/** The last record of this console's log, as the shared folder keeps it: a log that was cut or replaced is told by it. */
export interface HeadCopy {
  /** What stands there; undefined: nothing, or it can't be read, which is a warning. Never throws. */
  read(): Promise<Mark | undefined>;
  /** Why a log is not the one that the copy is of; `copy`: as read. */
  lost(
    log: Pick<Verified, 'records'>,
    copy: Promise<Mark | undefined> | undefined,
  ): Promise<string | undefined>;
  /** Never throws: a folder that does not take it is a warning. */
  write(mark: Mark): Promise<void>;
  warnings(): readonly string[];
}

/** Whose log it is. Two places of one operator are two logs. */
export interface Owner {
  host: string;
  uid: number;
  site: string;
  /** The log's folder on `host`. */
  folder: string;
}

/** Only plain characters, so that a name is one file's. */
const fileOf = ({ host, uid, site, folder }: Owner): string =>
  `${[host, String(uid), site].map((one) => one.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60)).join('+')}+${sha256(folder).slice(0, 8)}.head`;

const LINE = /^(\d{12}) ([0-9a-f]{64}) (\d{13})\n\.\n$/;

/** A folder that did not answer is left alone for so long, ms: each command on a hung mount leaves a process there. */
const HUNG_MS = 60_000;

export const createHeadCopy = (
  shared: { host: string; dir: string },
  transports: Transports,
  clock: Pick<Clock, 'mono'>,
  owner: Owner,
): HeadCopy => {
  const folder = `${shared.dir}/audit-heads`;
  const file = quote(`${folder}/${fileOf(owner)}`);
  const draft = quote(`${folder}/.${fileOf(owner)}.${process.pid}`);
  let unread: string | undefined;
  let unwritten: string | undefined;
  let notBefore = -Infinity;
  const run = async (script: string): Promise<RawAnswer> => {
    const answer = await transports.to(shared.host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });
    if (answer.timedOut) notBefore = clock.mono() + HUNG_MS;
    return answer;
  };
  const read: HeadCopy['read'] = async () => {
    if (clock.mono() < notBefore) return undefined;
    // A hundred bytes are more than it has: nothing that somebody put there can fill our memory.
    const answer = await run(`test -e ${file} || exit 0\ntest -f ${file} && head -c 100 ${file} && echo .`);
    const text = decode(answer.stdout);
    const [, seq, hash = '', at] = LINE.exec(text) ?? [];
    unread = undefined;
    if (answer.exitCode === 0 && text === '') return undefined;
    if (answer.exitCode === 0 && seq !== undefined) return { seq: Number(seq), hash, at: Number(at) };
    unread = answer.exitCode === 0 ? 'it is no copy of a head' : whyNot(answer, shared.host);
    return undefined;
  };
  return {
    read,
    lost: async (log, copy) => {
      const mark = await copy;
      if (mark === undefined || holdsMark(log, mark)) return undefined;
      const last = log.records.at(-1);
      const here = last === undefined ? 'holds nothing' : `ends with record ${last.seq}`;
      return `${shared.host}:${folder} knows of its record ${mark.seq} of ${new Date(mark.at).toISOString()}, which is not in it; it ${here}: it was cut, removed or replaced`;
    },
    write: async ({ seq, hash, at }) => {
      if (clock.mono() < notBefore) return;
      const text = `${String(seq).padStart(12, '0')} ${hash} ${at}`;
      const answer = await run(
        `umask 022\nmkdir -p -m 2775 ${quote(folder)} && printf '%s\\n' ${quote(text)} >${draft} && mv -f ${draft} ${file}`,
      );
      unwritten = answer.exitCode === 0 ? undefined : whyNot(answer, shared.host);
    },
    warnings: () => [
      ...(unread === undefined
        ? []
        : [`the copy of the audit log's head in the shared folder was not read: ${unread}`]),
      ...(unwritten === undefined
        ? []
        : [`the shared folder did not take the copy of the audit log's head: ${unwritten}`]),
    ],
  };
};

const whyNot = (answer: RawAnswer, host: string): string => {
  if (answer.timedOut) return `${host} did not answer within ${DEADLINE_MS / 1000} s`;
  const said = decode(answer.stderr).trim().split('\n').at(-1) ?? '';
  return visible(answer.notConnected?.message ?? `${host}: ${said || 'no answer'}`, 300);
};
