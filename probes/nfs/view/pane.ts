import { blank, figure, worstSign } from '../../../src/kit/rows.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, PaneView, Row, TableBlock } from '../../../src/model/view.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import type { ClientReading } from '../readings.ts';
import { withdrawnMounts } from '../judge/find-server.ts';
import { meanRtt, rttCourse } from '../judge/rtt.ts';
import { listingsTable } from './listings.ts';
import { rackGrid } from './rack-grid.ts';
import {
  callsTo,
  freshValue,
  findLatest,
  serversOf,
  subjectOf,
  type Client,
  type Server,
} from '../judge/servers.ts';
import { isUntold } from '../judge/untold.ts';

const isStuck = ({ stuckSince }: Client): boolean => stuckSince !== undefined;

interface Standing {
  sign: Sign;
  text: string;
  stuck: number;
  waiting: number;
}

/** There are clients, and what they mount is not known. */
const noneRead = ({ readings }: Judgement): boolean => {
  const sources = readings.sources<ClientReading>('nfs.client');
  return sources.length > 0 && sources.every((source) => freshValue(source) === undefined);
};

/** How a server stands, by its clients, by calls and by itself. */
const standingOf = (server: Server, judgement: Judgement): Standing => {
  const stuck = server.clients.filter(isStuck);
  const waiting = stuck.reduce((sum, { waiters = [] }) => sum + waiters.length, 0);
  const makeStanding = (sign: Sign, text: string): Standing => ({ sign, text, stuck: stuck.length, waiting });
  const nfs = findLatest(callsTo(server, judgement), 'nfs');
  if (freshValue(server.reading)?.threads === 0) return makeStanding('critical', 'nfsd stopped');
  if (stuck.length > 0) return makeStanding('critical', 'hangs');
  if (
    nfs.length > 0 &&
    nfs.every(({ state }) => state === 'timedOut' || state === 'refused' || state === 'noRoute')
  )
    return makeStanding('warning', 'no answer');
  if (nfs.some(({ state }) => state === 'ready')) return makeStanding('fine', 'answers');
  const ownCalls = freshValue(server.reading)?.calls ?? [];
  if (ownCalls.some(({ what, state }) => what === 'nfs' && state === 'ready'))
    return makeStanding('fine', 'answers itself');
  return makeStanding('unknown', 'not known');
};

const rttCell = (server: Server): Cell => {
  const ms = meanRtt(server);
  return ms === undefined ? blank : figure(ms, `${ms.toFixed(ms < 10 ? 1 : 0)} ms`);
};

const serverRow = (server: Server, judgement: Judgement): Row => {
  const { sign, text, stuck, waiting } = standingOf(server, judgement);
  const threads = freshValue(server.reading)?.threads;
  const sources = [
    ...(server.reading ? [{ probe: 'nfs.server', host: server.reading.host }] : []),
    ...server.clients
      .filter((client) => stuck === 0 || isStuck(client))
      .slice(0, 4)
      .map(({ host }) => ({ probe: 'nfs.client', host })),
  ];
  return {
    key: server.name,
    subject: subjectOf(server),
    sign,
    cells: {
      server: { text: server.name },
      state: { text, sign },
      clients: noneRead(judgement)
        ? { text: '?', sign: 'unknown', showsSign: true }
        : figure(server.clients.length),
      hung: stuck > 0 ? { ...figure(stuck), sign: 'critical' } : blank,
      waiting: waiting > 0 ? figure(waiting) : blank,
      rtt: rttCell(server),
      course: trendCell(judgement, rttCourse(server.name)),
      threads: threads === undefined ? blank : figure(threads),
      address: { text: server.addresses.join(', ') },
    },
    sources,
  };
};

const serversTable = (servers: readonly Server[], judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'servers',
  columns: [
    { id: 'server', title: 'SERVER', min: 8, grow: 1, most: 20 },
    { id: 'state', title: 'STATE', min: 12 },
    { id: 'clients', title: 'CLIENTS', align: 'right', min: 7 },
    { id: 'hung', title: 'HUNG', align: 'right', min: 4 },
    { id: 'waiting', title: 'WAITING', align: 'right', min: 7, drop: 1 },
    { id: 'rtt', title: 'RTT', align: 'right', min: 7 },
    { id: 'course', title: 'LAST HOUR', min: 12, drop: 4 },
    { id: 'threads', title: 'THREADS', align: 'right', min: 7, drop: 2 },
    { id: 'address', title: 'ADDRESS', min: 10, grow: 1, drop: 3 },
  ],
  rows: servers.map((server) => serverRow(server, judgement)).toSorted((a, b) => rank(a) - rank(b)),
  empty: 'nothing is mounted by NFS',
});

const rank = ({ sign }: Row): number => ['critical', 'warning', 'unknown'].indexOf(sign ?? 'fine') + 1 || 9;

const mountRow = (
  key: string,
  group: readonly { client: Client; server: Server; mount: Client['mounts'][number] }[],
  isWithdrawn: boolean,
  judgement: Judgement,
): Row[] => {
  const [first] = group;
  if (!first) return [];
  const { server } = first;
  const hosts = [...new Set(group.map(({ client }) => client.host))];
  const stuck = group.filter((one) => one.mount.stuck);
  const isAnyUntold = group.some((one) => isUntold(one.mount, one.client.host, judgement));
  const versions = [...new Set(group.map((one) => one.mount.vers ?? '?'))];
  return [
    {
      key,
      subject: subjectOf(server),
      sign: stuck.length > 0 || isWithdrawn ? 'critical' : isAnyUntold ? 'unknown' : 'fine',
      cells: {
        path: { text: isWithdrawn ? `${key}, no longer exported` : key },
        nodes: figure(hosts.length),
        hung: stuck.length > 0 ? { ...figure(stuck.length), sign: 'critical' } : blank,
        vers: { text: versions.join(', ') },
        mode: { text: [...new Set(group.map((one) => one.mount.failMode ?? '?'))].join(', ') },
        on: { text: fold(hosts) },
      },
      sources: group.slice(0, 4).map(({ client }) => ({ probe: 'nfs.client', host: client.host })),
    },
  ];
};

const mountsTable = (servers: readonly Server[], judgement: Judgement): TableBlock => {
  const all = servers.flatMap((server) =>
    server.clients.flatMap((client) => client.mounts.map((mount) => ({ client, server, mount }))),
  );
  const groups = Map.groupBy(all, ({ server, mount }) => `${server.name}:${mount.export}`);
  const withdrawn = new Set(
    servers.flatMap((server) => withdrawnMounts(server).map(({ path }) => `${server.name}:${path}`)),
  );
  return {
    type: 'table',
    id: 'mounts',
    title: 'Mounts',
    columns: [
      { id: 'path', title: 'MOUNTED', min: 16, grow: 2 },
      { id: 'nodes', title: 'NODES', align: 'right', min: 5 },
      { id: 'hung', title: 'HUNG', align: 'right', min: 4 },
      { id: 'vers', title: 'VERS', min: 4 },
      { id: 'mode', title: 'MODE', min: 5, drop: 2 },
      { id: 'on', title: 'ON', min: 10, grow: 2, drop: 1 },
    ],
    rows: [...groups]
      .flatMap(([key, group]) => mountRow(key, group, withdrawn.has(key), judgement))
      .toSorted((a, b) => rank(a) - rank(b)),
    empty: noneRead(judgement) ? 'not known: no client was read yet' : 'no NFS mount',
  };
};

/** The pane: servers with who uses them and how they answer, then what is mounted, the hung first. */
export const view = (judgement: Judgement): PaneView => {
  const servers = serversOf(judgement);
  const sources = judgement.readings.sources<ClientReading>('nfs.client');
  const read = sources.filter((source) => freshValue(source) !== undefined).length;
  const isUnread = noneRead(judgement);
  const table = serversTable(servers, judgement);
  const mounts = mountsTable(servers, judgement);
  const stuck = servers.flatMap(({ clients }) => clients.filter(isStuck));
  const hosts = new Set(stuck.map(({ host }) => host));
  const sign = isUnread ? 'unknown' : worstSign([...table.rows, ...mounts.rows].map((row) => row.sign));
  const answering = table.rows.filter((row) => row.sign === 'fine').length;
  return {
    summary: [
      count(servers.length, 'server'),
      isUnread ? 'clients not read' : count(read, 'client'),
      ...(hosts.size > 0 ? [`hangs on ${count(hosts.size, 'client')}`] : []),
    ].join(', '),
    sign,
    wall:
      hosts.size > 0
        ? `hangs on ${count(hosts.size, 'client')}`
        : isUnread
          ? 'not known'
          : `${answering}/${servers.length} servers answer`,
    blocks: [table, ...rackGrid(servers, judgement), mounts, ...listingsTable(judgement)],
  };
};
