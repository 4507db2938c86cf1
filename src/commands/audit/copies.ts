import { hostname } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { readAuditFile } from '../../audit/audit-read.ts';
import type { Verified } from '../../audit/audit-verify.ts';
import { compareCopies, logName } from '../../audit/copied-heads.ts';
import { SIMULATED, whoami } from '../../audit/place.ts';
import { readSharedCopies, readSyslogCopies, type CopiesRead } from '../../audit/read-copies.ts';
import type { SealedLog } from '../../audit/sealed-logs.ts';
import { realClock } from '../../collect/clock.ts';
import { folderName } from '../../collect/history-place.ts';
import type { AuditRecord } from '../../model/run.ts';
import type { SiteView } from '../../model/site.ts';
import { createTransports } from '../../transport/pool.ts';
import type { Io } from '../io.ts';
import { openSite, type OpenSite } from '../open-site.ts';
import type { AuditOptions } from '../options.ts';

/** What other machines know of a log. */
export interface CopyCheck {
  /** Why it is not the log that was copied. */
  problems: readonly string[];
  /** Places whose copies could not be read. */
  unread: readonly string[];
  /** How far the copies go, or why there is nothing to compare with. */
  said: readonly string[];
}

type Log = Pick<Verified, 'records'> & { file: string; sealed: readonly SealedLog[] };

/**
 * Holds each log against its copies in the shared folder and the syslog of its site. Never throws: what can't be compared is said.
 */
export const checkCopies = async (
  logs: readonly Log[],
  options: Pick<AuditOptions, 'site'>,
  io: Pick<Io, 'env'>,
): Promise<readonly CopyCheck[]> => {
  let opened: OpenSite | undefined;
  try {
    opened = await openSite(options.site === undefined ? {} : { site: options.site }, io);
  } catch {
    // Told of each log below.
  }
  const site = opened?.site;
  const transports = site && createTransports({ site, clock: realClock, log: () => {}, env: io.env });
  const checkOne = async (log: Log): Promise<CopyCheck> => {
    const why = whyNone(log.file, site);
    if (why !== undefined) return { problems: [], unread: [], said: [`not compared with copies: ${why}`] };
    if (!site || !transports) return { problems: [], unread: [], said: [] };
    const name = logName({
      host: hostname(),
      uid: whoami().uid,
      site: site.name,
      folder: dirname(resolve(log.file)),
    });
    const reads = await Promise.all([
      ...(site.shared ? [readSharedCopies(site.shared, name, transports)] : []),
      ...(site.audit ? [readSyslogCopies(site.audit.syslog, name, transports)] : []),
    ]);
    const sealed = await sealedRecords(log.sealed);
    return mergeChecks(reads.map((read) => checkRead(log, sealed, read)));
  };
  try {
    return await Promise.all(logs.map(checkOne));
  } finally {
    await transports?.close();
    await opened?.close();
  }
};

const whyNone = (file: string, site: SiteView | undefined): string | undefined => {
  const folder = basename(dirname(resolve(file)));
  if (folder === SIMULATED) return 'they were in the demo site, which ended with its console';
  if (!site) return 'no site file says where they are; name it with --site';
  if (folderName(site.name) !== folder) return `${site.file} is of another site; name this one’s with --site`;
  return site.shared || site.audit
    ? undefined
    : 'the site names no place for them ("shared", or "syslog" under "audit")';
};

const sealedRecords = async (sealed: readonly SealedLog[]): Promise<readonly AuditRecord[]> =>
  // What became of a sealed log is told of by itself.
  (await Promise.all(sealed.map(({ file }) => readAuditFile(file).catch(() => ({ records: [] }))))).flatMap(
    ({ records }) => records,
  );

const checkRead = (
  log: Log,
  sealed: readonly AuditRecord[],
  { where, heads, notes, problem }: CopiesRead,
): CopyCheck => {
  const { problems, said } = compareCopies(log, sealed, heads);
  const none = problem === undefined && heads.length === 0 && log.records.length > 0;
  return {
    problems: problems.map((text) => `${where}: ${text}`),
    unread: problem === undefined ? [] : [`not compared with ${where}: ${problem}`],
    said: [
      ...(none ? ['holds no copy of this log: none was written yet, or they were removed'] : []),
      ...said,
      ...notes,
    ].map((text) => `${where}: ${text}`),
  };
};

const mergeChecks = (checks: readonly CopyCheck[]): CopyCheck => ({
  problems: checks.flatMap(({ problems }) => problems),
  unread: checks.flatMap(({ unread }) => unread),
  said: checks.flatMap(({ said }) => said),
});
