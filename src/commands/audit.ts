import { auditReport } from '../remedy/audit-report.ts';
import { countProblems } from '../audit/audit-problems.ts';
import { readAuditFile } from '../audit/audit-read.ts';
import { logEntries } from '../audit/log-entries.ts';
import { addCarried } from '../audit/logged-actions.ts';
import { sealedLogs, type SealedLog } from '../audit/sealed-logs.ts';
import { sealCommand } from '../remedy/state-folder.ts';
import { EMPTY_LOG, type Verified } from '../audit/audit-verify.ts';
import { clockTime } from '../text/ages.ts';
import { makeSafe } from '../text/safe.ts';
import { count } from '../text/units.ts';
import { colleaguesOf } from './audit/colleagues.ts';
import { checkCopies, type CopyCheck } from './audit/copies.ts';
import { expectedFiles, logFiles } from './audit/logs.ts';
import { nightSections } from './audit/night.ts';
import { showLines } from './audit/show.ts';
import { parseSince, type AuditOptions } from './options.ts';
import { line, type Io, jsonText } from './io.ts';

type Log = Verified & { file: string; sealed: readonly SealedLog[]; copies?: CopyCheck };

/**
 * `faultline audit show|verify|report`: 0, or 1 when a log is damaged or cannot be read, a sealed one was changed since, or copies
 * elsewhere say otherwise or can't be read. `seal`: 0 when
 * it was sealed.
 */
export const run = async (options: AuditOptions, io: Io): Promise<number> => {
  if (options.verb === 'seal') return (await import('./audit/seal.ts')).seal(options, io);
  const now = Date.now();
  const since = options.since === undefined ? undefined : parseSince(options.since, now);
  const files = await logFiles(options, io);
  if (files.length === 0) line(io.stderr, 'no audit log: no action was taken from this account yet');
  const logs: Log[] = [];
  let code = 0;
  for (const file of files) {
    try {
      const read = await readAuditFile(file, options.file !== undefined);
      logs.push({ file, ...read, sealed: await sealedLogs(file, read.records) });
    } catch (error) {
      line(io.stderr, makeSafe(`${file}: ${error instanceof Error ? error.message : String(error)}`));
      code = 1;
    }
  }
  if (options.verb === 'verify') {
    const checked = await withCopies(logs, options, io);
    logs.splice(0, logs.length, ...checked);
    if (logs.some(({ copies }) => copies && copies.problems.length + copies.unread.length > 0)) code = 1;
  }
  if (logs.some(({ problems, sealed }) => problems.length > 0 || sealed.some(({ changed }) => changed)))
    code = 1;
  if (options.json)
    line(io.stdout, jsonText({ since, logs: logs.map((log) => summaryOf(log, options, since)) }, 1));
  else
    for (const log of logs)
      for (const text of await textOf(log, options, io, since, now)) line(io.stdout, text);
  if (!options.json && options.verb !== 'verify')
    for (const log of logs) for (const text of problemLines(log)) line(io.stderr, text);
  return code;
};

/** Each log with what its copies say; and a log that is not there, when copies know of one. */
const withCopies = async (logs: readonly Log[], options: AuditOptions, io: Io): Promise<Log[]> => {
  const expected = options.file === undefined ? await expectedFiles(options, io) : [];
  const missing = expected.filter((file) => logs.every((log) => log.file !== file));
  const all = [...logs, ...missing.map((file): Log => ({ file, ...EMPTY_LOG, sealed: [] }))];
  const checks = await checkCopies(all, options, io);
  return all
    .map((log, at) => ({ ...log, ...(checks[at] && { copies: checks[at] }) }))
    .filter(({ file, copies }) => !missing.includes(file) || isTelling(copies, file === expected[0]));
};

/** Where nothing was ever done, that copies hold nothing is no news; that they can't be read is said once. */
const isTelling = (copies: CopyCheck | undefined, isFirst: boolean): boolean =>
  copies !== undefined && (copies.problems.length > 0 || (isFirst && copies.unread.length > 0));

const inTime = ({ records }: Log, since: number | undefined): Log['records'] =>
  since === undefined ? records : records.filter(({ at }) => Date.parse(at) >= since);

const textOf = async (
  log: Log,
  options: AuditOptions,
  io: Io,
  since: number | undefined,
  now: number,
): Promise<string[]> => {
  const { verb } = options;
  if (verb === 'show') return showLines(log.records, since);
  if (verb === 'verify') return verifyLines(log);
  const { problems } = log;
  const all = addCarried(log.records);
  const site = all.at(-1)?.site ?? log.file;
  const time = (at: number): string => clockTime(at, now);
  const report = auditReport({
    site,
    records: since === undefined ? all : all.filter(({ at }) => Date.parse(at) >= since),
    all,
    problems,
    now,
    time,
    ...(since !== undefined && { since }),
  });
  const colleagues = await colleaguesOf(log.file, options, io);
  const ownRuns = new Set(all.flatMap(({ run }) => run ?? []));
  const night = { auditFile: log.file, ownRuns, colleagues, since, now, time };
  return [report, ...(await nightSections(night)), ''];
};

const problemLines = ({ file, problems, sealed }: Log): string[] => [
  ...problems.map(({ line: number, text }) =>
    makeSafe(`${file}:${number === 0 ? '' : `${number}:`} ${text}`),
  ),
  ...sealed.filter(({ changed }) => changed).map((one) => makeSafe(`${one.file}: ${one.text}`)),
];

const verifyLines = (log: Log): string[] => {
  const whole =
    log.problems.length === 0 ? 'whole' : `damaged in ${count(countProblems(log.problems), 'place')}`;
  return [
    makeSafe(`${log.file}: ${whole}, ${count(log.records.length, 'record')}`),
    ...problemLines(log),
    ...(log.problems.length === 0 || log.torn
      ? []
      : [makeSafe(`to go on after you have looked: ${sealCommand(log.file)}`)]),
    ...log.sealed.filter(({ changed }) => !changed).map(({ file, text }) => makeSafe(`${file}: ${text}`)),
    ...log.notes.map(({ line: number, text }) => makeSafe(`${log.file}:${number}: note: ${text}`)),
    ...copyLines(log),
  ];
};

const copyLines = ({ file, copies }: Log): string[] =>
  [...(copies?.problems ?? []), ...(copies?.unread ?? []), ...(copies?.said ?? [])].map((text) =>
    makeSafe(`${file}: ${text}`, 600),
  );

/** What the table shows, one object a line; the records of a run are those of its `run`. */
const runsOf = ({ records }: Log, since = -Infinity): readonly object[] =>
  logEntries(records)
    .filter(({ endedAt }) => endedAt >= since)
    .map((entry) => ({
      ...entry,
      at: new Date(entry.at).toISOString(),
      endedAt: new Date(entry.endedAt).toISOString(),
      records: entry.records.length,
    }));

const summaryOf = (log: Log, { verb }: AuditOptions, since: number | undefined): object => ({
  file: log.file,
  verified: log.problems.length === 0,
  problems: log.problems,
  notes: log.notes,
  sealed: log.sealed,
  ...(log.copies && { copies: log.copies }),
  ...(verb === 'verify'
    ? { records: log.records.length }
    : { runs: runsOf(log, since), records: inTime(log, since) }),
});
