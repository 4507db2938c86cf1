import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import type { ServerReading } from '../readings.ts';
import { connectionProofs } from './connections.ts';
import {
  callsTo,
  freshValue,
  hostSubject,
  findLatest,
  type SeenCall,
  serversOf,
  findSilentTwice,
  subjectOf,
  type Client,
  type Server,
} from './servers.ts';

const findingOf = findingsOf('nfs');

/** Clients of which requests stand still: with threads that wait for them, or with none that was read. */
const stuckClients = ({ clients }: Server): Client[] =>
  clients.filter(({ stuckSince }) => stuckSince !== undefined);

const waitersOf = (clients: readonly Client[]): number =>
  clients.reduce((sum, { waiters = [] }) => sum + waiters.length, 0);

/** All that the two calls tell: which part of the server is dead. */
interface Reason {
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

const reasonOf = (server: Server, calls: readonly SeenCall[]): Reason => {
  const reading = freshValue(server.reading);
  const states = new Set(findLatest(calls, 'nfs').map(({ state }) => state));
  const isReady = (what: 'nfs' | 'rpcbind'): boolean =>
    findLatest(calls, what).some(({ state }) => state === 'ready');
  if (threadsProofs(reading, server.reading?.before[0]?.value, calls).length > 1) return reasons.threads;
  if (reading?.threads === 0 || (states.has('refused') && states.size === 1)) return reasons.stopped;
  if (isReady('nfs')) return states.has('timedOut') || states.has('noRoute') ? reasons.some : reasons.disk;
  if (states.has('noRoute')) return reasons.noRoute;
  if (states.has('timedOut')) return isReady('rpcbind') ? reasons.port : reasons.silent;
  return reasons.unknown;
};

/** Where the server itself is known to be the fault, nothing on the way to it explains that. */
const mayBeTheWay = ({ cause }: Reason): boolean =>
  cause === 'server-hung' || cause === 'host-unreachable' || cause === 'link';

const transportText = ({ mounts }: Client): string =>
  mounts
    .filter(({ stuck }) => stuck)
    .slice(0, 3)
    .map(({ mount, transports }) => {
      const { sends = 0, recvs = 0 } = transports.find((one) => (one.sends ?? 0) > (one.recvs ?? 0)) ?? {};
      return `${mount}: ${sends} requests sent, ${recvs} answered, none since the reading before`;
    })
    .join('; ');

const clientProof = (client: Client): EvidenceDraft => ({
  ...evidenceFrom(
    client.source,
    `${transportText(client)}${client.waiters === undefined ? '; processes were not read' : `; ${count(client.waiters.length, 'process waits', 'processes wait')} in NFS`}`,
  ),
  about: [hostSubject(client.host)],
  values: { waiters: client.waiters?.length ?? 0 },
});

const callProof = ({ what, addr, version, state, text, host, at }: SeenCall): EvidenceDraft => ({
  text: `call of ${what} version ${version} at ${addr}: ${state === 'ready' ? 'answered' : (text ?? state)}`,
  probe: 'nfs.calls',
  host,
  at,
  values: { state },
});

/** The kernel's own word, where it has one: it comes after the major timeout, by default 3 minutes late. */
const reportedSince = (server: Server): number | undefined => {
  const times = stuckClients(server).flatMap(({ source }) =>
    (source.good?.value.lines ?? [])
      .filter(
        ({ kind, server: name }) =>
          kind === 'notResponding' &&
          server.clients.some(({ mounts }) => mounts.some((mount) => mount.server === name)),
      )
      .slice(-1)
      .flatMap(({ at }) => at ?? []),
  );
  return times.length > 0 ? Math.min(...times) : undefined;
};

const hungFinding = (server: Server, judgement: Judgement): FindingDraft[] => {
  const waiting = stuckClients(server);
  if (waiting.length === 0) return [];
  const calls = callsTo(server, judgement);
  const reason = reasonOf(server, calls);
  const hosts = waiting.map(({ host }) => host);
  const others = server.clients.length - waiting.length;
  const nodes = hosts.map(hostSubject);
  const waiters = waitersOf(waiting);
  const of = others > 0 ? ` of ${server.clients.length} clients` : '';
  const reported = reportedSince(server);
  return [
    findingOf({
      kind: 'mount-hung',
      key: server.name,
      severity: 'critical',
      subject: subjectOf(server),
      members: nodes,
      summary: `${server.name} hangs on ${fold(hosts)}${of}: ${reason.text}${waiters > 0 ? `; ${count(waiters, 'process waits', 'processes wait')}` : ''}`,
      advice: reason.advice,
      suspects: [{ subject: subjectOf(server), cause: reason.cause, confidence: reason.confidence }],
      evidence: [
        ...waiting.slice(0, 8).map(clientProof),
        ...waiting.slice(0, 2).flatMap(connectionProofs),
        ...threadsProofs(freshValue(server.reading), server.reading?.before[0]?.value, calls).map((text) =>
          evidenceFrom(server.reading, text),
        ),
        ...findLatest(calls, 'nfs').slice(0, 3).map(callProof),
        ...findLatest(calls, 'rpcbind').slice(0, 2).map(callProof),
      ],
      hurt: { clients: hosts.length },
      lacks: mayBeTheWay(reason) ? [{ what: 'data', of: nodes, from: [subjectOf(server)] }] : [],
      breaks: [{ what: 'data', of: [subjectOf(server)] }],
      since: reported,
      remedies:
        reason.cause === 'threads-exhausted' && server.host !== undefined
          ? [{ action: 'nfs.threads', subjects: [hostSubject(server.host)] }]
          : [],
    }),
  ];
};

/** A server that answers nobody while nobody waits for it: whoever touches it next will. */
const silentFinding = (server: Server, judgement: Judgement): FindingDraft[] => {
  const calls = callsTo(server, judgement);
  const silent = findSilentTwice(calls, 'nfs');
  if (silent.length === 0 || stuckClients(server).length > 0) return [];
  const reason = reasonOf(server, calls);
  const callers = silent.map(({ host }) => host);
  return [
    findingOf({
      kind: 'no-answer',
      key: server.name,
      severity: 'warning',
      subject: subjectOf(server),
      members: callers.map(hostSubject),
      summary: `${server.name} does not answer ${fold(callers)}: ${reason.text}; nobody waits for it yet`,
      advice: `Whoever touches a mount of it next hangs. ${reason.advice}`,
      suspects: [{ subject: subjectOf(server), cause: reason.cause, confidence: reason.confidence }],
      evidence: [...silent.slice(0, 4), ...findLatest(calls, 'rpcbind').slice(0, 2)].map(callProof),
      hurt: {},
      lacks: mayBeTheWay(reason)
        ? [{ what: 'data', of: callers.map(hostSubject), from: [subjectOf(server)] }]
        : [],
    }),
  ];
};

/** Servers that do not answer: one finding for each, with all clients that are alike. */
export const hungFindings = (judgement: Judgement): FindingDraft[] =>
  serversOf(judgement).flatMap((server) => [
    ...hungFinding(server, judgement),
    ...silentFinding(server, judgement),
  ]);
