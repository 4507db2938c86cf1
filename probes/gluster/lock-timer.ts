import { volumeLocksFrom } from './held-lock.ts';
import type { Peer } from './pool.ts';

/** The lock timer of glusterd, ms. */
export const timerMs = 180_000;

/** By version: the timer came with 3.12.15 and 3.13, for locks per volume only. */
export const hasTimer = (on: Peer | undefined, peers: readonly Peer[]): boolean => {
  const reading = on?.reading ?? peers.find((peer) => peer.reading?.version !== undefined)?.reading;
  const [major = 0, minor = 0, patch = 0] = (reading?.version ?? '').split('.').map(Number);
  if ((reading?.opVersion ?? 0) < volumeLocksFrom) return false;
  return major > 3 || (major === 3 && (minor > 12 || (minor === 12 && patch >= 15)));
};
