import type { Refusal } from '../model/action.ts';
import type { PastRun } from '../model/past-run.ts';
import type { PlanCard, RunView } from '../model/run.ts';
import type { Subject } from '../model/subject.ts';
import type { MenuEntry } from '../model/wire.ts';
import { fold } from '../text/nodeset.ts';
import { visible } from '../text/safe.ts';
import { NotShowable } from './commands.ts';
import { guard, refuse } from './guards.ts';
import { AuditUnreadable, createDone, type InTheWayOf } from './done.ts';
import { makePlan } from './make-plan.ts';
import { createLater } from './later.ts';
import { lockFor } from './lock-for.ts';
import type { Judging } from './lock-verdict.ts';
import { logPlaceOf } from './state-folder.ts';
import { makeUndo } from './make-undo.ts';
import { menuOf } from './menu.ts';
import type { EngineParts } from './parts.ts';
import { cardOf, EXPIRES_MS } from './plan-card.ts';
import type { Prepared } from './prepared.ts';
import { KEEP } from './hold-wait.ts';
import { leftOutEntry, refusedEntry } from './records.ts';
import { exceedLock } from './reserved.ts';
import { UNDO } from './revive.ts';
import { createRuns } from './runs.ts';

type Refused = { refused: { guard: string; reason: string } };

/** The one way in which anything on a machine is changed: for the console and for `faultline act` alike. */
export interface Engine {
  /** What can be done on these subjects now; what can't stays with its reason. `system`: who names them, where that is known. */
  menu(subjects: readonly Subject[], system?: string): Promise<readonly MenuEntry[]>;
  /** `action` is an action's id, or `undo:RUN`. Nothing is changed; the card lives for 60 s. */
  plan(
    action: string,
    subjects: readonly Subject[],
    set: Readonly<Record<string, string>>,
  ): Promise<{ card: PlanCard } | Refused>;
  /** Starts the run when `typed` is what the card asks for; each plan runs at most once. */
  confirm(plan: string, typed: string): Promise<{ run: string } | Refused>;
  drop(plan: string): void;
  /** Stops a run before its next target. A change that is held is not touched. */
  stop(run: string): void;
  /** Keeps a change that is held, when `typed` is `keep`. What comes of it is in the run. */
  keep(run: string, typed: string): Promise<{ keeping: true } | Refused>;
  /** Undoes a change that is held, now. */
  restore(run: string): Promise<{ restoring: true } | Refused>;
  runs(): readonly RunView[];
  /** Resolves with the last view of a run when it has ended. */
  ended(run: string): Promise<RunView>;
  /** Called after every change of `runs()`; gives the way to stop it. */
  onChange(listener: () => void): () => void;
  /**
   * After the first readings: looks at what earlier consoles left without a result or with one that is not known, says in `runs()`
   * and in the audit log what is true of it, and frees locks of consoles of this machine that are no more. With `only`: what is in
   * the way of that, until it is settled; of the rest only what shows already.
   */
  recover(only?: InTheWayOf): Promise<readonly RunView[]>;
  /** The same, and again by itself for as long as something is not known; gives the way to stop. For a console. */
  watch(): () => void;
  /** What took effect lately or may have, here and at colleagues'. Rejects when the audit log cannot be read. */
  past(): Promise<readonly PastRun[]>;
  /** For the strip: `actions off: audit log cannot be written: ...`. */
  badges(): readonly string[];
  /**
   * Stops all runs before their next targets and waits for the targets under way; an undo that is armed stays armed. What could not be
   * told or released before is tried once more.
   */
  close(): Promise<void>;
}

/** Throws for a read-only site: there an engine must not exist (guard 1). */
export const createEngine = (parts: EngineParts): Engine => {
  const { site, audit, clock, locks, operator } = parts;
  if (site.readOnly) throw new Error(`guard ${guard.readOnly}: no remedy engine for a read-only site`);
  if (!/^[A-Za-z0-9._-]+$/.test(operator.name))
    throw new Error(
      `the operator's name "${visible(operator.name)}" holds other than letters, digits and . _ -`,
    );
  const plans = new Map<string, Prepared>();
  const later = createLater(parts);
  const runs = createRuns(parts, later);
  const judging = async (): Promise<Omit<Judging, 'settle'>> => ({
    parts,
    log: await logPlaceOf(audit.file),
    active: () => runs.active(),
  });
  const { told, blockedBy, settleRun, recover, watch, ...done } = createDone(parts, runs, later, judging);
  const busyWith = (subjects: readonly Subject[]): Refusal | undefined => {
    const busy = subjects.find((subject) => runs.touches(subject));
    return busy && refuse(guard.lock, `another run is at work on ${busy.id}`);
  };

  const prepare = async (
    action: string,
    subjects: readonly Subject[],
    set: Readonly<Record<string, string>>,
  ): Promise<Prepared | Refusal> => {
    const off = await audit.check();
    if (off !== undefined) return refuse(guard.audit, off);
    const undone = UNDO.exec(action)?.[1];
    const blocked = busyWith(subjects) ?? (await blockedBy(subjects, undone));
    if (blocked) return blocked;
    if (undone === undefined) {
      await done.readPast(await told());
      return makePlan(parts, action, subjects, set, done.past);
    }
    const { problems } = await audit.read(true);
    if (problems[0])
      return refuse(
        guard.audit,
        `the audit log is damaged (line ${problems[0].line}); it can't be undone from it`,
      );
    const undo = await makeUndo(parts, undone, subjects, await told(), runs.memory);
    return 'refused' in undo ? undo : exceedLock(undo, set);
  };

  const isExpired = ({ madeAt }: Prepared): boolean =>
    // The monotonic clock stands still while the machine sleeps, the wall clock may be set: whichever says so first.
    clock.mono() - madeAt.mono > EXPIRES_MS || clock.now() - madeAt.wall > EXPIRES_MS;

  const sayNo = async (action: string, subjects: readonly Subject[], no: Refusal): Promise<Refused> => {
    const target = visible(fold(subjects.map(({ id }) => id)), 500);
    await audit.append(refusedEntry({ action: visible(action, 100), target }, no));
    return { refused: { guard: visible(no.guard), reason: visible(no.reason, 1_000) } };
  };

  const confirmProblem = (plan: Prepared, typed: string): Refusal | undefined => {
    if (clock.mono() - plan.madeAt.mono < plan.armedAfterMs)
      return refuse(
        guard.confirmation,
        `it can be confirmed ${plan.armedAfterMs / 1000} s after it was shown`,
      );
    if (typed !== plan.confirmText)
      return refuse(guard.confirmation, `not confirmed: type "${plan.confirmText}"`);
    return undefined;
  };

  return {
    // A log that cannot be read is in `audit.problem()`, which the menu gives as the reason for everything.
    menu: async (subjects, system) => {
      const past = await told().catch(() => []);
      // It may have been put right meanwhile, or sealed.
      if (audit.problem() !== undefined) await audit.check();
      return menuOf(parts, subjects, system, busyWith(subjects)?.reason, past, done.past());
    },
    plan: async (action, subjects, set) => {
      for (const [id, old] of plans) if (isExpired(old)) plans.delete(id);
      try {
        const plan = await prepare(action, subjects, set);
        if ('refused' in plan) return await sayNo(action, subjects, plan);
        plans.set(plan.id, plan);
        return { card: await cardOf(plan, parts) };
      } catch (error) {
        const id = planFault(error);
        const reason = error instanceof Error ? error.message : String(error);
        parts.log(`plan ${action}: ${error instanceof Error ? (error.stack ?? reason) : reason}`);
        return await sayNo(action, subjects, refuse(id, `no plan could be made: ${reason}`));
      }
    },
    confirm: async (id, typed) => {
      const plan = plans.get(id);
      if (plan === undefined) {
        const { guard: about, reason } = refuse(
          guard.once,
          'this plan was used, dropped or never made; make it anew',
        );
        return { refused: { guard: about, reason } };
      }
      const subjects = plan.targets.map(({ subject }) => subject);
      if (isExpired(plan)) {
        plans.delete(id);
        return sayNo(
          plan.action,
          subjects,
          refuse(guard.expired, 'the plan is older than 60 s; make it anew'),
        );
      }
      const wrong = confirmProblem(plan, typed);
      if (wrong) return sayNo(plan.action, subjects, wrong);
      plans.delete(id);
      const busy = busyWith(subjects);
      if (busy) return sayNo(plan.action, subjects, busy);
      const run = `r-${parts.newId()}`;
      const release = runs.reserve(run, subjects);
      const taken = await lockFor(parts, plan, run, { ...done, told, settleRun, judging, later }).catch(
        (error: unknown) => {
          release();
          throw error;
        },
      );
      if ('refused' in taken) {
        release();
        return sayNo(plan.action, subjects, taken);
      }
      if (plan.leftOut.length > 0) await audit.append(leftOutEntry(plan, run));
      runs.start(plan, run, typed, taken.locks);
      return { run };
    },
    drop: (id) => void plans.delete(id),
    stop: (run) => runs.stop(run),
    keep: async (run, typed) => {
      const control = runs.control(run);
      if (control?.state !== 'waiting') return notHeld;
      if (typed !== KEEP)
        return { refused: { guard: guard.confirmation, reason: `not kept: type "${KEEP}"` } };
      if (control.secondsLeft() < LATE_S)
        return { refused: { guard: guard.armed, reason: 'too late to keep it: it is being restored' } };
      control.wish('keep');
      return { keeping: true };
    },
    restore: async (run) => {
      const control = runs.control(run);
      if (control?.state !== 'waiting') return notHeld;
      control.wish('restore');
      return { restoring: true };
    },
    runs: () => runs.views(),
    ended: (run) => runs.ended(run),
    onChange: (listener) => runs.onChange(listener),
    recover,
    watch,
    past: done.pastRuns,
    badges: () => {
      const problem = audit.problem();
      return [
        ...(problem === undefined ? [] : [`actions off: ${problem}`]),
        ...audit.warnings(),
        ...locks.badges(),
        ...later.badges(),
      ];
    },
    close: async () => {
      await runs.close();
      await later.retry();
    },
  };
};

/** With less time than this a `keep` could cross the undo on its way. */
const LATE_S = 5;

const notHeld: Refused = {
  refused: { guard: guard.armed, reason: 'no change of this run is held now' },
};

const planFault = (error: unknown): string => {
  if (error instanceof AuditUnreadable) return guard.audit;
  return error instanceof NotShowable ? guard.shown : guard.stale;
};
