import { join } from 'node:path';
import { createAuditReader } from '../audit/audit-read.ts';
import { problemText } from '../audit/audit-problems.ts';
import { EMPTY_LOG } from '../audit/audit-verify.ts';
import { pastRuns, type Past } from '../audit/past-runs.ts';
import { createSharedPast } from '../audit/shared-past.ts';
import { loggedActions } from '../audit/logged-actions.ts';
import { AUDIT_FILE } from '../audit/place.ts';
import { readMountinfo, statePlace } from '../collect/history-place.ts';
import type { PastRun } from '../model/run.ts';
import type { AssembleSetup, Assembled } from './assemble.ts';

/**
 * What operators did lately, for a program that holds no remedy: the audit log of this account, read and never written, and the
 * shared folder. A demo site is as new as its process: nothing was done to it from here. The reader rejects when the log cannot be read;
 * of one that is damaged it gives what is left, and says so.
 */
export const assemblePast = async (
  { site, env, history }: Pick<AssembleSetup, 'site' | 'env' | 'history'>,
  { transports, clock }: Pick<Assembled, 'transports' | 'clock'>,
  say: (text: string) => void,
): Promise<() => Promise<readonly PastRun[]>> => {
  const uid = process.getuid?.() ?? 0;
  const { folder } =
    history === 'memory'
      ? { folder: undefined }
      : await statePlace({ env, uid, name: site.name, mountinfo: await readMountinfo() });
  const file = folder === undefined ? undefined : join(folder, AUDIT_FILE);
  const log = file === undefined ? undefined : createAuditReader(file);
  let said: string | undefined;
  const shared = site.shared && createSharedPast(site.shared, transports, clock);
  let colleagues: readonly Past[] = [];
  return async () => {
    // A folder that does not answer takes nothing back.
    colleagues = (await shared?.poll())?.past ?? colleagues;
    const { records, problems } = (await log?.()) ?? EMPTY_LOG;
    const wrong =
      problems[0] &&
      `the audit log is damaged, earlier runs may be missing: ${file}: ${problemText(problems[0])}`;
    if (wrong !== undefined && wrong !== said) say(wrong);
    said = wrong;
    return pastRuns(loggedActions(records), colleagues);
  };
};
