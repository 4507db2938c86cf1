import type { PlaceClue } from '../../model/discover.ts';
import { hostsInInventory } from '../../site/ansible.ts';
import { MOST_BYTES } from '../../site/file.ts';
import { devicesInNetbox, type NetboxDevice } from '../../site/netbox.ts';
import { NotBounded, readBounded } from '../../site/regular.ts';
import { fold } from '../../text/nodeset.ts';
import { count } from '../../text/units.ts';
import { UsageError } from '../io.ts';
import type { Inventory } from '../options.ts';
import { shownNames } from './host-lists.ts';

/** What a list of hosts that somebody keeps tells. */
export interface Listed {
  /** To be asked, after a yes. */
  hosts: readonly string[];
  /** How a device is asked first, by its name; what it answers decides. */
  platforms: ReadonlyMap<string, string>;
  places: readonly PlaceClue[];
  notes: readonly string[];
}

export const nothingListed: Listed = { hosts: [], platforms: new Map(), places: [], notes: [] };

/** NetBox gives about 3 kB for each device. */
const NETBOX_BYTES = 200_000_000;
/** Roles are for people to read: more would be no list any more. */
const MOST_ROLES = 40;

/** The text of the file. Throws UsageError where it can't be read. */
const readText = async ({ kind, file }: Inventory, limit: number, right: string): Promise<string> => {
  try {
    return String(await readBounded(file, limit));
  } catch (error) {
    const why = error instanceof NotBounded ? error.message : "can't be read";
    throw new UsageError(`--from ${kind} ${file}: it ${why}; ${right}`, { cause: error });
  }
};

const readAnsible = async (from: Inventory): Promise<Listed> => {
  const right = 'name an inventory in INI or YAML';
  const hosts = hostsInInventory(await readText(from, MOST_BYTES, right));
  if (hosts.length === 0) throw new UsageError(`--from ansible ${from.file}: no host in it; ${right}`);
  return { ...nothingListed, hosts };
};

/** Names of devices by a value that NetBox has of them. */
const namesBy = (
  devices: readonly NetboxDevice[],
  key: 'rack' | 'role' | 'site',
): (readonly [value: string, names: readonly string[]])[] =>
  [...Map.groupBy(devices, (one) => one[key])].flatMap(([value, some]) =>
    value === undefined ? [] : [[value, some.map(({ name }) => name)] as const],
  );

const readNetbox = async (from: Inventory): Promise<Listed> => {
  const right = 'name the JSON of /api/dcim/devices/?limit=0';
  const found = devicesInNetbox(await readText(from, NETBOX_BYTES, right));
  if (found === undefined) throw new UsageError(`--from netbox ${from.file}: no devices of NetBox; ${right}`);
  const { devices, passive, missing } = found;
  if (missing > 0)
    throw new UsageError(
      `--from netbox ${from.file}: it lacks ${count(missing, 'device')} of NetBox; get the further pages, too (next says where each is), and put all in one list: jq -s . page*.json`,
    );
  if (devices.length === 0)
    throw new UsageError(
      `--from netbox ${from.file}: no device in it that is in service and has a name and an address; ${right}`,
    );
  const sites = namesBy(devices, 'site');
  const placesOf = (label: 'rack' | 'site', groups: typeof sites): PlaceClue[] =>
    groups.map(([value, names]) => ({ label, value, hosts: fold(names), from: 'NetBox' }));
  return {
    hosts: devices.map(({ name }) => name),
    platforms: new Map(
      devices.flatMap(({ name, platform }) => (platform === undefined ? [] : [[name, platform]])),
    ),
    places: [
      ...placesOf('rack', namesBy(devices, 'rack')),
      ...(sites.length > 1 ? placesOf('site', sites) : []),
    ],
    notes: [
      ...namesBy(devices, 'role')
        .slice(0, MOST_ROLES)
        .map(([role, some]) => `NetBox has the role ${role}: ${shownNames(some)}`),
      ...(passive > 0
        ? [`NetBox: ${count(passive, 'device')} without a name or an address, or not in service, left out`]
        : []),
    ],
  };
};

/** The hosts of an inventory. Throws UsageError where the file can't be read, or holds none. */
export const readInventory = (from: Inventory): Promise<Listed> =>
  from.kind === 'ansible' ? readAnsible(from) : readNetbox(from);
