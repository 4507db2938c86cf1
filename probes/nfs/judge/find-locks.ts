import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { needsStatd } from '../ask/probes.ts';
import type { Call, CallsReading, ClientReading } from '../readings.ts';
import { freshValue, hostSubject, serversOf, subjectOf, type Server } from './servers.ts';

const findingOf = findingsOf('nfs');
const HOUR_MS = 3_600_000;

/** What is asked at the loopback address is the host's own. */
const isOwn = ({ what, addr }: Call): boolean => what === 'statd' && addr === '127.0.0.1';

const isDead = ({ state }: Call): boolean =>
  state === 'refused' || state === 'timedOut' || state === 'notRegistered';

interface DeadStatd {
  host: string;
  evidence: EvidenceDraft[];
  /** Its rpcbind does not answer either: then statd may run and is not found. */
  isUnfound: boolean;
  /** UTC ms of the last lock that was refused for it. */
  refusedAt?: number;
}

/** Clients whose own rpc.statd does not answer and that mount by NFSv3 with locks of the server. */
const deadOnClients = ({ readings, now }: Judgement): DeadStatd[] =>
  readings.sources<CallsReading>('nfs.calls').flatMap((source): DeadStatd[] => {
    const call = freshValue(source)?.calls.find((one) => isOwn(one) && isDead(one));
    const client = readings.source<ClientReading>('nfs.client', source.host);
    const value = freshValue(client);
    if (!call || !value?.mounts.some(needsStatd)) return [];
    const refused = (value.lines ?? []).filter(
      ({ kind, at = now }) => kind === 'cannotMonitor' && now - at < HOUR_MS,
    );
    const bind = freshValue(source)?.calls.find(
      ({ what, addr }) => what === 'rpcbind' && addr === '127.0.0.1',
    );
    const refusedAt = refused.findLast(({ at }) => at !== undefined)?.at;
    return [
      {
        host: source.host,
        isUnfound: bind?.state === 'refused',
        evidence: [
          evidenceFrom(source, `rpc.statd on ${source.host} does not answer: ${call.text ?? call.state}`),
          ...refused.slice(-3).map(({ text }) => evidenceFrom(client, text)),
        ],
        ...(refusedAt !== undefined && { refusedAt }),
      },
    ];
  });

const statdFinding = (dead: readonly DeadStatd[], now: number): FindingDraft[] => {
  if (dead.length === 0) return [];
  const hosts = dead.map(({ host }) => host);
  const times = dead.flatMap(({ refusedAt }) => refusedAt ?? []);
  const [first] = hosts;
  const what =
    times.length > 0
      ? `file locks are refused, last at ${clockTime(Math.max(...times), now)}`
      : 'locks to servers not yet in use will be refused';
  return [
    findingOf({
      kind: 'statd-dead',
      key: hosts.length === 1 ? (first ?? '') : 'clients',
      severity: 'warning',
      subject: hosts.length === 1 ? hostSubject(first ?? '') : { kind: 'site', id: fold(hosts) },
      members: hosts.map(hostSubject),
      summary: `${fold(hosts)}: ${dead.every(({ isUnfound }) => isUnfound) ? 'rpcbind' : 'rpc.statd'} is dead, ${what} (NFSv3)`,
      advice:
        'Restart it there, then try a lock on the mount concerned. Locks to servers that were in use before go on being granted.',
      suspects: dead.map(({ host, isUnfound }) => ({
        subject: hostSubject(host),
        cause: isUnfound ? 'rpcbind-dead' : 'statd-dead',
        confidence: 'high' as const,
      })),
      evidence: dead.slice(0, 8).flatMap(({ evidence }) => evidence),
      hurt: { clients: hosts.length },
      remedies: [
        { action: 'nfs.restart-statd', isUnfound: false },
        { action: 'nfs.restart-rpcbind', isUnfound: true },
      ].flatMap(({ action, isUnfound }) => {
        const subjects = dead
          .filter((one) => one.isUnfound === isUnfound)
          .map(({ host }) => hostSubject(host));
        return subjects.length > 0 ? [{ action, subjects }] : [];
      }),
    }),
  ];
};

const callOf = (server: Server, what: Call['what'], version?: number): Call | undefined =>
  freshValue(server.reading)?.calls.find(
    (call) => call.what === what && (version === undefined || call.version === version),
  );

const isV3Mounted = ({ clients }: Server): boolean =>
  clients.some(({ mounts }) => mounts.some(({ vers }) => vers?.startsWith('3') === true));

interface DeadService {
  kind: string;
  cause: string;
  what: string;
  advice: string;
}

const services: Readonly<Record<'rpcbind' | 'lockd' | 'statd' | 'mountd', DeadService>> = {
  rpcbind: {
    kind: 'rpcbind-dead',
    cause: 'rpcbind-dead',
    what: 'rpcbind is dead: new NFSv3 mounts and first locks fail',
    advice:
      'What is mounted goes on. A new rpcbind starts with an empty table: statd, mountd and nfsd must register again.',
  },
  lockd: {
    kind: 'lockd-missing',
    cause: 'lockd-missing',
    what: 'nlockmgr is not registered: NFSv3 locks hang',
    advice: 'It registers when nfsd starts; a restart of nfs-server starts a grace period.',
  },
  statd: {
    kind: 'server-statd-dead',
    cause: 'statd-dead',
    what: 'rpc.statd is dead: first locks of clients are refused (NFSv3)',
    advice: 'Restart rpc-statd on the server. Clients that had locks before go on.',
  },
  mountd: {
    kind: 'mountd-dead',
    cause: 'mountd-dead',
    what: 'rpc.mountd is dead: new NFSv3 mounts fail',
    advice:
      'What is mounted goes on, until the kernel asks mountd for an address anew. Restart it (systemctl restart nfs-mountd) and look why it ended: the kernel log tells of a lack of memory.',
  },
};

const remediesOf: Readonly<Partial<Record<Call['what'], readonly string[]>>> = {
  statd: ['nfs.restart-statd'],
  rpcbind: ['nfs.restart-rpcbind'],
};

const serviceFinding = (
  server: Server,
  call: Call,
  { kind, cause, what, advice }: DeadService,
): FindingDraft =>
  findingOf({
    kind,
    key: server.name,
    severity: 'warning',
    subject: subjectOf(server),
    summary: `${server.name}: ${what}`,
    advice,
    suspects: [{ subject: subjectOf(server), cause, confidence: 'high' }],
    evidence: [
      evidenceFrom(
        server.reading,
        `${call.what} on ${server.name} does not answer: ${call.text ?? call.state}`,
      ),
    ],
    remedies: (remediesOf[call.what] ?? []).map((action) => ({ action, subjects: [subjectOf(server)] })),
  });

/** What clients of NFSv3 need of a server besides nfsd; of one that is mounted by NFSv4 alone nothing is missing. */
const serverFindings = (server: Server): FindingDraft[] => {
  if (!isV3Mounted(server) || callOf(server, 'nfs', 3)?.state !== 'ready' || server.host === undefined)
    return [];
  const [statd, lockd, mountd, bind] = (['statd', 'lockd', 'mountd', 'rpcbind'] as const).map((what) =>
    callOf(server, what),
  );
  // Without it nothing can be asked for the others.
  if (bind?.state === 'refused') return [serviceFinding(server, bind, services.rpcbind)];
  return [
    ...(lockd?.state === 'notRegistered' ? [serviceFinding(server, lockd, services.lockd)] : []),
    ...(statd && isDead(statd) ? [serviceFinding(server, statd, services.statd)] : []),
    ...(mountd && isDead(mountd) ? [serviceFinding(server, mountd, services.mountd)] : []),
  ];
};

/** Daemons that NFSv3 needs besides nfsd. */
export const lockFindings = (judgement: Judgement): FindingDraft[] => [
  ...statdFinding(deadOnClients(judgement), judgement.now),
  ...serversOf(judgement).flatMap(serverFindings),
];
