import { parentPort, workerData } from 'node:worker_threads';
import { doParseJob } from '../collect/parse-job.ts';
import { transferableBuffers, type ParseThreadStart } from '../collect/parse-thread.ts';
import { lowerPriority } from './tuning.ts';
import { viewOf } from '../site/view.ts';
import { systems } from '../registries/systems.ts';

lowerPriority();
// The parent wrote this in `createParseThread`.
const { job, site } = workerData as ParseThreadStart;
const done = doParseJob(
  job,
  systems.flatMap((system) => system.probes),
  viewOf(site),
);
parentPort?.postMessage(done, transferableBuffers(done.stdout, done.stderr));
