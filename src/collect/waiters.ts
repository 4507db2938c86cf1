/** People and engines that wait for an ask begun after they asked for it. */
export interface Waiters<K> {
  /** Resolves when an ask that starts from now on has ended, or the signal fires. */
  waitForNext(key: K, signal?: AbortSignal): Promise<void>;
  noteStarted(key: K): void;
  noteEnded(key: K): void;
  /** Whether somebody waits for this one, started or not. */
  isAwaited(key: K): boolean;
  /** Nothing is asked any more: nobody waits in vain. */
  endAll(): void;
}

type Resolve = () => void;

/** Nobody waits yet. */
export const createWaiters = <K>(): Waiters<K> => {
  const queued = new Map<K, Set<Resolve>>();
  const flying = new Map<K, Set<Resolve>>();
  return {
    waitForNext: (key, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const settle = (): void => {
          queued.get(key)?.delete(settle);
          flying.get(key)?.delete(settle);
          signal?.removeEventListener('abort', settle);
          resolve();
        };
        queued.set(key, (queued.get(key) ?? new Set()).add(settle));
        signal?.addEventListener('abort', settle);
      }),
    noteStarted: (key) => {
      const waiting = queued.get(key);
      if (!waiting) return;
      queued.delete(key);
      flying.set(key, waiting);
    },
    noteEnded: (key) => {
      for (const resolve of flying.get(key) ?? []) resolve();
      flying.delete(key);
    },
    endAll: () => {
      for (const waiting of [...queued.values(), ...flying.values()])
        for (const resolve of waiting) resolve();
    },
    isAwaited: (key) => (queued.get(key)?.size ?? 0) + (flying.get(key)?.size ?? 0) > 0,
  };
};
