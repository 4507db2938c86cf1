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
