import { createHash } from 'node:crypto';
import { lstat, mkdir, open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { encodeHead } from '../audit/audit-head.ts';
import { countProblems, type AuditProblem } from '../audit/audit-problems.ts';
import { readLogState, readRegular, type LogState } from '../audit/audit-read.ts';
import { sealedFolder, tracesOf } from '../audit/audit-traces.ts';
import { isWhole, EMPTY_LOG, type Verified } from '../audit/audit-verify.ts';
import { addCarried, loggedActions, isOpen } from '../audit/logged-actions.ts';
import { sha256 } from '../audit/audit-line.ts';
import type { AuditRecord } from '../model/run.ts';
import { thrownCode, thrownText } from '../text/thrown.ts';
import type { AuditParts } from './audit-log.ts';
import { recordAfter } from './audit-write.ts';
import { makeBegun, readBegun } from './begun.ts';
import { withFileLock } from './file-lock.ts';
import { syncFolder, writeHead } from './head-file.ts';
import { folderProblem } from './state-folder.ts';

/** What was done in this time still counts for what may be done: it goes along (guard 13, and the undo in the menu). */
const DAY_MS = 24 * 3_600_000;

/** So many faults are named in the record; the sealed file holds them all. */
const MOST = 20;

export interface SealParts extends Pick<AuditParts, 'file' | 'site' | 'operator' | 'console' | 'clock'> {
  /** Why, in the operator's words. */
  reason: string;
  /** Seal a log that is whole, too. */
  whole: boolean;
}

export interface Sealed {
  record: AuditRecord;
  /** The folder that now holds the old log and its head; absent: neither was there. */
  folder?: string;
  /** What was wrong. */
  problems: readonly AuditProblem[];
  /** Targets of which it is not known what came of them: they go along. */
  open: readonly string[];
}

/**
 * Puts a log that is not whole away, with its head, into a folder of its own beside it, and begins a new one whose first record tells of
 * that. Nothing is written over and nothing is removed: the folder is made, or the next number is tried. What is open goes along, from
 * the log and from the second copy of what was begun. Rejects with the reason.
 */
export const sealAuditLog = async (parts: SealParts): Promise<Sealed | { whole: number }> => {
  const { file, clock } = parts;
  const wrong = await folderProblem(file, false);
  if (wrong !== undefined) throw new Error(wrong);
  // The lock's own file would look like what is left of a log: where nothing was begun it is not made for nothing.
  const { none } = await tracesOf(file);
  if (none && !parts.whole) return { whole: 0 };
  return withFileLock(`${file}.lock`, clock, async () => {
    const found = await lookAtOld(file, none);
    const notOurs = await folderProblem(file);
    const old =
      notOurs === undefined
        ? found
        : { ...found, verified: withProblem(found.verified, { line: 0, text: notOurs }) };
    if (isWhole(old.verified) && !parts.whole) return { whole: old.verified.records.length };
    const records = await allRecords(file, old);
    const carried = carriedOf(records, clock.now());
    const open = loggedActions(records)
      .filter(isOpen)
      .map(({ action, subject }) => `${action} on ${subject.id}`);
    await makeBegun(file, records);
    const folder = await putAway(file, old.traces.sealed.at(-1) ?? 0);
    const { verified, head } = old;
    const name = folder === undefined ? 'no log' : `${basename(folder)}/${basename(file)}`;
    const detail = {
      text: `${name} was sealed: ${parts.reason}`,
      reason: parts.reason,
      file: folder === undefined ? null : name,
      sha256: old.sha256,
      bytes: old.size,
      records: verified.records.length,
      head: head?.slice(0, 400) ?? null,
      wrong: verified.problems.slice(0, MOST),
      wrongCount: countProblems(verified.problems),
      carried,
    };
    return {
      record: await begin(parts, detail),
      ...(folder && { folder }),
      problems: verified.problems,
      open,
    };
  });
};

const withProblem = (verified: Verified, problem: AuditProblem): Verified => ({
  ...verified,
  problems: [...verified.problems, problem],
  torn: false,
});

type Old = Pick<LogState, 'verified' | 'head' | 'size' | 'traces'> & { sha256: string | null };

/** What can't be read as a log is put away like one that is damaged. */
const lookAtOld = async (file: string, none = false): Promise<Old> => {
  try {
    const state = await readLogState(file, undefined, true);
    if (none && state.verified.lines === 0) return { ...state, verified: EMPTY_LOG, sha256: null };
    const log = await readRegular(file);
    return { ...state, sha256: log === undefined ? null : createHash('sha256').update(log).digest('hex') };
  } catch (error) {
    const text = `it could not be read: ${thrownText(error)}`;
    const verified = { ...EMPTY_LOG, problems: [{ line: 0, text }] };
    return { verified, head: undefined, size: 0, traces: await tracesOf(file), sha256: null };
  }
};

/** Of the log and of the copy of what was begun; where a seal was cut short, of the log that it had put away already. */
const allRecords = async (file: string, { verified, traces }: Old): Promise<readonly AuditRecord[]> => {
  const last = traces.sealed.at(-1);
  const away =
    verified.lines > 0 || last === undefined
      ? []
      : (await lookAtOld(join(sealedFolder(file, last), basename(file)))).verified.records;
  const all = [...(await readBegun(file)), ...addCarried(away), ...addCarried(verified.records)];
  return [...new Map(all.map((one) => [one.hash, one])).values()].filter(({ kind }) => kind !== 'sealed');
};

const carriedOf = (records: readonly AuditRecord[], now: number): readonly AuditRecord[] => {
  const kept = loggedActions(records).filter(
    (one) => isOpen(one) || Date.parse(one.intent.at) > now - DAY_MS,
  );
  const keys = new Set(kept.map(({ run, subject }) => `${run} ${subject.id}`));
  return records.filter(({ run, target, kind }) => kind !== 'refused' && keys.has(`${run} ${target}`));
};

/** Making a folder replaces nothing, and it works for whatever stands in the log's place: a pipe, a folder, another's file. */
const putAway = async (file: string, last: number): Promise<string | undefined> => {
  const there: string[] = [];
  for (const name of [file, `${file}.head`]) if (await isThere(name)) there.push(name);
  if (there.length === 0) return undefined;
  const folder = await newFolder(file, last + 1);
  for (const name of there) await rename(name, join(folder, basename(name)));
  await syncFolder(join(folder, basename(file)));
  await syncFolder(file);
  return folder;
};

const isThere = (name: string): Promise<boolean> =>
  lstat(name).then(
    () => true,
    (error: unknown) => {
      if (thrownCode(error) === 'ENOENT') return false;
      throw error;
    },
  );

const newFolder = async (file: string, number: number): Promise<string> => {
  const folder = sealedFolder(file, number);
  try {
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (thrownCode(error) !== 'EEXIST') throw error;
    return newFolder(file, number + 1);
  }
};

/** The log before its head: a crash in between leaves a log without one, which is sealed again and never taken for a new one. */
const begin = async (parts: SealParts, detail: Readonly<Record<string, unknown>>): Promise<AuditRecord> => {
  const { file } = parts;
  const { record, line } = recordAfter(EMPTY_LOG, { kind: 'sealed', detail }, parts);
  const text = `${line}\n`;
  await using log = await open(file, 'wx', 0o600);
  await log.appendFile(text, 'latin1');
  await log.sync();
  await syncFolder(file);
  const point = { bytes: text.length, hash: sha256(Buffer.from(text, 'latin1')) };
  await writeHead(file, encodeHead({ seq: record.seq, lineHash: sha256(line), point }));
  await syncFolder(file);
  return record;
};
