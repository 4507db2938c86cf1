import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Track } from '../model/reading.ts';
import type { Log } from '../model/ports.ts';
import { recentQuestions } from './history-cache.ts';
import { openDatabase, type Database } from './history-database.ts';
import { memoryHistory } from './history-memory.ts';
import { readMountinfo, statePlace } from './history-place.ts';
import type { HistoryStore } from './history-store.ts';

export interface HistorySetup {
  env: Readonly<Record<string, string | undefined>>;
  uid: number;
  site: string;
  log: Log;
  /** UTC ms, for the name under which a corrupt file is kept. */
  now(): number;
  /** Bytes; by default 2 GB. */
  limit?: number;
  /** Used in place of /proc/self/mountinfo and /var/tmp/faultline-UID; for tests. */
  mountinfo?: string;
  fallback?: string;
}

const LIMIT = 2 * 1024 ** 3;

/** What can't be written for so long, ms, is not kept, and the strip says so. */
const PATIENCE = 10_000;

/** Opens the site's history on disk, or one in memory with a badge that says why. Never rejects. */
export const openHistory = async (setup: HistorySetup): Promise<HistoryStore> => {
  const { env, uid, site, fallback } = setup;
  const mountinfo = setup.mountinfo ?? (await readMountinfo());
  const place = await statePlace({ env, uid, name: site, mountinfo, ...(fallback && { fallback }) });
  if (place.badge !== undefined) setup.log(place.badge);
  if (place.folder === undefined) return memoryHistory([place.badge]);
  return historyAt(join(place.folder, 'history.db'), place.badge, setup);
};

interface Waiting {
  tracks: readonly Track[];
  at: number;
}

/** Oldest first; what another console keeps us from writing stays where it was. */
const writeWaiting = (
  database: Database,
  waiting: Waiting[],
  written: (news: readonly Track[]) => void,
): void => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    try {
      written(database.record(next.tracks, next.at));
    } catch (error) {
      if (isBusy(error)) waiting.unshift(next);
      throw error;
    }
  }
};

const historyAt = (file: string, badge: string | undefined, setup: HistorySetup): HistoryStore => {
  const badges = new Set<string>(badge === undefined ? [] : [badge]);
  const tell = (what: string): void => {
    badges.add(what);
    setup.log(what);
  };
  let database = openOrReplace(file, setup, tell);
  if (!database) return memoryHistory([...badges]);
  let trouble: string | undefined;
  /** What could not be written because another console was writing: it goes first the next time. */
  const waiting: Waiting[] = [];
  const attempt = <T>(work: (open: Database) => T, otherwise: T): T => {
    if (!database) return otherwise;
    try {
      const result = work(database);
      trouble = undefined;
      return result;
    } catch (error) {
      if (isBusy(error)) return otherwise;
      const message = `history: ${error instanceof Error ? error.message : String(error)}`;
      if (message !== trouble) setup.log(message);
      trouble = message;
      if (isCorrupt(error)) {
        closeQuietly(database);
        database = openOrReplace(file, setup, tell);
      }
      return otherwise;
    }
  };
  const recent = recentQuestions(
    {
      listChanged: (prefix, since) => attempt((open) => open.listChanged(prefix, since), []),
      changes: (series, since) => attempt((open) => open.changes(series, since), []),
    },
    setup.now,
  );
  return {
    record: (tracks, at) => {
      waiting.push({ tracks, at });
      attempt((open) => writeWaiting(open, waiting, recent.noteWritten), undefined);
      const first = waiting[0];
      if (first && at - first.at > PATIENCE) {
        waiting.shift();
        trouble ??= 'history not written: another program holds its file';
      }
    },
    changes: recent.changes,
    listChanged: recent.listChanged,
    tidy: (now) => attempt((open) => open.tidy(now), undefined),
    badges: () => (trouble === undefined ? [...badges] : [...badges, trouble]),
    close: () => {
      if (database) closeQuietly(database);
      database = undefined;
    },
  };
};

/** A file that is no history any more is kept beside it under another name, and said; the history starts anew. */
const openOrReplace = (
  file: string,
  { log, now, limit = LIMIT }: HistorySetup,
  tell: (what: string) => void,
): Database | undefined => {
  try {
    return openDatabase(file, limit);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!isCorrupt(error)) {
      tell(`history not kept: ${file}: ${message}`);
      return undefined;
    }
    log(`${file}: ${message}`);
  }
  try {
    const aside = `${file}.corrupt-${new Date(now()).toISOString().replace(/[:.]/g, '-')}`;
    for (const part of ['', '-wal', '-shm']) {
      if (existsSync(file + part)) renameSync(file + part, aside + part);
    }
    tell(`history was corrupt, moved to ${aside}`);
    return openDatabase(file, limit);
  } catch (error) {
    tell(`history not kept: ${file}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

/** SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR from the check of the layout (a table of another shape). */
const isCorrupt = (error: unknown): boolean => {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return code === 11 || code === 26 || (code === 1 && /no such (?:table|column)/.test(error.message));
};

/** SQLITE_BUSY: another console is writing just now. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;

const closeQuietly = (database: Database): void => {
  try {
    database.close();
  } catch {
    // Already closed by the error that brought us here.
  }
};
