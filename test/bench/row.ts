/** One line of the table: a figure, less of which is better, and the budget that it may reach. */
export interface Row {
  what: string;
  unit: string;
  /** Absent: not measured; `note` says why. */
  value?: number;
  /** Absent: measured for comparison only. */
  limit?: number;
  /** What stands beside the figure. */
  note?: string;
}

/** `12.3`, one decimal below a hundred. */
export const figure = (value: number): string =>
  Math.abs(value) < 100 ? value.toFixed(1) : value.toFixed(0);

/** The value below which the share `at` (0..1) of the values lies. */
export const quantile = (values: readonly number[], at: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? Number.NaN;
};

/** A measured figure held against a limit that it may reach. */
export const within = (what: string, value: number, limit: number, unit: string): Row => ({
  what,
  unit,
  value,
  limit,
});

/** Undefined: nothing to hold it against. */
export const kept = ({ value, limit }: Row): boolean | undefined =>
  limit === undefined ? undefined : value !== undefined && value <= limit;

/** Lines of cells as a table, each column as wide as its widest cell; the first line is its heading. */
export const columns = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

export const table = (rows: readonly Row[]): string =>
  columns([
    ['what', 'budget', 'measured', ''],
    ...rows.map((row) => [row.what, budget(row), measured(row), sign(row)]),
  ]);

const sign = (row: Row): string => {
  const ok = kept(row);
  return ok === undefined ? '' : ok ? 'ok' : 'MISSED';
};

const budget = ({ limit, unit }: Row): string => (limit === undefined ? '-' : `<= ${plain(limit)} ${unit}`);

const plain = (limit: number): string => (Number.isInteger(limit) ? String(limit) : figure(limit));

const measured = ({ value, unit, note }: Row): string => {
  const text = value === undefined ? 'not measured' : `${figure(value)} ${unit}`;
  return note === undefined ? text : `${text} (${note})`;
};
