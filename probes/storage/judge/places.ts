import type { Facts } from '../../../src/model/fact.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { diskById } from '../read/devices.ts';
import type { ArraysReading, ReadArray, ReadMap } from '../readings.ts';

/** What holds data of users, and where on a host it lies. */
export interface Place {
  subject: Subject;
  host: string;
  on: string;
}

export const placesOn = (host: string, facts: Facts): Place[] =>
  facts
    .list('data.place')
    .filter(({ value }) => value.host === host)
    .map(({ subject, value }) => ({ subject, ...value }));

const hexOf = (text: string): string => text.toLowerCase().replace(/[^0-9a-f]/g, '');

/** The array whose members bear this id of md. */
const arrayByUuid = (uuid: string, { arrays, disks }: ArraysReading): string | undefined =>
  arrays.find(({ slots }) =>
    slots.some(({ disk: name }) => {
      const madeFor = disks.find((disk) => disk.name === name)?.madeFor;
      return madeFor !== undefined && hexOf(madeFor) === uuid;
    }),
  )?.id;

/** multipath's id of a SCSI disk is its NAA with a 3 before it. */
const mapByWwid = (id: string, { maps = [] }: ArraysReading): string | undefined =>
  maps.find(({ wwid }) => wwid !== undefined && [wwid, `wwn-0x${wwid.slice(1)}`].includes(id))?.name;

/** The kernel's or device mapper's name behind a path: `/dev/md6`, `/dev/mapper/mpatha`, `/dev/vg0/ost5`, a link by id. */
export const deviceName = (on: string, reading: ArraysReading | undefined): string | undefined => {
  const [, id] = /^\/dev\/disk\/by-id\/(.+)$/.exec(on) ?? [];
  if (id !== undefined) {
    if (!reading) return undefined;
    if (id.startsWith('md-uuid-')) return arrayByUuid(hexOf(id.slice('md-uuid-'.length)), reading);
    const bare = id.replace(/^dm-uuid-mpath-|^scsi-(?=3)/, '');
    return mapByWwid(bare, reading) ?? diskById(id, reading.disks);
  }
  const [, folder, name = ''] = /^\/dev\/(?:([\w.+-]+)\/)?([\w.+-]+)$/.exec(on) ?? [];
  if (name === '' || folder === 'md') return undefined;
  // lvm doubles the hyphens of both names, and puts one between them (lvm(8)).
  return folder === undefined || folder === 'mapper'
    ? name
    : [folder, name].map((part) => part.replaceAll('-', '--')).join('-');
};

/** Those of a host's places that lie on one of its arrays; none: nothing is known to. */
export const heldByArray = (
  array: ReadArray,
  places: readonly Place[],
  reading: ArraysReading | undefined,
): Subject[] =>
  places
    .filter(({ on }) => {
      if (!on.startsWith('/')) return array.pool !== undefined && on.split('/')[0] === array.pool;
      if (on === array.mount) return true;
      const name = deviceName(on, reading);
      return name !== undefined && (name === array.id || array.above?.includes(name) === true);
    })
    .map(({ subject }) => subject);

/** The same of a map of several paths. */
export const heldByMap = (
  { name }: ReadMap,
  places: readonly Place[],
  reading: ArraysReading | undefined,
): Subject[] => places.filter(({ on }) => deviceName(on, reading) === name).map(({ subject }) => subject);

/** ` below scratch-OST0003`; empty where nothing is known to lie there. */
export const belowWords = (held: readonly Subject[]): string =>
  held.length === 0 ? '' : ` below ${fold(held.map(({ id }) => id))}`;
