import type { History, Track } from '../model/reading.ts';
import type { Judgement } from '../model/system.ts';
import type { Trend } from '../model/view.ts';

/** A column of a course, and how many of them are the last hour, ms. */
const STEP = 300_000;
const STEPS = 12;
const TOP = 7;

const readSeries = (what: string): string => `read/${what}`;

/**
 * The history holds what changed, which does not say whether anybody looked meanwhile: so whatever a course is drawn from leaves a mark in every
 * five minutes in which it was read. `at`: UTC ms of the reading.
 */
export const readTrack = (what: string, at: number): Track => ({
  series: readSeries(what),
  value: Math.floor(at / STEP),
});

/** Which values make a course, and what must have been read for one to be known. */
export interface Course {
  series: string;
  /** As given to `readTrack`; any of them is enough. */
  read: readonly string[];
  /** What is drawn at full height, at least: a value far below it is drawn low, however steady. */
  top?: number;
}

interface Kept {
  step: number;
  trends: Map<string, Trend>;
}

/** Kept until the next minute: rows ask at every judgement. */
const kept = new WeakMap<History, Kept>();
const MINUTE = 60_000;

const keptFor = (history: History, now: number): Kept => {
  const step = Math.floor(now / MINUTE);
  const known = kept.get(history);
  if (known?.step === step) return known;
  const made = { step, trends: new Map<string, Trend>() };
  kept.set(history, made);
  return made;
};

/** The course of the last hour; undefined where none of it is known. Rates are expected without what a reset of a counter would make of them. */
export const trendOf = (
  { history, now }: Pick<Judgement, 'history' | 'now'>,
  course: Course,
): Trend | undefined => {
  const { trends } = keptFor(history, now);
  const { series } = course;
  const known = trends.get(series) ?? makeTrend(history, course, now);
  if (known) trends.set(series, known);
  return known;
};

/** A cell with the course, or nothing. */
export const trendCell = (judgement: Pick<Judgement, 'history' | 'now'>, course: Course) => {
  const trend = trendOf(judgement, course);
  return { text: '', ...(trend && { trend }) };
};

const makeTrend = (
  history: History,
  { series, read: marks, top = 0 }: Course,
  now: number,
): Trend | undefined => {
  const last = Math.floor(now / STEP);
  const first = last - STEPS + 1;
  const read = new Set(
    marks.flatMap((what) =>
      history.changes(readSeries(what), (first - 1) * STEP).map(({ value }) => Number(value)),
    ),
  );
  const values = valuesOf(history, series, first, last).map((value, index) =>
    read.has(first + index) ? value : undefined,
  );
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return undefined;
  const most = Math.max(top, ...known);
  return values.map((value) => (value === undefined ? null : heightOf(value, most)));
};

/** Nought has a height of its own: a little is not nothing. */
const heightOf = (value: number, most: number): number =>
  value <= 0 || most <= 0 ? 0 : Math.max(1, Math.min(TOP, Math.round((value / most) * TOP)));

/** The greatest value of each step that began in it; without one, what held before. */
const valuesOf = (
  history: History,
  series: string,
  first: number,
  last: number,
): readonly (number | undefined)[] => {
  const from = first * STEP;
  const points = history.changes(series, from).flatMap(numberOf);
  const isHeld = points[0] === undefined || points[0].at >= from + STEP;
  const earlier = isHeld ? history.changes(series, 0).findLast(({ at }) => at < from) : undefined;
  let held = earlier && numberOf(earlier)[0]?.value;
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const own = points.filter(({ at }) => Math.floor(at / STEP) === first + index);
    const before = held;
    held = own.at(-1)?.value ?? held;
    return own.length === 0 ? before : Math.max(...own.map(({ value }) => value));
  });
};

const numberOf = ({ at, value }: { at: number; value: string | number | bigint }) => {
  const number = typeof value === 'string' ? NaN : Number(value);
  return Number.isFinite(number) ? [{ at, value: number }] : [];
};
