import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { logLockingFailed, logRefusal, type SimPeer, type SimState } from './state.ts';

const refusedAnswer = (prefix: string, text: string): SimulatedAnswer => ({
  stderr: `${prefix}${text}\n`,
  exitCode: 1,
});

/**
 * A command that takes a volume's lock on all peers, as glusterd does it: on itself first, then on the others; when one refuses,
 * what it locked is unlocked, and that unlocks an orphan too whose owner it is. `work` is done when all gave it.
 */
export const transaction = (
  state: SimState,
  peer: SimPeer,
  volume: string,
  now: number,
  prefix: string,
  work: () => SimulatedAnswer,
): SimulatedAnswer => {
  const own = peer.locks.get(volume);
  if (own) {
    logRefusal(peer, now, volume, own.owner, peer.uuid);
    return refusedAnswer(
      prefix,
      `Another transaction is in progress for ${volume}. Please try again after sometime.`,
    );
  }
  const others = [...state.peers.values()].filter((one) => one !== peer && one.glusterd !== 'down');
  const waiting = others.find(({ glusterd }) => glusterd === 'stopped');
  if (waiting) {
    for (const one of [peer, ...others])
      if (one.glusterd === 'up') one.locks.set(volume, { owner: peer.uuid, since: now });
    return { ...refusedAnswer('', 'Error : Request timed out'), delayMs: 120_000, mutated: true };
  }
  const refusing = others.filter((one) => one.locks.has(volume));
  if (refusing.length === 0) return { ...work(), mutated: true };
  for (const one of refusing) {
    logRefusal(one, now, volume, one.locks.get(volume)?.owner ?? '', peer.uuid);
    logLockingFailed(peer, now, one.name);
  }
  const freed = refusing.filter((one) => one.locks.get(volume)?.owner === peer.uuid);
  for (const one of freed) one.locks.delete(volume);
  const answer = refusedAnswer(
    prefix,
    `Locking failed on ${refusing[0]?.name}. Please check log file for details.`,
  );
  return freed.length > 0 ? { ...answer, mutated: true } : answer;
};
