import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import {
  closeReport,
  hasRows,
  openReport,
  type OpenReport,
  type RaidArray,
  type RaidBattery,
  type RaidDisk,
  type RaidReport,
} from './raid.ts';
import {
  cellText,
  errorOfMessage,
  fieldIn,
  leadingNumber,
  squeeze,
  wholeNumber,
  parseYesNo,
} from './words.ts';

/** What a line belongs to: the adapter it stands under, and the array, disk or battery begun last. */
interface Place {
  adapter: number;
  array?: RaidArray;
  disk?: RaidDisk;
  battery?: RaidBattery;
}

/** `Adapter #0`, `Adapter 0 -- Virtual Drive Information:`, `Adapter: 0`, `Adapter 0: Get BBU Status Failed.` */
const adapterForm = /^Adapter[ :#]{1,3}(\d{1,4})\b/;

/** `BBU status for Adapter: 0`, `BBU Design Info for Adapter: 0` */
const batteryForm = /^BBU [A-Za-z ]{1,30} for Adapter ?: ?(\d{1,4})/;

const arrayForm = /^(?:CacheCade )?Virtual (?:Drive|Disk) ?: ?(\d{1,6})\b/;

const batteryOf = (report: OpenReport, adapter: number): RaidBattery => {
  const known = report.batteries.find(({ controller }) => controller === adapter);
  if (known) return known;
  const battery: RaidBattery = { controller: adapter, kind: 'BBU' };
  report.batteries.push(battery);
  return battery;
};

/** A line that begins an adapter, an array, a battery or a disk; false for all others. */
const begins = (report: OpenReport, place: Place, line: string): boolean => {
  const battery = batteryForm.exec(line)?.[1];
  const adapter = adapterForm.exec(line)?.[1] ?? battery;
  const array = arrayForm.exec(line)?.[1];
  if (adapter !== undefined) {
    place.adapter = Number(adapter);
    leave(place);
    if (battery !== undefined) place.battery = batteryOf(report, place.adapter);
    return true;
  }
  if (array !== undefined) {
    leave(place);
    place.array = { id: array, controller: place.adapter };
    report.arrays.push(place.array);
    return true;
  }
  return false;
};

const leave = (place: Place): void => {
  delete place.array;
  delete place.disk;
  delete place.battery;
};

const arrayTexts: Readonly<Record<string, 'name' | 'level' | 'size' | 'state' | 'cache' | 'cacheDefault'>> = {
  Name: 'name',
  'RAID Level': 'level',
  Size: 'size',
  State: 'state',
  'Default Cache Policy': 'cacheDefault',
  'Current Cache Policy': 'cache',
};

const takeArray = (array: RaidArray, key: string, value: string): void => {
  const [text, kept] = [arrayTexts[key], cellText(value)];
  const count = wholeNumber(value);
  if (text !== undefined && kept !== undefined) array[text] = kept;
  else if (key === 'Number Of Drives' && count !== undefined) array.drives = count;
  else if (key === 'Span Depth' && count !== undefined) array.spans = count;
  else if (key === 'Bad Blocks Exist') {
    const bad = parseYesNo(value);
    if (bad !== undefined) array.badBlocks = bad;
  }
};

const diskCounts: Readonly<Record<string, 'mediaErrors' | 'otherErrors' | 'predictiveFailures'>> = {
  'Media Error Count': 'mediaErrors',
  'Other Error Count': 'otherErrors',
  'Predictive Failure Count': 'predictiveFailures',
};

const diskTexts: Readonly<Record<string, 'state' | 'wwn' | 'foreign' | 'interface' | 'media'>> = {
  'Firmware state': 'state',
  WWN: 'wwn',
  'Foreign State': 'foreign',
  'PD Type': 'interface',
  'Media Type': 'media',
};

/** `DiskGroup: 0, Span: 1, Arm: 0` */
const placeForm = /^DiskGroup: ?(\d{1,6}), Span: ?(\d{1,6}), Arm: ?(\d{1,6})/;

const takeDisk = (disk: RaidDisk, key: string, value: string): void => {
  const [count, text, number] = [diskCounts[key], diskTexts[key], wholeNumber(value)];
  const kept = cellText(value);
  if (count !== undefined && number !== undefined) disk[count] = number;
  else if (text !== undefined && kept !== undefined) disk[text] = kept;
  else if (key === 'Raw Size') disk.size = value.split(' [')[0]?.trim() ?? value;
  else if (key === 'Inquiry Data') {
    const inquiry = squeeze(value);
    if (inquiry !== undefined) disk.inquiry = inquiry;
  } else if (key === 'Drive Temperature') {
    const temperature = leadingNumber(value);
    if (temperature !== undefined) disk.tempC = temperature;
  } else if (key.startsWith('Drive has flagged a S.M.A.R.T')) {
    const alert = parseYesNo(value);
    if (alert !== undefined) disk.smartAlert = alert;
  } else if (/^Drive's posi?tion$/.test(key)) takePlace(disk, value);
};

const takePlace = (disk: RaidDisk, value: string): void => {
  const [, group, span, arm] = placeForm.exec(value) ?? [];
  if (group === undefined) return;
  disk.array = group;
  disk.span = Number(span);
  disk.row = Number(arm);
};

const batteryFlags: Readonly<
  Record<string, 'learnActive' | 'missing' | 'replace' | 'capacityLow' | 'aboutToFail'>
> = {
  'Learn Cycle Active': 'learnActive',
  'Battery Pack Missing': 'missing',
  'Battery Replacement required': 'replace',
  'Remaining Capacity Low': 'capacityLow',
  'Pack is about to fail & should be replaced': 'aboutToFail',
};

const takeBattery = (battery: RaidBattery, key: string, value: string): void => {
  const [flag, yes, kept] = [batteryFlags[key], parseYesNo(value), cellText(value)];
  const number = leadingNumber(value);
  if (flag !== undefined && yes !== undefined) battery[flag] = yes;
  else if (kept === undefined) return;
  else if (key === 'BatteryType') {
    battery.model = kept;
    // Capacitors are called CVPM and a number; all others are batteries.
    if (kept.startsWith('CV')) battery.kind = 'CacheVault';
  } else if (/^battery state$/i.test(key)) battery.state = kept;
  // The temperature is a figure in one line and a verdict in another.
  else if (key === 'Temperature' && number !== undefined) battery.tempC = number;
  else if (key === 'Relative State of Charge' && number !== undefined) battery.chargePct = number;
  else if (key === 'Date of Manufacture') battery.mfgDate = kept;
  else if (key === 'Next Learn time') battery.nextLearn = kept;
};

/** A disk begins with its enclosure; where that line is absent, with its slot. */
const takeDiskStart = (report: OpenReport, place: Place, key: string, value: string): boolean => {
  const isEnclosure = key === 'Enclosure Device ID';
  const isSlot = key === 'Slot Number';
  if (!isEnclosure && !isSlot) return false;
  const open = place.disk !== undefined && place.disk.id.endsWith(':');
  if (isEnclosure || !open) {
    const id = `${isEnclosure ? (cellText(value) ?? '') : ''}:`;
    const above = place.array && { virtualDrive: place.array.id };
    place.disk = { id, controller: place.adapter, ...above };
    report.disks.push(place.disk);
  }
  if (isSlot && place.disk) place.disk.id += value;
  return true;
};

/** The reason stands on the line behind `FW error description:`. */
const failureIn = (lines: readonly string[]): string | undefined => {
  const at = lines.findIndex((line) => line.startsWith('FW error description'));
  if (at >= 0) return lines[at + 1] ?? lines[at];
  const failed = lines.find((line) =>
    /^Adapter \d{1,4}: .{0,80}Failed|^(?:Invalid|Failed|ERROR)\b/i.test(line),
  );
  const exit = lines.find((line) => line.startsWith('Exit Code:'));
  return failed ?? (exit === undefined || /: ?0x0+$/.test(exit) ? undefined : exit);
};

/** Reads MegaCli: -LDInfo, -PDList, -LDPDInfo, -AdpBbuCmd of one adapter or all. */
export const parseMegacli = ({ stdout, stderr }: ParseInput): RaidReport => {
  const report = openReport();
  const place: Place = { adapter: 0 };
  const lines = `${stdout}\n${stderr ?? ''}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  for (const line of lines) {
    if (begins(report, place, line)) continue;
    const [key, value] = fieldIn(line) ?? [];
    if (key === undefined || value === undefined || takeDiskStart(report, place, key, value)) continue;
    if (place.disk) takeDisk(place.disk, key, value);
    else if (place.array) takeArray(place.array, key, value);
    else if (place.battery) takeBattery(place.battery, key, value);
  }
  // An enclosure without a slot is no disk.
  report.disks = report.disks.filter(({ id }) => !id.endsWith(':'));
  const said = failureIn(lines);
  const known = lines.some((line) => adapterForm.test(line) || batteryForm.test(line));
  if (!hasRows(report) && said === undefined && !known) throw new NotThisFormat('no adapter of MegaCli');
  return closeReport(report, said === undefined ? undefined : errorOfMessage(said));
};
