import { NotThisFormat } from '../../../src/model/errors.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { isMap, mapOf, numberIn, readLooseJson, textIn, type JsonMap } from './json.ts';
import type { Zpool } from './parse-zpool.ts';
import { squeeze, wholeNumber } from './words.ts';
import { counters, sections, type Pool, type Scan, type Vdev, type VdevClass } from './zpool-tree.ts';

const scanStates: Readonly<Record<string, Scan['state']>> = {
  SCANNING: 'inProgress',
  FINISHED: 'finished',
  CANCELED: 'canceled',
  NONE: 'none',
};

/** Of sequential rebuilds, which stand by vdev in `rebuild_stats` beside the scan (OpenZFS, zpool_main.c). */
const rebuildStates: Readonly<Record<string, Scan['state']>> = {
  ACTIVE: 'inProgress',
  COMPLETE: 'finished',
  CANCELED: 'canceled',
};

const smallErrors = (stats: JsonMap): number | undefined => {
  const errors = numberIn(stats, 'errors');
  return typeof errors === 'number' ? errors : undefined;
};

/** The rebuild that runs; where the pool was never scanned otherwise, any. */
const rebuildOf = (stats: JsonMap): Scan | undefined => {
  const rebuilds = Object.values(mapOf(stats['rebuild_stats'])).map(mapOf);
  const stateOf = (rebuild: JsonMap): Scan['state'] => rebuildStates[textIn(rebuild, 'state') ?? ''];
  const running = rebuilds.find((rebuild) => stateOf(rebuild) === 'inProgress');
  const rebuild = running ?? (stats['function'] === undefined ? rebuilds.find(stateOf) : undefined);
  return rebuild === undefined
    ? undefined
    : dropUndefined({ function: 'resilver', state: stateOf(rebuild), errors: smallErrors(rebuild) });
};

/** `scrub_pause` is `-` (with --json-int 0), or a date while the state stays SCANNING. */
const scanOf = (stats: unknown): Scan | undefined => {
  if (!isMap(stats)) return undefined;
  const printed = textIn(stats, 'state');
  const pause = textIn(stats, 'scrub_pause');
  const paused = printed === 'SCANNING' && pause !== undefined && pause !== '0';
  const rebuild = printed === 'SCANNING' ? undefined : rebuildOf(stats);
  if (rebuild) return rebuild;
  return dropUndefined({
    function: textIn(stats, 'function')?.toLowerCase(),
    state: paused ? ('paused' as const) : scanStates[printed ?? ''],
    errors: smallErrors(stats),
  });
};

/** With --json-int the counters are numbers, else text. */
const countersOf = (row: JsonMap): ReturnType<typeof counters> =>
  counters(['read_errors', 'write_errors', 'checksum_errors'].map((key) => textIn(row, key)));

const isAbsent = (row: JsonMap): true | undefined => {
  const value = row['not_present'];
  return value === undefined || value === '0' || value === 0 || value === false ? undefined : true;
};

const rowOf = (row: JsonMap, kind: VdevClass, parent: string | undefined): Vdev | undefined => {
  const name = textIn(row, 'name');
  if (name === undefined) return undefined;
  const known = dropUndefined({
    type: textIn(row, 'vdev_type'),
    state: textIn(row, 'state'),
    parent,
    path: textIn(row, 'path'),
    notPresent: isAbsent(row),
  });
  return { name, class: kind, ...known, ...countersOf(row) };
};

/** A row and all below it, in order. The depth of the text was bounded before. */
const rowsOf = (rows: unknown, kind: VdevClass, parent?: string): Vdev[] =>
  Object.values(mapOf(rows)).flatMap((value) => {
    const row = isMap(value) ? rowOf(value, kind, parent) : undefined;
    return row && isMap(value) ? [row, ...rowsOf(value['vdevs'], kind, row.name)] : [];
  });

const poolOf = (pool: JsonMap): Pool[] => {
  const name = textIn(pool, 'name');
  if (name === undefined) return [];
  const rest = Object.entries(sections).flatMap(([key, kind]) => rowsOf(pool[key], kind));
  const known = dropUndefined({
    state: textIn(pool, 'state'),
    guid: textIn(pool, 'pool_guid'),
    status: squeeze(textIn(pool, 'status')),
    action: squeeze(textIn(pool, 'action')),
    see: textIn(pool, 'moreinfo'),
    msgid: textIn(pool, 'msgid'),
    errorCount: wholeNumber(textIn(pool, 'error_count')),
    scan: scanOf(pool['scan_stats']),
  });
  return [{ name, ...known, vdevs: [...rowsOf(pool['vdevs'], 'data'), ...rest] }];
};

/** Reads `zpool status -j`: pools by name, each with its tree. */
export const readZpoolJson = (text: string): Zpool => {
  const { value, duplicateKeys } = readLooseJson(text);
  const { pools } = mapOf(value);
  if (!isMap(pools)) throw new NotThisFormat('no pools in this JSON');
  const read = Object.values(pools).flatMap((pool) => (isMap(pool) ? poolOf(pool) : []));
  const skipped = Object.keys(pools).length - read.length;
  return {
    pools: read,
    ...(duplicateKeys.length > 0 && { duplicateKeys: [...duplicateKeys] }),
    ...(skipped > 0 && { notUnderstood: skipped }),
  };
};
