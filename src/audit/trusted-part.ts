import { createHash, type Hash } from 'node:crypto';
import type { AuditRecord } from '../model/run.ts';
import { EMPTY_LOG, CUT_SHORT, type Verified } from './audit-verify.ts';
import { sha256 } from './audit-line.ts';

export const digest = (hash: Hash): string => hash.copy().digest('hex');

/** The hash of so many first bytes each, in one pass; none for a number that is more than there are. */
export const hashesOf = (bytes: Buffer, ends: readonly number[]): ReadonlyMap<number, string> => {
  const hash = createHash('sha256');
  const found = new Map<number, string>();
  let from = 0;
  for (const end of [...ends].sort((a, b) => a - b)) {
    if (end > bytes.length) break;
    hash.update(bytes.subarray(from, end));
    found.set(end, digest(hash));
    from = end;
  }
  return found;
};

/** What was checked line by line before: only read. What is no record in it is a torn line that the next record tells of. */
export const trustedPart = (text: string): Verified => {
  const lines = text.split('\n').slice(0, -1);
  const records: AuditRecord[] = [];
  const notes: { line: number; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const record = recordIn(line);
    if (record) records.push(record);
    else notes.push({ line: index + 1, text: CUT_SHORT });
  }
  const hashAt = (at: number): string => sha256(lines.at(at) ?? '');
  return {
    ...EMPTY_LOG,
    records,
    notes,
    lines: lines.length,
    seq: records.at(-1)?.seq ?? 0,
    ...(lines.length > 0 && { end: hashAt(-1) }),
    ...(lines.length > 1 && { before: hashAt(-2) }),
  };
};

const recordIn = (line: string): AuditRecord | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === 'object' && value !== null && 'seq' in value && 'detail' in value;
    return isRecord ? (value as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
};
