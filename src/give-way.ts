import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** Behind the drawing thread, hardly behind other programs. */
const NICENESS = 5;

/**
 * Lets the drawing thread go first where there are fewer cores than threads with work: a key is answered in a frame while a hundred
 * answers are read. Linux alone has a priority for each thread (setpriority(2), "C library/kernel differences"); elsewhere, and where
 * /proc is not mounted, nothing changes.
 */
export const giveWay = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Keys may wait longer on a busy machine; nothing else depends on it.
  }
};
