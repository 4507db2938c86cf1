import { join } from 'node:path';
import { createAuditReader } from './audit/audit-read.ts';
import { pastRuns, type Past } from './audit/past-runs.ts';
import { createSharedPast } from './audit/shared-past.ts';
import { tellRuns } from './audit/told.ts';
import { AUDIT_FILE } from './audit-place.ts';
import { readMountinfo, statePlace } from './collect/history-place.ts';
import type { PastRun } from './model/past-run.ts';
import type { AssembleSetup, Assembled } from './assemble.ts';

/**
 * What operators did lately, for a program that holds no remedy: the audit log of this account, read and never written, and the
 * shared folder. A demo site is as new as its process: nothing was done to it from here. The reader rejects when the log cannot be read.
 */
export const assemblePast = async (
  { site, env, history }: Pick<AssembleSetup, 'site' | 'env' | 'history'>,
  { transports, clock }: Pick<Assembled, 'transports' | 'clock'>,
): Promise<() => Promise<readonly PastRun[]>> => {
  const uid = process.getuid?.() ?? 0;
  const { folder } =
    history === 'memory'
      ? { folder: undefined }
      : await statePlace({ env, uid, name: site.name, mountinfo: await readMountinfo() });
  const log = folder === undefined ? undefined : createAuditReader(join(folder, AUDIT_FILE));
  const shared = site.shared && createSharedPast(site.shared, transports, clock);
  let colleagues: readonly Past[] = [];
  return async () => {
    // A folder that does not answer takes nothing back.
    colleagues = (await shared?.poll())?.past ?? colleagues;
    return pastRuns(tellRuns((await log?.())?.records ?? []), colleagues);
  };
};
