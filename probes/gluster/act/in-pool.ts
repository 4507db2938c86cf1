import type { Action, InMenu, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { narrowTarget, refusal } from '../../../src/kit/guards.ts';
import { eachPool, type TrustedPool } from '../pools.ts';
import { poolsOfSubject, volumeId } from '../judge/volume-ids.ts';

/** Subjects as their own pool calls them, and what is known of that pool alone. */
interface InPool {
  pool: TrustedPool;
  subjects: readonly Subject[];
  context: PlanContext;
}

/** The pool that all of them are of, or why there is none. Where the site has one pool nothing changes. */
const poolOf = (subjects: readonly Subject[], context: PlanContext): InPool | Refusal => {
  const { judgement } = context;
  const named: Subject[] = [];
  let pool = eachPool(judgement)[0];
  for (const [at, subject] of subjects.entries()) {
    const [one, ...more] = poolsOfSubject(subject, judgement);
    if (!one) return refusal('5 targets', `${subject.id} is in no pool of this site`);
    if (more.length > 0)
      return refusal(
        '5 targets',
        `${more.length + 1} pools have a ${subject.kind} ${subject.id}: which is meant? ${[one, ...more].map((judgePool) => volumeId(subject.id, judgePool.pool, judgement)).join(' or ')}`,
      );
    if (at > 0 && pool && pool.pool !== one.pool)
      return refusal(
        '5 targets',
        `${subjects[0]?.id ?? ''} and ${subject.id} are in two pools (${pool.pool.name}, ${one.pool.name}): one plan is about one pool`,
      );
    pool = one;
    named.push(one.subject);
  }
  return pool
    ? { pool: pool.pool, subjects: named, context: { ...context, judgement: pool.judgement } }
    : refusal('5 targets', 'no host has the role gluster');
};

/** The same pool by readings taken later. Its hosts stay the same, whatever they then say of each other. */
const sameOf =
  ({ hosts }: TrustedPool) =>
  (live: Judgement): Judgement =>
    eachPool(live).find(({ pool }) => pool.hosts.some((host) => hosts.includes(host)))?.judgement ?? live;

const wrapTarget = (target: PlanTarget, { pool }: InPool, judgement: Judgement): PlanTarget => {
  const { subject } = target;
  return {
    ...narrowTarget(target, sameOf(pool)),
    subject: subject.kind === 'volume' ? { ...subject, id: volumeId(subject.id, pool, judgement) } : subject,
  };
};

const planInPool = <P>(
  action: Action<P>,
  subjects: readonly Subject[],
  given: P,
  context: PlanContext,
): Plan | Refusal => {
  const found = poolOf(subjects, context);
  if ('refused' in found) return found;
  const plan = action.plan(found.subjects, given, found.context);
  if ('refused' in plan || eachPool(context.judgement).length < 2) return plan;
  return {
    ...plan,
    targets: plan.targets.map((target) => wrapTarget(target, found, context.judgement)),
    because: [`pool of ${found.pool.hosts.join(', ')}`, ...plan.because],
  };
};

const menuInPool = <P>({ note, tryWith, askTyped: typed, ...rest }: InMenu<P>): InMenu<P> => ({
  ...rest,
  note:
    typeof note === 'string'
      ? note
      : (plan, context, open) => {
          const found = poolOf(
            plan.targets.map(({ subject }) => subject),
            context,
          );
          if ('refused' in found) return '';
          const targets = plan.targets.map((one, at) => ({
            ...one,
            subject: found.subjects[at] ?? one.subject,
          }));
          return note({ ...plan, targets }, found.context, open);
        },
  ...(tryWith && {
    tryWith: (subjects: readonly Subject[], context: PlanContext) => {
      const found = poolOf(subjects, context);
      return 'refused' in found ? found : tryWith(found.subjects, found.context);
    },
  }),
  ...(typed && {
    askTyped: (subjects: readonly Subject[], context: PlanContext) => {
      const found = poolOf(subjects, context);
      return 'refused' in found ? found : typed(found.subjects, found.context);
    },
  }),
});

/** An action that knows of one pool, on a site that may have several: it acts within its target's pool, and refuses what may be of either. */
export const limitToPool = <P>(action: Action<P>): Action<P> => ({
  ...action,
  menu: menuInPool(action.menu),
  plan: (subjects, given, context) => planInPool(action, subjects, given, context),
});
