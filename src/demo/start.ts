import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { entry } from '../threads/entry.ts';
import type { Log } from '../model/ports.ts';
import type { Incident } from '../model/simulator.ts';
import { nearestWord } from '../text/nearest.ts';
import type { DemoOptions, Edit, FromDemo, HostFault, LoggedCall, ToDemo } from './messages.ts';
import { createSimulators } from '../registries/simulators.ts';

export type { HostFault, LoggedCall } from './messages.ts';

/** A demo site in a thread of its own. */
export interface Demo {
  /** Its site file, for `loadSite`. */
  siteFile: string;
  /** The private folder with site file, ssh_config, known_hosts and key; gone after `close`. */
  folder: string;
  /** Every command the simulated hosts ran so far, oldest first. */
  calls(): Promise<readonly LoggedCall[]>;
  /** Puts one more incident in place. */
  start(incident: string): Promise<void>;
  /** Puts a fault of a whole host in place; `fine` takes it away. */
  fault(host: string, fault: HostFault): Promise<void>;
  /** Changes what a device prints from now on; without changes it prints as its simulator does. */
  edit(host: string, ...edits: readonly Edit[]): Promise<void>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** One of `incidents()`; default `night`. */
  incident?: string;
  /** Compute nodes; default as the simulators have it. */
  nodes?: number;
  log: Log;
}

/** The incidents of all systems, then `night` and `quiet`. */
export const incidents = (): Incident[] => {
  const own = createSimulators().flatMap((simulator) => simulator.incidents);
  const general = [
    { name: 'night', text: 'everything at once' },
    { name: 'quiet', text: 'nothing is wrong' },
  ];
  const all = [...own, ...general];
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
};

/**
 * Starts the demo site: simulated hosts behind real SSH servers on 127.0.0.1, and a site file that names them.
 * Throws RangeError for an incident that nobody knows, Error when the thread can't start.
 */
export const startDemo = async ({ incident = 'night', nodes, log }: StartOptions): Promise<Demo> => {
  checkIncident(incident);
  const options: DemoOptions = { incident, ...(nodes !== undefined && { nodes }) };
  const { worker, ready, ended, ask } = startThread(options, log);
  const { folder, siteFile } = await ready;
  // The thread removes its folder itself; this is for a process that ends without closing the demo.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    folder,
    siteFile,
    calls: () => ask({ type: 'calls' }),
    start: async (name) => {
      checkIncident(name);
      await ask({ type: 'start', incident: name });
    },
    fault: async (host, fault) => void (await ask({ type: 'fault', host, fault })),
    edit: async (host, ...edits) => void (await ask({ type: 'edits', host, edits })),
    close: async () => {
      await Promise.race([ask({ type: 'close' }).catch(() => undefined), ended]);
      await worker.terminate();
      process.off('exit', remove);
      remove();
    },
  };
};

/** Starts the thread; `ask` sends it a message and waits for the reply. */
const startThread = (options: DemoOptions, log: Log) => {
  const { url, argv } = entry('demo-worker');
  const worker = new Worker(url, { argv: [...argv], workerData: options, stdout: true, stderr: true });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => log(`demo: ${text.trimEnd()}`));
  }
  const waiting = new Map<
    number,
    { resolve(value: readonly LoggedCall[]): void; reject(error: Error): void }
  >();
  const ready = Promise.withResolvers<{ folder: string; siteFile: string }>();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let dead: Error | undefined;
  const fail = (error: Error): void => {
    dead = error;
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (message: FromDemo) => {
    if (message.type === 'ready') return ready.resolve(message);
    if (message.type === 'failed' && message.id === undefined) return fail(new Error(message.message));
    const request = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    if (message.type === 'failed') request?.reject(new Error(message.message));
    else request?.resolve(message.value ?? []);
  });
  worker.on('error', (error) => {
    log(`demo: the demo's thread failed: ${String(error)}`);
    fail(new Error('the demo site stopped', { cause: error }));
  });
  worker.on('exit', () => fail(new Error('the demo site has ended')));
  let count = 0;
  const ask = (message: Unnumbered<ToDemo>): Promise<readonly LoggedCall[]> =>
    new Promise((resolve, reject) => {
      if (dead) return reject(dead);
      count += 1;
      waiting.set(count, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
      worker.postMessage({ ...message, id: count });
    });
  return { worker, ready: ready.promise, ended, ask };
};

type Unnumbered<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

const checkIncident = (incident: string): void => {
  const known = incidents().map(({ name }) => name);
  if (known.includes(incident)) return;
  const near = nearestWord(incident, known);
  throw new RangeError(
    `unknown incident "${incident}"; ${near ? `did you mean ${near}?` : `known are ${known.join(', ')}`}`,
  );
};
