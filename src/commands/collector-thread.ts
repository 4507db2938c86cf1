import { Worker } from 'node:worker_threads';
import { createBoard, watchLife } from '../collect/doing.ts';
import { restPause } from '../collect/pace.ts';
import { entry, type Entry } from '../threads/entry.ts';
import type { Site } from '../model/site.ts';
import type { Choked, Doing, FromWorker, ToWorker, WorkerStart } from '../model/wire.ts';
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
  /** It died, and why; not called for `close`. `silent`: it stood still and was ended: nothing speaks against starting it again. */
  onDied(why: string, silent: boolean): void;
  /** Tests hold these. */
  file?: Entry;
  lookMs?: number;
}

const GRACE_MS = 1000;

/** V8 lets garbage pile up in proportion to what it may use: room for a site of many thousand nodes, not for the machine's. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 768 };

/**
 * The collecting thread behind the wire of src/model/wire.ts. Its stdout and stderr go to the log: what a library
 * prints there must never reach the screen.
 */
export const createCollectorThread = (options: CollectorThreadOptions): CollectorThread => {
  const { log, receive, onDied: died } = options;
  let worker: Worker | undefined;
  let closing = false;
  const choked = createChoked();

  const begin = (): Worker => {
    const { url, argv } = options.file ?? entry(options.readOnly ? 'worker-readonly' : 'worker');
    const board = createBoard();
    const made = new Worker(url, {
      argv: [...argv],
      workerData: board,
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
    });
    let [why, silent] = ['', false];
    const unwatch = watchLife(
      board,
      (at) => {
        silent = true;
        if (at) choked.add(at);
        why = `it stood still${at ? ` at ${at.probe} of ${at.host}` : ''}`;
        log(`collector: ${why}`);
        void made.terminate();
      },
      options.lookMs,
    );
    logOutput(made, log);
    made.on('message', (message: FromWorker) => {
      if (message.type === 'log') log(message.line);
      else receive(message);
    });
    made.on('error', (error: unknown) => {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      why = message;
      log(`collector: ${stack || message}`);
    });
    made.on('exit', (code) => {
      unwatch();
      if (worker === made) worker = undefined;
      if (!closing) died(why || `it ended with code ${code}`, silent);
    });
    options.start.then(
      (start) => post(made, { type: 'start', start, choked: choked.list() }),
      () => undefined,
    );
    return made;
  };

  return {
    // A message to a thread that just died is dropped: its mirror hears of the death at once.
    send: (message) => worker && post(worker, message),
    start: () => {
      worker ??= begin();
    },
    close: async () => {
      closing = true;
      if (worker) await endThread(worker);
    },
  };
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
const post = (worker: Worker, message: ToWorker): void => worker.postMessage(message);

const logOutput = (worker: Worker, log: (line: string) => void): void => {
  for (const stream of [worker.stdout, worker.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => text.split('\n').filter(Boolean).forEach(log));
  worker.on('messageerror', (error) => log(`collector: a message could not be read: ${error.message}`));
};

/** Asked first, then by force. */
const endThread = async (ending: Worker): Promise<void> => {
  const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
  post(ending, { type: 'stop' });
  const timer = setTimeout(() => void ending.terminate(), GRACE_MS);
  await ended;
  clearTimeout(timer);
};

/** What made threads stand still, until it may be asked again; the second time within two hours counts as in a row. */
const createChoked = () => {
  const known = new Map<string, Doing & { tries: number; at: number }>();
  return {
    add: ({ probe, host }: Doing): void => {
      const key = `${probe} ${host}`;
      const last = known.get(key);
      const at = performance.now();
      const tries = last && at - last.at < 2 * 3_600_000 ? last.tries + 1 : 1;
      known.set(key, { probe, host, tries, at });
    },
    list: (): readonly Choked[] =>
      [...known.values()].flatMap(({ at, ...one }) => {
        const restMs = restPause(one.tries) - (performance.now() - at);
        return restMs > 0 ? [{ ...one, restMs }] : [];
      }),
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
