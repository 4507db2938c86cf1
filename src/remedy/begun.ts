import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { decodeLine, encodeLine } from '../audit/audit-line.ts';
import { begunFile } from '../audit/audit-traces.ts';
import { readRegular } from '../audit/audit-read.ts';
import { loggedActions, isOpen } from '../audit/logged-actions.ts';
import type { AuditRecord } from '../model/run.ts';

/** The file's first line, for whoever finds it. It is no record. */
const HEADER = `${JSON.stringify({ faultline: 'runs begun from here that have not ended: a second copy of lines of the audit log. Leave this file here.' })}\n`;

/** From so many bytes on what has ended is left out even though something else is still open. */
const LARGE = 256 * 1024;

const recordedKinds: ReadonlySet<AuditRecord['kind']> = new Set(['intent', 'hold', 'result', 'recovered']);

/** The records that belong to targets of which it is not known what came of them. */
const openRecords = (records: readonly AuditRecord[]): readonly AuditRecord[] => {
  const open = new Set(
    loggedActions(records)
      .filter(isOpen)
      .map(({ run, subject }) => `${run} ${subject.id}`),
  );
  return records.filter(({ kind, run, target }) => recordedKinds.has(kind) && open.has(`${run} ${target}`));
};

const lineOf = (record: AuditRecord): string => {
  const { hash: _, ...content } = record;
  return `${encodeLine(content)}\n`;
};

/** Makes the second copy, or makes it anew, with what is open now. Whole or not at all. */
export const makeBegun = async (file: string, records: readonly AuditRecord[]): Promise<void> => {
  const draft = `${begunFile(file)}.${randomBytes(4).toString('hex')}`;
  const text = HEADER + openRecords(records).map(lineOf).join('');
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, begunFile(file));
};

/** What stands in the copy; lines that are none of ours, or half written, are passed over: it is a copy. Empty when it is gone. */
export const readBegun = async (file: string): Promise<readonly AuditRecord[]> => {
  const text = (await readRegular(begunFile(file)))?.toString('latin1') ?? '';
  return text.split('\n').flatMap((line) => {
    const record = decodeLine(line);
    return typeof record === 'string' ? [] : [record];
  });
};

/**
 * Writes a record's line into the copy before it goes into the log, an intent's onto the disk. Rejects when it can't be. Gives the way
 * to take it back, and what to do when the record is in the log: lines of what has ended go.
 */
export const copyBegunMark = async (
  file: string,
  record: AuditRecord,
): Promise<{ takeBack(): Promise<void>; awaitWritten(): Promise<void> }> => {
  const doNothing = async (): Promise<void> => undefined;
  if (!recordedKinds.has(record.kind)) return { takeBack: doNothing, awaitWritten: doNothing };
  await using handle = await open(
    begunFile(file),
    constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK,
  );
  const { size } = await requireRegular(handle, begunFile(file));
  await handle.appendFile(lineOf(record), 'latin1');
  if (record.kind === 'intent') await handle.datasync();
  return {
    takeBack: async () => {
      await using again = await open(begunFile(file), constants.O_RDWR);
      await again.truncate(size);
    },
    awaitWritten: async () => {
      if (record.kind !== 'result' && record.kind !== 'recovered') return;
      const all = await readBegun(file);
      if (openRecords(all).length === 0 || size > LARGE) await makeBegun(file, all);
    },
  };
};

const requireRegular = async (handle: FileHandle, file: string): Promise<{ size: number }> => {
  const found = await handle.stat();
  if (!found.isFile()) throw new Error(`${file} is not a regular file`);
  return found;
};
