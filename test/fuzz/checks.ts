import { z } from 'zod';
import { isPlain } from '../../src/text/safe.ts';

const subject = z.object({ kind: z.string(), id: z.string() });
const document = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      subject,
      members: z.array(subject).optional(),
      remedies: z.array(z.object({ action: z.string(), subjects: z.array(subject) })).optional(),
    }),
  ),
});

/** Subjects of findings and actions in `status --json` that are no plain words: such a one can't be typed, and may be another than it looks. */
export const oddSubjects = (json: string): string[] => {
  const { findings } = document.parse(JSON.parse(json));
  return findings.flatMap(({ id, subject: about, members = [], remedies = [] }) =>
    [about, ...members, ...remedies.flatMap(({ subjects }) => subjects)]
      .filter((one) => !isPlain(one.id) || /[^ -~]/.test(one.id) || one.id === '')
      .map((one) => `${JSON.stringify(id)}: ${one.kind} ${JSON.stringify(one.id)}`),
  );
};

/** What the screen says only when something of ours broke. */
const BROKEN = /fault in Faultline|collector stopped|made the collector stand still|can't be drawn/;

export const brokenWords = (text: string): string | undefined =>
  text.split('\n').find((line) => BROKEN.test(line));

/** Rows in which two panes stand side by side: from the first title on, up to a pane that has its row alone, or the line of keys. Undefined: another place is shown. */
const paneRows = (cells: readonly string[][]): readonly string[][] | undefined => {
  const texts = cells.map((row) => row.map((cell) => cell || ' ').join(''));
  const from = texts.findIndex((row) => / 1 Slurm /.test(row) && / 2 Switches /.test(row));
  const last = texts.findLastIndex((row) => /quit\s*$/.test(row));
  const alone = texts.findIndex(
    (row, at) => at > from && /^─ (?:\S )?\d /.test(row) && !/─ {2}─ (?:\S )?\d /.test(row),
  );
  return from < 0 || last < from ? undefined : cells.slice(from, alone < 0 ? last : Math.min(alone, last));
};

/** Columns between the panes of the board: blank in every row, whatever stands beside them. */
export const gapsIn = (cells: readonly string[][]): number[] | undefined => {
  const rows = paneRows(cells);
  if (!rows) return undefined;
  const middle = Math.floor((rows[0]?.length ?? 0) / 2);
  return [-3, -2, -1, 0, 1, 2]
    .map((by) => middle + by)
    .filter((x) => rows.every((row) => (row[x] ?? '').trim() === ''));
};

/** A row in which something stands between the panes; undefined when there is none, or the board is not shown. */
export const shiftedRow = (cells: readonly string[][], gaps: readonly number[]): string | undefined =>
  paneRows(cells)
    ?.find((row) => gaps.some((x) => (row[x] ?? '').trim() !== ''))
    ?.map((cell) => cell || ' ')
    .join('');

/**
 * Something on the board is not as a fine site's answers make it. Lines that were not understood are a finding of what is asked again by
 * itself; a pane's title counts those of pages too, which are asked when they are opened.
 */
const UNREAD = /not read|read in part|is stale|shown rows are from|failed:|can't be (?:read|asked)/;

export const unreadWords = (text: string): string | undefined =>
  text.split('\n').find((line) => UNREAD.test(line));
