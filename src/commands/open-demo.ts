import { startDemo, type StartOptions } from '../demo/start.ts';
import type { OpenSite } from './open-site.ts';

/** Starts the demo site and opens it as any site is opened: what reads site files is loaded while the site's thread starts. */
export const openDemo = async (options: StartOptions): Promise<OpenSite> => {
  const demo = await startDemo(options);
  try {
    const [{ loadSite }, { knowledge }] = await Promise.all([
      import('../site/load.ts'),
      import('./knowledge.ts'),
    ]);
    return { ...(await loadSite(demo.siteFile, knowledge)), demo, close: () => demo.close() };
  } catch (error) {
    await demo.close();
    throw error;
  }
};
