import type { DatabaseSync } from 'node:sqlite';
import { BUCKET, DAY, KEEP, ROLL_AFTER } from './history-store.ts';
import { numeric } from './history-values.ts';

/** Series a slice looks at: one statement over a day's points took 280 ms (domain/spike.md section 3), so never all. */
const SERIES = 50;
const PAGES = 256;

/** Where the last slice stopped, for each open file. */
const reached = new WeakMap<DatabaseSync, number>();

/**
 * One slice: rolls up and prunes a few series, gives back a few pages. A file over its limit keeps fewer days, as many as it
 * takes. Two consoles may do the same slice: every statement can be repeated.
 */
export const tidySlice = (database: DatabaseSync, now: number, limit: number): void => {
  const from = reached.get(database) ?? 0;
  const rows = database.prepare('SELECT id FROM series WHERE id > ? ORDER BY id LIMIT ?').all(from, SERIES);
  const ids = rows.map((row) => Number(row['id']));
  reached.set(database, ids.length < SERIES ? 0 : (ids.at(-1) ?? 0));
  const share = Math.min(1, limit / Math.max(1, size(database)));
  // Halved once more below the limit's share, so that a full file gets clear of its limit rather than staying at it.
  const squeeze = share < 1 ? share / 2 : 1;
  const cutoff = Math.floor((now - ROLL_AFTER * squeeze) / BUCKET) * BUCKET;
  const oldest = now - Math.max(DAY / 24, KEEP * squeeze);
  const kinds = numeric.join(',');
  const roll = database.prepare(`
    INSERT OR REPLACE INTO rolled (series, bucket, at, kind, value)
    SELECT series, at / ${BUCKET} AS slot, max(at), kind, value FROM points
    WHERE series = ? AND at < ? AND kind IN (${kinds}) GROUP BY slot`);
  const dropRolled = database.prepare(
    `DELETE FROM points WHERE series = ? AND at < ? AND kind IN (${kinds})`,
  );
  // The newest state stays, however old: it says since when things are as they are.
  const dropPoints = database.prepare(`
    DELETE FROM points WHERE series = $series AND at < $oldest
    AND at < (SELECT max(at) FROM points WHERE series = $series)`);
  const dropOld = database.prepare('DELETE FROM rolled WHERE series = ? AND at < ?');
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const id of ids) {
      roll.run(id, cutoff);
      dropRolled.run(id, cutoff);
      dropPoints.run({ series: id, oldest });
      dropOld.run(id, oldest);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
  database.exec(`PRAGMA incremental_vacuum(${PAGES})`);
};

const pragma = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);

/** Bytes in use, free pages not counted. */
const size = (database: DatabaseSync): number =>
  (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size');
