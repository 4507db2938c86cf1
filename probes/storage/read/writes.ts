import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ReadWrites } from '../readings.ts';

/** Major and minor number, name and eleven counters or more (Documentation/admin-guide/iostats.rst): the fifth to the eighth are of writes. */
const FIELDS = 14;

/** The writes of one line of `/proc/diskstats`; undefined where it is none. */
const writesOf = (line: string): { name: string; counts: readonly number[] } | undefined => {
  const cells = line.trim().split(/\s+/);
  const [name = '', ...counters] = cells.slice(2);
  const counts = counters.map(Number);
  const odd = counts.some((count) => !Number.isSafeInteger(count) || count < 0);
  return cells.length < FIELDS || odd ? undefined : { name, counts };
};

/**
 * Reads `/proc/uptime` and, below it, `/proc/diskstats`: what these disks together wrote since the host came up. Sectors are of 512 bytes
 * there, whatever the disk's own are.
 */
export const readWrites = (
  text: string,
  disks: ReadonlySet<string>,
): { writes: ReadWrites; notUnderstood: number } => {
  const [first = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const uptimeS = Number(/^(\d{1,12}\.\d\d) \d/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(uptimeS)) throw new NotThisFormat('no uptime above the counters of disks');
  const rows = lines.map(writesOf);
  const writes: ReadWrites = { uptimeS, writes: 0, kib: 0, ms: 0 };
  for (const row of rows) {
    if (!row || !disks.has(row.name)) continue;
    const [count = 0, , sectors = 0, ms = 0] = row.counts.slice(4);
    writes.writes += count;
    writes.kib += sectors / 2;
    writes.ms += ms;
  }
  return { writes, notUnderstood: rows.filter((row) => row === undefined).length };
};
