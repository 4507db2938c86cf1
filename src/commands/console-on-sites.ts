import { SiteError } from '../site/problem.ts';
import { openConsole, requireTerminal } from './console.ts';
import type { Io } from './io.ts';
import type { OpenSite } from './open-site.ts';
import type { ConsoleOptions } from './options.ts';

/** `:site -`: back to the site before. */
const BACK = '-';

/** Which site; empty: the one that is found where none is named. */
type Place = Pick<ConsoleOptions, 'site'>;

/**
 * `faultline [--site FILE] [--read-only]`: the console on a site, and on those that `:site` names after it. Where the file of one of
 * these can't be used, it is the site before again: nobody loses the console to another site's mistake.
 */
export const run = async ({ site, ...options }: ConsoleOptions, io: Io): Promise<number> => {
  let here: Place = site === undefined ? {} : { site };
  let before: Place | undefined;
  let said: readonly string[] = [];
  for (;;) {
    try {
      const { code, next } = await runOnSite({ ...options, ...here }, io, before !== undefined, said);
      if (next === undefined) return code;
      const there = next === BACK && before ? before : { site: next };
      [before, here, said] = [here, there, []];
    } catch (error) {
      if (before === undefined || !(error instanceof SiteError)) throw error;
      const [first = '', ...more] = error.lines;
      const rest = more.length === 0 ? '' : `${error.lines.length} mistakes (:log), first `;
      said = [`not on ${here.site ?? 'the first site'}: ${rest}${first}`, ...more];
      [before, here] = [undefined, before];
    }
  }
};

/** One site, until it is left; `next`: for another one. Of `said` the first line is told when it begins, `:log` has all. */
const runOnSite = async (
  { site, readOnly, ...screen }: ConsoleOptions,
  io: Io,
  canGoBack: boolean,
  said: readonly string[],
): Promise<{ code: number; next: string | undefined }> => {
  requireTerminal(io);
  const open = async (log: (line: string) => void): Promise<OpenSite> =>
    (await import('./open-site.ts')).openSite(site === undefined ? {} : { site }, io, log);
  const [{ findSiteFile, listSites }, { wasSiteGood }] = await Promise.all([
    import('../site/find.ts'),
    import('./known-site.ts'),
  ]);
  const { file } = await findSiteFile(io.env, site);
  // No site file, a new or a changed one: what is wrong with it is thrown before the screen is drawn.
  const opened = file !== undefined && (await wasSiteGood(file)) ? undefined : await open(() => {});
  const openOnce = opened ? async () => opened : open;
  let next: string | undefined;
  const sites = {
    list: async () => [...(await listSites(io.env)), ...(canGoBack ? [BACK] : [])],
    goTo: (name: string) => {
      next = name;
    },
  };
  const code = await openConsole({
    io,
    name: '',
    readOnly,
    open: openOnce,
    demo: false,
    screen,
    sites,
    said,
  });
  return { code, next };
};
