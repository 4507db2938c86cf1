import type { HostView, SiteView } from '../../../../src/model/site.ts';
import { portOf } from '../../read/port-states.ts';
import type { PortRow } from '../../read/rows.ts';
import type { CountersReading, Port } from '../../readings.ts';
import { deviceName } from './fabric.ts';

/** Names of libibmad before infiniband-diags 1.6, by which old releases print the same counters (`fields.c`, PortCounters). */
const olderNames: Readonly<Record<string, string>> = {
  symbolErrors: 'symbolErrorCounter',
  linkRecovers: 'linkErrorRecoveryCounter',
  linkDowned: 'linkDownedCounter',
  rcvErrors: 'portRcvErrors',
  rcvRemotePhysErrors: 'portRcvRemotePhysicalErrors',
  rcvSwRelayErrors: 'portRcvSwitchRelayErrors',
  xmtDiscards: 'portXmitDiscards',
  xmtConstraintErrors: 'portXmitConstraintErrors',
  rcvConstraintErrors: 'portRcvConstraintErrors',
  linkIntegrityErrors: 'localLinkIntegrityErrors',
  excBufOverrunErrors: 'excessiveBufferOverrunErrors',
};

/** Of one row of errors; undefined: its node is none that is known by name, so that nobody knows whose errors these are. */
const portFrom = (row: PortRow, host: HostView, site: SiteView): Port | undefined => {
  const { node, guid, saturated } = row;
  const device =
    typeof node === 'string' ? deviceName(node, typeof guid === 'string' ? guid : '') : undefined;
  const port = device === undefined ? undefined : portOf(site, host.name, `${device}/${row.port}`);
  if (port === undefined) return undefined;
  const counts = Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      typeof value === 'bigint' ? [[olderNames[key] ?? key, value] as const] : [],
    ),
  );
  const stuck = Array.isArray(saturated)
    ? { saturated: saturated.map((name) => olderNames[String(name)] ?? String(name)) }
    : {};
  return { port, name: `${device} port ${row.port}`, counts, ...stuck };
};

/**
 * Ports with errors of the whole fabric, each below the host that asked: `leaf-07/17`. Sums over all ports of a node are none. A port that is not
 * listed has no errors: one that can't be told, or that two nodes of one name have, is counted.
 */
export const fabricPortsWithErrors = (
  rows: readonly PortRow[],
  host: HostView,
  site: SiteView,
): { value: CountersReading; notUnderstood: number } => {
  const single = rows.filter((row) => /^\d+$/.test(row.port));
  const read = single.flatMap((row) => {
    const port = portFrom(row, host, site);
    return port ? [{ port, guid: row['guid'] }] : [];
  });
  const known = [...Map.groupBy(read, ({ port }) => port.port).values()]
    .filter(([first, ...others]) => others.every(({ guid }) => guid === first?.guid))
    .flat();
  return { value: { ports: known.map(({ port }) => port) }, notUnderstood: single.length - known.length };
};
