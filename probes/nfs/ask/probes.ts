import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { readClient } from '../read/read-client.ts';
import { readListing } from '../read/read-listing.ts';
import { readCalls, readDryRun, readServer } from '../read/read-server.ts';
import {
  callsSchema,
  clientSchema,
  dryRunSchema,
  listingReadingSchema,
  serverSchema,
  type CallsReading,
  type ClientMount,
  type ClientReading,
  type DryRunReading,
  type ListingReading,
  type ServerReading,
} from '../readings.ts';
import { CLIENT, LOGIN, scriptCommand, SERVER } from '../settings.ts';
import callsScript from './calls.sh';
import clientScript from './client.sh';
import dryRunScript from './dry-run.sh';
import listingScript from './listing.sh';
import serverScript from './server.sh';

/** The mounts of a client and their statistics: read from the kernel's memory, so that a dead server holds nobody up. */
const clientProbe: Probe<ClientReading> = {
  id: 'nfs.client',
  role: CLIENT,
  everyMs: 30_000,
  touches: 'nothing',
  background: true,
  keep: 1,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, clientScript, 'faultline-nfs-client'),
    maxBytes: 16_000_000,
  }),
  read: (answer, _host, { now }) => readClient(answer, now),
  schema: clientSchema,
};

const serverProbe: Probe<ServerReading> = {
  id: 'nfs.server',
  role: SERVER,
  everyMs: 30_000,
  touches: 'nothing',
  // Its calls end after 5 s.
  mayHang: true,
  deadlineMs: 20_000,
  keep: 1,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, serverScript, 'faultline-nfs-server'),
  }),
  read: (answer, _host, { now }) => readServer(answer, now),
  schema: serverSchema,
};

/** So many clients call each address of a server, besides those whose requests to it stand still. */
const CALLERS = 2;
/** Of so many clients, the first by the site file, the callers are chosen: of ten thousand nodes not all are looked at. */
const CANDIDATES = 64;

const addressOf = ({ addr, server }: ClientMount): string => addr ?? server;

/** Whether requests of this host to an address are outstanding. */
const isOutstanding = ({ transports }: ClientMount): boolean =>
  transports.some(({ sends = 0, recvs = 0 }) => sends > recvs);

/** What a host calls of the server of a mount. */
const serverCalls = (mount: ClientMount): string[] => {
  const version = mount.vers?.charAt(0) ?? '3';
  const addr = addressOf(mount);
  const byPort = [`nfs ${addr} ${version}`, `rpcbind ${addr} 4`];
  return version === '4' ? byPort : [...byPort, `lockd ${addr} 4`, `statd ${addr} 1`];
};

/**
 * What a host calls: its own statd where its mounts need that, and the servers that it mounts when it is one of the first clients of an
 * address or its requests to it are outstanding.
 */
const callsOf = (host: HostView, { readings, site }: AskContext): string[] => {
  const mountsOf = (name: string): readonly ClientMount[] =>
    readings.source<ClientReading>('nfs.client', name)?.good?.value.mounts ?? [];
  const callers = new Map<string, string[]>();
  for (const { name } of site.hostsWithRole(CLIENT).slice(0, CANDIDATES))
    for (const addr of new Set(mountsOf(name).map(addressOf))) {
      const known = callers.get(addr) ?? [];
      if (known.length < CALLERS) callers.set(addr, [...known, name]);
    }
  const own = mountsOf(host.name);
  const isCaller = (mount: ClientMount): boolean =>
    callers.get(addressOf(mount))?.includes(host.name) === true;
  const statd = own.some(needsStatd) ? ['statd 127.0.0.1 1', 'rpcbind 127.0.0.1 4'] : [];
  const servers = own.filter((mount) => isCaller(mount) || isOutstanding(mount)).flatMap(serverCalls);
  return [...new Set([...statd, ...servers])].slice(0, 40);
};

/** NFSv3 with locks of its own server: only that needs rpc.statd (nfs(5), local_lock and nolock). */
export const needsStatd = ({
  vers,
  nolock,
  localLock,
}: Pick<ClientMount, 'vers' | 'nolock' | 'localLock'>): boolean =>
  vers?.startsWith('3') === true && nolock !== true && (localLock === undefined || localLock === 'none');

/** Which services answer: calls with a deadline in processes of their own, so that what hangs is the call and nobody else. */
const callsProbe: Probe<CallsReading> = {
  id: 'nfs.calls',
  role: CLIENT,
  everyMs: 60_000,
  touches: 'nothing',
  background: true,
  mayHang: true,
  deadlineMs: 15_000,
  keep: 1,
  when: (host, context) => callsOf(host, context).length > 0,
  ask: (host, context) => ({
    script: scriptCommand(
      context.site,
      callsScript,
      'faultline-nfs-calls',
      ...callsOf(host, context).flatMap((words) => words.split(' ')),
    ),
  }),
  read: (answer) => readCalls(answer),
  schema: callsSchema,
};

/** Asked when a person wants to export again: it starts a namespace of its own. */
const dryRunProbe: Probe<DryRunReading> = {
  id: 'nfs.dry-run',
  role: SERVER,
  everyMs: 0,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 30_000,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, dryRunScript, 'faultline-nfs-exports'),
  }),
  read: (answer) => readDryRun(answer),
  schema: dryRunSchema,
};

/** What listings were measured to take (nfs.list measures), read as whoever measured: no directory is touched for it. */
const listingProbe: Probe<ListingReading> = {
  id: 'nfs.listing',
  role: LOGIN,
  everyMs: 600_000,
  touches: 'nothing',
  ask: () => ({ script: shellCommand(['sh', '-c', listingScript, 'faultline-nfs-listing']) }),
  read: (answer, _host, { now }) => readListing(answer, now),
  schema: listingReadingSchema,
};

export const nfsProbes: readonly Probe[] = [clientProbe, serverProbe, callsProbe, dryRunProbe, listingProbe];
