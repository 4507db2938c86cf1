import type { Judgement } from '../../src/model/system.ts';
import { commandsOf, eventsOf, hostOfUuid, nameOfUuid, type Peer, peersOf, unconnected } from './pool.ts';
import { lockSeries } from './track.ts';

/** From here on a lock is one per volume and has an owner in the dump; before, one for all, and its owner only in the log. */
export const volumeLocksFrom = 30_600;
/** The lock timer of glusterd (3.12.15, 3.13 and later), s. */
const timerS = 180;

/** A lock that somebody holds. */
export interface HeldLock {
  /** The volume; absent for the one lock of all volumes. */
  volume?: string;
  type: string;
  /** Peer in whose name it is held. */
  owner: string;
  ownerHost?: string;
  ownerName: string;
  /** Peers that hold it. */
  on: readonly string[];
  /** Peers whose dump, taken since, does not show it. */
  free: readonly string[];
  /** Peers that could not be looked at, and why. */
  unseen: readonly { host: string; why: string }[];
  /**
   * `orphaned`: nothing runs that would release it; `blocked`: its transaction waits for a peer that is stopped, silent or away;
   * `running`: a transaction that goes on; `held`: by evidence that does not tell which.
   */
  kind: 'orphaned' | 'blocked' | 'running' | 'held';
  /** Why `kind`, one line each. */
  reasons: readonly string[];
  /** The peer that a blocked transaction waits for. */
  waitsFor?: { host: string; state: Peer['state'] };
  /** UTC ms: held since at the latest. */
  since: number;
  /** By which evidence. */
  evidence: readonly { text: string; host: string; probe: string; at: number }[];
  /** UTC ms: the timer ends it then at the latest; absent where there is none. */
  endsAt?: number;
  /** Different owners for one volume on different peers. */
  rivals: readonly string[];
}

const cache = new WeakMap<Judgement, readonly HeldLock[]>();

/** Every lock that a dump or, for old op-versions, a log shows. */
export const locksOf = (judgement: Judgement): readonly HeldLock[] => {
  const known = cache.get(judgement);
  if (known) return known;
  const made = [...fromDumps(judgement), ...fromRefusals(judgement), ...fromLogs(judgement)];
  cache.set(judgement, made);
  return made;
};

const unseenWhy = (peer: Peer, notBefore: number): string | undefined => {
  if (peer.state === 'unknown') return 'not reached';
  const skipped = peer.lock?.good?.value.skipped;
  if (skipped === 'young') return 'glusterd started less than a minute ago: too young for a signal';
  if (skipped !== undefined) return `no dump: ${skipped}`;
  if (peer.lock?.state === 'failed') return peer.lock.failure?.message ?? 'no dump';
  if (!peer.dump) return peer.lock?.failure?.kind === 'readOnly' ? 'not asked: read-only' : 'no dump yet';
  return (peer.dumpAt ?? 0) < notBefore ? 'its dump is older' : undefined;
};

const fromDumps = (judgement: Judgement): HeldLock[] => {
  const peers = peersOf(judgement);
  const held = new Map<
    string,
    { volume: string; type: string; owner: string; on: Peer[]; lasting: boolean }
  >();
  for (const peer of peers) {
    if (peer.state === 'down') continue;
    for (const { name, type, owner, lasting } of peer.dump?.locks ?? []) {
      const key = `${name} ${type} ${owner}`;
      const one = held.get(key) ?? { volume: name, type, owner, on: [], lasting: false };
      one.on.push(peer);
      one.lasting ||= lasting;
      held.set(key, one);
    }
  }
  const all = [...held.values()];
  return all.map((lock) => {
    const rivals = all
      .filter((one) => one.volume === lock.volume && one.type === lock.type && one.owner !== lock.owner)
      .map((one) => `${nameOfUuid(one.owner, judgement)} on ${one.on.map(({ host }) => host).join(', ')}`);
    return complete(lock, rivals, judgement);
  });
};

const complete = (
  lock: { volume: string; type: string; owner: string; on: Peer[]; lasting: boolean },
  rivals: string[],
  judgement: Judgement,
): HeldLock => {
  const { volume, type, owner, on } = lock;
  const peers = peersOf(judgement);
  const ownerHost = hostOfUuid(owner, judgement);
  const newest = Math.max(...on.map(({ dumpAt = 0 }) => dumpAt));
  const others = peers.filter((peer) => !on.includes(peer));
  // Dumps are taken within seconds of each other; one that is much older proves nothing about now.
  const unseen = others.flatMap((peer) => {
    const why = unseenWhy(peer, newest - 75_000);
    return why === undefined ? [] : [{ host: peer.host, why }];
  });
  const free = others.map(({ host }) => host).filter((host) => !unseen.some((one) => one.host === host));
  const timed = hasTimer(on[0], peers);
  const { since, evidence } = sinceOf(lock, timed, judgement);
  const { kind, reasons, waitsFor } = judge({ ...lock, ownerHost, free, unseen }, judgement);
  return {
    volume,
    type,
    owner,
    ...(ownerHost !== undefined && { ownerHost }),
    ownerName: nameOfUuid(owner, judgement),
    on: on.map(({ host }) => host),
    free,
    unseen,
    kind,
    reasons,
    ...(waitsFor && { waitsFor }),
    since,
    evidence,
    ...(timed && { endsAt: since + timerS * 1000 }),
    rivals,
  };
};

/** By version: the timer came with 3.12.15 and 3.13, for locks per volume only. */
const hasTimer = (on: Peer | undefined, peers: readonly Peer[]): boolean => {
  const reading = on?.reading ?? peers.find((peer) => peer.reading?.version !== undefined)?.reading;
  const [major = 0, minor = 0, patch = 0] = (reading?.version ?? '').split('.').map(Number);
  if ((reading?.opVersion ?? 0) < volumeLocksFrom) return false;
  return major > 3 || (major === 3 && (minor > 12 || (minor === 12 && patch >= 15)));
};

const judge = (
  lock: {
    owner: string;
    ownerHost: string | undefined;
    on: readonly Peer[];
    lasting: boolean;
    free: readonly string[];
    unseen: readonly { host: string; why: string }[];
  },
  judgement: Judgement,
): Pick<HeldLock, 'kind' | 'reasons' | 'waitsFor'> => {
  const peers = peersOf(judgement);
  const owner = peers.find(({ host }) => host === lock.ownerHost);
  const ownerHolds = lock.on.some(({ host }) => host === lock.ownerHost);
  const bad = peers.find(({ state }) => state === 'stopped' || state === 'silent');
  const commands = commandsOf(judgement).filter(({ host }) => host === lock.ownerHost);
  // An owner that can't be looked at is not known to have let go: with a peer that answers nothing, that is what it waits for.
  if (bad && !lock.free.includes(lock.ownerHost ?? '')) {
    return {
      kind: 'blocked',
      waitsFor: { host: bad.host, state: bad.state },
      reasons: [
        ownerHolds
          ? `${lock.ownerHost} holds it itself: its transaction is not over`
          : `${lock.ownerHost ?? 'its owner'} could not be looked at`,
        ...commands.map(({ host, text }) => `on ${host} runs: ${text}`),
        `glusterd of ${bad.host} is ${bad.state}`,
      ],
    };
  }
  const away = unconnected(judgement)[0];
  if (ownerHolds || commands.length > 0) {
    return {
      kind: 'running',
      reasons: [
        ...(ownerHolds ? [`${lock.ownerHost} holds it itself: its transaction is not over`] : []),
        ...commands.map(({ host, text }) => `on ${host} runs: ${text}`),
        ...(away ? [`${away.from} does not see ${away.to}`] : []),
      ],
    };
  }
  if (!owner || away || peers.some(({ state }) => state !== 'up')) {
    const down = peers.filter(({ state }) => state !== 'up').map(({ host, state }) => `${host} ${state}`);
    return {
      kind: 'held',
      reasons: [
        ...(owner ? [] : ['its owner is no host of this site']),
        ...(away ? [`${away.from} does not see ${away.to}`] : []),
        ...(down.length > 0 ? [`not all peers answer: ${down.join(', ')}`] : []),
      ],
    };
  }
  const restarted = owner.reading?.daemon.ageS;
  const released = lock.free.includes(owner.host);
  if (!lock.lasting && !released) return { kind: 'held', reasons: ['seen once'] };
  return {
    kind: 'orphaned',
    reasons: [
      'all peers are connected and answer',
      `no gluster command runs on ${owner.host}`,
      released
        ? `${owner.host} itself does not hold it any more`
        : `glusterd of ${owner.host} was started ${restarted ?? '?'} s ago: what it began before is over`,
    ],
  };
};

/** Since when at the latest: the first refusal that names it, the change that the history saw, or the dump itself. */
const sinceOf = (
  lock: { volume: string; owner: string; on: readonly Peer[] },
  timed: boolean,
  judgement: Judgement,
): Pick<HeldLock, 'since' | 'evidence'> => {
  const { now, history } = judgement;
  const evidence: { text: string; host: string; probe: string; at: number }[] = lock.on.map(
    ({ host, dumpAt = now }) => ({
      text: `dump of ${host}: ${lock.volume} locked for ${nameOfUuid(lock.owner, judgement)} (${lock.owner})`,
      host,
      probe: 'gluster.lock',
      at: dumpAt,
    }),
  );
  let since = Math.min(...evidence.map(({ at }) => at));
  for (const { host } of lock.on) {
    const points = history.changes(lockSeries(lock.volume, host), now - 86_400_000);
    const last = points.at(-1);
    // Nobody may have looked for hours between two locks of one owner: no lock outlives its timer.
    const possible = !timed || since - (last?.at ?? 0) <= timerS * 1000;
    if (last?.value === lock.owner && possible) since = Math.min(since, last.at);
  }
  const refusals = eventsOf(judgement).filter(
    (event) => event.kind === 'lockRefused' && event.volume === lock.volume && event.holder === lock.owner,
  );
  // Where a timer ends locks, a refusal further back than it lasts tells of an earlier one.
  for (const event of refusals.toReversed()) {
    if (event.ourAt > since) continue;
    if (timed && since - event.ourAt > timerS * 1000) break;
    since = event.ourAt;
  }
  const last = refusals.at(-1);
  if (last)
    evidence.push({ text: `log: ${last.text}`, host: last.host, probe: 'gluster.log', at: last.ourAt });
  return { since, evidence };
};

/** How long a refusal in the log speaks for a lock that no dump can show. */
const refusalSpeaksMs = 10 * 60_000;

/**
 * Refusals on peers whose dump was never read (a wall asks for none): somebody was refused, by whom and for whom. Whether it is
 * still so is not known, and said so.
 */
const fromRefusals = (judgement: Judgement): HeldLock[] => {
  const peers = peersOf(judgement);
  const blind = new Map(peers.flatMap((peer) => (peer.dump ? [] : [[peer.host, peer] as const])));
  const refusals = eventsOf(judgement).filter(
    ({ kind, volume, holder, host }) =>
      kind === 'lockRefused' && volume !== undefined && holder !== undefined && blind.has(host),
  );
  return [...Map.groupBy(refusals, ({ volume, holder }) => `${volume} ${holder}`).values()].flatMap(
    (events) => {
      const first = events[0];
      const last = events.at(-1);
      if (first?.volume === undefined || first.holder === undefined || !last) return [];
      if (judgement.now - last.ourAt > timerS * 1000) return [];
      const ownerHost = hostOfUuid(first.holder, judgement);
      const on = [...new Set(events.map(({ host }) => host))];
      return [
        {
          volume: first.volume,
          type: 'vol',
          owner: first.holder,
          ...(ownerHost !== undefined && { ownerHost }),
          ownerName: nameOfUuid(first.holder, judgement),
          on,
          free: [],
          unseen: on.map((host) => ({ host, why: blindWhy(blind.get(host)) })),
          kind: 'held',
          reasons: ['its log refused a command; what holds now was not asked'],
          since: first.ourAt,
          evidence: [{ text: `log: ${last.text}`, host: last.host, probe: 'gluster.log', at: last.ourAt }],
          rivals: [],
        },
      ];
    },
  );
};

const blindWhy = (peer: Peer | undefined): string => (peer && unseenWhy(peer, 0)) ?? 'no dump yet';

/** Op-version below 3.6: one lock for all volumes, without timer; the log of a refusal is all there is. */
const fromLogs = (judgement: Judgement): HeldLock[] => {
  const peers = peersOf(judgement);
  if (!peers.some(({ reading }) => (reading?.opVersion ?? volumeLocksFrom) < volumeLocksFrom)) return [];
  const recent = eventsOf(judgement).filter(
    (event) =>
      event.kind === 'lockRefused' &&
      event.volume === undefined &&
      judgement.now - event.ourAt < refusalSpeaksMs,
  );
  const last = recent.at(-1);
  if (!last?.holder) return [];
  const owner = last.holder;
  const same = recent.filter((event) => event.holder === owner);
  const on = [...new Set(same.map(({ host }) => host))];
  const bad = peers.find(({ state }) => state === 'stopped' || state === 'silent');
  const ownerHost = hostOfUuid(owner, judgement);
  return [
    {
      type: 'global',
      owner,
      ...(ownerHost !== undefined && { ownerHost }),
      ownerName: nameOfUuid(owner, judgement),
      on,
      free: [],
      unseen: [],
      kind: bad ? 'blocked' : 'held',
      ...(bad && { waitsFor: { host: bad.host, state: bad.state } }),
      reasons: [
        'op-version below 30600: one lock for all volumes, which no timer ends',
        ...(bad ? [`glusterd of ${bad.host} is ${bad.state}`] : []),
      ],
      since: same[0]?.ourAt ?? last.ourAt,
      evidence: [{ text: `log: ${last.text}`, host: last.host, probe: 'gluster.log', at: last.ourAt }],
      rivals: [],
    },
  ];
};

/** What is known of a volume's lock. `unknown`: no peer showed its locks. */
export const lockOfVolume = (
  volume: string,
  judgement: Judgement,
): { state: 'held'; lock: HeldLock } | { state: 'free'; at: number } | { state: 'unknown'; why: string } => {
  const lock = locksOf(judgement).find((one) => one.volume === volume || one.volume === undefined);
  if (lock) return { state: 'held', lock };
  const peers = peersOf(judgement);
  const seen = peers.filter(({ dump, state }) => dump !== undefined && state !== 'down');
  const missing = peers.find((peer) => peer.state !== 'down' && !seen.includes(peer));
  const at = Math.min(...seen.map(({ dumpAt = 0 }) => dumpAt));
  if (seen.length === 0)
    return { state: 'unknown', why: missing ? (unseenWhy(missing, 0) ?? 'not read') : 'no peer' };
  return { state: 'free', at };
};
