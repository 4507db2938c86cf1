import * as z from 'zod';
import { explain } from './explain.ts';
import { readTrusted } from './file.ts';
import { isRecord } from './inventory.ts';
import { problemLine, SiteError, type Path, type Problem } from './problem.ts';
import { dropUnknownKeys } from './unknown-keys.ts';
import { makeSafe } from '../text/safe.ts';
import {
  filterName,
  filterText,
  userSchema,
  type Keys,
  type PaneSettings,
  type UserKnowledge,
} from './user-schema.ts';
import { parseYaml } from './yaml.ts';

export interface UserSettings {
  theme?: string;
  mouse?: boolean;
  keys: Keys;
  panes: Readonly<Record<string, PaneSettings>>;
  filters: Readonly<Record<string, string>>;
}

export interface UserFile {
  /** What of the file is right; where nothing is, nothing is set. */
  settings: UserSettings;
  /** One line for each thing that is wrong and was left out: `FILE:LINE:COL: what; what would be right`. */
  problems: readonly string[];
}

/** Far more than all keys and panes take; thousands of keys in one map take the YAML reader minutes. */
export const MOST_USER_BYTES = 32_000;

const nothingSet: UserSettings = { keys: {}, panes: {}, filters: {} };

/** Reads an operator's own settings. Never throws: what is wrong with the file is left out and told, and the console goes on. */
export const loadUserFile = async (path: string, knowledge: UserKnowledge): Promise<UserFile> => {
  try {
    return parseUserFile(await readUserText(path), path, knowledge);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    return noneOf(...error.lines);
  }
};

/** The file's text. Throws SiteError. */
export const readUserText = (path: string): Promise<string> =>
  readTrusted(path, {
    name: 'a file of settings',
    example: 'config.yaml',
    limit: MOST_USER_BYTES,
    elsewhere: 'the whole file is ignored',
    rootsGroup: false,
  });

/** What is wrong with a filter and its name; undefined: nothing. */
export const filterEntry = (name: string, filter: string): string | undefined => {
  const wrong = filterName.safeParse(name).error?.issues[0];
  if (wrong) return `"${makeSafe(name, 60)}" ${wrong.message}`;
  const bad = filterText.safeParse(filter).error?.issues[0];
  return bad && `the filter ${bad.message}`;
};

const noneOf = (...problems: readonly string[]): UserFile => ({ settings: nothingSet, problems });

/** The text of the file to what it sets. */
export const parseUserFile = (text: string, file: string, knowledge: UserKnowledge): UserFile => {
  const yaml = parseYaml(text);
  const show = (found: readonly Problem[]): readonly string[] =>
    found
      .map((problem) => ({ place: yaml.locate(problem.path, problem.atKey), text: problem.text }))
      .toSorted((a, b) => a.place.line - b.place.line || a.place.col - b.place.col)
      .map((problem) => problemLine(file, problem.place, problem.text));
  if (yaml.errors.length > 0)
    return noneOf(
      ...yaml.errors.map(({ place, text }) => problemLine(file, place, `${text}; the whole file is ignored`)),
    );
  if (yaml.value === null || yaml.value === undefined) return noneOf();
  if (!isRecord(yaml.value))
    return noneOf(
      problemLine(file, { line: 1, col: 1 }, 'these are no settings: no keys; start with "theme:"'),
    );
  const schema = userSchema(knowledge);
  const { value, warnings } = dropUnknownKeys(
    yaml.value,
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
  const first = schema.safeParse(value);
  const wrong = first.success ? [] : first.error.issues.map((issue) => explain(issue, value));
  const rest = wrong.reduce((left, { path }) => copyWithout(left, path), value);
  const { theme, mouse, keys: wanted, panes, filters } = schema.safeParse(rest).data ?? nothingSet;
  const keys = knowledge.checkKeys(dropUnset(wanted));
  const clashes = keys.problems.map(({ action, text }): Problem => ({
    path: ['keys', action],
    text: `keys.${action}: ${text}`,
  }));
  const leftOut = wrong.map((problem) => ({ ...problem, text: `${problem.text}; left out` }));
  return {
    settings: {
      ...(theme !== undefined && { theme }),
      ...(mouse !== undefined && { mouse }),
      keys: keys.bindings,
      panes: dropUnset(panes),
      filters,
    },
    problems: show([...warnings, ...leftOut, ...clashes]),
  };
};

/** The entries that have a value. */
const dropUnset = <T>(map: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );

/** A copy without what stands at a path. An item of a list takes the list with it: half of what was meant is another thing. */
const copyWithout = (value: unknown, path: Path): unknown => {
  const [key, ...rest] = path;
  if (key === undefined || !isRecord(value)) return value;
  const own = value[String(key)];
  const { [String(key)]: _, ...others } = value;
  return rest.length > 0 && isRecord(own) ? { ...others, [String(key)]: copyWithout(own, rest) } : others;
};
