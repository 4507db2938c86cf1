import { parentPort, workerData } from 'node:worker_threads';
import { systemsOn } from '../collect/on-site.ts';
import { doParseJob } from '../collect/parse-job.ts';
import { transferableBuffers, type ParseThreadStart } from '../collect/parse-thread.ts';
import { lowerPriority } from './tuning.ts';
import { viewOf } from '../site/view.ts';
import { systems } from '../registries/systems.ts';

lowerPriority();
// The parent wrote this in `createParseThread`.
const { job, site } = workerData as ParseThreadStart;
const view = viewOf(site);
const done = doParseJob(
  job,
  systemsOn(systems, view).flatMap((system) => system.probes),
  view,
);
parentPort?.postMessage(done, transferableBuffers(done.stdout, done.stderr));
