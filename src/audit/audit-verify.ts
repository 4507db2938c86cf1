import type { AuditRecord } from '../model/run.ts';
import type { AuditHead } from './audit-head.ts';
import { decodeLine, FIRST_PREV, sha256 } from './audit-line.ts';
import { LineProblems, type AuditProblem } from './audit-problems.ts';

export interface Verified {
  records: readonly AuditRecord[];
  problems: readonly AuditProblem[];
  /** Not wrong, but worth saying: a line torn by a crash that the next record tells of. */
  notes: readonly AuditProblem[];
  /** All that is wrong is a last line that a crash cut short, after the end that the head names: the next record tells of it. */
  torn: boolean;
  /** Whole lines. */
  lines: number;
  /** Number of the last line. */
  seq: number;
  /** Hash of the last line, and of the one before it. */
  end: string;
  before: string;
}

export const EMPTY_LOG: Verified = {
  records: [],
  problems: [],
  notes: [],
  torn: false,
  lines: 0,
  seq: 0,
  end: FIRST_PREV,
  before: FIRST_PREV,
};

/**
 * Checks the whole log, or what stands `after` a part that was checked: each line by its own hash (edits), `prev` and `seq` (deletions,
 * insertions, reorders), the end by the head (lines cut off, a last line cut short). A writer who can write both files and forges
 * every hash is not found: for that the head must be kept elsewhere too.
 */
export const verifyLog = (
  text: string,
  head: AuditHead | undefined | 'not asked',
  after: Verified = EMPTY_LOG,
): Verified => {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const records: AuditRecord[] = [...after.records];
  const wrongs = new LineProblems(after.problems);
  const notes: AuditProblem[] = [...after.notes];
  let { seq, end, before } = after;
  const decodeAt = (at: number): AuditRecord | string => decodeLine(lines[at] ?? '', wrongs.areMany);
  let next = decodeAt(0);
  for (const [index, line] of lines.entries()) {
    const number = after.lines + index + 1;
    const decoded = next;
    next = decodeAt(index + 1);
    if (typeof decoded === 'string') {
      if (isToldOf(next, number, line)) notes.push({ line: number, text: CUT_SHORT });
      else wrongs.add({ line: number, text: decoded });
      seq += 1;
    } else {
      records.push(decoded);
      const wrong = chainProblem(decoded, seq, end);
      if (wrong !== undefined) wrongs.add({ line: number, text: wrong });
      seq = decoded.seq;
    }
    before = end;
    end = sha256(line);
  }
  const problems = wrongs.all();
  const all = { records, problems, notes, lines: after.lines + lines.length, seq, end, before };
  const wrong = head === 'not asked' ? undefined : headProblem(all, head);
  const torn = rest !== '' && problems.length === 0 && wrong === undefined;
  if (rest !== '')
    problems.push({ line: all.lines + 1, text: 'is cut short: it was never written to its end' });
  if (wrong !== undefined)
    problems.push({ line: wrong === NO_HEAD || all.lines === 0 ? 0 : all.lines, text: wrong });
  return { ...all, torn };
};

/** Whether records may be written after it: whole, but for a line that the next record tells of. */
export const isWhole = ({ problems, torn }: Pick<Verified, 'problems' | 'torn'>): boolean =>
  problems.length === 0 || torn;

export const CUT_SHORT = 'was cut short by a crash, as the next record says';

const NO_HEAD = 'the head file beside the log is missing: lines may have been cut off';

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
const isToldOf = (next: AuditRecord | string, number: number, broken: string): boolean =>
  typeof next !== 'string' && next.detail['tornLine'] === number && next.prev === sha256(broken);

/** The head may be one record behind: the console died between the two writes. */
const headProblem = (
  { lines, seq, end, before }: Pick<Verified, 'lines' | 'seq' | 'end' | 'before'>,
  head: AuditHead | undefined,
): string | undefined => {
  if (head === undefined) return lines > 0 ? NO_HEAD : undefined;
  const lost = head.seq - seq;
  if (lost > 0)
    return lines === 0
      ? `the log is empty, and its head names record ${head.seq}`
      : `is the last, and ${lost === 1 ? '1 record is' : `${lost} records are`} missing after it: the head names record ${head.seq}`;
  if (lost < -1) return `is record ${seq}, and the head names record ${head.seq} as the last`;
  return head.lineHash === (head.seq === seq ? end : before)
    ? undefined
    : 'is not the last line that the head names';
};

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
  return last && markOfRecord(last);
};

export const markOfRecord = ({ seq, hash, at }: AuditRecord): Mark => ({ seq, hash, at: Date.parse(at) });

/** A log that begins with a seal was begun anew deliberately: what was written before that moment is in the sealed one. */
export const sealOf = ({ records }: Pick<Verified, 'records'>): AuditRecord | undefined =>
  records[0]?.kind === 'sealed' ? records[0] : undefined;

/** Whether a record that was once in a log is in it as it was, or the log was sealed since. */
export const hasMark = (log: Pick<Verified, 'records'>, mark: Mark | undefined): boolean => {
  if (mark === undefined) return true;
  const seal = sealOf(log);
  if (seal !== undefined && Date.parse(seal.at) >= mark.at) return true;
  return log.records.some(({ seq, hash }) => seq === mark.seq && hash === mark.hash);
};
