import type { RE2JS } from 're2js';
import { count } from '../../../src/text/units.ts';
import { MOST, type CheckReading, type Value } from '../readings.ts';
import { isState, readingOf, type SaidLine } from './lines.ts';

/** Lines that are looked at: what a person would read of it, and more. */
const MOST_LINES = 2000;

/**
 * Lines of text that an expression of RE2 matches: its named groups are values where they hold numbers; `state` and `text` are what
 * they say. Lines beside them do not count; without a single match, or beyond the lines that are looked at, nothing is known.
 */
export const readMatches = (
  answer: { stdout: string; stderr: string; exitCode?: number | undefined },
  expression: RE2JS,
): CheckReading & { lost: number } => {
  const names = Object.keys(expression.namedGroups());
  const lines = answer.stdout.trimEnd().split('\n');
  const lost = Math.max(0, lines.length - MOST_LINES);
  const said = lines.slice(0, MOST_LINES).flatMap((line): SaidLine[] => {
    const matcher = expression.matcher(line);
    return matcher.find()
      ? [
          saidIn(
            line,
            groupsOf(names, (name) => matcher.group(name)),
          ),
        ]
      : [];
  });
  const doubt =
    lost > 0 ? `${count(lost, 'line')} not looked at` : said.length === 0 ? 'no line matches' : undefined;
  return { ...readingOf(said, answer, doubt), lost };
};

const saidIn = (line: string, groups: ReadonlyMap<string, string>): SaidLine => {
  const word = groups.get('state')?.toLowerCase();
  const text = groups.get('text') ?? line.trim();
  return {
    state: word === undefined ? 'ok' : isState(word) ? word : 'unknown',
    text,
    more: text,
    values: valuesOf(groups),
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
