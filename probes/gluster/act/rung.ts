import type { Action, Guard, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { refusal } from '../../../src/kit/guards.ts';
import { type NoParameters, noParameters } from '../../../src/kit/offers.ts';
import {
  whyAlreadyFree,
  rereadEverywhere,
  glusterSettles,
  checkFreed,
  lockGroup,
  lockNow,
  planEach,
  sameLock,
  volumeOf,
} from './parts.ts';
import type { HeldLock } from '../judge/held-lock.ts';
import { peersOf } from '../judge/pool.ts';

/** Not the one lock of all volumes that old releases have. */
type VolumeLock = HeldLock & { volume: string };

/** What a rung does about one lock. */
interface Freeing {
  steps: PlanTarget['steps'];
  /** The states of the lock in which it may be done. */
  kinds: readonly HeldLock['kind'][];
  /** Besides that the lock is still the same. */
  guards: readonly Guard[];
  /** Why nothing is to be done; by default that the lock is gone. */
  whyAlreadyDone?: PlanTarget['whyAlreadyDone'];
  verify: Omit<PlanTarget['verify'], 'reads'>;
  because: readonly string[];
}

/** One way to free a volume's lock. */
interface Rung {
  id: string;
  verb: string;
  /** In the menu. */
  name: string;
  /** Above the plan, before the volumes' names. */
  title: string;
  danger: Action['danger'];
  users: string;
  repeatable?: true;
  afterwards: string;
  undoText: string;
  note: string;
  free(lock: VolumeLock, judgement: Judgement): Freeing | Refusal;
}

/** The volume's lock, or why there is nothing to free. */
const heldLock = (subject: Subject, judgement: Judgement): VolumeLock | Refusal => {
  if (!volumeOf(subject, judgement)) return refusal('5 targets', `${subject.id} is no volume of this pool`);
  const lock = lockNow(subject.id, judgement);
  return lock
    ? { ...lock, volume: subject.id }
    : refusal('3 preconditions', `${subject.id} is not locked, as far as the dumps show`);
};

/** Of a lock that is gone by now: on which peers it was. */
const lookBack = (rung: Rung, subject: Subject, on: readonly string[], judgement: Judgement): PlanTarget => ({
  subject,
  steps: [],
  guards: [],
  whyAlreadyDone: () => undefined,
  verify: {
    text: rung.afterwards,
    reads: rereadEverywhere(judgement, 'gluster.lock', 'gluster.peer'),
    deadlineMs: 60_000,
    settles: glusterSettles(judgement),
    check: (live) => {
      const silent = peersOf(live).find(({ state }) => state !== 'up');
      return silent
        ? { state: 'wait', text: `glusterd of ${silent.host} is ${silent.state}` }
        : checkFreed({ volume: subject.id, on }, live);
    },
  },
  undo: null,
  lockGroups: [lockGroup(subject.id)],
});

const planRung = (
  rung: Rung,
  subjects: readonly Subject[],
  { judgement, looksBack }: PlanContext,
): Plan | Refusal => {
  const { title, afterwards, undoText } = rung;
  return planEach(subjects, rung, { title, afterwards, undoText }, (subject) => {
    if (looksBack && volumeOf(subject, judgement))
      return { target: lookBack(rung, subject, looksBack.before, judgement), because: [] };
    const lock = heldLock(subject, judgement);
    if ('refused' in lock) return lock;
    const freeing = rung.free(lock, judgement);
    if ('refused' in freeing) return freeing;
    const { steps, kinds, guards, whyAlreadyDone: already, verify, because } = freeing;
    return {
      target: {
        subject,
        steps,
        guards: [sameLock(lock, kinds, judgement), ...guards],
        whyAlreadyDone: already ?? ((live) => whyAlreadyFree(lock, live)),
        verify: {
          ...verify,
          reads: rereadEverywhere(judgement, 'gluster.lock', 'gluster.peer'),
          settles: glusterSettles(judgement),
        },
        before: lock.on,
        undo: null,
        lockGroups: [lockGroup(subject.id)],
      },
      because,
    };
  });
};

/** The lock is gone from every dump; `first` gives what is to be waited for before that. */
export const verifyFreed =
  (lock: HeldLock, first: (live: Judgement) => string | undefined = () => undefined) =>
  (live: Judgement): ReturnType<typeof checkFreed> => {
    const text = first(live);
    return text === undefined ? checkFreed(lock, live) : { state: 'wait', text };
  };

export const rungAction = (rung: Rung): Action<NoParameters> => ({
  id: rung.id,
  verb: rung.verb,
  title: rung.name,
  subject: 'volume',
  danger: rung.danger,
  users: rung.users,
  ...(rung.repeatable && { repeatable: true }),
  parameters: noParameters,
  prompts: [],
  menu: { note: rung.note },
  plan: (subjects, _given, context) => planRung(rung, subjects, context),
});
