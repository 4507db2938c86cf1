import { Worker } from 'node:worker_threads';
import type { Site } from '../model/site.ts';
import type { Log } from '../model/ports.ts';
import type { ParseDone, ParseJob } from './parse-job.ts';
import { Unreadable } from './within-time.ts';

/** What the throwaway thread is started with. */
export interface ParseThreadStart {
  job: ParseJob;
  site: Site;
}

/** The file of a thread, and what it is told on its command line. */
export interface ThreadFile {
  url: URL;
  argv: readonly string[];
}

/** Reads one large answer somewhere else. */
export type ParseElsewhere = (job: ParseJob) => Promise<ParseDone>;

/** One answer may not take the machine down: the thread ends at this heap, in MB, and the source fails with the reason. */
const HEAP_LIMIT = 1024;

/** A second for each MB, and a few for the thread to begin: two that hang must not keep the others waiting. In ms. */
const deadlineOf = ({ stdout, stderr }: ParseJob['answer']): number =>
  Math.min(30_000, 5000 + Math.round((stdout.byteLength + stderr.byteLength) / 1000));

/**
 * Reads large answers in a thread of their own that ends afterwards: measured, it keeps the polls of the others at 2 ms instead
 * of 300 and gives its memory back. At most two at a time. Rejects when the thread dies; with Unreadable when the answer made it end.
 */
export const createParseThread = (file: ThreadFile, site: Site, log: Log): ParseElsewhere => {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (busy >= 2) await new Promise<void>((resolve) => waiting.push(resolve));
    busy += 1;
  };
  const leave = (): void => {
    busy -= 1;
    waiting.shift()?.();
  };
  return async (job) => {
    await enter();
    try {
      return await inThread(file, { job, site }, log);
    } finally {
      leave();
    }
  };
};

const inThread = ({ url, argv }: ThreadFile, start: ParseThreadStart, log: Log): Promise<ParseDone> =>
  new Promise((resolve, reject) => {
    const { stdout, stderr } = start.job.answer;
    const deadlineMs = deadlineOf(start.job.answer);
    const worker = new Worker(url, {
      argv: [...argv],
      workerData: start,
      transferList: transferableBuffers(stdout, stderr),
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT },
    });
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      void worker.terminate();
      finish();
    };
    const timer = setTimeout(
      () => end(() => reject(new Unreadable(`not done within ${Math.round(deadlineMs / 1000)} s`))),
      deadlineMs,
    );
    worker.stdout.on('data', (chunk) => log(`parse thread: ${String(chunk)}`));
    worker.stderr.on('data', (chunk) => log(`parse thread: ${String(chunk)}`));
    worker.once('message', (done: ParseDone) => end(() => resolve(done)));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end(() =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new Unreadable(`it takes more than ${HEAP_LIMIT} MB of memory`)
            : error,
        ),
      ),
    );
    worker.once('exit', () => end(() => reject(new Error('the parsing thread ended without an answer'))));
  });

/** Buffers that belong to one stream alone can be handed over; a slice of a shared pool is copied instead. */
export const transferableBuffers = (...streams: readonly Uint8Array[]): ArrayBuffer[] => [
  ...new Set(
    streams
      .filter((stream) => stream.byteLength > 0 && stream.byteLength === stream.buffer.byteLength)
      .map((stream) => stream.buffer)
      .filter((buffer) => buffer instanceof ArrayBuffer),
  ),
];
