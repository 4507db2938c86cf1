import type { PastRun } from '../model/past-run.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { Engine } from './engine.ts';

/** What colleagues do is read this often, ms: it explains findings, no guard rests on it. */
const EVERY_MS = 60_000;

export interface TellPast {
  engine: Pick<Engine, 'past' | 'onChange' | 'runs'>;
  clock: Clock;
  log: Log;
  tell(runs: readonly PastRun[]): void;
}

/** Tells what was done lately: at once, when a run ends, and every minute. Gives the way to stop. */
export const tellPast = ({ engine, clock, log, tell }: TellPast): (() => void) => {
  const life = new AbortController();
  let wake = new AbortController();
  let ended = '';
  engine.onChange(() => {
    const over = engine.runs().filter(({ state }) => state !== 'running');
    const now = over.map(({ id, state }) => `${id} ${state}`).join('\n');
    if (now !== ended) wake.abort();
    ended = now;
  });
  const loop = async (): Promise<void> => {
    while (!life.signal.aborted) {
      wake = new AbortController();
      try {
        tell(await engine.past());
      } catch (error) {
        log(`earlier runs: ${error instanceof Error ? error.message : String(error)}`);
      }
      await clock.sleep(EVERY_MS, AbortSignal.any([wake.signal, life.signal]));
    }
  };
  void loop();
  return () => life.abort();
};
