import { Worker } from 'node:worker_threads';
import { entry } from '../threads/entry.ts';
import type { Site } from '../model/site.ts';
import type { FromWorker, ToWorker, WorkerStart } from '../model/wire.ts';
import type { Io } from './io.ts';

/** A thread that asks the site; it can be started again after its death. */
export interface CollectorThread {
  send(message: ToWorker): void;
  /** Starts the thread, or starts it again; nothing happens while one lives. */
  start(): void;
  /** Ends it: asked first, after a second by force. */
  close(): Promise<void>;
}

export interface CollectorThreadOptions {
  /** The read-only entry holds no remedy code. */
  readOnly: boolean;
  /** What it asks, when that is known: the thread loads its modules meanwhile. A rejection is the caller's to tell. */
  start: Promise<WorkerStart>;
  log(line: string): void;
  receive(message: FromWorker): void;
  /** It died, and why; not called for `close`. */
  died(why: string): void;
}

const GRACE_MS = 1000;

/** V8 lets garbage pile up in proportion to what it may use: room for a site of many thousand nodes, not for the machine's. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 768 };

/**
 * The collecting thread behind the wire of src/model/wire.ts. Its stdout and stderr go to the log: what a library
 * prints there must never reach the screen.
 */
export const createCollectorThread = (options: CollectorThreadOptions): CollectorThread => {
  const { log, receive, died } = options;
  let worker: Worker | undefined;
  let closing = false;

  const begin = (): Worker => {
    const { url, argv } = entry(options.readOnly ? 'worker-readonly' : 'worker');
    const made = new Worker(url, {
      argv: [...argv],
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
    });
    let why = '';
    for (const stream of [made.stdout, made.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => text.split('\n').filter(Boolean).forEach(log));
    }
    made.on('message', (message: FromWorker) => {
      if (message.type === 'log') log(message.line);
      else receive(message);
    });
    made.on('messageerror', (error) => log(`collector: a message could not be read: ${error.message}`));
    made.on('error', (error: unknown) => {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      why = message;
      log(`collector: ${stack || message}`);
    });
    made.on('exit', (code) => {
      if (worker === made) worker = undefined;
      if (!closing) died(why || `it ended with code ${code}`);
    });
    options.start.then(
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
      (start) => made.postMessage({ type: 'start', start } satisfies ToWorker),
      () => undefined,
    );
    return made;
  };

  return {
    // A message to a thread that just died is dropped: its mirror hears of the death at once.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    send: (message) => worker?.postMessage(message),
    start: () => {
      worker ??= begin();
    },
    close: async () => {
      closing = true;
      const ending = worker;
      if (!ending) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
      ending.postMessage({ type: 'stop' } satisfies ToWorker);
      const timer = setTimeout(() => void ending.terminate(), GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
};

/** What a thread is told: plain data, so the site's questions are left out. */
export const workerStart = (site: Site, env: Io['env'], demo: boolean): WorkerStart => ({
  // The parse edge: a SiteView is a Site with functions, and functions can't be sent.
  site: Object.fromEntries(
    Object.entries(site).filter(([, value]) => typeof value !== 'function'),
  ) as unknown as Site,
  env: Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  ),
  history: demo ? 'memory' : 'disk',
});
