import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** The audit log's name in a site's state folder. */
export const AUDIT_FILE = 'audit.jsonl';

/** Where sites' state folders can be: below the home, and where they go when the home is on a network file system. */
export const auditFolders = (env: Readonly<Record<string, string | undefined>>, uid: number): string[] => {
  const home = env['XDG_STATE_HOME'] || (env['HOME'] && join(env['HOME'], '.local', 'state'));
  return [...(home ? [resolve(home, 'faultline')] : []), `/var/tmp/faultline-${uid}`];
};

/**
 * The name of a site's state folder. What was done to simulated machines is kept apart from what was done to real ones, whatever the
 * real site is called; `faultline audit` shows and verifies both.
 */
export const stateName = (site: string, simulated: boolean): string => (simulated ? SIMULATED : site);

export const SIMULATED = 'simulated-demo';

/** The operator as audit log, locks and notes name him: the login name, with what no name holds replaced. */
export const whoami = (): { name: string; uid: number } => {
  const uid = process.getuid?.() ?? 0;
  try {
    return { name: userInfo().username.replace(/[^A-Za-z0-9._-]/g, '_') || `uid${uid}`, uid };
  } catch {
    // An account without a name: a container, a directory service that does not answer.
    return { name: `uid${uid}`, uid };
  }
};
