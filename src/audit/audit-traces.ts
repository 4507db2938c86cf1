import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Copies of the lines of what was begun and has not ended; it stands there as soon as records may be written. */
export const begunFile = (file: string): string => join(dirname(file), 'begun.jsonl');

/** `sealed-3` beside the log: where the third log that was sealed lies, with its head. */
export const sealedFolder = (file: string, number: number): string => join(dirname(file), `sealed-${number}`);

/** What stands in a log's folder only when a Faultline that may act was at work there. */
export interface Traces {
  /** The file of what was begun: since then nothing of log and head may be missing. */
  begun: boolean;
  /** The lock of the log itself: it is made a moment before the log was, or a moment after. */
  lock: boolean;
  /** Numbers of the sealed logs. */
  sealed: readonly number[];
  /** None of these, no log, no head: nothing was ever begun here. */
  none: boolean;
}

/** History and events are no traces: `status` and the wall leave them, too. Rejects when the folder is there and cannot be read. */
export const tracesOf = async (file: string): Promise<Traces> => {
  const names = await readdir(dirname(file)).catch((error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const sealed = names.flatMap((name) => /^sealed-(\d{1,6})$/.exec(name)?.[1] ?? []).map(Number);
  const ours = new Set([file, `${file}.head`, `${file}.lock`, begunFile(file)].map((one) => basename(one)));
  return {
    begun: names.includes(basename(begunFile(file))),
    lock: names.includes(`${basename(file)}.lock`),
    sealed: sealed.sort((a, b) => a - b),
    none: sealed.length === 0 && !names.some((name) => ours.has(name)),
  };
};
