import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import {
  closeReport,
  hasRows,
  openReport,
  type OpenReport,
  type RaidArray,
  type RaidController,
  type RaidDisk,
  type RaidReport,
  type RaidSegment,
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

interface Place {
  /** Between two lines of dashes at the left: `Controller information`, `Logical device information`. */
  section: string;
  /** Between two shorter ones: `Controller Battery Information`. */
  part: string;
  controller?: RaidController;
  array?: RaidArray;
  disk?: RaidDisk;
}

const controllerTexts = {
  'Controller Status': 'status',
  'Controller Model': 'model',
  'Controller Serial Number': 'serial',
  'Logical devices/Failed/Degraded': 'summary',
  'Logical drives/Offline/Critical': 'summary',
  BIOS: 'bios',
  Firmware: 'firmware',
  'Overall Backup Unit Status': 'backupUnitStatus',
  // SmartRAID (from series 3100 on) speaks as HPE's controllers do.
  'Backup Power Status': 'backupUnitStatus',
  'Cache Status': 'cacheStatus',
  'No-Battery Write Cache': 'noBatteryWriteCache',
} as const;

const isKey = <T extends object>(table: T, key: string): key is keyof T & string => Object.hasOwn(table, key);

const takeController = ({ part }: Place, controller: RaidController, key: string, value: string): void => {
  const [kept, count] = [cellText(value), wholeNumber(value)];
  if (kept === undefined) return;
  if (isKey(controllerTexts, key)) controller[controllerTexts[key]] = kept;
  else if (key === 'Temperature' && part === '') controller.temperature = kept;
  else if (key === 'Status' && /battery|zmm/i.test(part)) controller.batteryStatus = kept;
  else if (key === 'Defunct disk drive count' && count !== undefined) controller.defunctDisks = count;
};

/** Keys of logical devices, which series 2 and 3 call drives; their capitals differ between releases. */
const arrayTexts = {
  'logical device name': 'name',
  'raid level': 'level',
  'status of logical device': 'state',
  size: 'size',
  'write-cache mode': 'cache',
  'write-cache status': 'cache',
  'write-cache setting': 'cacheDefault',
  caching: 'cache',
  'disk name': 'device',
  'failed stripes': 'failedStripes',
  'defunct stripes': 'failedStripes',
} as const;

/** `Group 0, Segment 1`, `Segment 0`; SmartRAID numbers them as its devices: `Device 4`. */
const segmentForm = /^(?:Group (\d{1,6}), )?(?:Segment|Device) (\d{1,6})$/;

/** `Present (Controller:1,Enclosure:0,Slot:2)      WD-WMATV3036928`, `Inconsistent (0,2)`, `Missing` */
const segmentOf = (group: string | undefined, segment: string, value: string): RaidSegment => {
  const [open, close] = [value.indexOf('('), value.lastIndexOf(')')];
  const placed = open >= 0 && close > open;
  const serial = placed ? cellText(value.slice(close + 1)) : undefined;
  return {
    ...(group !== undefined && { group: Number(group) }),
    segment: Number(segment),
    state: (placed ? value.slice(0, open) : value).trim(),
    ...(placed && { where: value.slice(open + 1, close).trim() }),
    ...(serial !== undefined && { serial }),
  };
};

const takeArray = (array: RaidArray, key: string, value: string): void => {
  const [, group, segment] = segmentForm.exec(key) ?? [];
  const name = key.toLowerCase().replace('logical drive', 'logical device');
  const kept = cellText(value);
  if (segment !== undefined) array.segments = [...(array.segments ?? []), segmentOf(group, segment, value)];
  else if (isKey(arrayTexts, name) && kept !== undefined) array[arrayTexts[name]] = kept;
};

const diskTexts = {
  State: 'state',
  'Reported Location': 'location',
  'Serial number': 'serial',
  'World-wide name': 'wwn',
  Size: 'size',
  'Total Size': 'size',
  'Write Cache': 'writeCache',
} as const;

const takeDisk = (disk: RaidDisk, key: string, value: string): void => {
  const [kept, count] = [cellText(value), wholeNumber(value)];
  if (isKey(diskTexts, key) && kept !== undefined) disk[diskTexts[key]] = kept;
  else if (key === 'Model') Object.assign(disk, dropUndefined({ model: squeeze(value) }));
  else if (key === 'S.M.A.R.T. warnings' && count !== undefined) disk.smartWarnings = count;
  else if (key === 'Medium Error Count' && count !== undefined) disk.mediaErrors = count;
  // Below `Device Error Counters` of SmartRAID.
  else if (key === 'Predictive Failures' && count !== undefined) disk.predictiveFailures = count;
  else if (key === 'Current Temperature') Object.assign(disk, dropUndefined({ tempC: leadingNumber(value) }));
};

/**
 * `Reported Channel,Device(T:L) : 0,16(16:0)`: the id is what stands before the parenthesis. Old releases (series 2 and
 * 3, ServeRAID 8k) print `Reported Channel,Device : 0,1`.
 */
const channelIn = (line: string): string | undefined =>
  /^Reported Channel,Device(?:\(T:L\))? {0,40}: {0,4}(\d{1,6},\d{1,6})/.exec(line)?.[1];

const beginArray = (report: OpenReport, place: Place, line: string): boolean => {
  const number = /^Logical d(?:evice|rive) number (\d{1,6})$/i.exec(line)?.[1];
  if (number === undefined) return false;
  place.array = { id: number, controller: place.controller?.id ?? 1 };
  report.arrays.push(place.array);
  return true;
};

/** Enclosures and caches on SSDs are devices, but no disks. */
const beginDisk = (report: OpenReport, place: Place, line: string): boolean => {
  if (/^Device #\d{1,6}$/.test(line) || /^Channel #\d{1,6}:$/.test(line)) {
    delete place.disk;
    return true;
  }
  const kind = /^Device is an? (\S.{0,60})$/.exec(line)?.[1];
  if (kind === undefined) return false;
  if (!/enclosure|cache/i.test(kind)) {
    place.disk = { id: '', controller: place.controller?.id ?? 1, kind: kind.trim() };
    report.disks.push(place.disk);
  }
  return true;
};

const isLogical = (section: string): boolean => /^logical d(?:evice|rive)/i.test(section);

const takeLine = (report: OpenReport, place: Place, line: string): void => {
  const { section } = place;
  if (isLogical(section) && beginArray(report, place, line)) return;
  if (/physical device/i.test(section) && beginDisk(report, place, line)) return;
  const channel = channelIn(line);
  const [key, value] = fieldIn(line) ?? [];
  if (channel !== undefined && place.disk) place.disk.id = channel;
  else if (key === undefined || value === undefined) return;
  else if (/^controller information/i.test(section) && place.controller)
    takeController(place, place.controller, key, value);
  else if (isLogical(section) && place.array) takeArray(place.array, key, value);
  else if (/physical device/i.test(section) && place.disk) takeDisk(place.disk, key, value);
};

const isRule = (line: string | undefined): boolean => /^-{20,}$/.test(line?.trim() ?? '');

const sectionForm = /^(?:controller|array|logical d(?:evice|rive)|physical device) information$/i;

/**
 * A title between two rules begins a section, or a part of one. Rule and title of a part stand indented in old releases,
 * the title alone in newer ones, and neither in some: the lists are known by their names too.
 */
const takeTitle = (report: OpenReport, place: Place, rule: string, printed: string): void => {
  const title = printed.trim();
  const atLeft = rule.startsWith('-') && !/^\s/.test(printed);
  if (!atLeft || (rule.trimEnd().length < 60 && !sectionForm.test(title))) {
    place.part = title;
    return;
  }
  place.section = title;
  place.part = '';
  delete place.array;
  delete place.disk;
  if (!/^controller information/i.test(title)) return;
  // The output does not say which controller it is of; several stand in the order of their numbers.
  place.controller = { id: report.controllers.length + 1 };
  report.controllers.push(place.controller);
};

const failureForm = /^(?:invalid|error|command (?:failed|aborted)|controllers found: 0$)/i;

/** What went wrong; where nothing else is printed, the reason stands in front of `Command aborted.`. */
const failureIn = (messages: readonly string[], isRead: boolean): string | undefined => {
  const at = messages.findIndex((line) => failureForm.test(line));
  const before = isRead || !/^command/i.test(messages[at] ?? '') ? undefined : messages[at - 1];
  return before === undefined || /^controllers found/i.test(before) ? messages[at] : before;
};

/** Reads `arcconf GETCONFIG n [AL]`. */
export const parseArcconf = ({ stdout, stderr }: ParseInput): RaidReport => {
  const report = openReport();
  const place: Place = { section: '', part: '' };
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isRule(line) && isRule(lines[at + 2])) {
      takeTitle(report, place, line, lines[at + 1] ?? '');
      at += 2;
    } else takeLine(report, place, line.trim());
  }
  report.disks = report.disks.filter(({ id }) => id !== '');
  const said = failureIn(messagesOf(/^$/, `${stdout}\n${stderr ?? ''}`), hasRows(report));
  if (!hasRows(report) && said === undefined) throw new NotThisFormat('no section of arcconf GETCONFIG');
  return closeReport(report, said === undefined ? undefined : errorOfMessage(said));
};
