import type { SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import { isPhysical, portOf } from '../read/port-states.ts';
import type { Neighbor } from '../readings.ts';
import type { OwnNames } from './own-names.ts';

/** The ports of every device that was read. */
export interface PortNames {
  site: SiteView;
  /** Canonical ports by host. */
  known: ReadonlyMap<string, ReadonlySet<string>>;
  /** Other words for a port by host: Junos announces the ifIndex of SNMP. */
  indexes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** What hosts call themselves. */
  ownNames: OwnNames;
}

/** `0c:42:a1:00:11:22`, `0c42.a100.1122`, `0c42-a100-1122`, `0c42a1001122`. */
const mac = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}[.-]){2}[0-9a-f]{4}$|^[0-9a-f]{12}$/i;

/** `1/0/49` of `ten-gigabitethernet1/0/49`: makes name the kind in several ways, the place in one. */
const placeIn = (port: string): string | undefined => /(?:^|[a-z-])(\d+(?:[/:]\d+)+)$/.exec(port)?.[1];

/** The one port at that place, whatever its kind is called there. */
const portAtPlace = (known: ReadonlySet<string>, place: string): string | undefined => {
  const [only, more] = [...known].filter((port) => placeIn(port) === place);
  return more === undefined ? only : undefined;
};

/** The port of a device that a text which it announced means; undefined: none that is known there, or its management port. */
const portMeant = (
  { site, known, indexes }: PortNames,
  host: string,
  text: string | undefined,
): string | undefined => {
  if (text === undefined || mac.test(text)) return undefined;
  // SONiC's `eth0` is for management; its `Ethernet0` is another port, of the same name in lower case.
  if (platformOf(site.host(host)?.platform)?.isManagement?.(text.trim())) return undefined;
  const index = indexes.get(host)?.get(text.trim());
  if (index !== undefined) return index;
  const port = portOf(site, host, text);
  const ports = known.get(host);
  if (port === undefined || ports === undefined || ports.size === 0 || ports.has(port)) return port;
  const place = placeIn(port);
  // OS10's `mgmt1/1/1` and VRP's `MEth0/0/1` have the place of a front port.
  return place === undefined || !isPhysical(port) ? undefined : portAtPlace(ports, place);
};

/** By the id that the neighbour announced: what is printed as the port, then the bare id. */
export const portById = (
  names: PortNames,
  host: string,
  { portText, portId }: Neighbor,
): string | undefined => portMeant(names, host, portText) ?? portMeant(names, host, portId);

/** Whether any of its words may mean this port, with or without the port table: a description only where it is the port's name. */
export const mayMean = (names: PortNames, host: string, port: string, row: Neighbor): boolean =>
  portMeant(names, host, row.portText) === port ||
  portMeant(names, host, row.portId) === port ||
  portMeant({ ...names, known: new Map() }, host, row.portDescription) === port;

/** By a description: anybody may write there what he wants, so it is no name before the way back was checked. */
export const portByLabel = (names: PortNames, host: string, row: Neighbor): string | undefined =>
  portMeant(names, host, row.portDescription);
