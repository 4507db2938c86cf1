import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Point, Track } from '../model/reading.ts';
import { tidySlice } from './history-tidy.ts';
import { restore, store } from './history-store.ts';

/** The history's file, open. Methods throw what SQLite throws; `history-open.ts` turns that into badges. */
export interface Database {
  /** Gives what was news: all others stand there already. */
  record(tracks: readonly Track[], at: number): readonly Track[];
  changes(series: string, since: number): readonly Point[];
  listChanged(prefix: string, since: number): readonly { series: string; points: readonly Point[] }[];
  tidy(now: number): void;
  close(): void;
}

/**
 * Several consoles share one file: a lock held by another is waited for this long, in ms, while the thread stands still. Once, when the
 * file is opened, it may be longer.
 */
const BUSY = 50;
const BUSY_OPENING = 1000;

/** Opens or makes the file. Throws when it can't be opened, or is corrupt or no history. `limit` in bytes. */
export const openDatabase = (file: string, limit: number): Database => {
  const database = openFile(file);
  const { findSeries, addSeries, latest, insert, points, withPrefix } = statementsOf(database);
  const ids = new Map<string, bigint>();
  const last = new Map<string, Track['value']>();
  const idOf = (name: string): bigint => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const row = findSeries.get(name) ?? addSeries.get(name);
    const id = BigInt(Number(row?.['id']));
    ids.set(name, id);
    return id;
  };
  /** Another console may have written the same change already: the file decides, not our memory. */
  const isNews = (id: bigint, value: Track['value']): boolean => {
    const row = latest.get(id);
    return row === undefined || restore(row['kind'], row['value']) !== value;
  };
  const pointsOf = (id: bigint, since: number): readonly Point[] =>
    points
      .all({ series: id, since })
      .map((row) => ({ at: Number(row['at']), value: restore(row['kind'], row['value']) }));

  return {
    record: (tracks, at) => {
      const news = tracks.filter(({ series, value }) => last.get(series) !== value);
      if (news.length === 0) return news;
      inTransaction(
        database,
        () => {
          for (const { series, value } of news) {
            const stored = store(value);
            const id = idOf(series);
            if (stored && isNews(id, value)) insert.run(id, at, stored.kind, stored.value);
          }
        },
        () => ids.clear(),
      );
      for (const { series, value } of news) last.set(series, value);
      return news;
    },
    changes: (series, since) => {
      const row = findSeries.get(series);
      return row === undefined ? [] : pointsOf(BigInt(Number(row['id'])), since);
    },
    listChanged: (prefix, since) =>
      withPrefix
        .all({ prefix, end: `${prefix}\u{10FFFF}`, since })
        .map((row) => ({ series: String(row['name']), points: pointsOf(BigInt(Number(row['id'])), since) })),
    tidy: (now) => tidySlice(database, now, limit),
    close: () => database.close(),
  };
};

const openFile = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: BUSY_OPENING });
  try {
    prepareDatabase(database);
    checkDatabase(database);
    database.exec(`PRAGMA busy_timeout = ${BUSY}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const statementsOf = (database: DatabaseSync) => {
  const prepare = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    findSeries: prepare('SELECT id FROM series WHERE name = ?'),
    addSeries: prepare(
      'INSERT INTO series (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING id',
    ),
    latest: prepare('SELECT kind, value FROM points WHERE series = ? ORDER BY at DESC LIMIT 1'),
    insert: prepare('INSERT OR REPLACE INTO points (series, at, kind, value) VALUES (?, ?, ?, ?)'),
    points: prepare(`
      SELECT at, kind, value FROM rolled WHERE series = $series AND at >= $since
      UNION ALL SELECT at, kind, value FROM points WHERE series = $series AND at >= $since
      ORDER BY at`),
    withPrefix: prepare(`
      SELECT id, name FROM series WHERE name >= $prefix AND name < $end AND (
        EXISTS (SELECT 1 FROM points WHERE series = id AND at >= $since)
        OR EXISTS (SELECT 1 FROM rolled WHERE series = id AND at >= $since)) ORDER BY name`),
  };
};

const inTransaction = (database: DatabaseSync, work: () => void, undone: () => void): void => {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    undone();
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself after some errors; the first error is the one to tell.
    }
    throw error;
  }
};

/**
 * Changed values only, key (series, at): 120 MB a day where every sample would take 1.2 GB (measured).
 * `kind` says what `value` is, see history-values.ts. WAL lets several consoles of one machine share the file.
 */
const prepareDatabase = (database: DatabaseSync): void => {
  database.exec(`
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -8000;
    CREATE TABLE IF NOT EXISTS series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS points (
      series INTEGER NOT NULL, at INTEGER NOT NULL, kind INTEGER NOT NULL, value,
      PRIMARY KEY (series, at)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS rolled (
      series INTEGER NOT NULL, bucket INTEGER NOT NULL, at INTEGER NOT NULL, kind INTEGER NOT NULL, value,
      PRIMARY KEY (series, bucket)
    ) WITHOUT ROWID;
  `);
};

/** Deliberately no version table: the layout is checked by using it once. Throws when the file is not one of ours. */
const checkDatabase = (database: DatabaseSync): void => {
  database.prepare('SELECT id, name FROM series LIMIT 1').get();
  database.prepare('SELECT series, at, kind, value FROM points LIMIT 1').get();
  database.prepare('SELECT series, bucket, at, kind, value FROM rolled LIMIT 1').get();
};
