import type { FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { ServerReading } from '../readings.ts';
import { isLosingPackets } from './connections.ts';
import {
  findLatest,
  freshValue,
  hostSubject,
  subjectOf,
  type Client,
  type SeenCall,
  type Server,
} from './servers.ts';

/** All that the two calls tell: which part of the server is dead. */
export interface Reason {
  cause: string;
  text: string;
  confidence: Suspect['confidence'];
  advice: string;
}

/** Two of three prove that no thread is left: all of nfsd wait, requests lie in sockets, calls from outside are not answered while the portmapper answers. */
export const threadsProofs = (
  reading: ServerReading | undefined,
  before: ServerReading | undefined,
  calls: readonly SeenCall[],
): string[] => {
  const { workers, sockets } = reading ?? {};
  const nfs = findLatest(calls, 'nfs');
  const isDead = nfs.length > 0 && nfs.every(({ state }) => state === 'timedOut');
  const isBound = findLatest(calls, 'rpcbind').some(({ state }) => state === 'ready');
  return [
    ...(workers && workers.all > 0 && workers.waiting === workers.all
      ? [`all ${workers.all} threads of nfsd wait in ${workers.wchans.join(', ') || 'the kernel'}`]
      : []),
    ...(sockets && sockets.queued > 1 && (before?.sockets?.queued ?? 0) > 1
      ? [`${sockets.queued} connections hold requests that no thread takes`]
      : []),
    ...(isDead && isBound ? ['NFS does not answer a call while the portmapper does'] : []),
  ];
};

const reasons = {
  threads: {
    cause: 'threads-exhausted',
    text: 'no thread of nfsd is free',
    confidence: 'high',
    advice:
      'Look at the disk below its exports first: threads that wait in a disk are not freed by more threads. Where the disk is well, raise the number of threads.',
  },
  stopped: {
    cause: 'nfsd-stopped',
    text: 'nfsd does not run there',
    confidence: 'high',
    advice: 'Start nfs-server there; clients go on by themselves, NFSv4 after its grace period.',
  },
  some: {
    cause: 'link',
    text: 'some clients reach it, others do not',
    confidence: 'medium',
    advice: 'Look at the way of those clients: uplink, path MTU, firewall.',
  },
  lossy: {
    cause: 'link',
    text: 'calls are answered, packets are lost on the way',
    confidence: 'medium',
    advice:
      'Look at the way of those clients: path MTU (ping -M do -s 8972), cable and optics, errors of their ports. The server answers.',
  },
  disk: {
    cause: 'disk-hung',
    text: 'calls are answered: a disk or one export hangs',
    confidence: 'medium',
    advice:
      'The way and a thread are well. Look at the disks below its exports, and at nfsd threads in state D.',
  },
  noRoute: {
    cause: 'host-unreachable',
    text: 'no route to it',
    confidence: 'high',
    advice: 'Is it up? Look at its host and its uplink.',
  },
  port: {
    cause: 'threads-exhausted',
    text: 'port 2049 is silent, portmapper answers',
    confidence: 'medium',
    advice: 'No thread of nfsd is free, or port 2049 is filtered: look at nfsd there.',
  },
  silent: {
    cause: 'server-hung',
    text: 'it answers no call',
    confidence: 'high',
    advice: 'The host or the network to it: look at the server and its uplink.',
  },
  unknown: {
    cause: 'server-hung',
    text: 'why is not known: no call was made',
    confidence: 'low',
    advice: 'Look at the server and its uplink; rpcinfo on a client shows which part is dead.',
  },
} as const satisfies Readonly<Record<string, Reason>>;

export const reasonOf = (server: Server, calls: readonly SeenCall[]): Reason => {
  const reading = freshValue(server.reading);
  const states = new Set(findLatest(calls, 'nfs').map(({ state }) => state));
  const isReady = (what: 'nfs' | 'rpcbind'): boolean =>
    findLatest(calls, what).some(({ state }) => state === 'ready');
  if (threadsProofs(reading, server.reading?.before[0]?.value, calls).length > 1) return reasons.threads;
  if (reading?.threads === 0 || (states.has('refused') && states.size === 1)) return reasons.stopped;
  if (isReady('nfs')) {
    if (states.has('timedOut') || states.has('noRoute')) return reasons.some;
    const stuck = stuckClients(server);
    return stuck.length > 0 && stuck.every(isLosingPackets) ? reasons.lossy : reasons.disk;
  }
  if (states.has('noRoute')) return reasons.noRoute;
  if (states.has('timedOut')) return isReady('rpcbind') ? reasons.port : reasons.silent;
  return reasons.unknown;
};

/**
 * What may explain that a server does not answer these clients: the way to it, where the server itself is not known to be the fault; a disk
 * of its own, where its threads wait or one export hangs.
 */
export const lacksOf = (
  { cause }: Reason,
  server: Server,
  clients: readonly string[],
): NonNullable<FindingDraft['lacks']> => {
  if (cause === 'nfsd-stopped') return [];
  const own = [subjectOf(server)];
  return cause === 'threads-exhausted' || cause === 'disk-hung'
    ? [{ what: 'data', of: own, from: own }]
    : [{ what: 'data', of: clients.map(hostSubject), from: own }];
};

/** Clients of which requests stand still: with threads that wait for them, or with none that was read. */
export const stuckClients = ({ clients }: Server): Client[] =>
  clients.filter(({ stuckSince }) => stuckSince !== undefined);
