import type { Answer } from '../../src/model/answer.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { deviceName } from './fabric.ts';
import { portOf, rowsOf } from './read-answers.ts';
import type { CountersReading, Port } from './readings.ts';
import type { PortRow } from './rows.ts';

const nameOf = (node: unknown, guid: unknown): string | undefined =>
  typeof node === 'string' ? deviceName(node, typeof guid === 'string' ? guid : '') : undefined;

/** A port of the fabric below the host that asked: `leaf-07/17`. Sums over all ports of a node are none. */
const idOf = (site: SiteView, host: HostView, { node, guid }: PortRow, port: unknown): string | undefined => {
  const name = nameOf(node, guid);
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
    const port = idOf(site, host, row, row.port);
    if (port === undefined) return [];
    const counts = Object.fromEntries(
      Object.entries(row).flatMap(([key, value]) =>
        typeof value === 'bigint' ? [[key, value] as const] : [],
      ),
    );
    const saturated = row['saturated'];
    const stuck = Array.isArray(saturated) ? { saturated: saturated.map(String) } : {};
    return [{ port, name: `${nameOf(row['node'], row['guid']) ?? ''} port ${row.port}`, counts, ...stuck }];
  });
  return { value: { ports }, notUnderstood };
};
