const YEAR_MS = 365.25 * 86_400_000;

/** A date as UPS write it: `2014/06/06`, `06/06/14`, `2014-06-06`. */
const parts = (text: string): readonly [number, number, number] | undefined => {
  const [a, b, c] = text.split(/[/.-]/).map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : Number.NaN));
  return a === undefined || b === undefined || c === undefined || [a, b, c].some(Number.isNaN)
    ? undefined
    : [a, b, c];
};

const utc = (year: number, month: number, day: number): number | undefined => {
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? at : undefined;
};

/**
 * The instants that a date may mean, the earliest first: of `06/07/14` nobody knows whether June or July is meant. None where it is no
 * date.
 */
export const readDates = (text: string): number[] => {
  const [a, b, c] = parts(text.trim()) ?? [];
  if (a === undefined || b === undefined || c === undefined) return [];
  if (a > 31) return [utc(a, b, c)].filter((at) => at !== undefined);
  const year = c < 100 ? 2000 + c : c;
  const both = [utc(year, a, b), utc(year, b, a)].filter((at) => at !== undefined);
  return [...new Set(both)].toSorted((x, y) => x - y);
};

/** When a battery of this date has lived so many years: the earliest and the latest that the date may mean. */
export const batteryEnd = (text: string, lifeYears: number): { from: number; to: number } | undefined => {
  const dates = readDates(text);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { from: first + lifeYears * YEAR_MS, to: last + lifeYears * YEAR_MS };
};
