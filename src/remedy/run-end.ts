import type { Engine } from './engine.ts';

/** Calls back whenever a run has ended; gives the way to stop. */
export const onRunEnd = (engine: Pick<Engine, 'onChange' | 'runs'>, listener: () => void): (() => void) => {
  let ended = '';
  return engine.onChange(() => {
    const over = engine.runs().filter(({ state }) => state !== 'running');
    const now = over.map(({ id, state }) => `${id} ${state}`).join('\n');
    if (now !== ended) listener();
    ended = now;
  });
};
