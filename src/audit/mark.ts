import type { AuditRecord } from '../model/run.ts';
import type { Verified } from './audit-verify.ts';

/** One record of a log: enough to find it again, or to find that it is gone. */
export interface Mark {
  seq: number;
  /** The record's own hash. */
  hash: string;
  /** When it was written, UTC ms. */
  at: number;
}

export const markOf = ({ records }: Pick<Verified, 'records'>): Mark | undefined => {
  const last = records.at(-1);
  return last && { seq: last.seq, hash: last.hash, at: Date.parse(last.at) };
};

/** A log that begins with a seal was begun anew deliberately: what was written before that moment is in the sealed one. */
export const sealOf = ({ records }: Pick<Verified, 'records'>): AuditRecord | undefined =>
  records[0]?.kind === 'sealed' ? records[0] : undefined;

/** Whether a record that was once in a log is in it as it was, or the log was sealed since. */
export const holdsMark = (log: Pick<Verified, 'records'>, mark: Mark | undefined): boolean => {
  if (mark === undefined) return true;
  const seal = sealOf(log);
  if (seal !== undefined && Date.parse(seal.at) >= mark.at) return true;
  return log.records.some(({ seq, hash }) => seq === mark.seq && hash === mark.hash);
};
