import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuditReader } from '../audit/audit-read.ts';
import type { Owner } from '../audit/copied-heads.ts';
import { AUDIT_FILE, stateName } from '../audit/place.ts';
import { findPlace, findOtherPlace, readMountinfo, type FoundPlace } from '../collect/history-place.ts';
import type { Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import { joinLogs } from '../remedy/audit-elsewhere.ts';
import { createAuditLog, type AuditLog, noAuditLog } from '../remedy/audit-log.ts';
import { createHeadCopy, createSyslogCopy, type HeadCopy } from '../remedy/head-copy.ts';
import type { ConsoleId, Operator } from '../remedy/parts.ts';

export interface AuditSetup {
  site: SiteView;
  transports: Transports;
  clock: Clock;
  operator: Operator;
  console: ConsoleId;
  env: Readonly<Record<string, string | undefined>>;
  /** Machines that are simulated in this process. */
  ephemeral: boolean;
  /** Used in place of /proc/self/mountinfo and /var/tmp/faultline-UID; for tests. */
  mountinfo?: string;
  fallback?: string;
}

/**
 * The audit log of a site's state folder, and the folder. A folder that hangs is done without, in another place, and the log there says
 * so first. Any other reason why the configured one can't be used leaves no log: what was begun from it would be forgotten.
 */
export const assembleAudit = async (setup: AuditSetup): Promise<{ audit: AuditLog; folder?: string }> => {
  const { site, env, operator, console, clock } = setup;
  const ownPlace = {
    env,
    uid: operator.uid,
    name: stateName(site.name, setup.ephemeral),
    mountinfo: setup.mountinfo ?? (await readMountinfo()),
    ...(setup.fallback !== undefined && { fallback: setup.fallback }),
  };
  const found = await findPlace(ownPlace);
  const { folder } = found.place;
  if (folder === undefined) return { audit: noAuditLog(found.place.badge ?? 'no folder') };
  if (found.not && !found.not.hangs) return { audit: noAuditLog(whyUnusable(found)), folder };
  const ownerOf = (of: string): Owner => ({
    host: console.host,
    uid: operator.uid,
    site: site.name,
    folder: of,
  });
  const copyOf = (of: string): HeadCopy | undefined =>
    site.shared && createHeadCopy(site.shared, setup.transports, clock, ownerOf(of));
  const copy = copyOf(folder);
  const syslog = site.audit && createSyslogCopy(site.audit.syslog, setup.transports, clock, ownerOf(folder));
  const audit = createAuditLog({
    file: join(folder, AUDIT_FILE),
    site: site.name,
    operator,
    console,
    clock,
    ...(copy && { copy }),
    ...(syslog && { syslog }),
    ...(found.not && { describeMove: () => movedDetail(found, folder, copyOf) }),
  });
  if (found.not) return { audit: withWarning(audit, movedWarning(found, folder)), folder };
  const other = await findOtherPlace(ownPlace);
  const file = other && join(other, AUDIT_FILE);
  const wasElsewhere = file !== undefined && (await isThere(file, `${file}.head`));
  return { audit: wasElsewhere ? joinLogs(audit, file, createAuditReader(file)) : audit, folder };
};

const isThere = async (...names: readonly string[]): Promise<boolean> =>
  (await Promise.all(names.map((name) => stat(name).catch(() => undefined)))).some(
    (one) => one !== undefined,
  );

const whyUnusable = ({ wanted, not }: FoundPlace): string =>
  wanted === undefined
    ? 'without $HOME the place of the audit log is unknown: set HOME, or XDG_STATE_HOME to a folder of yours on a disk of this machine'
    : `the state folder can't be used: ${not?.why ?? wanted}: repair it; it may hold runs that have not ended`;

const movedWarning = ({ wanted, not }: FoundPlace, folder: string): string =>
  `audit log in ${folder}: ${not?.why}; runs begun from ${wanted} are not known here`;

/** Touching the old folder could hang: its head is named as the shared folder has it, or not at all. */
const movedDetail = async (
  { wanted = '', not }: FoundPlace,
  folder: string,
  copyOf: (of: string) => HeadCopy | undefined,
): Promise<Readonly<Record<string, unknown>>> => {
  const mark = await copyOf(wanted)?.read();
  const head = mark
    ? `as the shared folder has it, ended with record ${mark.seq} (${mark.hash})`
    : 'could not be read';
  return {
    text: `the audit log is in ${folder}: ${not?.why}; the head of the one in ${wanted} ${head}`,
    movedFrom: wanted,
    why: not?.why,
    head: mark ?? null,
  };
};

const withWarning = (audit: AuditLog, text: string): AuditLog => ({
  ...audit,
  warnings: () => [text, ...audit.warnings()],
});
