import { execFile } from 'node:child_process';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import { answer } from './world.ts';

/** The shared host: a real sh on this machine, cut off after so long as a remote `timeout` does; 0: never. */
export const realShWithin =
  (timeout: number) =>
  ({ script }: RunRequest): Promise<RawAnswer> =>
    new Promise((resolve) => {
      execFile('sh', ['-c', script], { timeout, maxBuffer: 1e8 }, (error, stdout, stderr) => {
        const { exitCode: _, ...none } = answer();
        if (error?.killed) return resolve({ ...none, timedOut: true });
        resolve(answer({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }));
      });
    });
