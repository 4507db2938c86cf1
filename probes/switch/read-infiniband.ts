import type { Answer } from '../../src/model/answer.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { portOf, rowsOf } from './read-answers.ts';
import type { CountersReading, NeighborsReading, Port } from './readings.ts';
import type { PortRow } from './rows.ts';

/** A node's own name in its description: `leaf-07 (MF0;leaf-07:MQM8700/U1)`, `node0042 HCA-1`. */
const nodeName = (text: unknown): string | undefined =>
  typeof text === 'string' ? /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(text)?.[0] : undefined;

/** A port of the fabric below the host that asked: `leaf-07/17`. Sums over all ports of a node are none. */
const idOf = (site: SiteView, host: HostView, node: unknown, port: unknown): string | undefined => {
  const name = nodeName(node);
  return name === undefined || typeof port !== 'string' || !/^\d+$/.test(port)
    ? undefined
    : portOf(site, host.name, `${name}/${port}`);
};

/** Ports with errors of the whole fabric. */
export const readFabric = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: CountersReading; notUnderstood: number } => {
  const { rows, notUnderstood } = rowsOf<PortRow>(
    'counters',
    `fabric of ${host.name}`,
    answer,
    host.platform,
  );
  const ports = rows.flatMap((row): Port[] => {
    const port = idOf(site, host, row['node'], row.port);
    if (port === undefined) return [];
    const counts = Object.fromEntries(
      Object.entries(row).flatMap(([key, value]) =>
        typeof value === 'bigint' ? [[key, value] as const] : [],
      ),
    );
    const saturated = row['saturated'];
    const stuck = Array.isArray(saturated) ? { saturated: saturated.map(String) } : {};
    return [{ port, name: `${nodeName(row['node']) ?? ''} port ${row.port}`, counts, ...stuck }];
  });
  return { value: { ports }, notUnderstood };
};

/** The peers that the same answer names: topology for nothing. */
export const readFabricPeers = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: NeighborsReading; notUnderstood: number } => {
  const { rows, notUnderstood } = rowsOf<PortRow>(
    'counters',
    `fabric of ${host.name}`,
    answer,
    host.platform,
  );
  const neighbors = rows.flatMap((row) => {
    const port = idOf(site, host, row['node'], row.port);
    const peer = idOf(site, host, row['peerNode'], row['peerPort']);
    return port === undefined || peer === undefined ? [] : [{ port, neighbor: host.name, portText: peer }];
  });
  return { value: { neighbors }, notUnderstood };
};
