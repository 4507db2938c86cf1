import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type {
  Call,
  CallsReading,
  CallState,
  ClientMount,
  ClientReading,
  ServerReading,
  Service,
  Waiter,
} from '../readings.ts';

/** A mount of a client, and whether its server answers it. */
export interface SeenMount extends ClientMount {
  /**
   * Requests were outstanding in two readings, and none was answered between them. That alone is no proof: a request whose process was
   * killed stays unanswered in the counters for ever.
   */
  unanswered: boolean;
  /** Unanswered, and somebody waits in NFS or that was not read; not where nothing waits for this server itself. */
  stuck: boolean;
  /** Unanswered while threads wait for another server that answers no call, and this one answered: nobody knows whether one waits for it, too. */
  doubtful: boolean;
}

/** A client of one server: its mounts of it, and what waits on it. */
export interface Client {
  host: string;
  source: Source<ClientReading>;
  mounts: readonly SeenMount[];
  /** Threads that waited in NFS in two readings; where several servers are stuck each may be what they wait for; undefined: not read. */
  waiters?: readonly Waiter[];
  /** UTC ms; at this time the requests were outstanding already. */
  stuckSince?: number;
}

/** A server as its clients know it. */
export interface Server {
  /** Its name in the site file, else the name of the mount's source. */
  name: string;
  host?: string;
  /** What clients mount by and where the traffic may go. */
  addresses: readonly string[];
  clients: readonly Client[];
  reading?: Source<ServerReading>;
}

/** A reading that tells of now. */
export const freshValue = <T>(source: Source<T> | undefined): T | undefined =>
  source?.state === 'fresh' ? source.good?.value : undefined;

export const hostSubject = (id: string): Subject => ({ kind: 'host', id });

/** What a finding on a server is about: the host where the site knows it, else the site with the server's name. */
export const subjectOf = ({ host, name }: Pick<Server, 'host' | 'name'>): Subject => ({
  kind: 'host',
  id: host ?? name,
});

const isUnanswered = (mount: ClientMount, before: ClientMount | undefined): boolean =>
  before !== undefined &&
  mount.transports.some(({ sends = 0, recvs, srcPort, proto }, at) => {
    const old = before.transports[at];
    if (recvs === undefined || old?.recvs === undefined || old.srcPort !== srcPort || old.proto !== proto)
      return false;
    return sends > recvs && (old.sends ?? 0) > old.recvs && recvs === old.recvs;
  });

/** Those that waited in NFS in both readings. */
const lastingWaiters = (
  now: ClientReading,
  before: ClientReading | undefined,
): readonly Waiter[] | undefined => {
  if (!now.waiting || !before?.waiting) return undefined;
  const old = new Set(before.waiting.nfs.map(({ lwp }) => lwp));
  return now.waiting.nfs.filter(({ lwp }) => old.has(lwp));
};

const serverName = (mount: ClientMount, site: SiteView): { host?: string; name: string } => {
  const host =
    site.resolve('host', mount.server)?.id ??
    (mount.addr === undefined ? undefined : site.resolve('host', mount.addr)?.id);
  return { name: host ?? mount.server, ...(host !== undefined && { host }) };
};

/** Whether the kernel works on nothing for the address of a mount: what is unanswered there was given up. */
const isGivenUp = (mount: ClientMount, { tasks }: ClientReading): boolean =>
  mount.addr !== undefined && tasks?.[mount.addr] === 0;

/** How the last call of NFS by a host ended at the server of a mount, made since the requests were outstanding. */
const callState = (
  mount: ClientMount,
  { host, before: [last] }: Source<ClientReading>,
  readings: Judgement['readings'],
): CallState | undefined =>
  findLatest(callsTo({ addresses: [mount.addr ?? mount.server] }, { readings }), 'nfs').find(
    (call) => call.host === host && last !== undefined && call.at >= last.at,
  )?.state;

/** Each mount, and whether its server answers it. */
const seenMounts = (
  source: Source<ClientReading>,
  value: ClientReading,
  mayWait: boolean,
  readings: Judgement['readings'],
): SeenMount[] => {
  const [last] = source.before;
  const old = new Map((last?.value.mounts ?? []).map((mount) => [`${mount.mount} ${mount.source}`, mount]));
  const seen = value.mounts.map((mount) => {
    const unanswered = isUnanswered(mount, old.get(`${mount.mount} ${mount.source}`));
    const mayHang = unanswered && mayWait && !isGivenUp(mount, value);
    return { ...mount, unanswered, stuck: mayHang, doubtful: false };
  });
  // Only where more than one server may be what threads wait for, calls tell them apart.
  const addresses = new Set(seen.filter(({ stuck }) => stuck).map(({ addr, server }) => addr ?? server));
  if (addresses.size < 2) return seen;
  const states = seen.map((mount) => (mount.stuck ? callState(mount, source, readings) : undefined));
  if (!states.some((state) => state !== undefined && state !== 'ready')) return seen;
  return seen.map((mount, at) =>
    states[at] === 'ready' ? { ...mount, stuck: false, doubtful: true } : mount,
  );
};

/** What one client says of each of its servers. */
const clientsOf = (
  source: Source<ClientReading>,
  { site, readings }: Pick<Judgement, 'site' | 'readings'>,
): { key: string; host?: string; addresses: string[]; client: Client }[] => {
  const value = freshValue(source);
  if (!value) return [];
  const [last] = source.before;
  const waiters = lastingWaiters(value, last?.value);
  const seen = seenMounts(source, value, waiters === undefined || waiters.length > 0, readings);
  const groups = Map.groupBy(seen, (mount) => serverName(mount, site).name);
  return [...groups].map(([key, mounts]) => {
    const stuck = mounts.some((mount) => mount.stuck);
    const [first] = mounts;
    const host = first && serverName(first, site).host;
    return {
      key,
      ...(host !== undefined && { host }),
      addresses: mounts.flatMap(({ addr, server }) => addr ?? server),
      client: {
        host: source.host,
        source,
        mounts,
        ...(stuck && last && { stuckSince: last.at }),
        ...(waiters !== undefined && { waiters: groups.size === 1 || stuck ? waiters : [] }),
      },
    };
  });
};

/** All servers that somebody mounts or that the site names, by name. */
export const serversOf = memoPerJudgement(
  ({ readings, site }: Judgement): readonly Server[] => {
    const all = readings
      .sources<ClientReading>('nfs.client')
      .flatMap((source) => clientsOf(source, { site, readings }));
    const named = readings.sources<ServerReading>('nfs.server');
    const groups = Map.groupBy(all, ({ key }) => key);
    for (const { host } of named) if (!groups.has(host)) groups.set(host, []);
    return [...groups].map(([name, group]) => {
      const host = group[0]?.host ?? (site.host(name) ? name : undefined);
      const reading = named.find((source) => source.host === host);
      return {
        name,
        ...(host !== undefined && { host }),
        addresses: [...new Set(group.flatMap(({ addresses }) => addresses))],
        clients: group.map(({ client }) => client),
        ...(reading && { reading }),
      };
    });
  },
  ({ readings, site }) => [
    ...readings.sources('nfs.client').map((source) => source.good),
    ...readings.sources('nfs.client').map(({ state }) => state),
    ...['nfs.server', 'nfs.calls'].flatMap((probe) =>
      readings.sources(probe).flatMap(({ good, state }) => [good, state]),
    ),
    site,
  ],
);

/** A call and who made it. */
export interface SeenCall extends Call {
  host: string;
  at: number;
}

/** What was called at a server in the last two rounds, newest first: by its clients, and by itself where it was read. */
export const callsTo = (
  { addresses }: Pick<Server, 'addresses'>,
  { readings }: Pick<Judgement, 'readings'>,
): readonly SeenCall[] =>
  readings
    .sources<CallsReading>('nfs.calls')
    .flatMap(({ host, state, good, before }) =>
      state === 'fresh' && good
        ? [good, ...before.slice(0, 1)].flatMap(({ value, at }) =>
            value.calls.filter(({ addr }) => addresses.includes(addr)).map((call) => ({ ...call, host, at })),
          )
        : [],
    );

/** The newest call to a service by each host that made it. */
export const findLatest = (calls: readonly SeenCall[], what: Service): readonly SeenCall[] => [
  ...new Map(
    calls
      .filter((call) => call.what === what)
      .toReversed()
      .map((call) => [call.host, call]),
  ).values(),
];

/** Who did not get an answer from a service twice in a row. */
export const findSilentTwice = (calls: readonly SeenCall[], what: Service): readonly SeenCall[] =>
  [
    ...Map.groupBy(
      calls.filter((call) => call.what === what),
      ({ host }) => host,
    ).values(),
  ].flatMap((own) => {
    const rounds = [...Map.groupBy(own, ({ at }) => at).values()];
    const isSilent = (round: readonly SeenCall[]): boolean =>
      round.every(({ state }) => state === 'timedOut' || state === 'refused' || state === 'noRoute');
    return rounds.length > 1 && rounds.every(isSilent) && own[0] ? [own[0]] : [];
  });
