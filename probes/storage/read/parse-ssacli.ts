import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import {
  closeReport,
  hasRows,
  openReport,
  type OpenReport,
  type RaidArray,
  type RaidController,
  type RaidDisk,
  type RaidReport,
} from './raid.ts';
import {
  cellText,
  errorOfMessage,
  fieldIn,
  leadingNumber,
  messagesOf,
  squeeze,
  wholeNumber,
} from './words.ts';

/** What the lines that follow belong to. */
interface Place {
  controller?: RaidController;
  /** Letter of the HPE array. */
  group?: string;
  groupState?: string;
  array?: RaidArray;
  disk?: RaidDisk;
  mirrorGroup?: number;
  parityGroup?: number;
  part: 'controller' | 'group' | 'array' | 'disk' | 'other';
  /** Disks of this controller by id: each is listed more than once. */
  disks: Map<string, RaidDisk>;
}

/** `Smart Array P410i in Slot 0 (Embedded)    (sn: 5001438012345678)` */
const controllerForm = /^(\S.{0,80}) in Slot (\w{1,40})\b/;

const takeController = (report: OpenReport, place: Place, line: string): boolean => {
  const [, model, id] = controllerForm.exec(line) ?? [];
  if (model === undefined || id === undefined) return false;
  const serial = /\(sn: ?(\w{1,40})/i.exec(line)?.[1];
  place.controller = { id, model: model.trim(), ...(serial !== undefined && { serial }) };
  report.controllers.push(place.controller);
  place.disks = new Map();
  enter(place, 'controller');
  leaveGroup(place);
  return true;
};

const leaveGroup = (place: Place): void => {
  delete place.group;
  delete place.groupState;
};

const enter = (place: Place, part: Place['part']): void => {
  place.part = part;
  delete place.disk;
  delete place.mirrorGroup;
  delete place.parityGroup;
  if (part !== 'array') delete place.array;
};

const diskWith = (report: OpenReport, place: Place, id: string): RaidDisk | undefined => {
  if (!place.controller) return undefined;
  const known = place.disks.get(id);
  if (known) return known;
  const disk: RaidDisk = { id, controller: place.controller.id };
  place.disks.set(id, disk);
  report.disks.push(disk);
  return disk;
};

/** What stands between the outer parentheses, cut at the commas: `(136.7 GB, RAID 6 (ADG), Recovering, 12% complete)`. */
const listIn = (line: string): string[] => {
  const [open, close] = [line.indexOf('('), line.lastIndexOf(')')];
  if (open < 0 || close < open) return [];
  return line
    .slice(open + 1, close)
    .split(', ')
    .map((part) => part.trim());
};

/** `physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS HDD, 146 GB, OK, spare)`; without parentheses a block of its own begins. */
const takeDisk = (report: OpenReport, place: Place, line: string): boolean => {
  const id = /^physicaldrive (\S{1,40})/.exec(line)?.[1];
  if (id === undefined) return false;
  const disk = diskWith(report, place, id);
  if (!disk) return true;
  const [, kind, size, state, ...more] = listIn(line);
  if (place.group !== undefined) disk.array = place.group;
  if (state !== undefined && kind !== undefined && size !== undefined) {
    disk.state = state;
    disk.interface ??= kind;
    disk.size = size;
    const use = more.join(', ');
    if (use !== '') disk.driveType ??= use;
  }
  if (!line.includes('(')) {
    enter(place, 'disk');
    place.disk = disk;
  }
  if (place.mirrorGroup !== undefined) disk.mirrorGroup = place.mirrorGroup;
  if (place.parityGroup !== undefined) disk.parityGroup = place.parityGroup;
  return true;
};

const arrayWith = (report: OpenReport, place: Place, id: string): RaidArray | undefined => {
  if (!place.controller) return undefined;
  const array: RaidArray = { id, controller: place.controller.id };
  if (place.group !== undefined) array.group = place.group;
  if (place.groupState !== undefined) array.groupState = place.groupState;
  report.arrays.push(array);
  return array;
};

/** `logicaldrive 1 (136.7 GB, RAID 5, Interim Recovery Mode)` */
const takeLogical = (report: OpenReport, place: Place, line: string): boolean => {
  const id = /^logicaldrive (\w{1,10})/i.exec(line)?.[1];
  if (id === undefined) return false;
  const [size, level, ...state] = listIn(line);
  const array = arrayWith(report, place, id);
  if (array && size !== undefined && level !== undefined) {
    array.size = size;
    array.level = level.replace(/^RAID /, '');
    array.state = state.join(', ');
  }
  return true;
};

/** Titles of enclosures and ports: their fields are nobody's. */
const otherForm =
  /^(?:SEP |Expander |Enclosure |Port Name|Physical Drives$|Internal Drive Cage|Storage|.{1,60} at Port )/;

const takeTitle = (report: OpenReport, place: Place, line: string): boolean => {
  const [, group, rest] = /^array:? (\w{1,10})(?: \((.*)|$)/i.exec(line) ?? [];
  const logical = /^Logical Drive: (\w{1,10})$/.exec(line)?.[1];
  const mirror = /^Mirror Group (\d{1,4}):$/.exec(line)?.[1];
  const parity = /^Parity Group (\d{1,4}):$/.exec(line)?.[1];
  if (group !== undefined) {
    enter(place, 'group');
    leaveGroup(place);
    place.group = group;
    // `array B (Failed)`; one that works tells its interface there, and what is free.
    const state = /^(Failed[^,:)]{0,60})\)$/.exec(rest ?? '')?.[1];
    if (state !== undefined) place.groupState = state;
  } else if (/^unassigned$/i.test(line)) {
    enter(place, 'other');
    leaveGroup(place);
  } else if (logical !== undefined) {
    enter(place, 'array');
    const array = arrayWith(report, place, logical);
    if (array) place.array = array;
  } else if (mirror !== undefined) place.mirrorGroup = Number(mirror);
  else if (parity !== undefined) place.parityGroup = Number(parity);
  else if (otherForm.test(line)) {
    enter(place, 'other');
    leaveGroup(place);
  } else return false;
  return true;
};

const controllerTexts = {
  'Serial Number': 'serial',
  'Controller Status': 'status',
  'Firmware Version': 'firmware',
  'Cache Status': 'cacheStatus',
  'Cache Status Details': 'cacheDetails',
  'Cache Ratio': 'cacheRatio',
  'Accelerator Ratio': 'cacheRatio',
  'Drive Write Cache': 'driveWriteCache',
  'No-Battery Write Cache': 'noBatteryWriteCache',
  'Cache Backup Power Source': 'backupPower',
  'Battery/Capacitor Status': 'batteryStatus',
  // Before 8.0.
  'Battery Status': 'batteryStatus',
} as const;

const arrayTexts = {
  Size: 'size',
  'Fault Tolerance': 'level',
  Status: 'state',
  Caching: 'cache',
  'Disk Name': 'device',
} as const;

const diskTexts = {
  Status: 'state',
  'Drive Type': 'driveType',
  'Interface Type': 'interface',
  Size: 'size',
  'Serial Number': 'serial',
  WWID: 'wwn',
} as const;

const isKey = <T extends object>(table: T, key: string): key is keyof T & string => Object.hasOwn(table, key);

const takeField = (place: Place, key: string, value: string): void => {
  const kept = cellText(value);
  const { controller, array, disk, part } = place;
  if (kept === undefined) return;
  if (part === 'controller' && controller) {
    const count = wholeNumber(value);
    if (isKey(controllerTexts, key)) controller[controllerTexts[key]] = kept;
    else if (/^Battery(?:\/Capacitor| Pack) Count$/.test(key) && count !== undefined)
      controller.batteryCount = count;
  } else if (part === 'group' && key === 'Status') place.groupState = kept;
  else if (part === 'array' && array && isKey(arrayTexts, key)) array[arrayTexts[key]] = kept;
  else if (part === 'disk' && disk) {
    const temperature = key === 'Current Temperature (C)' ? leadingNumber(value) : undefined;
    const model = key === 'Model' ? squeeze(value) : undefined;
    if (isKey(diskTexts, key)) disk[diskTexts[key]] = kept;
    if (temperature !== undefined) disk.tempC = temperature;
    if (model !== undefined) disk.model = model;
  }
};

/** Reads ssacli and its elders hpssacli and hpacucli: `ctrl all show status`, `show config [detail]`, `ld|pd all show [detail]`. */
export const parseSsacli = ({ stdout, stderr }: ParseInput): RaidReport => {
  const report = openReport();
  const place: Place = { part: 'other', disks: new Map() };
  for (const printed of stdout.split('\n')) {
    const line = printed.trim();
    if (line === '') continue;
    if (!/^\s/.test(printed) && takeController(report, place, line)) continue;
    if (!place.controller) continue;
    const known =
      takeDisk(report, place, line) || takeLogical(report, place, line) || takeTitle(report, place, line);
    const field = known ? undefined : fieldIn(line);
    if (field) takeField(place, ...field);
  }
  const said = messagesOf(/^$/, `${stdout}\n${stderr ?? ''}`).find((line) => line.startsWith('Error: '));
  if (!hasRows(report) && said === undefined) throw new NotThisFormat('no controller of ssacli');
  return closeReport(report, said === undefined ? undefined : errorOfMessage(said.slice('Error: '.length)));
};
