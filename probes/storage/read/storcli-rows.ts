import { dropUndefined } from '../../../src/kit/known.ts';
import { isMap, mapOf, mapsOf, textIn, type JsonMap } from './json.ts';
import type { OpenReport, RaidBattery, RaidDisk } from './raid.ts';
import { leadingNumber, squeeze, wholeNumber, parseYesNo } from './words.ts';

/** Every named part of a report, those within others and within rows too. The depth of the text was bounded before. */
const partsOf = (data: JsonMap): (readonly [name: string, value: unknown])[] =>
  Object.entries(data).flatMap(([name, value]) => [
    [name, value] as const,
    ...(isMap(value) ? partsOf(value) : mapsOf(value).flatMap(partsOf)),
  ]);

/** `252:3`; without an enclosure ` :3`. */
const slotOf = (text: string | undefined): string | undefined => {
  const slot = text?.replaceAll(' ', '');
  return slot !== undefined && /^\d{0,9}:\d{1,9}$/.test(slot) ? slot : undefined;
};

/** The rows of one report by their ids: two controllers that bear one number stay apart. */
interface Rows {
  report: OpenReport;
  controller: number;
  disks: Map<string, RaidDisk>;
  arrays: Set<string>;
  batteries: Map<RaidBattery['kind'], RaidBattery>;
}

const takeArray = ({ report, controller, arrays }: Rows, row: JsonMap): void => {
  const id = textIn(row, 'DG/VD') ?? textIn(row, 'VD');
  if (id === undefined) return;
  const known = dropUndefined({
    level: textIn(row, 'TYPE') ?? textIn(row, 'Type'),
    state: textIn(row, 'State'),
    cache: textIn(row, 'Cache') ?? textIn(row, 'CurrentCache'),
    cacheDefault: textIn(row, 'DefaultCache'),
    consistent: textIn(row, 'Consist'),
    size: textIn(row, 'Size'),
    name: textIn(row, 'Name'),
  });
  // Some releases print a virtual drive in the list and once more in a part of its own.
  if (!arrays.has(id)) report.arrays.push({ id, controller, ...known });
  arrays.add(id);
};

/** Controllers without drive groups (LSI 3008 IR) print `VD` alone, as tables of running operations do. */
const isArrayRow = (row: JsonMap): boolean =>
  'DG/VD' in row || ('VD' in row && 'State' in row && 'Size' in row);

const diskWith = ({ report, controller, disks }: Rows, id: string): RaidDisk => {
  const known = disks.get(id);
  if (known) return known;
  const disk: RaidDisk = { id, controller };
  disks.set(id, disk);
  report.disks.push(disk);
  return disk;
};

const takeDisk = (rows: Rows, row: JsonMap): void => {
  const id = slotOf(textIn(row, 'EID:Slt'));
  if (id === undefined) return;
  const known = dropUndefined({
    state: textIn(row, 'State'),
    status: textIn(row, 'Status'),
    array: textIn(row, 'DG'),
    size: textIn(row, 'Size'),
    interface: textIn(row, 'Intf'),
    media: textIn(row, 'Med'),
    model: squeeze(textIn(row, 'Model')),
  });
  Object.assign(diskWith(rows, id), known);
};

const kinds: Readonly<Record<string, RaidBattery['kind']>> = {
  BBU_Info: 'BBU',
  BBU_Firmware_Status: 'BBU',
  BBU_Capacity_Info: 'BBU',
  BBU_Design_Info: 'BBU',
  BBU_Properties: 'BBU',
  Cachevault_Info: 'CacheVault',
  Firmware_Status: 'CacheVault',
  Design_Info: 'CacheVault',
  'Energy Pack Info': 'CacheVault',
};

const batteryWith = ({ report, controller, batteries }: Rows, kind: RaidBattery['kind']): RaidBattery => {
  const known = batteries.get(kind);
  if (known) return known;
  const battery: RaidBattery = { controller, kind };
  batteries.set(kind, battery);
  report.batteries.push(battery);
  return battery;
};

/** The CacheVault's own properties are called just so. */
const kindOf = (name: string, rows: readonly JsonMap[]): RaidBattery['kind'] | undefined =>
  kinds[name.trim()] ??
  (name === 'Properties' && rows.some((row) => textIn(row, 'Property') === 'Next Learn time')
    ? 'CacheVault'
    : undefined);

/** `/cx/bbu show all` lists properties and values in two columns; `/cx show` has one row with a column for each. */
const asColumns = (rows: readonly JsonMap[]): JsonMap => {
  const properties = rows.flatMap((row) => {
    const name = textIn(row, 'Property');
    return name === undefined ? [] : [[name, row['Value']] as const];
  });
  return properties.length > 0 ? Object.fromEntries(properties) : (rows[0] ?? {});
};

const takeBattery = (battery: RaidBattery, columns: JsonMap): void => {
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => textIn(columns, name)).find((value) => value !== undefined);
  const flag = (...names: readonly string[]): boolean | undefined => parseYesNo(text(...names));
  Object.assign(
    battery,
    dropUndefined({
      model: text('Model', 'SubType', 'Type', 'Device Name'),
      state: text('State', 'Battery State', 'Status'),
      tempC: leadingNumber(text('Temp', 'Temperature', 'Temperature(C)')),
      replace: flag('Replacement required', 'Battery Replacement required'),
      missing: flag('Battery Pack Missing'),
      learnActive: flag('Learn Cycle Active'),
      aboutToFail: flag('Pack is about to fail & should be replaced'),
      capacityLow: flag('Remaining Capacity Low'),
      chargePct: leadingNumber(text('Relative State of Charge')),
      mfgDate: text('MfgDate', 'Date of Manufacture'),
      nextLearn: text('Next Learn', 'Next Learn time'),
    }),
  );
};

/** `Drive /c0/e252/s3 - Detailed Information`, `Drive /c0/s3 State`: enclosure and slot. */
const driveForm = /^Drive \/c\d{1,4}(?:\/e(\d{1,9}))?\/s(\d{1,9})(?: |$)/;

const takeDetails = (rows: Rows, id: string, part: JsonMap): void => {
  const count = (key: string): number | undefined => wholeNumber(textIn(part, key));
  const place = /Span:(\d{1,6}), Row:(\d{1,6})/.exec(textIn(part, 'Drive position') ?? '');
  const known = dropUndefined({
    mediaErrors: count('Media Error Count'),
    otherErrors: count('Other Error Count'),
    predictiveFailures: count('Predictive Failure Count'),
    smartAlert: parseYesNo(textIn(part, 'S.M.A.R.T alert flagged by drive')),
    tempC: leadingNumber(textIn(part, 'Drive Temperature') ?? textIn(part, 'Temperature(C)')),
    serial: textIn(part, 'SN') ?? textIn(part, 'Serial Number'),
    wwn: textIn(part, 'WWN'),
    span: wholeNumber(place?.[1]),
    row: wholeNumber(place?.[2]),
  });
  if (Object.keys(known).length > 0) Object.assign(diskWith(rows, id), known);
};

/** Details stand in a part that names its disk; in the second edition beside the disk's row, in one entry of `Drives List`. */
const takeAllDetails = (rows: Rows, name: string, part: unknown): void => {
  const [, enclosure = '', slot] = driveForm.exec(name) ?? [];
  if (slot !== undefined && isMap(part)) takeDetails(rows, `${enclosure}:${slot}`, part);
  for (const entry of name === 'Drives List' ? mapsOf(part) : []) {
    const id = slotOf(textIn(mapOf(entry['Drive Information']), 'EID:Slt'));
    if (id !== undefined) takeDetails(rows, id, mapOf(entry['Drive Detailed Information']));
  }
};

/** Where a copy lives: TOPOLOGY names span and row of each slot. It makes no rows of its own. */
const takeTopology = (rows: Rows, row: JsonMap): void => {
  const { disks, report, controller } = rows;
  const disk = disks.get(slotOf(textIn(row, 'EID:Slot')) ?? '');
  const [span, at] = [
    wholeNumber(textIn(row, 'Arr') ?? textIn(row, 'Span')),
    wholeNumber(textIn(row, 'Row')),
  ];
  if (!disk && at !== undefined && slotOf(textIn(row, 'EID:Slot')) === undefined) {
    for (const array of report.arrays)
      if (array.controller === controller && array.id.split('/')[0] === textIn(row, 'DG'))
        array.emptyAt = [...(array.emptyAt ?? []), span ?? 0];
  }
  if (disk && disk.array !== textIn(row, 'DG')) return;
  if (disk && span !== undefined && at !== undefined) Object.assign(disk, { span, row: at });
};

/** The rows of one report, whatever part they stand in: arrays, disks with their details and places, batteries. */
export const takeStorcliRows = (report: OpenReport, controller: number, data: JsonMap): void => {
  const rows: Rows = { report, controller, disks: new Map(), arrays: new Set(), batteries: new Map() };
  const parts = partsOf(data);
  for (const [name, value] of parts) {
    const listed = mapsOf(value);
    // The second edition has one row as a part of its own: `VD Info`.
    for (const row of isMap(value) ? [value] : listed) {
      if (isArrayRow(row)) takeArray(rows, row);
      else if ('EID:Slt' in row) takeDisk(rows, row);
    }
    const kind = kindOf(name, listed);
    if (kind !== undefined && listed.length > 0) takeBattery(batteryWith(rows, kind), asColumns(listed));
  }
  for (const [name, value] of parts) takeAllDetails(rows, name, value);
  for (const [, value] of parts)
    for (const row of mapsOf(value)) if ('EID:Slot' in row) takeTopology(rows, row);
};
