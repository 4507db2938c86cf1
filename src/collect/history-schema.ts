import type { DatabaseSync } from 'node:sqlite';

/**
 * Changed values only, key (series, at): 120 MB a day where every sample would take 1.2 GB (measured).
 * `kind` says what `value` is, see values.ts. WAL lets several consoles of one machine share the file.
 */
export const prepareDatabase = (database: DatabaseSync): void => {
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
export const checkDatabase = (database: DatabaseSync): void => {
  database.prepare('SELECT id, name FROM series LIMIT 1').get();
  database.prepare('SELECT series, at, kind, value FROM points LIMIT 1').get();
  database.prepare('SELECT series, bucket, at, kind, value FROM rolled LIMIT 1').get();
};
