import type { RunView } from '../model/run.ts';
import type { Engine } from './engine.ts';

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
