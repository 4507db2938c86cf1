import type { DatabaseSync } from 'node:sqlite';
import { BUCKET, KEEP, ROLL_AFTER, numericKinds } from './history-store.ts';

/** Series a slice looks at: one statement over a day's points took 280 ms (measured), so never all. */
const SERIES = 50;
const PAGES = 256;
/** An hour of 30 days: less is no history. */
const LEAST = 1 / 720;

/** Where the last slice stopped, and which share of the usual time is kept, for each open file. */
const progress = new WeakMap<DatabaseSync, { reached: number; share: number }>();

/**
 * One slice: rolls up and prunes a few series, gives back a few pages. A file over its limit keeps a fifth less after each round
 * over all series, until it is below. Two consoles may do the same slice: every statement can be repeated.
 */
export const tidySlice = (database: DatabaseSync, now: number, limit: number): void => {
  const { reached, share } = progress.get(database) ?? { reached: 0, share: 1 };
  const rows = database
    .prepare('SELECT id FROM series WHERE id > ? ORDER BY id LIMIT ?')
    .all(reached, SERIES);
  const ids = rows.map((row) => Number(row['id']));
  progress.set(
    database,
    ids.length < SERIES
      ? { reached: 0, share: nextShare(share, size(database) / limit) }
      : { reached: ids.at(-1) ?? 0, share },
  );
  const cutoff = Math.floor((now - ROLL_AFTER * share) / BUCKET) * BUCKET;
  const oldest = now - KEEP * share;
  const kinds = numericKinds.join(',');
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

/** The share of the usual time to keep from now on, by how full it is (1: at its limit). */
export const nextShare = (share: number, fill: number): number => {
  if (fill > 1) return Math.max(LEAST, share * 0.8);
  return fill < 0.7 ? Math.min(1, share * 1.05) : share;
};

const pragma = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);

/** Bytes in use, free pages not counted. */
const size = (database: DatabaseSync): number =>
  (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size');
