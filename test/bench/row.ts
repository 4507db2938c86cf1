/** One line of the table: what was measured against which budget. `ok` undefined: measured for comparison only. */
export interface Row {
  what: string;
  budget: string;
  measured: string;
  ok?: boolean;
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
  budget: `<= ${limit} ${unit}`,
  measured: `${figure(value)} ${unit}`,
  ok: value <= limit,
});

export const table = (rows: readonly Row[]): string => {
  const widest = (key: 'what' | 'budget' | 'measured'): number =>
    Math.max(...rows.map((row) => row[key].length));
  const [what, budget, measured] = [widest('what'), widest('budget'), widest('measured')];
  const sign = ({ ok }: Row): string => (ok === undefined ? '' : ok ? 'ok' : 'MISSED');
  return [
    `${'what'.padEnd(what)}  ${'budget'.padEnd(budget)}  ${'measured'.padEnd(measured)}`,
    ...rows.map((row) =>
      `${row.what.padEnd(what)}  ${row.budget.padEnd(budget)}  ${row.measured.padEnd(measured)}  ${sign(row)}`.trimEnd(),
    ),
  ].join('\n');
};
