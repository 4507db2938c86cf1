import { constants } from 'node:fs';
import { mkdir, open, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../model/ports.ts';
import type { AuditRecord } from '../model/run.ts';
import { decodeLine, encodeLine, FIRST } from '../audit/audit-line.ts';
import { createAuditReader, HEAD_LENGTH, parseHead } from '../audit/audit-read.ts';
import type { Verified } from '../audit/audit-verify.ts';
import { createPatience } from '../audit/patience.ts';
import { sha256 } from '../audit/sha256.ts';
import { withFileLock } from './file-lock.ts';
import type { ConsoleId, Operator } from './parts.ts';

export type AuditEntry = Pick<AuditRecord, 'kind' | 'run' | 'action' | 'target' | 'outcome' | 'detail'>;

type Appended = { ok: true; record: AuditRecord } | { ok: false; reason: string };

/** The append-only, hash-chained record of what was done (guard 14). */
export interface AuditLog {
  readonly file: string;
  /** On disk (fsync) when it resolves with `ok`. Never throws: a log that cannot be written is an answer. */
  append(entry: AuditEntry): Promise<Appended>;
  /**
   * Everything with what is wrong with it. What was found whole before is not checked again unless `full`. Throws when the file is
   * there and cannot be read.
   */
  read(full?: boolean): Promise<Verified>;
  /** Tries whether a record could be written now; the reason why not. */
  check(): Promise<string | undefined>;
  /** Why the last try failed, for the badge. */
  problem(): string | undefined;
}

export interface AuditParts {
  /** `.../faultline/SITE/audit.jsonl`; its folder is made (0700). */
  file: string;
  site: string;
  operator: Operator;
  console: ConsoleId;
  clock: Clock;
  /** A disk that does not answer for this long is a disk that cannot be written. Default 2 s. */
  deadlineMs?: number;
}

const ROOM = 256 * 1024;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Opens nothing yet: each append opens, locks, reads the last line, writes, syncs and closes. */
export const createAuditLog = (parts: AuditParts): AuditLog => {
  const { file, clock, deadlineMs = 2_000 } = parts;
  let problem: string | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const patience = createPatience((ms, signal) => clock.sleep(ms, signal));
  const read = createAuditReader(file, patience);

  /** One after the other in this process, each under the lock that other processes take too, none longer than the deadline. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(() => patience(work, deadlineMs));
    queue = turn.catch(() => undefined);
    return turn;
  };

  const locked = async <T>(work: (log: FileHandle, head: FileHandle) => Promise<T>): Promise<T> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return withFileLock(`${file}.lock`, clock, async () => {
      const flags = constants.O_RDWR | constants.O_CREAT;
      await using log = await open(file, flags | constants.O_APPEND, 0o600);
      await using head = await open(`${file}.head`, flags, 0o600);
      return await work(log, head);
    });
  };

  const attempt = async <T>(work: () => Promise<T>): Promise<T | { ok: false; reason: string }> => {
    try {
      const value = await inTurn(work);
      problem = undefined;
      return value;
    } catch (error) {
      problem = `audit log cannot be written: ${reasonOf(error)}`;
      return { ok: false, reason: problem };
    }
  };

  return {
    file,
    problem: () => problem,
    append: (entry) =>
      attempt(() =>
        locked(async (log, head) => {
          const last = await lastLine(log);
          if (last.torn !== undefined) await mendTorn(log, head, parts, last);
          const after = last.torn === undefined ? last : await lastLine(log);
          const from = await laterOf(after, head);
          return { ok: true, record: await write(log, head, parts, from, entry) } as const;
        }),
      ),
    read: async (full = false) => {
      try {
        return await read(full);
      } catch (error) {
        problem = `audit log cannot be read: ${reasonOf(error)}`;
        throw error;
      }
    },
    check: async () => {
      await attempt(() =>
        locked(async () => {
          const { bavail, bsize } = await statfs(dirname(file));
          if (bavail * bsize < ROOM) throw new Error('the disk is full');
        }),
      );
      return problem;
    },
  };
};

interface LastLine {
  seq: number;
  hash: string;
  size: number;
  /** Bytes after the last line feed: a crash of the machine cut a line short. */
  torn?: string;
}

/** Records that the head names and the log has lost stay missing: numbers go on after them, so that the gap shows for ever. */
const laterOf = async (last: LastLine, head: FileHandle): Promise<LastLine> => {
  const { buffer, bytesRead } = await head.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
  const named = parseHead(buffer.toString('latin1', 0, bytesRead));
  return named && named.seq > last.seq ? { ...last, seq: named.seq, hash: named.lineHash } : last;
};

const BLOCK = 64 * 1024;

/** The end of the log, read backwards in blocks. A last line that is no record counts as one, so that numbers go on. */
const lastLine = async (log: FileHandle): Promise<LastLine> => {
  const { size } = await log.stat();
  let text = '';
  let from = size;
  while (from > 0 && text.slice(0, -1).lastIndexOf('\n') < 0) {
    const length = Math.min(BLOCK, from);
    from -= length;
    const { buffer } = await log.read(Buffer.alloc(length), 0, length, from);
    text = buffer.toString('latin1') + text;
  }
  if (text === '') return { seq: 0, hash: FIRST, size };
  const whole = text.endsWith('\n');
  const line = (whole ? text.slice(0, -1) : text).split('\n').at(-1) ?? '';
  const decoded = decodeLine(line);
  const seq = typeof decoded === 'string' ? await countLines(log, size) : decoded.seq;
  return { seq, hash: sha256(line), size, ...(!whole && { torn: line }) };
};

const countLines = async (log: FileHandle, size: number): Promise<number> => {
  const { buffer } = await log.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString('latin1').replace(/\n$/, '').split('\n').length;
};

/** A torn line is ended and told of, never removed: the log only grows. */
const mendTorn = async (
  log: FileHandle,
  head: FileHandle,
  parts: AuditParts,
  last: LastLine,
): Promise<void> => {
  await log.write('\n');
  const detail = { text: `line ${last.seq} was cut short by a crash`, tornLine: last.seq };
  await write(log, head, parts, { ...last, size: last.size + 1 }, { kind: 'note', detail });
};

const write = async (
  log: FileHandle,
  head: FileHandle,
  parts: AuditParts,
  last: LastLine,
  entry: AuditEntry,
): Promise<AuditRecord> => {
  const { clock, operator, console, site } = parts;
  const line = encodeLine({
    seq: last.seq + 1,
    at: new Date(clock.now()).toISOString(),
    monoMs: Math.round(clock.mono()),
    prev: last.hash,
    kind: entry.kind,
    operator: operator.name,
    uid: operator.uid,
    console: { ...console },
    site,
    ...(entry.run !== undefined && { run: entry.run }),
    ...(entry.action !== undefined && { action: entry.action }),
    ...(entry.target !== undefined && { target: entry.target }),
    ...(entry.outcome !== undefined && { outcome: entry.outcome }),
    detail: entry.detail,
  });
  const record = decodeLine(line);
  if (typeof record === 'string') throw new Error(`an audit record that ${record}`);
  try {
    await log.appendFile(`${line}\n`, 'latin1');
    await log.sync();
    await writeHead(head, record.seq, sha256(line));
  } catch (error) {
    // Part of it may be on a disk that is now full; nothing was promised by it, so it goes away again.
    await log.truncate(last.size).catch(() => undefined);
    await writeHead(head, last.seq, last.hash).catch(() => undefined);
    throw error;
  }
  return record;
};

/** In place and always as long: needs no new room, and one sector is written whole or not at all. */
const writeHead = async (head: FileHandle, seq: number, lineHash: string): Promise<void> => {
  await head.write(`${String(seq).padStart(12, '0')} ${lineHash}\n`, 0, 'latin1');
  await head.sync();
};
