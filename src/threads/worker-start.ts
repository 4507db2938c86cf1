import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerStart } from '../model/wire.ts';
import { assemble, type Assembled } from '../assemble/assemble.ts';
import { limitMemory, lowerPriority } from './tuning.ts';
import { systemsOn } from '../collect/on-site.ts';
import { createSession, type SessionExtras } from '../collect/session.ts';
import { showLife } from '../collect/doing.ts';
import { gatherAnswers } from '../collect/within-time.ts';
import type { SiteView } from '../model/site.ts';
import { viewOf } from '../site/view.ts';
import { systems } from '../registries/systems.ts';

/** Nobody sees a row come so much later, and at 100 answers a second a call for each of them costs three times as much, ms. */
const GATHER_MS = 20;

/** What goes on beside the asking is tied to the collector here: the remedies, or only what is read of those of others. */
export type Extend = (
  assembled: Assembled,
  start: Omit<WorkerStart, 'site'> & { site: SiteView },
  log: (line: string) => void,
) => Promise<SessionExtras>;

/**
 * Runs the collecting thread: waits for `start`, asks the site, talks over the parent's port until `stop`. It may be made before
 * the site is known: its modules load meanwhile. What goes wrong before its first message ends it with an error, which the parent shows.
 */
export const startWorker = async (options: { readOnly: boolean; extend: Extend }): Promise<void> => {
  const port = parentPort;
  if (!port) throw new Error('this file is a worker: it is started by the console');
  lowerPriority();
  limitMemory();
  gatherAnswers(GATHER_MS);
  if (workerData instanceof SharedArrayBuffer) showLife(workerData);
  const early: ToWorker[] = [];
  const startMessage = Promise.withResolvers<Extract<ToWorker, { type: 'start' }> | undefined>();
  let receive = (message: ToWorker): void => {
    if (message.type === 'start') startMessage.resolve(message);
    else early.push(message);
    if (message.type === 'stop') startMessage.resolve(undefined);
  };
  port.on('message', (message: ToWorker) => receive(message));
  // Loaded meanwhile: the first host needs it.
  void import('ssh2');
  const first = await startMessage.promise;
  if (!first) return port.close();
  const { start, choked = [] } = first;
  const send = (message: FromWorker): void => port.postMessage(message);
  const log = (line: string): void => send({ type: 'log', line });
  const site = viewOf(start.site);
  const assembled = await assemble({
    site,
    systems: systemsOn(systems, site),
    log,
    env: start.env,
    readOnly: options.readOnly,
    history: start.history,
  });
  const { collector, clock } = assembled;
  const extras = await options.extend(assembled, { ...start, site }, log);
  const session = createSession({ collector, clock, log, send, extras });
  choked.forEach(collector.giveRest);
  collector.start();
  receive = (message) => {
    if (message.type === 'start') return;
    if (message.type !== 'stop') return session.receive(message);
    session.close();
    // What is being done to a machine ends first: it still needs its connections.
    void extras
      .close()
      .then(() => assembled.close())
      .finally(() => port.close());
  };
  for (const message of early) receive(message);
};
