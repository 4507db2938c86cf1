import { findingsOf } from '../../../src/kit/findings.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { role } from '../settings.ts';
import type {
  GlusterVolume,
  HealReading,
  LockReading,
  LogEventReading,
  LogReading,
  PeerReading,
  PoolPeer,
  VolumesReading,
} from '../readings.ts';
import { inCluster } from '../read/words.ts';
import { dropUndefined } from '../../../src/kit/known.ts';

/** A finding of gluster. */
export const finding = findingsOf('gluster');

/** One peer as everything we asked shows it. */
export interface Peer {
  host: string;
  source?: Source<PeerReading>;
  reading?: PeerReading;
  lock?: Source<LockReading>;
  /** The last dump, when it was not skipped. */
  dump?: LockReading;
  dumpAt?: number;
  /** UTC ms at which its glusterd was started, to a second or two; no lock in it is older. */
  startedAt?: number;
  uuid?: string;
  /**
   * `up`: answers; `stopped`: SIGSTOP; `starting`: in its first minute, and does not answer yet; `silent`: runs and does not answer
   * its command line; `down`: no process; `unknown`: the host itself could not be asked.
   */
  state: 'up' | 'stopped' | 'starting' | 'silent' | 'down' | 'unknown';
}

/** All peers of the site file, in its order. */
export const peersOf = memoPerJudgement((judgement): readonly Peer[] =>
  judgement.site.hostsWithRole(role).map(({ name }) => peerOf(name, judgement)),
);

/** The peer that is this host. */
export const findPeer = (host: string, judgement: Judgement): Peer | undefined =>
  peersOf(judgement).find((peer) => peer.host === host);

/** Ages come in whole seconds, some of which the answer took. */
const startSlackMs = 3000;

const peerOf = (host: string, { readings }: Judgement): Peer => {
  const source = readings.source<PeerReading>('gluster.peer', host);
  const lock = readings.source<LockReading>('gluster.lock', host);
  const reading = source?.good?.value;
  const ageS = reading?.daemon.ageS;
  const startedAt =
    source?.good && ageS !== undefined ? source.good.at - ageS * 1000 - startSlackMs : undefined;
  // A dump of the process before says nothing of this one.
  const dump =
    lock?.good?.value.skipped === undefined && (lock?.good?.at ?? 0) >= (startedAt ?? 0)
      ? lock?.good?.value
      : undefined;
  const uuid = reading?.uuid ?? dump?.uuid;
  return {
    host,
    ...(source && { source }),
    ...(reading && { reading }),
    ...(lock && { lock }),
    ...(dump && { dump }),
    ...(dump && lock?.good && { dumpAt: lock.good.at }),
    ...dropUndefined({ startedAt, uuid }),
    state: stateOf(source),
  };
};

/** The first start on a new working directory takes 12 s (observed), one with hundreds of volumes longer. */
const startsWithinS = 60;

const stateOf = (source: Source<PeerReading> | undefined): Peer['state'] => {
  if (!source?.good || source.state === 'failed') return 'unknown';
  const { daemon, pool, silent } = source.good.value;
  if (daemon.state !== 'up') return daemon.state;
  if (pool !== undefined && silent === undefined) return 'up';
  return (daemon.ageS ?? Infinity) <= startsWithinS ? 'starting' : 'silent';
};

/** The host of the site file behind a peer's UUID: by what it says of itself, else by a name that another peer has for it. */
export const hostOfUuid = (uuid: string, judgement: Judgement): string | undefined => {
  const peers = peersOf(judgement);
  const own = peers.find((peer) => peer.uuid === uuid)?.host;
  if (own !== undefined) return own;
  for (const peer of peers) {
    const name = peer.reading?.pool?.find((one) => one.uuid === uuid)?.host;
    const found =
      name === undefined || name === 'localhost' ? undefined : judgement.site.resolve('host', name)?.id;
    if (found !== undefined) return found;
  }
  return undefined;
};

/** The name of a peer for a sentence: host, else what others call it, else its UUID. */
export const nameOfUuid = (uuid: string, judgement: Judgement): string =>
  hostOfUuid(uuid, judgement) ??
  peersOf(judgement)
    .flatMap(({ reading }) => reading?.pool ?? [])
    .find((one) => one.uuid === uuid && one.host !== 'localhost')?.host ??
  `unknown peer ${uuid.slice(0, 8)}`;

/** The host of the site file behind the name that a brick's path begins with; a peer may have several names. */
export const hostOfName = (name: string | undefined, judgement: Judgement): string | undefined => {
  if (name === undefined) return undefined;
  const direct = judgement.site.resolve('host', name)?.id;
  if (direct !== undefined) return direct;
  const uuid = peersOf(judgement)
    .flatMap(({ reading }) => reading?.pool ?? [])
    .find((one) => one.host === name)?.uuid;
  return uuid === undefined ? undefined : hostOfUuid(uuid, judgement);
};

/** The volumes as read last, by the newest answer. */
export const volumesOf = ({
  readings,
}: Judgement): { at: number; volumes: readonly GlusterVolume[] } | undefined => {
  let best: { at: number; volumes: readonly GlusterVolume[] } | undefined;
  for (const { good } of readings.sources<VolumesReading>('gluster.volumes'))
    if (good && good.at > (best?.at ?? -1)) best = { at: good.at, volumes: good.value.volumes };
  return best;
};

/** The volumes by the newest answer of a peer that answers now; undefined: none does. For guards: no list is no empty one. */
export const volumesNow = ({ readings }: Judgement): readonly GlusterVolume[] | undefined =>
  readings
    .sources<VolumesReading>('gluster.volumes')
    .flatMap(({ state, good }) => (state === 'fresh' && good ? [good] : []))
    .toSorted((a, b) => b.at - a.at)[0]?.value.volumes;

/** UTC ms at which a heal summary was read: its last answer may have been an error. */
export const healReadAt = ({ at, readAt }: HealReading['volumes'][number]): number => readAt ?? at;

/**
 * The last heal summary of each volume, from whichever peer was asked last. Where that one tells nothing, what another peer was told
 * before stays known.
 */
export const healOf = ({ readings }: Judgement): ReadonlyMap<string, HealReading['volumes'][number]> => {
  const all = readings
    .sources<HealReading>('gluster.heal')
    .flatMap(({ good }) => good?.value.volumes ?? [])
    .toSorted((a, b) => b.at - a.at);
  return new Map(
    [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, [newest, ...others]]) => {
      if (newest?.error === undefined) return newest ? [[name, newest]] : [];
      const [read] = [newest, ...others]
        .filter(({ bricks }) => bricks.length > 0)
        .toSorted((a, b) => healReadAt(b) - healReadAt(a));
      const { at, error, late, failedInRow } = newest;
      return [
        [
          name,
          read
            ? { ...read, readAt: healReadAt(read), ...dropUndefined({ at, error, late, failedInRow }) }
            : newest,
        ],
      ];
    }),
  );
};

/** An event of a log with its time by our clock. */
export interface SeenEvent extends LogEventReading {
  host: string;
  /** UTC ms, the peer's clock set right. */
  ourAt: number;
}

/** Events of the last hour on all peers, oldest first. */
export const eventsOf = (judgement: Judgement): readonly SeenEvent[] =>
  peersOf(judgement)
    .flatMap(({ host, reading }) =>
      (judgement.readings.source<LogReading>('gluster.log', host)?.good?.value.events ?? []).map((event) => ({
        ...event,
        host,
        ourAt: event.at - (reading?.clockMs ?? 0),
      })),
    )
    .toSorted((a, b) => a.ourAt - b.ourAt);

/**
 * UTC ms before which no lock of this owner in this peer was taken: glusterd forgets its locks when it ends, and its peers drop
 * what they hold for it when it disconnects.
 */
export const lastTimeWithoutLock = (host: string, owner: string | undefined, judgement: Judgement): number =>
  Math.max(
    0,
    ...peersOf(judgement).flatMap((peer) =>
      peer.host === host || peer.host === owner ? (peer.startedAt ?? 0) : [],
    ),
  );

/** Peers that one peer does not see: host to names. A peer that was asked and answered. */
export const findUnconnected = (judgement: Judgement): { from: string; to: string }[] =>
  seenBy(judgement, ({ connected }) => !connected).map(({ from, to }) => ({ from, to }));

/** Of a peer whose state was not read. */
export const unknownState = 'in a state that is not known';

/** Peers that one peer does not have in its cluster, connected or not, with the state as printed; without one it is not known. */
export const findNotInCluster = (judgement: Judgement): { from: string; to: string; state: string }[] =>
  // The local one is not listed by `peer status`, which tells the states.
  seenBy(judgement, ({ state, isSelf }) => !isSelf && state !== inCluster);

const seenBy = (
  judgement: Judgement,
  wanted: (peer: PoolPeer & { isSelf: boolean }) => boolean,
): { from: string; to: string; state: string }[] =>
  peersOf(judgement).flatMap(({ host, reading, state }) =>
    state === 'up'
      ? (reading?.pool ?? [])
          .map((peer) => ({ ...peer, isSelf: peer.uuid === reading?.uuid || peer.host === 'localhost' }))
          .filter(wanted)
          .map((peer) => ({
            from: host,
            to: nameOfUuid(peer.uuid, judgement),
            state: peer.state ?? unknownState,
          }))
      : [],
  );

/** Commands of `gluster` that run somewhere: a transaction may be behind each. */
export const commandsOf = (judgement: Judgement): { host: string; text: string }[] =>
  peersOf(judgement).flatMap(({ host, reading, state }) =>
    state === 'unknown'
      ? []
      : (reading?.processes ?? [])
          .filter(({ kind }) => kind === 'command')
          .map(({ text = 'gluster' }) => ({ host, text })),
  );
