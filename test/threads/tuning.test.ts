import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const BASE = getPriority();

it.runIf(process.platform === 'linux' && BASE === 0)(
  'a thread gives way, the one beside it does not',
  async () => {
    const module = new URL('../../src/threads/tuning.ts', import.meta.url).href;
    const code = `
    const { parentPort } = require('node:worker_threads');
    const { getPriority } = require('node:os');
    import(${JSON.stringify(module)}).then(({ lowerPriority }) => {
      lowerPriority();
      parentPort.postMessage(getPriority(Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1))));
    });`;
    const worker = new Worker(code, { eval: true });
    const [niceness] = await once(worker, 'message');
    expect(niceness).toBeGreaterThan(BASE);
    expect(getPriority(process.pid)).toBe(BASE);
    await worker.terminate();
  },
);
