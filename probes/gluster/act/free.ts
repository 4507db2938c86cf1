import { failGuard, passGuard, refusal } from '../../../src/kit/guards.ts';
import { age, clock } from '../../../src/text/ages.ts';
import { requirePeersAnswer, rereadEverywhere } from './parts.ts';
import { verifyFreed, rungAction } from './rung.ts';
import { cliDeadlineMs } from './refusals.ts';
import { argvAsRoot } from '../settings.ts';

/**
 * Rung 1: `gluster volume statedump` on the owner. It is refused by the peer that keeps the lock, and its unlock phase then
 * releases that lock, because the owner matches (observed on 10.3): from any other peer
 * it never does. The second run proves that the lock can be had.
 */
export const freeAction = rungAction({
  id: 'gluster.free-lock',
  verb: 'free',
  name: 'free the lock',
  title: 'Free the lock of',
  danger: 'service',
  users: 'nothing on clients; commands on the volume work again',
  afterwards: 'no dump of a peer may show the lock within 60 s',
  undoText:
    'none: a lock that nobody holds any more is not put back; the bricks leave dumps of a few hundred kB behind',
  note: "by a command on the lock's owner",
  free: (lock, judgement) => {
    const { ownerHost: host } = lock;
    if (host === undefined)
      return refusal('5 targets', `its owner ${lock.ownerName} is no host of this site`);
    const command = `gluster volume statedump ${lock.volume}`;
    const argv = argvAsRoot(judgement.site, 'sh', '-c', `${command} || ${command}`);
    return {
      // No table: a refusal by the peer that keeps the lock is what frees it.
      steps: [{ host, argv, deadlineMs: cliDeadlineMs(2) }],
      kinds: ['orphaned'],
      guards: [requirePeersAnswer(judgement)],
      verify: { text: `no dump shows ${lock.volume} locked`, deadlineMs: 60_000, check: verifyFreed(lock) },
      because: [
        `locked for ${lock.ownerName} on ${lock.on.join(', ')} since ${clock(lock.since)} at the latest`,
        ...lock.reasons,
        `run on ${host}, the owner: gluster refuses the first command and clears the lock; the second proves that it is gone`,
      ],
    };
  },
});

/** Rung 2: the timer of glusterd ends it; nothing is sent, the end is watched and written down. */
export const waitAction = rungAction({
  id: 'gluster.free-lock-wait',
  verb: 'wait',
  name: 'wait for the lock timer',
  title: 'Wait for the lock of',
  danger: 'service',
  users: 'nothing: clients are not touched',
  repeatable: true,
  afterwards: 'nothing is sent; the lock must be gone when the timer has fired',
  undoText: 'nothing to undo',
  note: 'nothing is sent',
  free: (lock, judgement) => {
    const { endsAt } = lock;
    if (endsAt === undefined)
      return refusal('3 preconditions', 'this version has no timer that ends a lock: waiting never does');
    const leftText = (now: number): string => age(Math.max(0, endsAt - now));
    return {
      steps: [],
      kinds: ['orphaned', 'blocked', 'running', 'held'],
      guards: [
        {
          id: '3 timer',
          text: `the timer has not fired yet (by ${clock(endsAt)} at the latest)`,
          reads: rereadEverywhere(judgement, 'gluster.lock'),
          absolute: true,
          check: ({ now }) =>
            now < endsAt + 30_000
              ? passGuard(`${leftText(now)} left`)
              : failGuard('its time is over and the lock is still there'),
        },
      ],
      verify: {
        text: `no dump shows ${lock.volume} locked`,
        deadlineMs: Math.max(0, endsAt - judgement.now) + 30_000,
        // Each look signals every glusterd.
        everyMs: 60_000,
        endsAt,
        check: verifyFreed(lock),
      },
      because: [
        `glusterd of ${lock.on.join(', ')} ends it 180 s after it was taken: by ${clock(endsAt)} at the latest, in ${leftText(judgement.now)}`,
        ...(lock.kind === 'blocked'
          ? ['the waiting transaction goes on when its peer does, even after the lock has ended']
          : []),
      ],
    };
  },
});
