import type { Refusal } from '../model/action.ts';
import type { PlanCard } from '../model/run.ts';
import type { Subject } from '../model/subject.ts';
import { fold } from '../text/nodeset.ts';
import { makeSafe } from '../text/safe.ts';
import { NotShowable } from './commands.ts';
import { guard, refuse } from './guards.ts';
import { takeLocks, type Locking } from './take-locks.ts';
import { makePlan } from './make-plan.ts';
import { makeUndo } from './make-undo.ts';
import { AuditUnreadable, type PastActions } from './past-actions.ts';
import type { EngineParts } from './parts.ts';
import { cardOf } from './plan-card.ts';
import type { Prepared } from './prepared.ts';
import { leftOutEntry, refusedEntry } from './records.ts';
import { isExpired, renewPlan, type Waiting } from './renew-plan.ts';
import { exceedLock } from './reserved.ts';
import { UNDO } from './revive.ts';
import type { Runs } from './runs.ts';

export type Refused = { refused: { guard: string; reason: string } };

type Asked = [action: string, subjects: readonly Subject[], set: Readonly<Record<string, string>>];

/** Plans from the request to the confirmation. */
export interface Plans {
  /**
   * `action` is an action's id, or `undo:RUN`. Nothing is changed; the plan can be confirmed for 60 s. `renews`: the id of a plan that is
   * being read and is made anew (renew-plan.ts).
   */
  plan(...asked: [...Asked, renews?: string]): Promise<{ card: PlanCard } | Refused>;
  /** Starts the run when `typed` is what the card asks for; each plan runs at most once. */
  confirm(plan: string, typed: string): Promise<{ run: string } | Refused>;
  drop(plan: string): void;
}

interface PlanParts extends Locking {
  parts: EngineParts;
  runs: Runs;
  past: PastActions;
}

export const createPlans = (work: PlanParts): Plans => {
  const { parts, runs } = work;
  const { audit, clock } = parts;
  const plans = new Map<string, Waiting>();
  const sayNo = async (action: string, subjects: readonly Subject[], no: Refusal): Promise<Refused> => {
    const target = makeSafe(fold(subjects.map(({ id }) => id)), 500);
    await audit.append(refusedEntry({ action: makeSafe(action, 100), target }, no));
    return refusedOf(no);
  };
  const failedPlan = (action: string, error: unknown): Refusal => {
    const reason = error instanceof Error ? error.message : String(error);
    parts.log(`plan ${action}: ${error instanceof Error ? (error.stack ?? reason) : reason}`);
    return refuse(faultGuard(error), `no plan could be made: ${reason}`);
  };
  /** Nothing of it is written down: the refusal of a plan that nobody has confirmed is news for its reader only. */
  const renew = async (id: string, ...asked: Asked): Promise<{ card: PlanCard } | Refused> => {
    const make = () => prepare(work, asked, true).catch((error: unknown) => failedPlan(asked[0], error));
    const plan = await renewPlan(plans, id, make, clock);
    if (plan === undefined) return usedUp;
    return 'refused' in plan ? refusedOf(plan) : { card: await cardOf(plan, parts) };
  };

  return {
    plan: async (action, subjects, set, renews) => {
      for (const [id, old] of plans) if (id !== renews && isExpired(old, clock)) plans.delete(id);
      if (renews !== undefined) return renew(renews, action, subjects, set);
      try {
        const plan = await prepare(work, [action, subjects, set], false);
        if ('refused' in plan) return await sayNo(action, subjects, plan);
        plans.set(plan.id, plan);
        return { card: await cardOf(plan, parts) };
      } catch (error) {
        return await sayNo(action, subjects, failedPlan(action, error));
      }
    },
    confirm: async (id, typed) => {
      const plan = plans.get(id);
      if (plan === undefined) return usedUp;
      if ('refused' in plan) return refusedOf(plan);
      const subjects = plan.targets.map(({ subject }) => subject);
      const expired = isExpired(plan, clock)
        ? refuse(guard.expired, 'the plan is older than 60 s; make a new one')
        : undefined;
      const wrong = expired ?? confirmProblem(plan, typed, clock.mono());
      if (wrong === undefined || expired !== undefined) plans.delete(id);
      const no = wrong ?? busyRefusal(runs, subjects);
      if (no) return sayNo(plan.action, subjects, no);
      const started = await startRun(work, plan, typed);
      return 'refused' in started ? sayNo(plan.action, subjects, started) : started;
    },
    drop: (id) => void plans.delete(id),
  };
};

/** Reserves the targets, takes the locks, and lets the run go. */
const startRun = async (
  work: PlanParts,
  plan: Prepared,
  typed: string,
): Promise<{ run: string } | Refusal> => {
  const { parts, runs } = work;
  const run = `r-${parts.makeId()}`;
  const release = runs.reserve(
    run,
    plan.targets.map(({ subject }) => subject),
  );
  const taken = await takeLocks(parts, plan, run, work).catch((error: unknown) => {
    release();
    throw error;
  });
  if ('refused' in taken) {
    release();
    return taken;
  }
  if (plan.leftOut.length > 0) await parts.audit.append(leftOutEntry(plan, run));
  runs.start(plan, run, typed, taken.locks);
  return { run };
};

const refusedOf = ({ guard: id, reason }: Refusal): Refused => ({
  refused: { guard: makeSafe(id), reason: makeSafe(reason, 1_000) },
});

const prepare = async (
  { parts, runs, past }: PlanParts,
  [action, subjects, set]: Asked,
  gently: boolean,
): Promise<Prepared | Refusal> => {
  const { audit } = parts;
  const off = await audit.check();
  if (off !== undefined) return refuse(guard.audit, off);
  const undone = UNDO.exec(action)?.[1];
  const blocked = busyRefusal(runs, subjects) ?? (await past.findBlock(subjects, undone));
  if (blocked) return blocked;
  if (undone === undefined) {
    await past.recent.read(await past.read());
    return makePlan(parts, action, subjects, set, past.recent.known, gently);
  }
  const { problems } = await audit.read(true);
  if (problems[0])
    return refuse(
      guard.audit,
      `the audit log is damaged (line ${problems[0].line}); it can't be undone from it`,
    );
  const undo = await makeUndo(parts, undone, subjects, await past.read(), runs.memory, gently);
  return 'refused' in undo ? undo : exceedLock(undo, set);
};

const busyRefusal = (runs: Runs, subjects: readonly Subject[]): Refusal | undefined => {
  const busy = runs.findBusy(subjects);
  return busy === undefined ? undefined : refuse(guard.lock, busy);
};

/** Why what was typed does not confirm the plan now. */
const confirmProblem = (plan: Prepared, typed: string, mono: number): Refusal | undefined => {
  if (mono - plan.shownAt < plan.armedAfterMs)
    return refuse(guard.confirmation, `it can be confirmed ${plan.armedAfterMs / 1000} s after it was shown`);
  if (typed !== plan.confirmText)
    return refuse(guard.confirmation, `not confirmed: type "${plan.confirmText}"`);
  return undefined;
};

const usedUp: Refused = {
  refused: { guard: guard.once, reason: 'this plan was used, dropped or never made; make a new one' },
};

const faultGuard = (error: unknown): string => {
  if (error instanceof AuditUnreadable) return guard.audit;
  return error instanceof NotShowable ? guard.shown : guard.stale;
};
