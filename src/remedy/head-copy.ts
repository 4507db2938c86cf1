import { DEADLINE_MS } from '../audit/shared-past.ts';
import { hasMark, type Verified, type Mark } from '../audit/audit-verify.ts';
import { encodeCopy, headsFolder, logName, type Owner } from '../audit/copied-heads.ts';
import { SYSLOG_TAG, syslogText, whyNoCopy } from '../audit/read-copies.ts';
import type { RawAnswer, Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { decode } from '../text/bytes.ts';
import { quote, withWords } from '../text/shell.ts';
import readText from './read-head.sh';
import writeText from './write-heads.sh';

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
  const file = `${folder}/${name}.head`;
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
    const answer = await run(withWords(readText, file));
    const text = decode(answer.stdout);
    const [, seq, hash = '', at] = LINE.exec(text) ?? [];
    unread = undefined;
    if (answer.exitCode === 0 && text === '') return undefined;
    if (answer.exitCode === 0 && seq !== undefined) return { seq: Number(seq), hash, at: Number(at) };
    unread = answer.exitCode === 0 ? 'it is no copy of a head' : whyNoCopy(answer, shared.host);
    return undefined;
  };
  return {
    read,
    findLost: async (log, copy) => {
      const mark = await copy;
      if (mark === undefined || hasMark(log, mark)) return undefined;
      const last = log.records.at(-1);
      const here = last === undefined ? 'holds nothing' : `ends with record ${last.seq}`;
      return `${shared.host}:${folder} knows of its record ${mark.seq} of ${new Date(mark.at).toISOString()}, which is not in it; it ${here}: it was cut, removed or replaced`;
    },
    write: async (marks) => {
      const last = marks.at(-1);
      if (last === undefined || clock.mono() < notBefore) return;
      const answer = await run(writeScript(folder, name, marks, last));
      unwritten = answer.exitCode === 0 ? undefined : whyNoCopy(answer, shared.host);
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

const writeScript = (folder: string, name: string, marks: readonly Mark[], { seq, hash, at }: Mark): string =>
  withWords(
    writeText,
    folder,
    `${folder}/${name}.head`,
    `${folder}/${name}.jsonl`,
    `${folder}/.${name}.head.${process.pid}`,
    `${String(seq).padStart(12, '0')} ${hash} ${at}`,
    ...marks.map((one) => encodeCopy(name, one)),
  );

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
      unwritten = answer.exitCode === 0 ? undefined : whyNoCopy(answer, host);
    },
    warnings: () =>
      unwritten === undefined
        ? []
        : [`the syslog of ${host} did not take the copy of the audit log's head: ${unwritten}`],
  };
};
