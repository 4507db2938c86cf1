import { findTooDeep } from '../../../src/kit/json-depth.ts';
import { count } from '../../../src/text/units.ts';
import { MOST, type CheckReading, type Value } from '../readings.ts';
import { isState, readingOf, type SaidLine } from './lines.ts';

/** The value at `jobs.pending` or `queues[0].length`; undefined where there is none. */
export const valueAt = (root: unknown, path: string): unknown =>
  path
    .replaceAll(/\[(\d{1,6})\]/g, '.$1')
    .split('.')
    .filter((part) => part !== '' && part !== '$')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? Reflect.get(value, part)
          : undefined,
      root,
    );

type Line = Readonly<Record<string, unknown>>;

const parseLine = (line: string): Line | undefined => {
  try {
    if (findTooDeep(line) !== undefined) return undefined;
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** Values by their paths in the site file, else the numbers of the line's own `values`. */
const valuesOf = (line: Line, paths: Readonly<Record<string, string>> | undefined): Value[] => {
  const named = paths
    ? Object.entries(paths).map(([name, path]) => [name, valueAt(line, path)] as const)
    : Object.entries(typeof line['values'] === 'object' && line['values'] !== null ? line['values'] : {});
  return named.map(([name, value]) => ({
    name: name.slice(0, MOST.name),
    ...(typeof value === 'number' && Number.isFinite(value) && { value }),
  }));
};

/** Why not all of the answer counts; undefined: each line does. */
const doubtOf = (read: number, lost: number): string | undefined =>
  read === 0 ? 'no line of JSON' : lost > 0 ? `${count(lost, 'line')} without JSON` : undefined;

/**
 * JSON lines: each `{"state": "ok", "text": "...", "values": {"queue": 3}}`, or any object from which the site file's paths take
 * values. The worst line counts. No line, one that is no JSON, or one that says neither a state nor a value, is unknown.
 */
export const readJsonLines = (
  answer: { stdout: string; stderr: string; exitCode?: number | undefined },
  paths?: Readonly<Record<string, string>>,
): CheckReading & { lost: number } => {
  const lines = answer.stdout.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map(parseLine).filter((line) => line !== undefined);
  const lost = lines.length - read.length;
  return {
    ...readingOf(
      read.map((line) => saidIn(line, paths)),
      answer,
      doubtOf(read.length, lost),
    ),
    lost,
  };
};

const saidIn = (line: Line, paths: Readonly<Record<string, string>> | undefined): SaidLine => {
  const values = valuesOf(line, paths);
  const hasValue = paths !== undefined && values.some(({ value }) => value !== undefined);
  const state = isState(line['state']) ? line['state'] : hasValue ? 'ok' : 'unknown';
  const text = typeof line['text'] === 'string' ? (line['text'].split('\n')[0] ?? '') : '';
  return { state, text, more: `${state}: ${text}`, values };
};
