import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { wholeNumber } from './words.ts';

export interface MdSysMember {
  name: string;
  /** Words joined by commas: `in_sync`, `in_sync,write_mostly`, `faulty`, `spare`. */
  state?: string;
  slot?: number;
  errors?: number;
}

export interface MdSysArray {
  name: string;
  level?: string;
  raidDisks?: number;
  arrayState?: string;
  syncAction?: string;
  degraded?: number;
  mismatchCnt?: number;
  /** `6528 / 63488`, in sectors */
  syncCompleted?: string;
  /** KiB/s, and whose setting it is: `1000 (system)`, `2000 (local)` */
  syncSpeedMin?: string;
  syncSpeedMax?: string;
  disks: MdSysMember[];
}

export interface MdSys {
  arrays: MdSysArray[];
  notUnderstood?: number;
}

const rowForm = /^\/sys\/block\/([^/:]{1,80})\/md\/(?:dev-([^/]{1,80})\/)?([a-z_]{1,40}):(.*)$/;

type TextField = 'level' | 'arrayState' | 'syncAction' | 'syncCompleted' | 'syncSpeedMin' | 'syncSpeedMax';

const arrayTexts: Readonly<Record<string, TextField>> = {
  level: 'level',
  array_state: 'arrayState',
  sync_action: 'syncAction',
  sync_completed: 'syncCompleted',
  sync_speed_min: 'syncSpeedMin',
  sync_speed_max: 'syncSpeedMax',
};

const arrayCounts: Readonly<Record<string, 'raidDisks' | 'degraded' | 'mismatchCnt'>> = {
  raid_disks: 'raidDisks',
  degraded: 'degraded',
  mismatch_cnt: 'mismatchCnt',
};

const takeArray = (array: MdSysArray, attribute: string, value: string): boolean => {
  const [text, count] = [arrayTexts[attribute], arrayCounts[attribute]];
  if (text !== undefined) {
    array[text] = value;
    return true;
  }
  // In a reshape raid_disks is `4 (3)`: what it will be, and what it was.
  const number = wholeNumber(value.split(' ')[0]);
  if (count === undefined || number === undefined) return false;
  array[count] = number;
  return true;
};

const takeMember = (member: MdSysMember, attribute: string, value: string): boolean => {
  if (attribute === 'state') {
    member.state = value;
    return true;
  }
  const number = wholeNumber(value);
  if ((attribute !== 'slot' && attribute !== 'errors') || number === undefined) return false;
  member[attribute] = number;
  return true;
};

const memberOf = (array: MdSysArray, name: string): MdSysMember => {
  const known = array.disks.find((disk) => disk.name === name);
  if (known) return known;
  const disk: MdSysMember = { name };
  array.disks.push(disk);
  return disk;
};

/** Reads what `grep -s .` prints of the attributes in the folder `md` of each array in /sys/block, one attribute a line with its path in front. Nothing printed: no array. */
export const parseMdsys = ({ stdout }: ParseInput): MdSys => {
  const arrays = new Map<string, MdSysArray>();
  const lines = stdout.split('\n').filter((line) => line !== '');
  let skipped = 0;
  for (const line of lines) {
    const [, name, disk, attribute = '', value = ''] = rowForm.exec(line) ?? [];
    if (name === undefined) {
      skipped += 1;
      continue;
    }
    const array = arrays.get(name) ?? { name, disks: [] };
    arrays.set(name, array);
    const text = value.trim();
    if (disk !== undefined) memberOf(array, disk);
    // `none` is the kernel's word for no slot and for no sync.
    if (text === 'none' || text === '') continue;
    const taken =
      disk === undefined
        ? takeArray(array, attribute, text)
        : takeMember(memberOf(array, disk), attribute, text);
    if (!taken) skipped += 1;
  }
  if (skipped > 0 && arrays.size === 0)
    throw new NotThisFormat('no line is an attribute of /sys/block/md*/md');
  return { arrays: [...arrays.values()], ...(skipped > 0 && { notUnderstood: skipped }) };
};
