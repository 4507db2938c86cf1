import { findTooDeep } from '../../../src/kit/json-depth.ts';
import { MOST, states, worstState, type CheckReading, type State, type Value } from '../readings.ts';

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

const isState = (value: unknown): value is State => states.some((state) => state === value);

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

/**
 * JSON lines: each `{"state": "ok", "text": "...", "values": {"queue": 3}}`, or any object from which the site file's paths take
 * values. The worst line counts. No line, or one that says neither a state nor a value, is unknown.
 */
export const readJsonLines = (
  { stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode?: number | undefined },
  paths?: Readonly<Record<string, string>>,
): CheckReading & { lost: number } => {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map(parseLine).filter((line) => line !== undefined);
  const lost = lines.length - read.length;
  const said = read.map((line) => {
    const values = valuesOf(line, paths);
    const known =
      paths === undefined ? isState(line['state']) : values.some(({ value }) => value !== undefined);
    const state = isState(line['state']) ? line['state'] : known ? 'ok' : 'unknown';
    return {
      state,
      text: typeof line['text'] === 'string' ? (line['text'].split('\n')[0] ?? '') : '',
      values,
    };
  });
  const failed = exitCode !== 0;
  const nothing = read.length === 0;
  const state = worstState([
    ...said.map((line) => line.state),
    ...(failed || nothing ? (['unknown'] as const) : []),
  ]);
  const worst =
    said.find((line) => line.state === state && line.text !== '') ?? said.find(({ text }) => text !== '');
  const error = stderr.trim().split('\n')[0] ?? '';
  const why = failed
    ? `exit ${exitCode ?? 'not known'}${error === '' ? '' : `: ${error}`}`
    : nothing
      ? 'no line of JSON'
      : '';
  return {
    state,
    text: [why, worst?.text ?? '']
      .filter((part) => part !== '')
      .join('; ')
      .slice(0, MOST.text),
    more: said
      .flatMap((line) => (line === worst || line.text === '' ? [] : `${line.state}: ${line.text}`))
      .slice(0, MOST.more)
      .map((line) => line.slice(0, MOST.text)),
    values: said.flatMap(({ values }) => values).slice(0, MOST.values),
    lost,
  };
};
