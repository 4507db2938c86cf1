import type { PlanCard } from '../../src/model/run.ts';
import type { Confirm } from '../../components/overlays.ts';

/** A plan that has just come to the screen. */
export const confirmOf = (card: PlanCard, change: Partial<Confirm> = {}): Confirm => ({
  kind: 'confirm',
  card,
  wanted: { action: card.action, subjects: card.targets, set: {} },
  openedAt: 0,
  askedAt: 0,
  asking: false,
  typed: '',
  whole: false,
  top: 0,
  seenEnd: false,
  sending: false,
  ...change,
});
