import type { Sink } from './shell/shell.ts';

/** What takes bytes and says when they went out. */
interface Outward {
  write(data: Uint8Array, done: () => void): unknown;
}

/**
 * Writes to both streams of a channel strictly one after the other: ssh2 loses a write to standard error that is made
 * while standard output waits for window.
 */
export const newWriter = (
  channel: Outward & { stderr: Outward },
  closed: AbortSignal,
): { out: Sink; err: Sink; awaitFlushed(): Promise<void> } => {
  let last = Promise.resolve();
  const put = (stream: Outward, text: string | Uint8Array): void => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    last = last.then(
      () =>
        new Promise((resolve) => {
          if (closed.aborted || bytes.length === 0) return resolve();
          // A polled session writes for days: what waits for its end goes with each write.
          const settle = (): void => {
            closed.removeEventListener('abort', settle);
            resolve();
          };
          closed.addEventListener('abort', settle);
          stream.write(bytes, settle);
        }),
    );
  };
  return {
    out: (text) => put(channel, text),
    err: (text) => put(channel.stderr, text),
    awaitFlushed: () => last,
  };
};
