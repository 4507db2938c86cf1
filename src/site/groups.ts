import type { Told } from '../model/site.ts';
import { nearestWord } from '../text/nearest.ts';
import { expandSet, NotYetKnown, type Groups } from '../text/set-arithmetic.ts';
import type { Problem } from './problem.ts';

/** Groups of other sources, as far as they were asked for. */
export interface Outside {
  answered: { get(name: string): Told | undefined; entries?(): Iterable<[string, Told]> };
  /** Names that were looked for and not told yet. */
  wanted: Set<string>;
}

/** `gpu`, `rack:r7`. Sources hand names to shell commands: nothing else gets there. */
const GROUP = /^(?:[A-Za-z0-9][A-Za-z0-9_.-]{0,62}:)?[A-Za-z0-9][A-Za-z0-9_./-]{0,62}$/;

/** So many groups one in another; a person needs three. */
const MOST_DEEP = 32;

/** Names in all groups of a file together. */
const MOST_IN_ALL = 1_000_000;

/** The groups of a site file, by their expressions; what it does not have is looked for outside. */
export const createGroups = (own: Readonly<Record<string, string>>, outside: Outside): Groups => {
  const known = new Map<string, readonly string[] | RangeError>();
  const open: string[] = [];
  let total = 0;
  const expandOwn = (name: string, expression: string): readonly string[] => {
    if (open.includes(name)) throw new RangeError(cycleText([...open, name]));
    if (open.length >= MOST_DEEP)
      throw new RangeError(`groups are nested more than ${MOST_DEEP} deep: @${open[0]}`);
    open.push(name);
    try {
      const names = expandSet(expression, groups);
      total += names.length;
      if (total > MOST_IN_ALL)
        throw new RangeError(`with "@${name}" the groups hold more than ${MOST_IN_ALL} names`);
      return names;
    } finally {
      open.pop();
    }
  };
  const groups: Groups = {
    members: (name) => {
      const expression = Object.hasOwn(own, name) ? own[name] : undefined;
      if (expression === undefined) return membersOutside(name, own, outside);
      let names = known.get(name);
      if (names === undefined) {
        try {
          names = expandOwn(name, expression);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          names = error;
        }
        known.set(name, names);
      }
      if (names instanceof RangeError) throw names;
      return names;
    },
  };
  return groups;
};

/** What is wrong with the groups of a file themselves, also where nothing uses them. */
export const groupProblems = (own: Readonly<Record<string, string>>, groups: Groups): Problem[] =>
  Object.keys(own).flatMap((name) => {
    const text = whyNoNames(() => groups.members(name));
    return text === undefined ? [] : [{ path: ['groups', name], text }];
  });

/** Why a set has no names; undefined when it has, and when it may have once its groups are known. */
export const whyNoNames = (names: () => unknown): string | undefined => {
  try {
    names();
    return undefined;
  } catch (error) {
    if (error instanceof NotYetKnown) return undefined;
    if (error instanceof RangeError) return error.message;
    throw error;
  }
};

/** Whether a set names a group that is told only once its source was asked. */
export const isNotYetKnown = (names: () => unknown): boolean => {
  try {
    names();
    return false;
  } catch (error) {
    if (error instanceof RangeError) return error instanceof NotYetKnown;
    throw error;
  }
};

/** Planned work is on a set of hosts, or on one thing as it is written: `home0@gl1`, `core3:te3/46`, `rack:r7`. */
export const namesOfSubject = (subject: string, groups: Groups): readonly string[] =>
  subject.startsWith('@') || (subject.includes('[') && !subject.includes(':'))
    ? expandSet(subject, groups)
    : [subject];

const cycleText = (path: readonly string[]): string => {
  const shown = path.slice(path.indexOf(path.at(-1) ?? '')).map((name) => `@${name}`);
  return `the group ${shown[0]} holds itself: ${shown.join(', which holds ')}`;
};

const membersOutside = (
  name: string,
  own: Readonly<Record<string, string>>,
  { answered, wanted }: Outside,
): readonly string[] => {
  if (!GROUP.test(name))
    throw new RangeError(
      `"@${name}" is no group; write @gpu or @SOURCE:NAME with letters, digits and . _ / - in its name`,
    );
  const found = answered.get(name);
  if (found === undefined) {
    wanted.add(name);
    throw new RangeError(`there is no group "@${name}"`);
  }
  if ('later' in found) throw new NotYetKnown(`"@${name}" is known only once ${found.later} was read`);
  if (!('why' in found)) return found;
  const names = [...Object.keys(own), ...found.known];
  const near = nearestWord(name, names);
  const list = names.length > 0 && names.length <= 20 ? `; known: ${names.join(', ')}` : '';
  const right = near === undefined ? `; ${found.why}${list}` : `; did you mean "@${near}"?`;
  throw new RangeError(`there is no group "@${name}"${right}`);
};

/**
 * Does the work with what `ask` tells of groups that it looked for, until nothing more is wanted. `work` may fail while groups are
 * missing: it is done again.
 */
export const resolveOutside = async <T>(
  work: (outside: Outside) => T,
  ask: (names: readonly string[]) => Promise<ReadonlyMap<string, Told>>,
): Promise<T> => {
  const answered = new Map<string, Told>();
  for (;;) {
    const wanted = new Set<string>();
    let done: { value: T } | { error: unknown };
    try {
      done = { value: work({ answered, wanted }) };
    } catch (error) {
      done = { error };
    }
    if (wanted.size === 0) {
      if ('error' in done) throw done.error;
      return done.value;
    }
    const answers = await ask([...wanted]);
    for (const name of wanted)
      answered.set(name, answers.get(name) ?? { why: 'its source said nothing of it', known: [] });
  }
};
