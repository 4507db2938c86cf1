import { basename, dirname } from 'node:path';
import { SIMULATED } from '../../audit/place.ts';
import { assembleShared } from '../../assemble/shared.ts';
import { realClock } from '../../collect/clock.ts';
import { folderName } from '../../collect/history-place.ts';
import { lockText } from '../../collect/shared/lock-seen.ts';
import type { SharedEvent } from '../../collect/shared/events.ts';
import type { Past } from '../../audit/past-runs.ts';
import { createSharedPast } from '../../audit/shared-past.ts';
import { createTransports } from '../../transport/pool.ts';
import type { Io } from '../io.ts';
import { openSite, type OpenSite } from '../open-site.ts';
import type { AuditOptions } from '../options.ts';
import { systems } from '../../registries/systems.ts';

/** What consoles of a site left in its shared folder; each part that could not be read is named in `problems`. */
export interface Colleagues {
  events: readonly SharedEvent[];
  actions: readonly Past[];
  /** `alice on adm2 is at work on partition batch since 02:13: Drain 4 nodes`. */
  atWork: readonly string[];
  problems: readonly string[];
}

const nobody: Colleagues = { events: [], actions: [], atWork: [], problems: [] };

/** Reads the shared folder of the site whose log this is, now. Never throws: what cannot be read is a problem with words. */
export const colleaguesOf = async (
  logFile: string,
  options: Pick<AuditOptions, 'site'>,
  io: Pick<Io, 'env'>,
): Promise<Colleagues> => {
  const folder = basename(dirname(logFile));
  if (folder === SIMULATED)
    return { ...nobody, problems: ['it was the demo site, which ended with its console'] };
  let opened: OpenSite;
  try {
    opened = await openSite(options.site === undefined ? {} : { site: options.site }, io);
  } catch {
    return { ...nobody, problems: ['no site file says where the shared folder is; name it with --site'] };
  }
  const { site, close } = opened;
  try {
    if (folderName(site.name) !== folder)
      return { ...nobody, problems: [`${site.file} is of another site; name this one’s with --site`] };
    if (!site.shared) return { ...nobody, problems: ['the site has no shared folder'] };
    return await read(opened, site.shared, io);
  } finally {
    await close();
  }
};

const read = async (
  { site }: OpenSite,
  where: { host: string; dir: string },
  { env }: Pick<Io, 'env'>,
): Promise<Colleagues> => {
  const said: string[] = [];
  const parts = { site, clock: realClock, log: () => {}, env };
  const transports = createTransports(parts);
  try {
    const shared = await assembleShared({ ...parts, systems, transports, readOnly: true, history: 'disk' });
    const [actions] = await Promise.all([
      createSharedPast(where, transports, realClock).read(),
      shared.readNow(),
    ]);
    if (actions.unclear !== undefined) said.push(`the actions of colleagues: ${actions.unclear}`);
    return {
      events: shared.events(),
      actions: actions.past ?? [],
      atWork: shared.locks().map((one) => lockText(one, realClock.now())),
      problems: [...shared.problems(), ...said],
    };
  } finally {
    await transports.close();
  }
};
