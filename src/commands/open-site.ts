import { Unreadable, runWithin } from '../collect/within-time.ts';
import { formerNames, ruleNamesOf } from '../collect/former-names.ts';
import { systems } from '../registries/systems.ts';
import { findSiteFile } from '../site/find.ts';
import { loadSite, type LoadedSite } from '../site/load.ts';
import { NoSiteFile } from '../site/problem.ts';
import type { Knowledge } from '../site/schema.ts';
import { makeSafe } from '../text/safe.ts';
import type { Io } from './io.ts';
import { rememberGood } from './known-site.ts';
import type { SiteOptions } from './options.ts';

/** What a site file is checked against. */
export const knowledge: Knowledge = {
  systems,
  rules: ruleNamesOf(systems),
  former: formerNames(systems),
};

export interface OpenSite extends LoadedSite {
  /** Set on the demo site: its command log and faults, for tests. */
  demo?: { calls(): Promise<readonly { host: string; argv: readonly string[]; mutated: boolean }[]> };
  /** Ends the demo site, when it is one. */
  close(): Promise<void>;
}

/**
 * The site a command works on. Throws SiteError: no site file (with how to make one, and the demo as the other way), or
 * what is wrong with it. The caller shows `warnings`, and calls `close` at the end. `log` takes the demo's own lines.
 */
export const openSite = async (
  options: Pick<SiteOptions, 'site' | 'incident' | 'with'> & { demo?: boolean; nodes?: number },
  io: Pick<Io, 'env'>,
  log: (line: string) => void = () => {},
): Promise<OpenSite> => {
  if (options.demo) {
    const { incident, nodes, with: file } = options;
    const { openDemo } = await import('./open-demo.ts');
    return openDemo({
      log,
      ...(incident !== undefined && { incident }),
      ...(nodes !== undefined && { nodes }),
      ...(file !== undefined && { with: file }),
    });
  }
  const { file, looked, hung } = await findSiteFile(io.env, options.site);
  const passedOver = hung.map((place) => makeSafe(`${place}: its file system does not answer; passed over`));
  if (file === undefined) throw new NoSiteFile([...passedOver, ...howToStart(looked)]);
  const { site, warnings, files } = await loadSite(file, knowledge, inTime, io.env);
  // Of others its stamp says nothing.
  if (files.length === 1) await rememberGood(file);
  return { site, warnings: [...passedOver, ...warnings], files, close: async () => {} };
};

/** The work's result; undefined when it was ended because it took longer. */
const inTime = <T>(work: () => T, ms: number): T | undefined => {
  try {
    return runWithin(work, ms);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
};

const howToStart = (looked: readonly string[]): string[] => [
  `No site file: looked at ${makeSafe(looked.join(', '))}.`,
  '',
  'Look around first, nothing to set up:   faultline demo',
  '',
  'Your own cluster, from a host that knows it (it asks before it asks others):   faultline init ctl1',
  '',
  `It writes ${makeSafe(looked[0] ?? 'site.yaml')}; by hand that file is:`,
  '',
  '  site: mycluster',
  '  hosts:',
  '    - {names: ctl1, roles: [slurm-controller]}',
  '    - {names: "node[1-200]", roles: [compute], location: {rack: "r[1-10]"}}',
  '',
  'User, port, keys and jump hosts come from your own ~/.ssh/config. Then:   faultline doctor',
];
