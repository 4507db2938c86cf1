import { dropUndefined } from '../../../src/kit/known.ts';
import type { ReadArray, ReadDisk } from '../readings.ts';
import { cellText } from './words.ts';

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
  /** What lies on a device, up to the top. */
  above: ReadonlyMap<string, string[]>;
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
  const above = (stack.above.get(name) ?? []).flatMap(([child]) => usesOf(child, stack, depth + 1));
  // A map below an array of md counts, too: md names the map then, and not this disk.
  const isIdleMap = own === undefined && above.length === 0 && type !== 'disk' && type !== 'part';
  const uses = [...(own === undefined ? [] : [own]), ...(isIdleMap ? [name] : []), ...above];
  return [...new Set(uses)];
};

/** Names of all that lies on a device. */
const namesAbove = (name: string, above: Stack['above'], depth = 0): string[] =>
  depth > 8
    ? []
    : (above.get(name) ?? []).flatMap(([child]) => [child, ...namesAbove(child, above, depth + 1)]);

export const devicesIn = (text: string): Devices => {
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
  const names = new Map([...above.keys()].map((name) => [name, [...new Set(namesAbove(name, above))]]));
  return { disks, parents, mounts, above: names };
};

/**
 * The disk behind a name of /dev/disk/by-id, by WWN or serial number: `wwn-0x5000c500a0b0c001-part1`, `scsi-35000c500a0b0c001`,
 * `ata-WDC_WD101_VCG8Z2NM`, `nvme-eui.0025385...`. Undefined where none or several fit.
 */
export const diskById = (name: string, disks: readonly ReadDisk[]): string | undefined => {
  const [, kind, id = ''] = /^(wwn|scsi|ata|nvme)-(.{4,120}?)(?:-part\d{1,3})?$/.exec(name) ?? [];
  if (kind === undefined) return undefined;
  const bare = (text: string): string => text.toLowerCase().replace(/^0x/, '');
  const wwn = kind === 'scsi' ? id.slice(1) : id;
  const found = disks.filter(
    (disk) =>
      (disk.wwn !== undefined && bare(disk.wwn) === bare(wwn)) ||
      (kind !== 'wwn' &&
        disk.serial !== undefined &&
        disk.serial.length > 3 &&
        id.endsWith(`_${disk.serial}`)),
  );
  return found.length === 1 ? found[0]?.name : undefined;
};

/** Disks instead of their partitions, and of names by WWN or serial number: a disk that is in two arrays is one disk. */
export const withDisks = (array: ReadArray, { parents, mounts, disks, above }: Devices): ReadArray => {
  const diskOf = (name: string): string => parents.get(name) ?? diskById(name, disks) ?? name;
  const { out = [], spareDisks = [] } = array;
  const members = [...array.slots.flatMap(({ disk }) => disk ?? []), ...out, ...spareDisks];
  const parts = [...new Set(members)].flatMap((member) => {
    const disk = diskOf(member);
    return disk === member ? [] : [{ member, disk }];
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
    ...(array.beside && { beside: array.beside.map(diskOf) }),
    ...(array.vdevs && { vdevs: array.vdevs.map((vdev) => ({ ...vdev, disk: diskOf(vdev.disk) })) }),
    ...dropUndefined({ mount: mounts.get(array.id), above: above.get(array.id) }),
  };
};
