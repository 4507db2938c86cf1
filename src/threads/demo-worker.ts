import { parentPort, workerData } from 'node:worker_threads';
import type { DemoOptions, FromDemo, ToDemo } from '../demo/messages.ts';
import { createSimulators } from '../registries/simulators.ts';
import { startSite, type DemoSite } from '../demo/site.ts';

const send = (message: FromDemo): void => parentPort?.postMessage(message);

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const serve = async (site: DemoSite, message: ToDemo): Promise<void> => {
  const { id } = message;
  try {
    if (message.type === 'start') site.start(message.incident);
    if (message.type === 'fault') await site.fault(message.host, message.fault);
    if (message.type === 'edits') site.edit(message.host, message.edits);
    if (message.type === 'close') await site.close();
    send(message.type === 'calls' ? { type: 'reply', id, value: site.calls() } : { type: 'reply', id });
  } catch (error) {
    send({ type: 'failed', id, message: text(error) });
  }
  if (message.type === 'close') parentPort?.close();
};

// The parse edge: what start.ts handed over.
const options = workerData as DemoOptions;
try {
  const site = await startSite(createSimulators(options), options.incident);
  parentPort?.on('message', (message: ToDemo) => void serve(site, message));
  send({ type: 'ready', folder: site.folder, siteFile: site.siteFile });
} catch (error) {
  send({ type: 'failed', message: text(error) });
}
