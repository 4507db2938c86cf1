import type { Cell, GridBlock, Heat } from '../../../src/model/view.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { compareByName } from '../../../src/text/nodeset.ts';
import { meanRtt } from '../judge/rtt.ts';
import { freshValue, type Client, type Server } from '../judge/servers.ts';
import { isUntold } from '../judge/untold.ts';
import { CLIENT } from '../settings.ts';

/** Where fewer clients mount something, the table of servers says it all. */
const LARGE = 20;

/** Round trips of less than this many ms have the shade of their place. */
const SHADES = [1, 5, 20] as const;

const heatOf = (ms: number): Heat => {
  const at = SHADES.findIndex((limit) => ms < limit);
  return at === 0 || at === 1 || at === 2 ? at : 3;
};

/** Those of the clients that use an address, with what they mount from it and nothing else. */
const clientsAt = (clients: readonly Client[], address: string): Client[] =>
  clients.flatMap((client) => {
    const mounts = client.mounts.filter(({ addr, server }) => (addr ?? server) === address);
    return mounts.length === 0 ? [] : [{ ...client, mounts }];
  });

/** How one address stands for the clients of one rack; `isRead`: whether any client of the rack was read at all. */
const cellOf = (server: Server, clients: readonly Client[], isRead: boolean, judgement: Judgement): Cell => {
  if (!isRead) return { text: '?', sign: 'unknown', showsSign: true };
  if (clients.length === 0) return { text: '·' };
  const stuck = clients.filter(({ mounts }) => mounts.some((mount) => mount.stuck)).length;
  if (stuck > 0) return { text: `${stuck}/${clients.length}`, sign: 'critical', heat: 4 };
  if (clients.some(({ host, mounts }) => mounts.some((mount) => isUntold(mount, host, judgement))))
    return { text: '?', sign: 'unknown', showsSign: true };
  const ms = meanRtt({ ...server, clients });
  return ms === undefined
    ? { text: 'idle' }
    : { text: `${ms.toFixed(ms < 10 ? 1 : 0)} ms`, sign: 'fine', heat: heatOf(ms) };
};

const worstOf = (cells: readonly Cell[]): number => Math.max(...cells.map(({ heat = -1 }) => heat));

/** Addresses of servers by racks of clients, where the site is large: a way that is slow or cut shows as a row, a column or one cell. */
export const rackGrid = (servers: readonly Server[], judgement: Judgement): GridBlock[] => {
  const { site, readings } = judgement;
  const rackOf = (host: string): string | undefined => site.host(host)?.location['rack'];
  const hosts = site.hostsWithRole(CLIENT).map(({ name }) => name);
  const racks = [...new Set(hosts.flatMap((name) => rackOf(name) ?? []))].sort(compareByName);
  const using = new Set(servers.flatMap(({ clients }) => clients.map(({ host }) => host)));
  if (racks.length < 2 || using.size < LARGE) return [];
  const read = new Set(
    hosts
      .filter((name) => freshValue(readings.source('nfs.client', name)) !== undefined)
      .flatMap((name) => rackOf(name) ?? []),
  );
  return [
    {
      type: 'grid',
      id: 'racks',
      title: 'Round trip by server address and rack of clients; hung/all where it hangs',
      columns: racks,
      // What hangs, then what is slow.
      rows: servers
        .flatMap((server) =>
          server.addresses.map((address) => {
            const clients = clientsAt(server.clients, address);
            return {
              key: `${server.name} ${address}`,
              title: server.name === address ? address : `${server.name} ${address}`,
              cells: racks.map((rack) =>
                cellOf(
                  server,
                  clients.filter(({ host }) => rackOf(host) === rack),
                  read.has(rack),
                  judgement,
                ),
              ),
            };
          }),
        )
        .toSorted((a, b) => worstOf(b.cells) - worstOf(a.cells)),
      empty: 'nothing is mounted by NFS',
      scale: ['under 1 ms', '5 ms', '20 ms', 'more', 'hangs'],
    },
  ];
};
