import type { Judgement } from '../../../src/model/system.ts';
import { hasTimer, type HeldLock, timerMs, whyUnseen } from './held-lock.ts';
import { kindOfLock } from './lock-kind.ts';
import { lockSince } from './lock-since.ts';
import { hostOfUuid, nameOfUuid, type Peer, peersOf } from './pool.ts';

/** Every lock that glusterd's own dumps show, peers that agree in one. */
export const locksFromDumps = (judgement: Judgement): HeldLock[] => {
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
    return completeLock(lock, rivals, judgement);
  });
};

const completeLock = (
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
    const why = whyUnseen(peer, newest - 75_000);
    return why === undefined ? [] : [{ host: peer.host, why }];
  });
  const free = others.map(({ host }) => host).filter((host) => !unseen.some((one) => one.host === host));
  const timed = hasTimer(on[0], peers);
  const { since, evidence } = lockSince(lock, timed, judgement);
  const { kind, reasons, waitsFor } = kindOfLock({ ...lock, ownerHost, free, unseen }, judgement);
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
    ...(timed && { endsAt: since + timerMs }),
    rivals,
  };
};
