import type { RunView } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { makeSafe } from '../text/safe.ts';
import { releaseAll } from './acquire.ts';
import { makeBatches, isGood, runBatch } from './run-batch.ts';
import type { Later } from './later.ts';
import type { HeldLock } from './locks.ts';
import { worstOutcome } from '../audit/log-entries.ts';
import { resultText } from './result-text.ts';
import type { EngineParts } from './parts.ts';
import type { Prepared, PreparedTarget } from './prepared.ts';
import { memoryKey } from './revive.ts';
import { createHoldControl, type HoldControl } from './hold-control.ts';
import { createRunBoard, type RunBoard } from './run-board.ts';
import type { RunContext, TargetEnd } from './run-context.ts';

/** The runs of this process: what they show, how they are stopped, what they have in hand. */
export interface Runs {
  /** Targets of runs of this process with their own predicates. */
  readonly memory: ReadonlyMap<string, PreparedTarget>;
  /** Claims the subjects for a run that is about to start; gives the way to let go of them should it not. */
  reserve(run: string, subjects: readonly Subject[]): () => void;
  start(plan: Prepared, run: string, confirmed: string, locks: readonly HeldLock[]): void;
  /** Runs under way. */
  listActive(): ReadonlySet<string>;
  /** Which run under way is in the way of these. */
  findBusy(subjects: readonly Subject[]): string | undefined;
  stop(run: string): void;
  views(): readonly RunView[];
  /** The way to a run whose change may be held. */
  control(run: string): HoldControl | undefined;
  /** What became of a target of an earlier run, this console's or another's: a run of several keeps the lines of the others. */
  settle(view: RunView): void;
  awaitEnd(run: string): Promise<RunView>;
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export const createRuns = (parts: EngineParts, later: Later): Runs => {
  const claimed = new Map<string, string>();
  const stopping = new Set<string>();
  const going = new Map<string, Promise<void>>();
  const memory = new Map<string, PreparedTarget>();
  const controls = new Map<string, HoldControl>();
  const board = createRunBoard((run) => {
    for (const key of memory.keys()) if (key.startsWith(`${run} `)) memory.delete(key);
  });
  const letGo = (run: string): void => {
    for (const [key, owner] of claimed) if (owner === run) claimed.delete(key);
  };

  return {
    memory,
    reserve: (run, subjects) => {
      for (const subject of subjects) claimed.set(subjectKey(subject), run);
      return () => letGo(run);
    },
    start: (plan, run, confirmed, locks) => {
      for (const target of plan.targets) memory.set(memoryKey(run, target), target);
      board.begin(plan, run, parts.clock.now());
      const control = createHoldControl();
      controls.set(run, control);
      const under = runUnderWay({ parts, plan, run, confirmed, locks, later, control }, board, () =>
        stopping.has(run),
      );
      const end = (): void => void controls.delete(run);
      const done = carryOut(under, end, () => letGo(run)).finally(() => going.delete(run));
      going.set(run, done);
    },
    listActive: () => new Set(claimed.values()),
    findBusy: (subjects) => {
      const busy = subjects.find((subject) => claimed.has(subjectKey(subject)));
      return busy && `another run is at work on ${busy.id}`;
    },
    stop: (run) => void stopping.add(run),
    control: (run) => controls.get(run),
    views: board.views,
    settle: board.settle,
    awaitEnd: async (run) => {
      await going.get(run);
      const view = board.of(run);
      if (view === undefined) throw new Error(`no such run: ${run}`);
      return view;
    },
    onChange: board.onChange,
    close: async () => {
      for (const run of going.keys()) stopping.add(run);
      for (const control of controls.values()) control.wish('leave');
      await Promise.all(going.values());
    },
  };
};

/** A run under way. `remarks`: what the operator must know besides how the targets ended. */
interface UnderWay {
  context: RunContext;
  remarks: string[];
  board: RunBoard;
  isStopping(): boolean;
}

const runUnderWay = (
  of: Omit<RunContext, 'remark' | 'show' | 'showHold'>,
  board: RunBoard,
  isStopping: () => boolean,
): UnderWay => {
  const remarks: string[] = [];
  const context: RunContext = {
    ...of,
    remark: (text) => void remarks.push(text),
    show: board.showTarget(of.plan, of.run),
    showHold: (hold) => board.showHold(of.run, hold),
  };
  return { context, remarks, board, isStopping };
};

type Ends = ReadonlyMap<PreparedTarget, TargetEnd>;

/** From the first target to the published result. `ended`: nothing is held any more; `letGo`: others may act on its subjects. */
const carryOut = async (under: UnderWay, ended: () => void, letGo: () => void): Promise<void> => {
  const { context, remarks, board } = under;
  const { parts, plan, run, locks, later } = context;
  const { ends, crash } = await runTargets(under);
  ended();
  // An undo that is still to come needs its locks: nobody else may act on these groups before it has.
  if (![...ends.values()].some(({ left }) => left)) remarks.push(...(await releaseAll(later, run, locks)));
  showNotReached(under, ends);
  const inOrder = plan.targets.map((target) => ends.get(target));
  const view = board.of(run);
  letGo();
  if (view === undefined) return;
  const { hold: _, ...rest } = view;
  board.set({
    ...rest,
    state: crash === undefined ? worstOutcome(inOrder.map((end) => end?.outcome ?? 'refused')) : 'unknown',
    endedAt: parts.clock.now(),
    ...(inOrder.some((end) => end?.goesOn !== undefined) && { goesOn: true as const }),
    result:
      crash === undefined
        ? resultText(plan, inOrder, under.isStopping(), remarks)
        : makeSafe(
            [`${plan.title}: the program failed: ${crash}; look at each target`, ...remarks].join('; '),
          ),
  });
  // Nobody waits for it: the result is shown.
  await parts.audit.publish();
  for (const text of parts.audit.warnings()) parts.log(`run ${run}: ${text}`);
  if (parts.audit.warnings().length > 0) board.stir();
};

/** Batch by batch until one is not good, somebody stops the run, or the program fails. */
const runTargets = async ({ context, isStopping }: UnderWay): Promise<{ ends: Ends; crash?: string }> => {
  const { parts, plan, run } = context;
  const ends = new Map<PreparedTarget, TargetEnd>();
  try {
    const oneByOne = plan.targets.some(({ hold }) => hold !== undefined);
    for (const batch of makeBatches(plan.targets, oneByOne ? 'access' : plan.danger)) {
      if (isStopping()) break;
      for (const [target, end] of await runBatch(context, batch)) ends.set(target, end);
      if (batch.some((target) => !isGood(ends.get(target)))) break;
    }
    return { ends };
  } catch (error) {
    const crash = error instanceof Error ? error.message : String(error);
    parts.log(`run ${run}: ${error instanceof Error ? (error.stack ?? crash) : crash}`);
    return { ends, crash };
  }
};

const showNotReached = ({ context, board }: UnderWay, ends: Ends): void => {
  for (const [at, target] of context.plan.targets.entries()) {
    if (ends.has(target)) continue;
    const sent = board.of(context.run)?.targets[at]?.state;
    if (sent === 'sent' || sent === 'reading back' || sent === 'held')
      context.show(target, 'unknown', 'sent; what it did was not read');
    else context.show(target, 'not reached', 'not touched');
  }
};
