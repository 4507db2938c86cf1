import { realClock } from '../collect/clock.ts';
import type { WallSite } from '../../components/wall.tsx';
import { SiteError } from '../site/problem.ts';
import type { Io } from './io.ts';
import { openSite } from './open-site.ts';
import type { WallOptions } from './options.ts';
import { createScreenLog } from './screen-log.ts';
import { collectFor, hangWall } from './wall.ts';

/** One site of several, opened. */
interface Opened {
  shown: WallSite;
  /** Its file can't be used; else `start` is there. */
  refused?: SiteError;
  start?(): Promise<void>;
  close(): Promise<void>;
}

/** A site whose file can't be used is told in its line; the others go on. */
const openOne = async (name: string, io: Io): Promise<Opened> => {
  const log = createScreenLog(io.env, realClock.now);
  let opened;
  try {
    opened = await openSite({ site: name }, io, log.add);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    return { shown: { name, problem: error.lines[0] ?? '' }, refused: error, close: async () => {} };
  }
  const { mirror, ...rest } = await collectFor(opened, { env: io.env, demo: false, log: log.add });
  return { shown: { name, mirror }, ...rest };
};

/** `faultline wall --site A --site B`: a line for each. Throws SiteError when no file of them can be used. */
export const runOnSites = async (
  names: readonly string[],
  options: Pick<WallOptions, 'theme'>,
  io: Io,
): Promise<number> => {
  const all = await Promise.all(names.map((name) => openOne(name, io)));
  const refused = all.flatMap((one) => one.refused ?? []);
  if (refused.length === all.length) throw new SiteError(refused.flatMap(({ lines }) => lines));
  const { startSitesWall } = await import('../../components/wall.tsx');
  return hangWall(io, options, {
    draw: (outside) =>
      startSitesWall(
        all.map(({ shown }) => shown),
        outside,
      ),
    begin: async () => {
      for (const one of all) await one.start?.();
    },
    close: async () => {
      await Promise.all(all.map((one) => one.close()));
    },
  });
};
