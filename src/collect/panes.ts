import type { Judgement, System } from '../model/system.ts';
import type { PaneView } from '../model/view.ts';
import type { OwnFaults } from './own-faults.ts';

/** How a system looks, or what is wrong with its own view. */
export type Pane = { view: PaneView } | { error: string };

/** Panes as they were drawn last, until what they show is judged anew. `noteCost`: what drawing one took, ms. */
export const createPanes = (
  systems: readonly System[],
  faults: OwnFaults,
  judgements: { current(): Judgement },
  noteCost: (system: System, ms: number) => void,
) => {
  const drawn = new Map<string, Pane>();
  const draw = (system: System): Pane => {
    const seen = judgements.current();
    const began = performance.now();
    const view = faults.guard<Pane | undefined>(
      system,
      'view',
      () => ({ view: system.view(seen) }),
      undefined,
    );
    noteCost(system, performance.now() - began);
    return view ?? { error: faults.of(system, 'view') ?? `${system.title}: no view` };
  };
  return {
    forget: ({ id }: System): void => void drawn.delete(id),
    /** All that changed are drawn together: a deadline of its own for each costs more than most of them. */
    find: (system: System): { pane: Pane; newlyBroken: boolean } => {
      const known = drawn.get(system.id);
      if (known) return { pane: known, newlyBroken: false };
      const isShown = (one: System): boolean => one === system || one.probes.length > 0;
      const due = systems.filter((one) => isShown(one) && !drawn.has(one.id));
      const panes = faults.together(() => due.map(draw));
      for (const [at, { id }] of due.entries()) if (panes[at]) drawn.set(id, panes[at]);
      const newlyBroken = panes.some((pane) => 'error' in pane);
      return { pane: drawn.get(system.id) ?? { error: `${system.title}: no view` }, newlyBroken };
    },
  };
};
