import type { Answer } from '../../../src/model/answer.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import type { Platform } from '../platforms/contracts.ts';
import type { NeighborsReading } from '../readings.ts';
import { portOf } from './port-states.ts';
import { rowsOf } from './read-answers.ts';
import type { NeighborRow } from './rows.ts';

/** Where there is no prompt to see it in, a host is asked for its name before its neighbours: LLDP announces that name. */
export const hasOwnNameCommand = (platform: Platform): boolean => platform.via === 'sh' && !platform.fabric;

/** The name that `uname -n` printed in front, and the answer without it. A device has it in its prompt. */
const nameApart = (
  answer: Answer,
  platform: Platform | undefined,
): { ownName?: string | undefined; told: Answer } => {
  if (!platform || !hasOwnNameCommand(platform)) return { ownName: answer.calledItself, told: answer };
  const [line = ''] = answer.stdout.split('\n', 1);
  const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.exec(line)?.[0];
  if (name === undefined) return { told: answer };
  return { ownName: name, told: { ...answer, stdout: answer.stdout.slice(line.length + 1) } };
};

/** What LLDP says on each port. Ports without a neighbour are left out. */
export const readNeighbors = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: NeighborsReading; notUnderstood: number } => {
  const platform = platformOf(host.platform);
  if (platform?.fabric) return platform.fabric.peers(answer, host, site);
  const what = `LLDP of ${host.name}`;
  const { ownName, told } = nameApart(answer, platform);
  const { rows, notUnderstood } = rowsOf<NeighborRow>('neighbors', what, told, host.platform);
  const neighbors = rows.flatMap((row) => {
    if (row.localPort !== undefined && platform?.isManagement?.(row.localPort)) return [];
    // Junos names the unit: `ge-0/0/0.0`.
    const port = portOf(site, host.name, row.localPort?.replace(/\.0$/, ''));
    if (port === undefined || (row.neighbor === undefined && row.neighborPort === undefined)) return [];
    return [
      {
        port,
        ...(row.neighbor !== undefined && { neighbor: row.neighbor }),
        ...(row.neighborPort !== undefined && { portText: row.neighborPort }),
        ...(row.neighborPortId !== undefined && { portId: row.neighborPortId }),
        ...(row.neighborPortDesc !== undefined && { portDescription: row.neighborPortDesc }),
        ...(row.chassisId !== undefined && { chassisId: row.chassisId }),
      },
    ];
  });
  return { value: { neighbors, ...(ownName !== undefined && { ownName }) }, notUnderstood };
};
