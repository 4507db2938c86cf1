import type { PastRun } from '../model/run.ts';
import type { Clock, Log } from '../model/ports.ts';

/** What colleagues do is read this often, ms: it explains findings, no guard rests on it. */
const EVERY_MS = 60_000;

export interface TellPast {
  readPast(): Promise<readonly PastRun[]>;
  clock: Clock;
  log: Log;
  tell(runs: readonly PastRun[]): void;
}

/** Tells what was done lately: at once, every minute, and when asked to. */
export const tellPast = ({
  readPast: past,
  clock,
  log,
  tell,
}: TellPast): { tellNow(): void; stop(): void } => {
  const life = new AbortController();
  let wake = new AbortController();
  const loop = async (): Promise<void> => {
    while (!life.signal.aborted) {
      wake = new AbortController();
      try {
        tell(await past());
      } catch (error) {
        log(`earlier runs: ${error instanceof Error ? error.message : String(error)}`);
      }
      await clock.sleep(EVERY_MS, AbortSignal.any([wake.signal, life.signal]));
    }
  };
  void loop();
  return { tellNow: () => wake.abort(), stop: () => life.abort() };
};
