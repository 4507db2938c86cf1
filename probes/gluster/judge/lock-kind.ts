import type { Judgement } from '../../../src/model/system.ts';
import type { HeldLock } from './held-lock.ts';
import { commandsOf, type Peer, peersOf, findUnconnected } from './pool.ts';

/** A lock as dumps show it. */
interface DumpedLock {
  owner: string;
  ownerHost: string | undefined;
  on: readonly Peer[];
  lasting: boolean;
  free: readonly string[];
  unseen: readonly { host: string; why: string }[];
}

type Kind = Pick<HeldLock, 'kind' | 'reasons' | 'waitsFor'>;

/** What a lock that dumps show is (decision 0092). */
export const kindOfLock = (lock: DumpedLock, judgement: Judgement): Kind => {
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
        ...(bad.reading?.hook ? [`glusterd waits for its hook ${bad.reading.hook.file}`] : []),
      ],
    };
  }
  const away = findUnconnected(judgement)[0];
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
  return endedOrSeenOnce(lock, owner);
};

/** Everybody answers and nothing runs on the owner: what it began is over, once that was seen twice. */
const endedOrSeenOnce = (lock: DumpedLock, owner: Peer): Kind => {
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
