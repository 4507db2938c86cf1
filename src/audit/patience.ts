import { setTimeout as sleepFor } from 'node:timers/promises';

type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>;

const realSleep: Sleep = (ms, signal) => sleepFor(ms, undefined, { signal });

/** Runs work on a disk that may not answer; rejects when it takes longer than so many ms. */
export type Patience = <T>(work: () => Promise<T>, deadlineMs: number) => Promise<T>;

/** Watches a wait; gives a function that ends that and says how late this program itself was meanwhile, ms. */
type WatchLateness = () => () => number;

/** Our own timer is to fire this often while something is waited for, ms. */
const TICK_MS = 50;

const watchLateness: WatchLateness = () => {
  let [last, late] = [performance.now(), 0];
  const tick = (): void => {
    const now = performance.now();
    late += Math.max(0, now - last - TICK_MS);
    last = now;
  };
  const timer = setInterval(tick, TICK_MS);
  return () => {
    clearInterval(timer);
    tick();
    return late;
  };
};

/** Where our own timers were late for this share of a wait, and for so long, the disk is not to blame: its answer may lie there unread. */
const BUSY_SHARE = 0.25;
const BUSY_LEAST_MS = 250;

const BUSY = 'this machine is too busy';

/** The disk has its time again where it was this machine that had none, so often at most. */
const TURNS = 3;

/** What hangs on the disk keeps a thread of the few there are: until it ends nothing more is begun with the same patience. */
export const createPatience = (sleep: Sleep = realSleep, watch: WatchLateness = watchLateness): Patience => {
  let hangs: string | undefined;
  return async (work, deadlineMs) => {
    if (hangs !== undefined) throw new Error(hangs);
    let isBusy = false;
    let ended = false;
    const begun = work().finally(() => {
      ended = true;
      hangs = undefined;
    });
    const over = new AbortController();
    let endWatch = (): number => 0;
    const waitLong = async (): Promise<never> => {
      for (let turn = 1; ; turn += 1) {
        endWatch = watch();
        await sleep(deadlineMs, over.signal);
        isBusy = endWatch() > Math.max(BUSY_LEAST_MS, deadlineMs * BUSY_SHARE);
        if (isBusy && turn < TURNS && !over.signal.aborted) continue;
        throw new Error(
          isBusy
            ? `${BUSY}: an answer of the disk within ${deadlineMs / 1000} s could not be seen; try again`
            : `the disk did not answer within ${deadlineMs / 1000} s`,
        );
      }
    };
    const late = waitLong();
    late.catch(() => undefined);
    try {
      return await Promise.race([begun, late]);
    } finally {
      endWatch();
      over.abort();
      if (!ended)
        hangs = isBusy
          ? `${BUSY}: an earlier disk operation has not ended; try again`
          : 'the disk still does not answer';
    }
  };
};
