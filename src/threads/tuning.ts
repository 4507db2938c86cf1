import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** Behind the drawing thread, hardly behind other programs. */
const NICENESS = 5;

/**
 * Lets the drawing thread go first where there are fewer cores than threads with work: a key is answered in a frame while a hundred
 * answers are read. Linux alone has a priority for each thread (setpriority(2), "C library/kernel differences"); elsewhere, and where
 * /proc is not mounted, nothing changes.
 */
export const lowerPriority = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Keys may wait longer on a busy machine; nothing else depends on it.
  }
};

/**
 * Short buffers are cut from blocks of this size, and one that is kept holds its whole block: with Node's 64 kB the greetings of 100
 * hosts held 6 MB.
 */
const POOL = 8 * 1024;

/** By how much a heap may grow over what is alive before it is tidied, %. V8's own: 50 and more, up to 300. */
const GROWTH = 20;

/**
 * Keeps the memory of a console small: what hosts answer is read, judged and thrown away all day. The second holds for all threads
 * of the process.
 */
export const limitMemory = (): void => {
  Buffer.poolSize = POOL;
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
};
