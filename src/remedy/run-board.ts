import type { HoldView, RunView } from '../model/run.ts';
import { makeSafe } from '../text/safe.ts';
import type { Prepared } from './prepared.ts';
import { mergeView } from './recovered-view.ts';
import type { RunContext } from './run-context.ts';

/** Ended runs that are kept for the screen. */
const KEEP = 50;

export type RunBoard = ReturnType<typeof createRunBoard>;

/** What runs show, each as it goes. `forget`: called with a run that is not shown any more. */
export const createRunBoard = (forget: (run: string) => void) => {
  const views = new Map<string, RunView>();
  const listeners = new Set<() => void>();
  const stir = (): void => {
    for (const listener of listeners) listener();
  };
  const set = (view: RunView): void => {
    views.set(view.id, view);
    const over = [...views.values()].filter(({ state }) => state !== 'running');
    for (const { id } of over.slice(0, Math.max(0, over.length - KEEP))) {
      views.delete(id);
      forget(id);
    }
    stir();
  };
  return {
    /** Newest first. */
    views: (): readonly RunView[] => [...views.values()].toReversed(),
    of: (run: string): RunView | undefined => views.get(run),
    set,
    /** A run that begins: all its targets wait. */
    begin: ({ title, targets }: Prepared, run: string, startedAt: number): void =>
      set({
        id: run,
        title: makeSafe(title),
        state: 'running',
        startedAt,
        targets: targets.map(({ subject }) => ({ id: makeSafe(subject.id), state: 'waiting', text: '' })),
      }),
    /** Shows how far a target of this run is. */
    showTarget:
      (plan: Prepared, run: string): RunContext['show'] =>
      (target, state, text, more = {}) => {
        const view = views.get(run);
        if (view === undefined) return;
        const { endsAt } = target.verify;
        const line = {
          id: makeSafe(target.subject.id),
          state,
          text: makeSafe(text, 1_000),
          ...more,
          ...(state === 'reading back' && endsAt !== undefined && { endsAt }),
        };
        set({ ...view, targets: view.targets.with(plan.targets.indexOf(target), line) });
      },
    showHold: (run: string, hold: HoldView | undefined): void => {
      const view = views.get(run);
      if (view === undefined) return;
      const { hold: _, ...rest } = view;
      set(hold === undefined ? rest : { ...rest, hold });
    },
    settle: (view: RunView): void => set(mergeView(views.get(view.id), view)),
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Something beside the runs changed. */
    stir,
  };
};
