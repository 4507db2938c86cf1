import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findPart, findSection, sectionsOf, type Section } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { count } from '../../../src/text/units.ts';
import type { ArraysReading, ReadArray, ReadDisk, ReadMap } from '../readings.ts';
import { mdArrays } from './md-arrays.ts';
import { parseMdstat } from './parse-mdstat.ts';
import { parseMdsys } from './parse-mdsys.ts';
import { parseMultipath, type PathMap } from './parse-multipath.ts';
import { parseZpool } from './parse-zpool.ts';
import { cellText } from './words.ts';
import { readWrites } from './writes.ts';
import { zfsArrays } from './zfs-arrays.ts';

/** `NAME="sda1" PKNAME="sda" ...`: one line a device, as `lsblk -P` prints it. */
const pairsOf = (line: string): ReadonlyMap<string, string> => {
  // Every second piece between quotes is a value; the piece before it ends with its name.
  const pieces = line.split('"');
  return new Map(
    pieces.flatMap((piece, at): [string, string][] =>
      at % 2 === 1 ? [[(pieces[at - 1] ?? '').replace('=', '').trim(), piece]] : [],
    ),
  );
};

/** libblkid's word for a disk that bears the superblock of md. */
const MEMBER = 'linux_raid_member';

interface Devices {
  disks: ReadDisk[];
  /** The disk below a partition. */
  parents: ReadonlyMap<string, string>;
  mounts: ReadonlyMap<string, string>;
}

interface Stack {
  types: ReadonlyMap<string, string>;
  /** Devices that lie on one, as pairs of their name and its. */
  above: ReadonlyMap<string, readonly (readonly [name: string, parent: string])[]>;
  mounts: ReadonlyMap<string, string>;
}

/**
 * What of a disk is in use beside arrays of md: what is mounted from it or from what lies on it, and maps (LVM, encryption, paths) that are
 * set up on it and not mounted, by their name.
 */
const usesOf = (name: string, stack: Stack, depth = 0): string[] => {
  const type = stack.types.get(name) ?? '';
  if (/^(?:raid|linear|md)/.test(type) || depth > 8) return [];
  const own = stack.mounts.get(name);
  const above = stack.above.get(name) ?? [];
  const isIdleMap = own === undefined && above.length === 0 && type !== 'disk' && type !== 'part';
  const uses = [
    ...(own === undefined ? [] : [own]),
    ...(isIdleMap ? [name] : []),
    ...above.flatMap(([child]) => usesOf(child, stack, depth + 1)),
  ];
  return [...new Set(uses)];
};

const devicesIn = (text: string): Devices => {
  const rows = text.split('\n').map(pairsOf);
  const valuesOf = (key: string): [string, string][] =>
    rows.flatMap((row): [string, string][] => {
      const [name, value] = [row.get('NAME'), cellText(row.get(key))];
      return name === undefined || value === undefined ? [] : [[name, value]];
    });
  const mounts = new Map(valuesOf('MOUNTPOINT'));
  const types = new Map(valuesOf('TYPE'));
  const parents = new Map(valuesOf('PKNAME').filter(([name]) => types.get(name) === 'part'));
  const above = Map.groupBy(valuesOf('PKNAME'), ([, parent]) => parent);
  const partitioned = new Set(parents.values());
  const disks = rows.flatMap((row): ReadDisk[] => {
    const name = row.get('NAME');
    if (row.get('TYPE') !== 'disk' || name === undefined) return [];
    const own = usesOf(name, { types, above, mounts });
    const type = cellText(row.get('FSTYPE'));
    const madeFor = type === MEMBER ? cellText(row.get('UUID')) : undefined;
    return [
      {
        name,
        ...dropUndefined({ serial: cellText(row.get('SERIAL')), wwn: cellText(row.get('WWN')) }),
        ...dropUndefined({ holds: type ?? (partitioned.has(name) ? 'partitions' : undefined), madeFor }),
        ...(own.length > 0 && { mounts: own }),
      },
    ];
  });
  return { disks, parents, mounts };
};

/** Disks instead of their partitions: a disk that is in two arrays is one disk. */
const withDisks = (array: ReadArray, { parents, mounts }: Devices): ReadArray => {
  const diskOf = (name: string): string => parents.get(name) ?? name;
  const { out = [], spareDisks = [] } = array;
  const members = [...array.slots.flatMap(({ disk }) => disk ?? []), ...out, ...spareDisks];
  const parts = [...new Set(members)].flatMap((member) => {
    const disk = parents.get(member);
    return disk === undefined ? [] : [{ member, disk }];
  });
  return {
    ...array,
    slots: array.slots.map((slot) => ({
      ...slot,
      ...(slot.disk !== undefined && { disk: diskOf(slot.disk) }),
    })),
    ...(array.out && { out: array.out.map(diskOf) }),
    ...(array.spareDisks && { spareDisks: array.spareDisks.map(diskOf) }),
    ...(parts.length > 0 && { parts }),
    ...dropUndefined({ mount: mounts.get(array.id) }),
  };
};

const usablePaths = ({ groups }: PathMap): number =>
  groups
    .flatMap(({ paths }) => paths)
    .filter(({ dmState, checker }) => dmState === 'active' && checker === 'ready').length;

const mapOf = (map: PathMap): ReadMap => ({
  name: map.name,
  usable: usablePaths(map),
  paths: map.groups.flatMap(({ paths }) => paths).length,
  ...dropUndefined({ queueing: map.queueing }),
});

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
  return zfsArrays(read?.pools ?? []);
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

/** Reads the answer of the script of arrays. */
export const readArrays = (answer: Answer): { value: ArraysReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, 'reading arrays');
  const unread: Unread = { parts: {}, lines: 0 };
  const part = findPart(sections, 'disks');
  if (part?.code !== 0) unread.parts['disks'] = firstLine(part?.text ?? '') || 'lsblk did not answer';
  const devices = devicesIn(part?.text ?? '');
  const arrays = [...readMd(sections, unread), ...readZfs(sections, unread)];
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
