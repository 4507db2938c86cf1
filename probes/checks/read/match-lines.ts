import type { RE2JS } from 're2js';
import { MOST, states, worstState, type CheckReading, type State, type Value } from '../readings.ts';

const isState = (text: string): text is State => states.some((state) => state === text);

/** Lines that are looked at: what a person would read of it, and more. */
const MOST_LINES = 2000;

/**
 * Lines of text that an expression of RE2 matches: its named groups are values where they hold numbers; `state` and `text` are what
 * they say. Lines beside them do not count; without a single match nothing is known.
 */
export const readMatches = (
  { stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode?: number | undefined },
  expression: RE2JS,
): CheckReading & { lost: number } => {
  const names = Object.keys(expression.namedGroups());
  const found = stdout
    .split('\n')
    .slice(0, MOST_LINES)
    .flatMap((line) => {
      const matcher = expression.matcher(line);
      return matcher.find() ? [{ line, groups: groupsOf(names, (name) => matcher.group(name)) }] : [];
    });
  const said = found.map(({ line, groups }) => {
    const word = groups.get('state')?.toLowerCase();
    const state: State = word === undefined ? 'ok' : isState(word) ? word : 'unknown';
    return { state, text: groups.get('text') ?? line.trim(), values: valuesOf(groups) };
  });
  const failed = exitCode !== 0;
  const isNone = said.length === 0;
  const state = worstState([
    ...said.map((one) => one.state),
    ...(failed || isNone ? (['unknown'] as const) : []),
  ]);
  const worst = said.find((one) => one.state === state) ?? said[0];
  const error = stderr.trim().split('\n')[0] ?? '';
  const why = failed
    ? `exit ${exitCode ?? 'not known'}${error === '' ? '' : `: ${error}`}`
    : isNone
      ? 'no line matches'
      : '';
  return {
    state,
    text: [why, worst?.text ?? '']
      .filter((part) => part !== '')
      .join('; ')
      .slice(0, MOST.text),
    more: said
      .filter((one) => one !== worst)
      .slice(0, MOST.more)
      .map(({ text }) => text.slice(0, MOST.text)),
    values: said.flatMap(({ values }) => values).slice(0, MOST.values),
    lost: 0,
  };
};

const groupsOf = (
  names: readonly string[],
  group: (name: string) => string | null,
): ReadonlyMap<string, string> =>
  new Map(
    names.flatMap((name) => {
      const text = group(name);
      return text === null ? [] : [[name, text] as const];
    }),
  );

const valuesOf = (groups: ReadonlyMap<string, string>): Value[] =>
  [...groups].flatMap(([name, text]) => {
    const value = Number(text.trim());
    return name === 'state' || name === 'text' || text.trim() === '' || !Number.isFinite(value)
      ? []
      : [{ name: name.slice(0, MOST.name), value }];
  });
