import { logEntries } from '../../audit/log-entries.ts';
import type { AuditRecord, LogEntry } from '../../model/run.ts';
import { makeSafe } from '../../text/safe.ts';
import { fitText } from '../../text/width.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-20 02:41:07`, local. */
const stamp = (at: number): string => {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
};

const outcomeOf = ({ outcome, open, undone }: LogEntry): string => {
  if (open) return 'open';
  return undone === undefined ? (outcome ?? '') : undone === 'whole' ? 'undone' : 'undone in part';
};

const columns: readonly { title: string; width: number; lineOf(entry: LogEntry): string }[] = [
  { title: 'TIME', width: 19, lineOf: ({ at }) => stamp(at) },
  { title: 'WHO', width: 10, lineOf: ({ operator }) => operator },
  { title: 'WHAT', width: 24, lineOf: ({ run, what, title }) => (run === undefined ? title : what) },
  { title: 'ON', width: 24, lineOf: ({ on }) => on },
  { title: 'OUTCOME', width: 8, lineOf: outcomeOf },
  { title: 'RUN', width: 14, lineOf: ({ run }) => run ?? '' },
];

/** The log as a table, newest first: one line a run, and one each for what belongs to none; all text safe. */
export const showLines = (records: readonly AuditRecord[], since = -Infinity): string[] => {
  const entries = logEntries(records).filter(({ endedAt }) => endedAt >= since);
  if (entries.length === 0) return ['nothing was done'];
  const header = [...columns.map(({ title, width }) => fitText(title, width)), 'RESULT'].join('  ');
  return [header, ...entries.map(row)];
};

const row = (entry: LogEntry): string =>
  [...columns.map(({ width, lineOf: of }) => fitText(makeSafe(of(entry)), width)), makeSafe(entry.text, 300)]
    .join('  ')
    .trimEnd();
