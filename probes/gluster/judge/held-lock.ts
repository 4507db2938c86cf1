import type { Peer } from './pool.ts';

/** From here on a lock is one per volume and has an owner in the dump; before, one for all, and its owner only in the log. */
export const volumeLocksFrom = 30_600;
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

/** Why a peer's dump says nothing of a lock seen at that time or later; undefined when it does. */
export const whyUnseen = (peer: Peer, notBefore: number): string | undefined => {
  if (peer.state === 'unknown') return 'not reached';
  const skipped = peer.lock?.good?.value.skipped;
  if (skipped === 'young') return 'glusterd started less than a minute ago: too young for a signal';
  if (skipped !== undefined) return `no dump: ${skipped}`;
  if (peer.lock?.state === 'failed') return peer.lock.failure?.message ?? 'no dump';
  if (!peer.dump && peer.lock?.good) return 'its dump is from before glusterd was started';
  if (!peer.dump) return peer.lock?.failure?.kind === 'readOnly' ? 'not asked: read-only' : 'no dump yet';
  return (peer.dumpAt ?? 0) < notBefore ? 'its dump is older' : undefined;
};

/** `gl1 on gl3`, `gl1 itself`: the peer in whose name it is held, and those that hold it. */
export const holder = ({ ownerName, ownerHost, on }: HeldLock): string =>
  on.length === 1 && on[0] === ownerHost ? `${ownerName} itself` : `${ownerName} on ${on.join(', ')}`;

/** The lock timer of glusterd, ms. */
export const timerMs = 180_000;

/** By version: the timer came with 3.12.15 and 3.13, for locks per volume only. */
export const hasTimer = (on: Peer | undefined, peers: readonly Peer[]): boolean => {
  const reading = on?.reading ?? peers.find((peer) => peer.reading?.version !== undefined)?.reading;
  const [major = 0, minor = 0, patch = 0] = (reading?.version ?? '').split('.').map(Number);
  if ((reading?.opVersion ?? 0) < volumeLocksFrom) return false;
  return major > 3 || (major === 3 && (minor > 12 || (minor === 12 && patch >= 15)));
};
