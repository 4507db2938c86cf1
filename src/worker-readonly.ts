import { startWorker } from './worker-start.ts';

await startWorker({ readOnly: true });
