import type { PastRun, RunView } from '../model/run.ts';
import type { Subject } from '../model/subject.ts';
import type { ActionName, MenuEntry } from '../model/wire.ts';
import { makeSafe } from '../text/safe.ts';
import { guard } from './guards.ts';
import { createLater } from './later.ts';
import type { Judging } from './lock-verdict.ts';
import { menuOf } from './menu.ts';
import { createPastActions, type InTheWayOf } from './past-actions.ts';
import type { EngineParts } from './parts.ts';
import { createPlans, type Plans, type Refused } from './plans.ts';
import { keepHeld, restoreHeld } from './hold-control.ts';
import { createRuns } from './runs.ts';
import { logPlaceOf } from './state-folder.ts';

/** The one way in which anything on a machine is changed: for the console and for `faultline act` alike. */
export interface Engine extends Plans {
  /** What can be done on these subjects now; what can't stays with its reason. `system`: who names them, where that is known. */
  menu(subjects: readonly Subject[], system?: string): Promise<readonly MenuEntry[]>;
  /** All actions there are. */
  actions(): readonly ActionName[];
  /** Stops a run before its next target. A change that is held is not touched. */
  stop(run: string): void;
  /** Keeps a change that is held, when `typed` is `keep`. What comes of it is in the run. */
  keep(run: string, typed: string): Promise<{ keeping: true } | Refused>;
  /** Undoes a change that is held, now. */
  restore(run: string): Promise<{ restoring: true } | Refused>;
  runs(): readonly RunView[];
  /** Resolves with the last view of a run when it has ended. */
  awaitEnd(run: string): Promise<RunView>;
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
  readPast(): Promise<readonly PastRun[]>;
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
  const { site, audit, locks, operator } = parts;
  if (site.readOnly) throw new Error(`guard ${guard.readOnly}: no remedy engine for a read-only site`);
  if (!/^[A-Za-z0-9._-]+$/.test(operator.name))
    throw new Error(
      `the operator's name "${makeSafe(operator.name)}" holds other than letters, digits and . _ -`,
    );
  const later = createLater(parts);
  const runs = createRuns(parts, later);
  const makeJudging = async (): Promise<Omit<Judging, 'settle'>> => ({
    parts,
    log: await logPlaceOf(audit.file),
    listActive: () => runs.listActive(),
  });
  const past = createPastActions(parts, runs, later, makeJudging);
  const plans = createPlans({ parts, runs, past, later, judging: makeJudging });

  return {
    ...plans,
    // A log that cannot be read is in `audit.problem()`, which the menu gives as the reason for everything.
    menu: async (subjects, system) => {
      const logged = await past.read().catch(() => []);
      // It may have been put right meanwhile, or sealed.
      if (audit.problem() !== undefined) await audit.check();
      return menuOf(parts, subjects, system, runs.findBusy(subjects), logged, past.recent.known());
    },
    actions: () =>
      parts.actionSets.flatMap(({ system, actions }) =>
        actions.map(({ id, title, subject }) => ({ action: id, title, system, kind: subject })),
      ),
    stop: (run) => runs.stop(run),
    keep: async (run, typed) => keepHeld(runs.control(run), typed),
    restore: async (run) => restoreHeld(runs.control(run)),
    runs: () => runs.views(),
    awaitEnd: (run) => runs.awaitEnd(run),
    onChange: (listener) => runs.onChange(listener),
    recover: past.recover,
    watch: past.watch,
    readPast: past.runs,
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

/** Where a target is once its commands are on their way. */
const sent = new Set(['sent', 'reading back', 'held']);

const stageOf = ({ id, state, targets }: RunView): string =>
  `${id} ${state} ${targets.filter((one) => sent.has(one.state)).length}`;

/** Calls back whenever a run has sent something or has ended; gives the way to stop. */
export const onRunMoved = (engine: Pick<Engine, 'onChange' | 'runs'>, listener: () => void): (() => void) => {
  let known = '';
  return engine.onChange(() => {
    const now = engine.runs().map(stageOf).join('\n');
    if (now !== known) listener();
    known = now;
  });
};
