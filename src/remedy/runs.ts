import type { HoldView, RunView, StepState, TargetView } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { visible } from '../text/safe.ts';
import { releaseAll } from './acquire.ts';
import { batchesOf, isGood, runBatch } from './run-batch.ts';
import type { Later } from './later.ts';
import type { HeldLock } from './locks.ts';
import { worst, resultText } from './result-text.ts';
import type { EngineParts } from './parts.ts';
import type { Prepared, PreparedTarget } from './prepared.ts';
import { merged } from './recovered-view.ts';
import { memoryKey } from './revive.ts';
import { createHoldControl, type HoldControl } from './hold-control.ts';
import type { TargetEnd } from './run-context.ts';

/** Ended runs that are kept for the screen. */
const KEEP = 50;

/** The runs of this process: what they show, how they are stopped, what they have in hand. */
export interface Runs {
  /** Targets of runs of this process with their own predicates. */
  readonly memory: ReadonlyMap<string, PreparedTarget>;
  /** Claims the subjects for a run that is about to start; gives the way to let go of them should it not. */
  reserve(run: string, subjects: readonly Subject[]): () => void;
  start(plan: Prepared, run: string, confirmed: string, locks: readonly HeldLock[]): void;
  /** Runs under way. */
  active(): ReadonlySet<string>;
  touches(subject: Subject): boolean;
  stop(run: string): void;
  views(): readonly RunView[];
  /** The way to a run whose change may be held. */
  control(run: string): HoldControl | undefined;
  /** What became of a target of an earlier run, this console's or another's: a run of several keeps the lines of the others. */
  settle(view: RunView): void;
  ended(run: string): Promise<RunView>;
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export const createRuns = (parts: EngineParts, later: Later): Runs => {
  const views = new Map<string, RunView>();
  const claimed = new Map<string, string>();
  const stopping = new Set<string>();
  const going = new Map<string, Promise<void>>();
  const memory = new Map<string, PreparedTarget>();
  const controls = new Map<string, HoldControl>();
  const listeners = new Set<() => void>();

  const forget = (run: string): void => {
    views.delete(run);
    for (const key of memory.keys()) if (key.startsWith(`${run} `)) memory.delete(key);
  };
  const set = (view: RunView): void => {
    views.set(view.id, view);
    const over = [...views.values()].filter(({ state }) => state !== 'running');
    for (const old of over.slice(0, Math.max(0, over.length - KEEP))) forget(old.id);
    for (const listener of listeners) listener();
  };
  const letGo = (run: string): void => {
    for (const [key, owner] of claimed) if (owner === run) claimed.delete(key);
  };

  const go = async (
    plan: Prepared,
    run: string,
    confirmed: string,
    locks: readonly HeldLock[],
  ): Promise<void> => {
    const ends = new Map<PreparedTarget, TargetEnd>();
    const show = (
      target: PreparedTarget,
      state: StepState,
      text: string,
      more: Pick<TargetView, 'ms' | 'output'> = {},
    ): void => {
      const view = views.get(run);
      if (view === undefined) return;
      const at = plan.targets.indexOf(target);
      const { endsAt } = target.verify;
      const line = {
        id: visible(target.subject.id),
        state,
        text: visible(text, 1_000),
        ...more,
        ...(state === 'reading back' && endsAt !== undefined && { endsAt }),
      };
      set({ ...view, targets: view.targets.with(at, line) });
    };
    const showHold = (hold: HoldView | undefined): void => {
      const view = views.get(run);
      if (view === undefined) return;
      const { hold: _, ...rest } = view;
      set(hold === undefined ? rest : { ...rest, hold });
    };
    const control = controls.get(run) ?? createHoldControl();
    const remarks: string[] = [];
    const remark = (text: string): void => void remarks.push(text);
    let crash: string | undefined;
    try {
      const oneByOne = plan.targets.some(({ hold }) => hold !== undefined);
      for (const batch of batchesOf(plan.targets, oneByOne ? 'access' : plan.danger)) {
        if (stopping.has(run)) break;
        const ended = await runBatch(
          { parts, plan, run, confirmed, locks, later, remark, control, show, showHold },
          batch,
        );
        for (const [target, end] of ended) ends.set(target, end);
        if (batch.some((target) => !isGood(ended.get(target)))) break;
      }
    } catch (error) {
      crash = error instanceof Error ? error.message : String(error);
      parts.log(`run ${run}: ${error instanceof Error ? (error.stack ?? crash) : crash}`);
    }
    controls.delete(run);
    // An undo that is still to come needs its locks: nobody else may act on these groups before it has.
    if (![...ends.values()].some(({ left }) => left)) remarks.push(...(await releaseAll(later, run, locks)));
    for (const [at, target] of plan.targets.entries()) {
      if (ends.has(target)) continue;
      const sent = views.get(run)?.targets[at]?.state;
      if (sent === 'sent' || sent === 'reading back' || sent === 'held')
        show(target, 'unknown', 'sent; what it did was not read');
      else show(target, 'not reached', 'not touched');
    }
    const inOrder = plan.targets.map((target) => ends.get(target));
    const outcomes = inOrder.map((end) => end?.outcome ?? 'refused');
    const view = views.get(run);
    letGo(run);
    if (view === undefined) return;
    const { hold: _, ...rest } = view;
    set({
      ...rest,
      state: crash === undefined ? worst(outcomes) : 'unknown',
      endedAt: parts.clock.now(),
      result:
        crash === undefined
          ? resultText(plan, inOrder, stopping.has(run), remarks)
          : visible(
              [`${plan.title}: the program failed: ${crash}; look at each target`, ...remarks].join('; '),
            ),
    });
    // Nobody waits for it: the result is shown.
    await parts.audit.publish();
    for (const text of parts.audit.warnings()) parts.log(`run ${run}: ${text}`);
    if (parts.audit.warnings().length > 0) for (const listener of listeners) listener();
  };

  return {
    memory,
    reserve: (run, subjects) => {
      for (const subject of subjects) claimed.set(subjectKey(subject), run);
      return () => letGo(run);
    },
    start: (plan, run, confirmed, locks) => {
      for (const target of plan.targets) memory.set(memoryKey(run, target), target);
      set({
        id: run,
        title: visible(plan.title),
        state: 'running',
        startedAt: parts.clock.now(),
        targets: plan.targets.map(({ subject }) => ({ id: visible(subject.id), state: 'waiting', text: '' })),
      });
      controls.set(run, createHoldControl());
      const done = go(plan, run, confirmed, locks).finally(() => going.delete(run));
      going.set(run, done);
    },
    active: () => new Set(claimed.values()),
    touches: (subject) => claimed.has(subjectKey(subject)),
    stop: (run) => void stopping.add(run),
    control: (run) => controls.get(run),
    views: () => [...views.values()].toReversed(),
    settle: (view) => set(merged(views.get(view.id), view)),
    ended: async (run) => {
      await going.get(run);
      const view = views.get(run);
      if (view === undefined) throw new Error(`no such run: ${run}`);
      return view;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => {
      for (const run of going.keys()) stopping.add(run);
      for (const control of controls.values()) control.wish('leave');
      await Promise.all(going.values());
    },
  };
};
