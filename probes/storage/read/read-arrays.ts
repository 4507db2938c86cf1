import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findPart, findSection, sectionsOf, type Section } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { count } from '../../../src/text/units.ts';
import type { ArraysReading, ReadArray, ReadDisk, ReadMap } from '../readings.ts';
import { mdArrays } from './md-arrays.ts';
import { parseMdstat } from './parse-mdstat.ts';
import { parseMdsys } from './parse-mdsys.ts';
import { parseMultipath, type Path, type PathMap } from './parse-multipath.ts';
import { parseZpool } from './parse-zpool.ts';
import { devicesIn, withDisks } from './devices.ts';
import { readWrites } from './writes.ts';
import { zfsArrays } from './zfs-arrays.ts';

const isUsable = ({ dmState, checker }: Path): boolean => dmState === 'active' && checker === 'ready';

const namesOf = (paths: readonly Path[]): string[] => paths.flatMap(({ dev }) => dev ?? []);

const mapOf = (map: PathMap): ReadMap => {
  const paths = map.groups.flatMap((group) => group.paths);
  const usable = paths.filter(isUsable);
  const lost = namesOf(paths.filter((path) => !isUsable(path)));
  const marginal = namesOf(usable.filter((path) => path.marginal));
  return {
    name: map.name,
    usable: usable.length,
    paths: paths.length,
    ...(lost.length > 0 && { lost }),
    ...(marginal.length > 0 && { marginal }),
    ...dropUndefined({ queueing: map.queueing, wwid: map.wwid }),
  };
};

/** `/sys/block/md6/md/dev-sdg/block`: members whose disk has left the system, by array. */
const pulledIn = (text: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const rows = text.split('\n').flatMap((line) => {
    const [, array = '', disk = ''] =
      /^\/sys\/block\/([^/]{1,80})\/md\/dev-([^/]{1,80})\/block$/.exec(line) ?? [];
    return array === '' ? [] : [{ array, disk }];
  });
  const byArray = Map.groupBy(rows, ({ array }) => array);
  return new Map([...byArray].map(([array, found]) => [array, new Set(found.map(({ disk }) => disk))]));
};

interface Unread {
  /** Why a part was not read, or not all of it. */
  parts: Record<string, string>;
  /** Lines of all parts that look like content and were skipped. */
  lines: number;
}

/** Reads one part; why it can't be read, or that not all of it was, stands in `unread`. */
const attempt = <T extends { notUnderstood?: number }>(
  unread: Unread,
  word: string,
  text: string,
  read: () => T,
): T | undefined => {
  try {
    const value = read();
    const { notUnderstood = 0 } = value;
    unread.lines += notUnderstood;
    if (notUnderstood > 0) unread.parts[word] = `${count(notUnderstood, 'line')} not understood`;
    return value;
  } catch (error) {
    unread.parts[word] = firstLine(text) || (error instanceof Error ? error.message : 'nothing printed');
    return undefined;
  }
};

const readMd = (sections: readonly Section[], unread: Unread): ReadArray[] => {
  const body = (word: string): string => findSection(sections, word)?.body.trimEnd() ?? '';
  const stat = body('mdstat');
  // Without the module there is no mdstat, and no array of md.
  if (/No such file/.test(stat)) return [];
  const read = attempt(unread, 'mdstat', stat, () => {
    const [kernel, sys] = [parseMdstat({ stdout: stat }), parseMdsys({ stdout: body('mdsys') })];
    return {
      arrays: mdArrays(kernel.arrays, sys.arrays, pulledIn(body('gone'))),
      notUnderstood: (kernel.notUnderstood ?? 0) + (sys.notUnderstood ?? 0),
    };
  });
  return read?.arrays ?? [];
};

const readZfs = (sections: readonly Section[], unread: Unread): ReadArray[] => {
  const part = findPart(sections, 'zpool');
  if (!part) return [];
  const read = attempt(unread, 'zpool', part.text, () =>
    parseZpool({ stdout: part.text, exitCode: part.code }),
  );
  if (read?.error || part.code === 137)
    unread.parts['zpool'] = read?.error?.message ?? 'no answer within 10 s';
  // Without guids nothing is done to a disk of a pool; that is no reason to leave out what was read of it.
  const guids = findPart(sections, 'guids');
  const named = guids?.code === 0 ? parseZpool({ stdout: guids.text, exitCode: 0 }).pools : undefined;
  return zfsArrays(read?.pools ?? [], named);
};

const readMaps = (sections: readonly Section[], unread: Unread): ReadMap[] | undefined => {
  const part = findPart(sections, 'paths');
  if (!part) return undefined;
  const read = attempt(unread, 'paths', part.text, () =>
    parseMultipath({ stdout: part.text, exitCode: part.code }),
  );
  if (read?.error || part.code === 137)
    unread.parts['paths'] = read?.error?.message ?? 'no answer within 10 s';
  return read?.maps?.map(mapOf);
};

/** An answer of before there was such a section says nothing of it. */
const writesIn = (
  sections: readonly Section[],
  disks: readonly ReadDisk[],
  unread: Unread,
): Pick<ArraysReading, 'writes'> => {
  const section = findSection(sections, 'writes');
  if (!section) return {};
  const names = new Set(disks.map(({ name }) => name));
  const read = attempt(unread, 'writes', section.body.trim(), () => readWrites(section.body, names));
  return read ? { writes: read.writes } : {};
};

/** Two arrays of one name can't be told apart by anything that is done to one: nothing is said of either. */
const doubtTwins = (arrays: readonly ReadArray[]): ReadArray[] =>
  arrays.map((array) =>
    arrays.filter(({ id }) => id === array.id).length > 1
      ? { ...array, doubt: 'two arrays bear this name' }
      : array,
  );

/** Reads the answer of the script of arrays. */
export const readArrays = (answer: Answer): { value: ArraysReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, 'reading arrays');
  const unread: Unread = { parts: {}, lines: 0 };
  const part = findPart(sections, 'disks');
  if (part?.code !== 0) unread.parts['disks'] = firstLine(part?.text ?? '') || 'lsblk did not answer';
  const devices = devicesIn(part?.text ?? '');
  const arrays = doubtTwins([...readMd(sections, unread), ...readZfs(sections, unread)]);
  const maps = readMaps(sections, unread);
  const writes = writesIn(sections, devices.disks, unread);
  return {
    value: {
      arrays: arrays.map((array) => withDisks(array, devices)),
      disks: devices.disks,
      ...(maps && { maps }),
      ...writes,
      unread: unread.parts,
    },
    notUnderstood: unread.lines,
  };
};
