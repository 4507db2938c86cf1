import { isRecord } from './inventory.ts';
import type { SiteText } from './includes.ts';
import { problemLine, SiteError, type Path } from './problem.ts';
import { joinSections, type SectionFile } from './section-files.ts';
import { parseYaml, type ParsedYaml, type Place } from './yaml.ts';

/** A place in one of the files of a site. */
export interface FilePlace extends Place {
  file: string;
}

export interface PlacedProblem {
  place: FilePlace;
  text: string;
}

export interface YamlFile {
  file: string;
  yaml: ParsedYaml;
}

/** The files of a site as one. */
export interface Merged {
  value: Readonly<Record<string, unknown>>;
  /** Keys that two files set. */
  problems: readonly PlacedProblem[];
  locate(path: Path, atKey?: boolean): FilePlace;
  /** A path as its own file has it: `hosts[1]` of the third file may be `hosts[7]` of the whole. */
  ownPath(path: Path): Path;
}

/** Entries of a list that come from one file, and the first one's number in the whole. */
interface Part {
  of: YamlFile;
  from: number;
}

/** Places of the systems' own files name these. */
const inFile = (place: Place, file: string): FilePlace => ({ ...place, file: place.file ?? file });

const placeIn = ({ file, yaml }: YamlFile, path: Path, atKey?: boolean): FilePlace =>
  inFile(yaml.locate(path, atKey), file);

/**
 * Lists of several files go together, in the order of the files; maps do by their keys (`groups`, a system's section). Whatever else two
 * files set is a mistake: nobody would know which one holds.
 */
export const mergeFiles = ([first, ...more]: readonly [YamlFile, ...YamlFile[]]): Merged => {
  const root = isRecord(first.yaml.value) ? first.yaml.value : {};
  if (more.length === 0)
    return {
      value: root,
      problems: [],
      locate: (path, atKey) => placeIn(first, path, atKey),
      ownPath: (path) => path,
    };
  const value: Record<string, unknown> = {};
  const parts = new Map<string, Part[]>();
  /** `groups.gpu` and `site` to the file that sets them. */
  const setBy = new Map<string, YamlFile>();
  const problems: PlacedProblem[] = [];
  const note = (of: YamlFile, path: Path): void => {
    const key = path.join('.');
    const before = setBy.get(key);
    if (!before) {
      setBy.set(key, of);
      return;
    }
    const { file, line } = placeIn(before, path, true);
    const text = `"${key}" is set already on line ${line} of ${file}; keep one of them`;
    problems.push({ place: placeIn(of, path, true), text });
  };
  for (const of of [first, ...more])
    for (const [key, own] of Object.entries(isRecord(of.yaml.value) ? of.yaml.value : {})) {
      const before = value[key];
      // Its files were taken already; the schema sees the first one's list alone.
      if (key === 'include' && of !== first) {
        if (!isListOfNames(own)) problems.push({ place: placeIn(of, [key], true), text: noListText });
        continue;
      }
      const isMore =
        before !== undefined &&
        (Array.isArray(own) ? Array.isArray(before) : isRecord(own) && isRecord(before));
      if (!isMore) note(of, [key]);
      if (Array.isArray(own) && (isMore || before === undefined)) {
        const list = Array.isArray(before) ? (before as unknown[]) : [];
        parts.set(key, [...(parts.get(key) ?? []), { of, from: list.length }]);
        value[key] = [...list, ...(own as unknown[])];
      } else if (isRecord(own) && (isMore || before === undefined)) {
        for (const name of Object.keys(own)) note(of, [key, name]);
        value[key] = { ...own, ...(isRecord(before) ? before : {}) };
      } else value[key] ??= own;
    }
  const ownOf = (path: Path): { of: YamlFile; path: Path } => {
    const [key = '', next, ...rest] = path;
    const part = typeof next === 'number' ? partOf(parts.get(String(key)), next) : undefined;
    if (part) return { of: part.of, path: [key, Number(next) - part.from, ...rest] };
    return { of: setBy.get(`${key}.${next}`) ?? setBy.get(String(key)) ?? first, path };
  };
  return {
    value,
    problems,
    locate: (path, atKey) => {
      const own = ownOf(path);
      return placeIn(own.of, own.path, atKey);
    },
    ownPath: (path) => ownOf(path).path,
  };
};

const noListText = '"include" is no list of files; write it as include: [racks.yaml]';

const isListOfNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');

const partOf = (parts: readonly Part[] | undefined, index: number): Part | undefined =>
  parts?.findLast(({ from }) => from <= index);

/** Each file as YAML, the first with the entries of the systems' own files. Throws SiteError with all that is not. */
export const readFiles = (
  texts: readonly SiteText[],
  sections: readonly SectionFile[],
): [YamlFile, ...YamlFile[]] => {
  const [first, ...more] = texts.map(({ file, text }, at): YamlFile => {
    const yaml = parseYaml(text);
    return { file, yaml: at === 0 ? joinSections(yaml, sections) : yaml };
  });
  const all = first ? [first, ...more] : [];
  const broken = all.flatMap(({ file, yaml }): PlacedProblem[] => {
    if (yaml.errors.length > 0)
      return yaml.errors.map(({ place, text }) => ({ place: inFile(place, file), text }));
    if (isRecord(yaml.value)) return [];
    return [{ place: { line: 1, col: 1, file }, text: notAMap(yaml.value, file === first?.file) }];
  });
  if (!first || broken.length > 0) throw new SiteError(showInOrder(broken, all));
  return [first, ...more];
};

export const warningsIn = (files: readonly YamlFile[]): PlacedProblem[] =>
  files.flatMap(({ file, yaml }) =>
    yaml.warnings.map(({ place, text }) => ({ place: inFile(place, file), text })),
  );

/** In the order of the files, and in each from top to bottom. */
export const showInOrder = (found: readonly PlacedProblem[], files: readonly YamlFile[]): string[] => {
  const order = new Map(files.map(({ file }, at) => [file, at]));
  return found
    .toSorted(
      ({ place: a }, { place: b }) =>
        (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.col - b.col,
    )
    .map(({ place, text }) => problemLine(place.file, place, text));
};

/** `isFirst`: the site file itself, not what it includes. */
const notAMap = (value: unknown, isFirst: boolean): string => {
  const isEmpty = value === null || value === undefined || value === '';
  const what = isEmpty ? 'the file is empty' : 'this is not a site file: no keys';
  return `${what}; ${isFirst ? 'start with "site: NAME" and "hosts:"' : 'write keys of a site file, as "hosts:" or "groups:"'}`;
};
