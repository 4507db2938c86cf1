import * as z from 'zod';
import type { AuditRecord } from '../model/run.ts';
import { recordShape } from './audit-line.ts';

const carried = z.array(recordShape);

/** A record that seals a log is read once and asked about often; what it carries stays the same objects. */
const known = new WeakMap<AuditRecord, readonly AuditRecord[]>();

const carriedBy = (record: AuditRecord): readonly AuditRecord[] => {
  const found = known.get(record) ?? carried.safeParse(record.detail['carried']).data ?? [];
  known.set(record, found);
  return found;
};

/**
 * The records of a log with those of the sealed logs before it that still matter (what was open, and what was done in the last day),
 * in front of the record that carries them. Their numbers are those of the log they were written in.
 */
export const withCarried = (records: readonly AuditRecord[]): readonly AuditRecord[] =>
  records.flatMap((record) => (record.kind === 'sealed' ? [...carriedBy(record), record] : [record]));
