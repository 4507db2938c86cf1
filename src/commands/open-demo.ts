import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startDemo, type StartOptions } from '../demo/start.ts';
import { SiteError } from '../site/problem.ts';
import type { OpenSite } from './open-site.ts';

/**
 * Starts the demo site and opens it like every other site. What reads site files is loaded while the site's thread starts, but not
 * before `painted`: the first frame goes first. Its file includes `with`.
 */
export const openDemo = async (
  { with: file, ...options }: StartOptions & { with?: string },
  painted: Promise<void> = Promise.resolve(),
): Promise<OpenSite> => {
  const starting = startDemo(options);
  starting.catch(() => undefined);
  await painted;
  const [{ loadSite }, { knowledge }] = await Promise.all([
    import('../site/load.ts'),
    import('./open-site.ts'),
  ]);
  const demo = await starting;
  try {
    if (file !== undefined) await appendFile(demo.siteFile, `include: ${JSON.stringify([resolve(file)])}\n`);
    return { ...(await loadSite(demo.siteFile, knowledge)), demo, close: () => demo.close() };
  } catch (error) {
    await demo.close();
    throw error instanceof SiteError ? withoutPlace(error, demo.siteFile) : error;
  }
};

/** The simulated site's file is gone when this is read: its lines are no places to look at. */
const withoutPlace = ({ lines }: SiteError, siteFile: string): SiteError =>
  new SiteError(
    lines.map((line) => {
      const [, given] = line.startsWith(`${siteFile}:`) ? line.split(/:\d+:\d+: include: (.*)/s) : [];
      return given === undefined ? line.replaceAll(siteFile, "the simulated site's file") : `--with ${given}`;
    }),
  );
