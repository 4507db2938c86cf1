import type { RawAnswer, Transports } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import { makeSafe } from '../text/safe.ts';
import { folderProblem, type FolderPlace } from '../text/shared-folder.ts';
import { withWords } from '../text/shell.ts';
import { decodeCopies, headsFolder } from './copied-heads.ts';
import { DEADLINE_MS } from './shared-past.ts';
import type { Mark } from './audit-verify.ts';
import copiesText from './shared-copies.sh';
import linesText from './syslog-copies.sh';

/** The copies of one log's heads in one place. `problem`: they could not be read, or not all of them. */
export interface CopiesRead {
  /** `admin1:/var/lib/faultline/audit-heads`. */
  where: string;
  heads: readonly Mark[];
  problem?: string;
  /** Worth saying, and no fault. */
  notes: readonly string[];
}

/** Of the file of all heads so much is read, the newest: some 10,000 lines. */
const BYTES = 2_000_000;
const MARK = '--faultline-heads--';

/** Longer than the folder's: a journal of weeks is searched. */
const SYSLOG_MS = 20_000;
const SYSLOG_LINES = 5_000;

/** A line of the last head: `000000000012 HASH 1764000000000`. */
const HEAD = /^(\d{12}) ([0-9a-f]{64}) (\d{13})$/;

/** The word by which the lines are found in a syslog. */
export const SYSLOG_TAG = 'faultline-audit';

/** What a syslog gets of one head. */
export const syslogText = (log: string, { seq, hash, at }: Mark): string =>
  `head ${log} ${String(seq).padStart(12, '0')} ${hash} ${at}`;

/** The heads that the shared folder keeps of a log. Never throws. */
export const readSharedCopies = async (
  shared: FolderPlace,
  log: string,
  transports: Transports,
): Promise<CopiesRead> => {
  const folder = headsFolder(shared.dir);
  const where = `${shared.host}:${folder}`;
  const files = [`${folder}/${log}.head`, `${folder}/${log}.jsonl`];
  const script = withWords(copiesText, shared.dir, folder, ...files, MARK, String(BYTES));
  const answer = await runOn(transports, shared.host, script, DEADLINE_MS);
  const copiesUnread = (problem: string): CopiesRead => ({ where, heads: [], notes: [], problem });
  const [before = '', after, ...more] = decode(answer.stdout).split(`\n${MARK}\n`);
  if (
    answer.exitCode !== 0 ||
    answer.timedOut ||
    answer.notConnected ||
    after === undefined ||
    more.length > 0
  )
    return copiesUnread(folderProblem(answer, shared, { doing: 'read', deadlineMs: DEADLINE_MS }));
  const lines = after.split('\n');
  const isCut = after.length >= BYTES;
  const { heads, odd } = decodeCopies(isCut ? lines.slice(1) : lines, log);
  const [, seq, hash = '', at] = HEAD.exec(before.trim()) ?? [];
  const newest = seq === undefined ? undefined : { seq: Number(seq), hash, at: Number(at) };
  const isNews = newest && !heads.some((one) => one.seq === newest.seq && one.hash === newest.hash);
  return {
    where,
    heads: [...heads, ...(isNews ? [newest] : [])],
    notes: [
      ...(odd > 0
        ? [`${odd} ${odd === 1 ? 'line is' : 'lines are'} no copy of a head of this log: see who wrote there`]
        : []),
      ...(before.trim() !== '' && seq === undefined
        ? ['what stands in place of the last head is none: see who wrote there']
        : []),
      ...(isCut ? ['only the newest copies were read, there are more'] : []),
    ],
  };
};

const syslogScript = (log: string): string =>
  withWords(linesText, `head ${log} `, String(SYSLOG_LINES), SYSLOG_TAG);

const SYSLOG_LINE = /(?:^|[ :])head (\S+) (\d{12}) ([0-9a-f]{64}) (\d{13})$/;

/** The heads that the syslog of a host keeps of a log. Never throws. */
export const readSyslogCopies = async (
  host: string,
  log: string,
  transports: Transports,
): Promise<CopiesRead> => {
  const answer = await runOn(transports, host, syslogScript(log), SYSLOG_MS);
  const where = `syslog of ${host}`;
  const lines = decode(answer.stdout).split('\n');
  if (answer.exitCode !== 0 || answer.timedOut || !lines.some((one) => one.startsWith('read ')))
    return { where, heads: [], notes: [], problem: whyNoCopy(answer, host, SYSLOG_MS) };
  const heads = lines.flatMap((one): Mark[] => {
    const [, name, seq, hash = '', at] = SYSLOG_LINE.exec(one.slice(0, 2_000)) ?? [];
    return name === log ? [{ seq: Number(seq), hash, at: Number(at) }] : [];
  });
  return { where, heads, notes: [] };
};

const runOn = (
  transports: Transports,
  host: string,
  script: string,
  deadlineMs: number,
): Promise<RawAnswer> =>
  transports.transportTo(host).run({ script, deadlineMs, fresh: true, maxBytes: BYTES + 100_000 });

/** Why a host gave no copy, or took none: its own last words. */
export const whyNoCopy = (answer: RawAnswer, host: string, deadlineMs = DEADLINE_MS): string => {
  if (answer.timedOut) return `${host} did not answer within ${deadlineMs / 1000} s`;
  const said = decode(answer.stderr).trim().split('\n').at(-1) ?? '';
  return makeSafe(answer.notConnected?.message ?? `${host}: ${said || 'no answer'}`, 300);
};
