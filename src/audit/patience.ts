import { setTimeout as sleepFor } from 'node:timers/promises';

type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>;

const realSleep: Sleep = (ms, signal) => sleepFor(ms, undefined, { signal });

/** Runs work on a disk that may not answer; rejects when it takes longer than so many ms. */
export type Patience = <T>(work: () => Promise<T>, deadlineMs: number) => Promise<T>;

/** What hangs on the disk keeps a thread of the few there are: until it ends nothing more is begun with the same patience. */
export const createPatience = (sleep: Sleep = realSleep): Patience => {
  let hangs = false;
  return async (work, deadlineMs) => {
    if (hangs) throw new Error('the disk still does not answer');
    let ended = false;
    const begun = work().finally(() => {
      ended = true;
      hangs = false;
    });
    const over = new AbortController();
    const late = sleep(deadlineMs, over.signal).then(() => {
      throw new Error(`the disk did not answer within ${deadlineMs} ms`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([begun, late]);
    } finally {
      over.abort();
      hangs = !ended;
    }
  };
};
