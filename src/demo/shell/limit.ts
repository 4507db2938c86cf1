import { Stopped } from './shell.ts';

/** Runs with a limit in seconds, as under `timeout`: 124 when it is over. */
export const runLimited = async (
  seconds: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> => {
  const limit = new AbortController();
  const timer = seconds > 0 && setTimeout(() => limit.abort(), Math.min(seconds * 1000, 2_000_000_000));
  const pass = (): void => limit.abort();
  signal.addEventListener('abort', pass);
  try {
    return await run(limit.signal);
  } catch (error) {
    if (error instanceof Stopped && !signal.aborted) return 124;
    throw error;
  } finally {
    if (timer) clearTimeout(timer);
    signal.removeEventListener('abort', pass);
  }
};
