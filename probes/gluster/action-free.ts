import { z } from 'zod';
import type { Action, Plan, PlanContext, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { age, clock } from '../../src/text/ages.ts';
import {
  allPeersAnswer,
  alreadyFree,
  everywhere,
  isFreed,
  lockGroup,
  lockNow,
  no,
  offerOf,
  ok,
  planEach,
  refusal,
  sameLock,
  volumeOf,
} from './action-parts.ts';
import type { HeldLock } from './held-lock.ts';
import { asRoot } from './settings.ts';

const none = z.strictObject({});
type None = z.infer<typeof none>;

/** The volume's lock, or why there is nothing to free. */
export const heldLock = (subject: Subject, { judgement }: PlanContext): HeldLock | Refusal => {
  if (!volumeOf(subject, judgement)) return refusal('5 targets', `${subject.id} is no volume of this pool`);
  const lock = lockNow(subject.id, judgement);
  return lock ?? refusal('3 preconditions', `${subject.id} is not locked, as far as the dumps show`);
};

/**
 * Rung 1: `gluster volume statedump` on the owner. It is refused by the peer that keeps the lock, and its unlock phase then
 * releases that lock, because the owner matches (observed on 10.3, domain/slurm-gluster.md section 2, R3): from any other peer
 * it never does. The second run proves that the lock can be had.
 */
const planFree = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.free-lock',
      verb: 'free',
      title: 'Free the lock of',
      danger: 'service',
      afterwards: 'no dump of a peer may show the lock within 60 s',
      undoText:
        'none: a lock that nobody holds any more is not put back; the bricks leave dumps of a few hundred kB behind',
      parameters: {},
    },
    (subject) => {
      const lock = heldLock(subject, context);
      if ('refused' in lock) return lock;
      const { ownerHost } = lock;
      if (ownerHost === undefined)
        return refusal('5 targets', `its owner ${lock.ownerName} is no host of this site`);
      const command = `gluster volume statedump ${subject.id}`;
      return {
        target: {
          subject,
          steps: [
            {
              host: ownerHost,
              argv: asRoot(judgement.site, 'sh', '-c', `${command} || ${command}`),
              deadlineMs: 60_000,
            },
          ],
          guards: [sameLock(lock, ['orphaned'], judgement), allPeersAnswer(judgement)],
          already: (live) => alreadyFree(lock, live),
          verify: {
            text: `no dump shows ${subject.id} locked`,
            reads: everywhere(judgement, 'gluster.lock', 'gluster.peer'),
            deadlineMs: 60_000,
            check: (live) => isFreed(lock, live),
          },
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [
          `locked for ${lock.ownerName} on ${lock.on.join(', ')} since ${clock(lock.since)} at the latest`,
          ...lock.reasons,
          `run on ${ownerHost}, the first is refused and frees the lock with it, for its owner matches; the second proves it`,
        ],
      };
    },
  );
};

export const freeAction: Action<None> = {
  id: 'gluster.free-lock',
  verb: 'free',
  title: 'free the lock',
  subject: 'volume',
  danger: 'service',
  parameters: none,
  prompts: [],
  offer: (subjects, context) =>
    offerOf(planFree(subjects, context), "by a command on the lock's owner", context),
  plan: (subjects, _given, context) => planFree(subjects, context),
};

/** Rung 2: the timer of glusterd ends it; nothing is sent, the end is watched and written down. */
const planWait = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.free-lock-wait',
      verb: 'wait',
      title: 'Wait for the lock of',
      danger: 'service',
      afterwards: 'nothing is sent; the lock must be gone when the timer has fired',
      undoText: 'nothing to undo',
      parameters: {},
    },
    (subject) => {
      const lock = heldLock(subject, context);
      if ('refused' in lock) return lock;
      const { endsAt } = lock;
      if (endsAt === undefined)
        return refusal('3 preconditions', 'this version has no timer that ends a lock: waiting never does');
      return {
        target: {
          subject,
          steps: [],
          guards: [
            sameLock(lock, ['orphaned', 'blocked', 'running', 'held'], judgement),
            {
              id: '3 timer',
              text: `the timer has not fired yet (by ${clock(endsAt)} at the latest)`,
              reads: everywhere(judgement, 'gluster.lock'),
              absolute: true,
              check: (live) =>
                live.now < endsAt + 30_000
                  ? ok(`${age(Math.max(0, endsAt - live.now))} left`)
                  : no('its time is over and the lock is still there'),
            },
          ],
          already: (live) => alreadyFree(lock, live),
          verify: {
            text: `no dump shows ${subject.id} locked`,
            reads: everywhere(judgement, 'gluster.lock', 'gluster.peer'),
            deadlineMs: Math.max(0, endsAt - judgement.now) + 30_000,
            // Each look signals every glusterd.
            everyMs: 60_000,
            check: (live) => {
              const seen = isFreed(lock, live);
              return seen.state === 'yes'
                ? seen
                : { ...seen, text: `${seen.text}; ${age(Math.max(0, endsAt - live.now))} left` };
            },
          },
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [
          `glusterd of ${lock.on.join(', ')} ends it 180 s after it was taken: by ${clock(endsAt)} at the latest, in ${age(Math.max(0, endsAt - judgement.now))}`,
          ...(lock.kind === 'blocked'
            ? ['the transaction that waits goes on when its peer does, also after that']
            : []),
        ],
      };
    },
  );
};

export const waitAction: Action<None> = {
  id: 'gluster.free-lock-wait',
  verb: 'wait',
  title: 'wait for the lock timer',
  subject: 'volume',
  danger: 'service',
  repeatable: true,
  parameters: none,
  prompts: [],
  offer: (subjects, context) => offerOf(planWait(subjects, context), 'nothing is sent', context),
  plan: (subjects, _given, context) => planWait(subjects, context),
};
