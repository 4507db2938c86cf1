import { Script } from 'node:vm';

/** What hosts say is read within this time, ms: a thousand times what an ordinary answer takes. */
export const READ_MS = 2000;

/** What a host said could not be read within its bounds of time and memory. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}

/** Only a script of `node:vm` can be ended from outside, also within a regular expression. It finds its work here. */
const WORK = Symbol.for('faultline.work');
const script = new Script(`globalThis[Symbol.for('faultline.work')]()`);

/** Where the work did not have the processor for half of the time, the machine slept or has too much to do: it is begun again, so often. */
const TRIES = 3;

/** With so many times the first time at most. */
const LONGER = 10;

let running = false;

/**
 * Does the work, and ends it when it takes longer than `ms`, on a busy machine as much longer as it had to wait for the processor. Throws
 * what the work throws, or Unreadable. Costs 0.1 ms of CPU, so that what is little is better done together; within another work it costs
 * nothing, and that one's time holds. What is ended may be done again.
 */
export const runWithin = <T>(work: () => T, ms = READ_MS): T => {
  if (running) return work();
  let limitMs = ms;
  for (let tries = 1; ; tries += 1) {
    const before = process.threadCpuUsage();
    try {
      return inScript(work, limitMs);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'))
        throw error;
      const { user, system } = process.threadCpuUsage(before);
      const usedMs = (user + system) / 1000;
      if (tries === TRIES || usedMs > limitMs / 2)
        throw new Unreadable(`not done within ${Number((ms / 1000).toFixed(1))} s`);
      limitMs = Math.round(Math.min(ms * LONGER, (limitMs * 2 * ms) / Math.max(usedMs, 1)));
    }
  }
};

/**
 * Works under one deadline together, since each deadline costs 0.1 ms. When they do not end in it, they are done again, each under its own:
 * that finds the one which does not end.
 */
export const runTogetherWithin = <T>(works: () => T, ms: number): T => {
  try {
    return runWithin(works, ms);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return works();
  }
};

const inScript = <T>(work: () => T, ms: number): T => {
  let done: { value: T } | undefined;
  running = true;
  Reflect.set(globalThis, WORK, () => {
    done = { value: work() };
  });
  try {
    script.runInThisContext({ timeout: ms, displayErrors: false });
  } finally {
    running = false;
    Reflect.deleteProperty(globalThis, WORK);
  }
  if (!done) throw new Error('the work did not run');
  return (done as { value: T }).value;
};

/** So long what came in together is read in one go, ms: then keys and other hosts have their turn. */
const TURN_MS = 50;

interface Waiting {
  run(): void;
  fail(error: Unreadable): void;
}

const waiting: Waiting[] = [];

let gatherMs = 0;

/** From now on this thread waits so long for more answers before it reads them together, ms: one at a time each costs 0.1 ms more. */
export const gatherAnswers = (ms: number): void => {
  gatherMs = ms;
};

/** What is being read; it alone is given up when the time is over. */
let current: Waiting | undefined;

const readWaiting = (): void => {
  const began = performance.now();
  try {
    runWithin(() => {
      while ((current ??= waiting.shift())) {
        current.run();
        current = undefined;
        if (performance.now() - began > TURN_MS) break;
      }
    }, READ_MS + TURN_MS);
  } catch (error) {
    const unreadable = error instanceof Unreadable ? error : new Unreadable(String(error));
    current?.fail(unreadable);
    current = undefined;
  }
  if (waiting.length > 0) setImmediate(readWaiting);
};

/** Does the work with all that came in during the same turn of the event loop, or while answers are gathered. Rejects with what it throws, or with Unreadable. */
export const runInTurn = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    const run = (): void => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    waiting.push({ run, fail: reject });
    if (waiting.length > 1) return;
    if (gatherMs > 0) setTimeout(readWaiting, gatherMs);
    else setImmediate(readWaiting);
  });
