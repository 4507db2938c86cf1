import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { whoami } from '../audit/place.ts';
import { currentId, formerNames } from '../collect/former-names.ts';
import { readMountinfo, statePlace } from '../collect/history-place.ts';
import { createFolder } from '../collect/shared/folder.ts';
import { localFile, localMemory } from '../collect/shared/local.ts';
import { createShared, type Shared } from '../collect/shared/shared.ts';
import type { Transports } from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import type { System } from '../model/system.ts';

export interface SharedParts {
  site: SiteView;
  transports: Transports;
  clock: Clock;
  log: Log;
  env: Readonly<Record<string, string | undefined>>;
  readOnly: boolean;
  systems: readonly System[];
  /** `memory`: nothing is written on this machine. */
  history: 'disk' | 'memory';
}

/** What consoles tell each other, in the site's shared folder, and on this machine when there is none. */
export const assembleShared = async (parts: SharedParts): Promise<Shared> => {
  const { site, systems, transports, clock, log, env, readOnly, history } = parts;
  const former = formerNames(systems);
  const { name: who, uid } = whoami();
  const newId = (): string => randomBytes(8).toString('hex');
  const place =
    history === 'memory'
      ? undefined
      : (await statePlace({ env, uid, name: site.name, mountinfo: await readMountinfo() })).folder;
  return createShared({
    ...(site.shared && { folder: createFolder(site.shared, transports) }),
    local: place === undefined ? localMemory() : localFile(join(place, 'events.jsonl'), log),
    writer: { who, from: `${hostname()} ${process.pid} ${newId().slice(0, 4)}` },
    readOnly,
    clock,
    log,
    makeId: newId,
    nameNow: (id) => currentName(id, former, log),
  });
};

/** What was acknowledged with an older version stays acknowledged. */
const currentName = (id: string, former: ReturnType<typeof formerNames>, log: Log): string => {
  const now = currentId(id, former);
  if (now !== id) log(`acknowledged as ${id}, which is called ${now} now`);
  return now;
};
