import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, fieldIn, messagesOf, wholeNumber, type ReportedError } from './words.ts';

export interface MdadmDisk {
  number?: number;
  raidDevice?: number;
  state?: string;
  device?: string;
}

export interface MdadmArray {
  device?: string;
  level?: string;
  metadata?: string;
  state?: string[];
  raidDevices?: number;
  totalDevices?: number;
  active?: number;
  working?: number;
  failed?: number;
  spare?: number;
  sync?: { action: string; pct: number };
  name?: string;
  uuid?: string;
  events?: number | string;
  disks: (MdadmDisk | { device: string; role: string })[];
}

export interface Mdadm {
  source?: 'detail' | 'export';
  arrays?: MdadmArray[];
  error?: ReportedError;
  notUnderstood?: number;
}

const counts: Readonly<
  Record<string, 'raidDevices' | 'totalDevices' | 'active' | 'working' | 'failed' | 'spare'>
> = {
  'Raid Devices': 'raidDevices',
  'Total Devices': 'totalDevices',
  'Active Devices': 'active',
  'Working Devices': 'working',
  'Failed Devices': 'failed',
  'Spare Devices': 'spare',
};

const texts: Readonly<Record<string, 'level' | 'metadata' | 'uuid'>> = {
  Version: 'metadata',
  'Raid Level': 'level',
  UUID: 'uuid',
};

/** `Rebuild Status : 8% complete` */
const takeSync = (array: MdadmArray, key: string, value: string): void => {
  const [, word] = /^(Rebuild|Resync|Check|Reshape) Status$/.exec(key) ?? [];
  const pct = /^(\d{1,3})% complete/.exec(value)?.[1];
  if (word !== undefined && pct !== undefined) array.sync = { action: word.toLowerCase(), pct: Number(pct) };
};

/** `node07:0  (local to host node07)`; metadata 0.90 has no name, and says this behind the UUID. */
const withoutHost = (value: string): string => {
  const at = value.lastIndexOf(' (local to host ');
  return at < 0 || !value.endsWith(')') ? value : value.slice(0, at).trimEnd();
};

const takeField = (array: MdadmArray, key: string, value: string): void => {
  const [count, text, number] = [counts[key], texts[key], wholeNumber(value)];
  if (count !== undefined && number !== undefined) array[count] = number;
  else if (text !== undefined && value !== '') array[text] = key === 'UUID' ? withoutHost(value) : value;
  else if (key === 'State') array.state = value.split(',').map((word) => word.trim());
  // Version 0.90 counts events in two halves, `0.60`.
  else if (key === 'Events') array.events = number ?? value;
  else if (key === 'Name') array.name = withoutHost(value);
  else takeSync(array, key, value);
};

/** `      2       1        2        -      faulty   /dev/ram2`; what stands behind the slot is the state and the device, if there is one. */
const diskOf = (line: string): MdadmDisk | undefined => {
  const [number = '', major = '', minor = '', slot = '', ...words] = line.trim().split(/\s+/);
  const isPlace = (word: string): boolean => word === '-' || wholeNumber(word) !== undefined;
  if (!isPlace(number) || !isPlace(slot) || wholeNumber(major) === undefined) return undefined;
  if (wholeNumber(minor) === undefined) return undefined;
  const rest = words.length === 0 ? '' : line.slice(placeOf(line, 4)).trim();
  const at = rest.startsWith('/') ? 0 : rest.indexOf(' /');
  const [state, device] = at < 0 ? [rest, ''] : [rest.slice(0, at).trim(), rest.slice(at).trim()];
  const [place, raidDevice] = [wholeNumber(number), wholeNumber(slot)];
  return {
    ...(place !== undefined && { number: place }),
    ...(raidDevice !== undefined && { raidDevice }),
    ...(state !== '' && { state }),
    ...(device !== '' && { device }),
  };
};

const readDetail = (lines: readonly string[]): Mdadm => {
  const arrays: MdadmArray[] = [];
  let skipped = 0;
  for (const line of lines) {
    const title = /^(\/dev\/\S{1,200}):$/.exec(line)?.[1];
    if (title !== undefined) arrays.push({ device: title, disks: [] });
    const array = arrays.at(-1);
    if (title !== undefined || array === undefined) continue;
    const [field, disk] = [fieldIn(line), diskOf(line)];
    if (disk) array.disks.push(disk);
    else if (field) takeField(array, ...field);
    else if (!/^\s*Number\s+Major/.test(line)) skipped += 1;
  }
  return { source: 'detail', arrays, ...(skipped > 0 && { notUnderstood: skipped }) };
};

/** Where the words behind the first `count` begin. */
const placeOf = (line: string, count: number): number => {
  const words = line.matchAll(/\S+/g);
  const found = [...words][count];
  return found?.index ?? line.length;
};

const exportTexts: Readonly<Record<string, 'level' | 'metadata' | 'uuid' | 'name'>> = {
  MD_LEVEL: 'level',
  MD_METADATA: 'metadata',
  MD_UUID: 'uuid',
  MD_NAME: 'name',
};

/** Of each disk two lines come: its role, then its device, under a key made of its name. */
const readExport = (lines: readonly string[]): Mdadm => {
  const array: MdadmArray = { disks: [] };
  const [roles, devices] = [new Map<string, string>(), new Map<string, string>()];
  for (const line of lines) {
    const at = line.indexOf('=');
    const [key, value] = [line.slice(0, at), line.slice(at + 1).trim()];
    const text = exportTexts[key];
    const count = key === 'MD_DEVICES' ? wholeNumber(value) : undefined;
    const [, disk = '', kind] = /^MD_DEVICE_(.{1,200})_(ROLE|DEV)$/.exec(key) ?? [];
    if (text !== undefined && value !== '') array[text] = value;
    else if (count !== undefined) array.raidDevices = count;
    else if (kind === 'ROLE') roles.set(disk, value);
    else if (kind === 'DEV') devices.set(disk, value);
  }
  for (const [disk, device] of devices) {
    const role = roles.get(disk);
    array.disks.push(role === undefined ? { device } : { device, role });
  }
  return { source: 'export', arrays: [array] };
};

/** Reads `mdadm --detail` of one or more arrays, `mdadm --detail --export`, and what mdadm says when it fails. */
export const parseMdadm = ({ stdout, stderr }: ParseInput): Mdadm => {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const said = messagesOf(/^mdadm: /, stderr)[0];
  if (lines.some((line) => line.startsWith('MD_'))) return readExport(lines);
  if (lines.some((line) => line.startsWith('/dev/'))) {
    const read = readDetail(lines);
    return { ...read, ...(said !== undefined && { error: errorOfMessage(said) }) };
  }
  const printed = lines.find((line) => line.startsWith('mdadm: '))?.slice('mdadm: '.length);
  const failure = said ?? printed;
  if (failure === undefined) throw new NotThisFormat('neither an array nor a message of mdadm');
  return { error: errorOfMessage(failure) };
};
