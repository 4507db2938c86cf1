import type { AuditRecord } from '../model/run.ts';
import { decodeLine, FIRST } from './audit-line.ts';
import { sha256 } from './sha256.ts';

/** The last record's number and hash of its line, kept beside the log: lines cut off at the end are missed by no chain. */
export interface AuditHead {
  seq: number;
  lineHash: string;
}

interface AuditProblem {
  /** Line number from 1. */
  line: number;
  text: string;
}

export interface Verified {
  records: readonly AuditRecord[];
  problems: readonly AuditProblem[];
  /** Hash of the last line. */
  end: string;
  /** Not wrong, but worth saying: a line torn by a crash that the next record tells of. */
  notes: readonly AuditProblem[];
}

/** The first part of a log, one record a line, that was checked before and found whole. */
export interface Trusted {
  records: readonly AuditRecord[];
  seq: number;
  /** Hash of its last line. */
  prev: string;
}

/**
 * Checks the whole log, or what stands `after` a part that was checked: each line by its own hash (edits), `prev` and `seq` (deletions, insertions, reorders), the end by the
 * head (lines cut off, a last line cut short). A writer who can write both files and forges every hash is not found: for that
 * the head must be kept elsewhere too.
 */
export const verifyLog = (
  text: string,
  head: AuditHead | undefined,
  after: Trusted = { records: [], seq: 0, prev: FIRST },
): Verified => {
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  const records: AuditRecord[] = [...after.records];
  const problems: AuditProblem[] = [];
  const notes: AuditProblem[] = [];
  const before = after.records.length;
  let { prev, seq } = after;
  for (const [index, line] of lines.entries()) {
    const number = before + index + 1;
    const decoded = decodeLine(line);
    if (typeof decoded === 'string') {
      const noted = toldOf(lines[index + 1], number, line);
      (noted ? notes : problems).push({
        line: number,
        text: noted ? 'was cut short by a crash, as the next record says' : decoded,
      });
      seq += 1;
    } else {
      records.push(decoded);
      const wrong = chainProblem(decoded, seq, prev);
      if (wrong !== undefined) problems.push({ line: number, text: wrong });
      seq = decoded.seq;
    }
    prev = sha256(line);
  }
  if (torn !== '')
    problems.push({ line: before + lines.length + 1, text: 'is cut short: it was never written to its end' });
  const end = headProblem(lines, seq, head, after);
  if (end !== undefined) problems.push({ line: before + lines.length, text: end });
  return { records, problems, notes, end: prev };
};

const chainProblem = (record: AuditRecord, seq: number, prev: string): string | undefined => {
  if (record.seq > seq + 1)
    return record.seq === seq + 2
      ? `record ${seq + 1} is missing before it`
      : `records ${seq + 1} to ${record.seq - 1} are missing before it`;
  if (record.seq <= seq)
    return `record ${record.seq} stands after record ${seq}: out of order or there twice`;
  return record.prev === prev
    ? undefined
    : 'does not follow from the line before it, which was changed or replaced';
};

/** Whether the line after a broken one is a record that says so and chains onto exactly these bytes. */
const toldOf = (next: string | undefined, number: number, broken: string): boolean => {
  const decoded = next === undefined ? '' : decodeLine(next);
  return (
    typeof decoded !== 'string' && decoded.detail['tornLine'] === number && decoded.prev === sha256(broken)
  );
};

/** The head may be one record behind: the console died between the two writes. */
const headProblem = (
  lines: readonly string[],
  seq: number,
  head: AuditHead | undefined,
  after: Trusted,
): string | undefined => {
  if (head === undefined)
    return after.records.length + lines.length > 1
      ? 'the head file beside the log is missing: lines may have been cut off'
      : undefined;
  if (head.seq > seq)
    return `${head.seq - seq} records are missing at the end: the head names record ${head.seq}`;
  if (head.seq < seq - 1) return `the head names record ${head.seq}, the log goes on to ${seq}`;
  const line = lines[lines.length - 1 - (seq - head.seq)];
  const hash = line === undefined ? after.prev : sha256(line);
  return hash === head.lineHash ? undefined : 'the last line is not the one the head names';
};
