import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { MOST_BYTES, readSiteFile } from './file.ts';
import { isRecord } from './inventory.ts';
import { problemLine, SiteError } from './problem.ts';
import { parseYaml, type Place } from './yaml.ts';

/** One file of a site, as it stands on the disk. */
export interface SiteText {
  file: string;
  text: string;
}

/** So deep files may include one another, as deep as ssh follows Include. */
const MOST_DEEP = 16;

const MOST_FILES = 100;

/** Does the work and ends it after some seconds; undefined then. */
type Bounded = <T>(work: () => T) => T | undefined;

/** A file that another one names, and where it does. */
interface Named {
  name: string;
  place: Place;
}

/**
 * A site file and all that it includes, each before what it includes itself, in the order of the lists. Each is trusted as the first one
 * is. Throws SiteError with a line for each file that can't be taken, at the line that names it.
 */
export const readWithIncludes = async (file: string, bounded: Bounded): Promise<readonly SiteText[]> => {
  const first: SiteText = { file, text: await readSiteFile(file) };
  const root = await realpath(file);
  const all: Gathered = { texts: [first], known: new Map([[root, 'as the first file']]), problems: [] };
  await follow(first, [root], all, bounded);
  if (all.problems.length > 0) throw new SiteError(all.problems);
  return all.texts;
};

interface Gathered {
  texts: SiteText[];
  /** Real paths of what was read to where it is named. */
  known: Map<string, string>;
  problems: string[];
}

/** `way`: the files on the way to this one, itself the last, by their real paths. */
const follow = async (
  from: SiteText,
  way: readonly string[],
  all: Gathered,
  bounded: Bounded,
): Promise<void> => {
  for (const { name, place } of namedIn(from, bounded)) {
    const path = pathBeside(from.file, name);
    const found = await take(path, way, all);
    if (typeof found === 'string') {
      all.problems.push(problemLine(from.file, place, `include: ${path}${found}`));
      continue;
    }
    all.known.set(found.real, `named on line ${place.line} of ${from.file}`);
    all.texts.push({ file: path, text: found.text });
    await follow({ file: path, text: found.text }, [...way, found.real], all, bounded);
  }
};

/** The text of a file, or why it can't be taken, as it goes on behind its path. */
const take = async (
  path: string,
  way: readonly string[],
  { texts, known }: Gathered,
): Promise<{ text: string; real: string } | string> => {
  if (way.length > MOST_DEEP) return ` stands more than ${MOST_DEEP} files deep; include it further up`;
  if (texts.length >= MOST_FILES) return ` is one file too many: at most ${MOST_FILES}`;
  const text = await readSiteFile(path).catch((error: unknown) => {
    if (error instanceof SiteError) return error;
    throw error;
  });
  if (text instanceof SiteError) return text.lines.join('; ').slice(path.length);
  const real = await realpath(path);
  if (way.includes(real)) return ` includes this file, so it would never end: ${[...way, real].join(' → ')}`;
  const before = known.get(real);
  if (before !== undefined) return ` is there already, ${before}; leave one of them out`;
  const bytes = [...texts, { text }].reduce((sum, one) => sum + one.text.length, 0);
  return bytes > MOST_BYTES
    ? `: with it the files have more than ${MOST_BYTES} bytes together`
    : { text, real };
};

/** The files that a text names under `include`; what is not in shape is told when all of it is read. */
const namedIn = ({ text }: SiteText, bounded: Bounded): readonly Named[] => {
  if (!text.includes('include')) return [];
  return (
    bounded(() => {
      const { value, errors, locate } = parseYaml(text);
      const list = errors.length === 0 && isRecord(value) ? value['include'] : undefined;
      return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((name, at) =>
        typeof name === 'string' && name !== '' ? [{ name, place: locate(['include', at]) }] : [],
      );
    }) ?? []
  );
};

/** A path as a file names it: in the same folder, below the home, or from the root. */
export const pathBeside = (file: string, named: string): string => {
  if (named.startsWith('~/')) return join(homedir(), named.slice(2));
  return isAbsolute(named) ? named : join(dirname(file), named);
};
