import { DEADLINE_MS } from '../audit/shared-past.ts';
import { holdsMark, type Verified, type Mark } from '../audit/audit-verify.ts';
import { encodeCopy, headsFolder, logName, type Owner } from '../audit/copied-heads.ts';
import { SYSLOG_TAG, syslogText, whyNot } from '../audit/read-copies.ts';
import type { RawAnswer, Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { decode } from '../text/bytes.ts';
import { appendLines, refuseOdd } from '../text/shared-folder.ts';
import { quote } from '../text/shell.ts';

/** The last record of this console's log, as the shared folder keeps it: a log that was cut or replaced is told by it. */
export interface HeadCopy {
  /** What stands there; undefined: nothing, or it can't be read, which is a warning. Never throws. */
  read(): Promise<Mark | undefined>;
  /** Why a log is not the one that the copy is of; `copy`: as read. */
  findLost(
    log: Pick<Verified, 'records'>,
    copy: Promise<Mark | undefined> | undefined,
  ): Promise<string | undefined>;
  /** The heads that are not there yet, the last last. Never throws: a folder that does not take them is a warning. */
  write(marks: readonly Mark[]): Promise<void>;
  warnings(): readonly string[];
}

const LINE = /^(\d{12}) ([0-9a-f]{64}) (\d{13})\n\.\n$/;

/** A folder that did not answer is left alone for so long, ms: each command on a hung mount leaves a process there. */
const HUNG_MS = 60_000;

export const createHeadCopy = (
  shared: { host: string; dir: string },
  transports: Transports,
  clock: Pick<Clock, 'mono'>,
  owner: Owner,
): HeadCopy => {
  const folder = headsFolder(shared.dir);
  const name = logName(owner);
  const file = quote(`${folder}/${name}.head`);
  const all = quote(`${folder}/${name}.jsonl`);
  const draft = quote(`${folder}/.${name}.head.${process.pid}`);
  let unread: string | undefined;
  let unwritten: string | undefined;
  let notBefore = -Infinity;
  const run = async (script: string): Promise<RawAnswer> => {
    const answer = await transports
      .transportTo(shared.host)
      .run({ script, deadlineMs: DEADLINE_MS, fresh: true });
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
    findLost: async (log, copy) => {
      const mark = await copy;
      if (mark === undefined || holdsMark(log, mark)) return undefined;
      const last = log.records.at(-1);
      const here = last === undefined ? 'holds nothing' : `ends with record ${last.seq}`;
      return `${shared.host}:${folder} knows of its record ${mark.seq} of ${new Date(mark.at).toISOString()}, which is not in it; it ${here}: it was cut, removed or replaced`;
    },
    write: async (marks) => {
      const last = marks.at(-1);
      if (last === undefined || clock.mono() < notBefore) return;
      const answer = await run(writeScript({ folder, name, file, all, draft }, marks, last));
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

const writeScript = (
  { folder, name, file, all, draft }: Record<'folder' | 'name' | 'file' | 'all' | 'draft', string>,
  marks: readonly Mark[],
  { seq, hash, at }: Mark,
): string =>
  [
    // With -C a draft is made anew and follows no link: its name can be guessed.
    'umask 022; set -C',
    refuseOdd([], quote(folder)),
    `if test -d ${file}; then echo ${file} "is a folder: see who made it, and remove it" >&2; exit 1; fi`,
    // Sticky: what one account copied there no other can remove or rename.
    `mkdir -p -m 3770 ${quote(folder)} || exit 1`,
    appendLines(
      all,
      marks.map((one) => encodeCopy(name, one)),
    ),
    `rm -f ${draft} && printf '%s\\n' ${quote(`${String(seq).padStart(12, '0')} ${hash} ${at}`)} >${draft} && mv -f ${draft} ${file}`,
  ].join('\n');

/** The syslog of a host that gets each head: there nobody but its root takes anything back. */
export interface SyslogCopy {
  /** Never throws: a host that does not take them is a warning. */
  write(marks: readonly Mark[]): Promise<void>;
  warnings(): readonly string[];
}

/** A syslog is read by people: of many heads at once it gets the last ones, and each stands for all before it. */
const SYSLOG_MOST = 20;

export const createSyslogCopy = (
  host: string,
  transports: Transports,
  clock: Pick<Clock, 'mono'>,
  owner: Owner,
): SyslogCopy => {
  let unwritten: string | undefined;
  let notBefore = -Infinity;
  return {
    write: async (marks) => {
      if (marks.length === 0 || clock.mono() < notBefore) return;
      const script = marks
        .slice(-SYSLOG_MOST)
        .map((one) => `logger -t ${SYSLOG_TAG} -p authpriv.notice ${quote(syslogText(logName(owner), one))}`)
        .join(' &&\n');
      const answer = await transports.transportTo(host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });
      if (answer.timedOut) notBefore = clock.mono() + HUNG_MS;
      unwritten = answer.exitCode === 0 ? undefined : whyNot(answer, host);
    },
    warnings: () =>
      unwritten === undefined
        ? []
        : [`the syslog of ${host} did not take the copy of the audit log's head: ${unwritten}`],
  };
};
