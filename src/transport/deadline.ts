import type { Clock } from '../model/ports.ts';

/** Calls `late` after `ms` unless the returned function was called before. */
export const deadline = (clock: Clock, ms: number, late: () => void): (() => void) => {
  const off = new AbortController();
  void clock.sleep(ms, off.signal).then(() => {
    if (!off.signal.aborted) late();
  });
  // With a reason of ours: else every answer makes an exception with a stack.
  return () => off.abort('in time');
};

/** A promise with a deadline of its own: what it gives, or `late()` when that comes first. */
export const waitWithin = async <T, L>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => L,
): Promise<T | L> => {
  const { promise, resolve } = Promise.withResolvers<L>();
  const stopTimer = deadline(clock, ms, () => resolve(late()));
  return Promise.race([work, promise]).finally(stopTimer);
};

/** A promise that may be left waiting: what it gives, or undefined as soon as the signal fires. */
export const waitUnlessAborted = async <T>(
  signal: AbortSignal | undefined,
  work: Promise<T>,
): Promise<T | undefined> => {
  if (!signal) return work;
  if (signal.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const leave = () => resolve(undefined);
  signal.addEventListener('abort', leave, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave));
};
