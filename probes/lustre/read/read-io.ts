import { dropUndefined } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import { groupParams, mountedFrom } from './parse-params.ts';
import type { IoReading } from '../readings.ts';

type Times = IoReading['osts'][number]['times'];

const scales: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1_048_576 };

/** `64:   12   3  40   |   5   1  90`: of reads, then of writes the count, its share, the share so far. */
const row = /^\s*(\d+)([KM]?):\s+(\d+)\s+\d+\s+\d+\s+\|\s+(\d+)\s+\d+\s+\d+\s*$/;

/**
 * The table "I/O time (1/1000s)" among those of `brw_stats` (display_brw_stats, lustre/osd-ldiskfs and osd-zfs osd_lproc.c): each
 * row counts those that took so long at most and longer than the row before (lprocfs_oh_tally_log2).
 */
const timesIn = (text: string): Times => {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('I/O time '));
  const perSecond = Number(/\(1\/(\d+)s\)/.exec(lines[at] ?? '')?.[1] ?? 0);
  if (perSecond === 0) return [];
  const times: Times = [];
  for (const line of lines.slice(at + 1)) {
    const [, count, scale = '', reads, writes] = row.exec(line) ?? [];
    if (count === undefined) break;
    const ms = (Number(count) * (scales[scale] ?? 1) * 1000) / perSecond;
    times.push({ ms, reads: Number(reads), writes: Number(writes) });
  }
  return times;
};

/** What an OSS said of its OSTs' disks and the time that these take; releases and backends that do not count it say nothing. */
export const readIo = ({
  params,
  failed,
  notUnderstood,
}: Read): { value: IoReading; notUnderstood: number } => ({
  value: {
    denied: params.denied ?? [],
    failed: [...failed],
    osts: [...groupParams(params, /^osd-[a-z]+\.(.+-OST[0-9a-f]{4,})\.(brw_stats|mntdev)$/i)].map(
      ([name, values]) => ({
        name,
        ...dropUndefined({ mountedFrom: mountedFrom(values) }),
        times: timesIn(values.get('brw_stats') ?? ''),
      }),
    ),
  },
  notUnderstood,
});
