import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { connectionProofs } from './connections.ts';
import { lacksOf, reasonOf, stuckClients, threadsProofs, type Reason } from './hang-reasons.ts';
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

const waitersOf = (clients: readonly Client[]): number =>
  clients.reduce((sum, { waiters = [] }) => sum + waiters.length, 0);

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

export const callProof = ({ what, addr, version, state, text, host, at }: SeenCall): EvidenceDraft => ({
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

/** Where only some clients are not served, their way is what differs. */
const suspectsOf = ({ cause, confidence }: Reason, server: Server, hosts: readonly string[]): Suspect[] =>
  cause === 'link' && hosts.length < server.clients.length
    ? hosts.slice(0, 5).map((host) => ({ subject: hostSubject(host), cause, confidence }))
    : [{ subject: subjectOf(server), cause, confidence }];

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
      suspects: suspectsOf(reason, server, hosts),
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
      lacks: lacksOf(reason, server, hosts),
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
      lacks: lacksOf(reason, server, callers),
    }),
  ];
};

/** Servers that do not answer: one finding for each, with all clients that are alike. */
export const hungFindings = (judgement: Judgement): FindingDraft[] =>
  serversOf(judgement).flatMap((server) => [
    ...hungFinding(server, judgement),
    ...silentFinding(server, judgement),
  ]);
