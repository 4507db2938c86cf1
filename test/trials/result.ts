/** One trial with what came of it. */
export interface Result {
  kind: string;
  about: string;
  seed: number;
  what: string;
  broke: readonly string[];
  seconds: number;
}

const counts = (
  results: readonly Result[],
): { tried: number; held: number; broke: number; seconds: number } => {
  const held = results.filter(({ broke }) => broke.length === 0).length;
  const seconds = results.reduce((sum, one) => sum + one.seconds, 0);
  return { tried: results.length, held, broke: results.length - held, seconds };
};

/** Rows of kind, tried, held, broke and the seconds that they took together, whatever else ran beside them. */
export const tableOf = (results: readonly Result[]): string => {
  const rows = [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, of]) => {
    const { tried, held, broke, seconds } = counts(of);
    return [kind, `${tried}`, `${held}`, `${broke}`, `${seconds.toFixed(0)} s`, of[0]?.about ?? ''];
  });
  const all = [['kind', 'tried', 'held', 'broke', 'time', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** What one says: held, or what broke and how it is tried again. */
export const linesOf = ({ kind, seed, what, broke, seconds }: Result): string[] => [
  `${broke.length === 0 ? 'held ' : 'BROKE'}  ${kind} ${seed} (${seconds.toFixed(0)} s): ${what}`,
  ...broke.map((text) => `         ${text}`),
  ...(broke.length === 0 ? [] : [`         again: npm run test:trials -- --only ${kind} --seed ${seed}`]),
];

/** The last line, as all suites end. */
export const lastLine = (results: readonly Result[]): string => {
  const { held, broke } = counts(results);
  return `${held} passed, ${broke} failed`;
};

/** In the form in which \`.ci/run\` adds up its suites. */
export const jsonOf = (results: readonly Result[]): object => {
  const { held, broke } = counts(results);
  return {
    numPassedTests: held,
    numFailedTests: broke,
    success: broke === 0,
    testResults: [
      {
        assertionResults: results.map(({ kind, seed, what, broke: texts }) => ({
          fullName: `${kind} ${seed}: ${what}`,
          status: texts.length === 0 ? 'passed' : 'failed',
          failureMessages: texts,
        })),
      },
    ],
  };
};
