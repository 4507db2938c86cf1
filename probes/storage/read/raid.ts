import type { ReportedError } from './words.ts';

/** What the command lines of RAID controllers tell of each; ids of controllers are as the tool counts them. */
export interface RaidController {
  id: string | number;
  model?: string;
  serial?: string;
  firmware?: string;
  status?: string;
  health?: string;
  memoryCorrectable?: number;
  memoryUncorrectable?: number;
  cacheStatus?: string;
  cacheDetails?: string;
  cacheRatio?: string;
  driveWriteCache?: string;
  noBatteryWriteCache?: string;
  backupPower?: string;
  batteryCount?: number;
  batteryStatus?: string;
  /** Of the unit that keeps the cache without power, by its own word (Adaptec from series 7 on). */
  backupUnitStatus?: string;
  temperature?: string;
  defunctDisks?: number;
  /** Logical devices, of these failed, of these degraded: `2/0/1`. */
  summary?: string;
  bios?: string;
}

export interface RaidSegment {
  group?: number;
  segment: number;
  state: string;
  where?: string;
  serial?: string;
}

export interface RaidArray {
  id: string;
  controller: string | number;
  name?: string;
  /** Letter of the HPE array whose disks it uses. */
  group?: string;
  /** What that HPE array says of itself, beside its logical drives: `Failed Physical Drive`. */
  groupState?: string;
  level?: string;
  state?: string;
  size?: string;
  cache?: string;
  cacheDefault?: string;
  consistent?: string;
  drives?: number;
  spans?: number;
  badBlocks?: boolean;
  failedStripes?: string;
  device?: string;
  segments?: RaidSegment[];
  /** Spans of places that no disk holds (storcli's TOPOLOGY lists them without a slot). */
  emptyAt?: number[];
}

export interface RaidDisk {
  id: string;
  controller: string | number;
  state?: string;
  /** What a configured disk does, where `state` says no more than that it is configured (storcli2, perccli2: `Conf`). */
  status?: string;
  /** The drive group, which several arrays may share. */
  array?: string;
  span?: number;
  row?: number;
  mirrorGroup?: number;
  parityGroup?: number;
  /** The virtual drive below which it is listed (MegaCli -LDPDInfo). */
  virtualDrive?: string;
  kind?: string;
  size?: string;
  interface?: string;
  media?: string;
  model?: string;
  serial?: string;
  wwn?: string;
  inquiry?: string;
  foreign?: string;
  driveType?: string;
  location?: string;
  writeCache?: string;
  mediaErrors?: number;
  otherErrors?: number;
  predictiveFailures?: number;
  smartAlert?: boolean;
  smartWarnings?: number;
  tempC?: number;
}

export interface RaidBattery {
  controller: string | number;
  kind: 'BBU' | 'CacheVault';
  model?: string;
  state?: string;
  tempC?: number;
  replace?: boolean;
  missing?: boolean;
  learnActive?: boolean;
  aboutToFail?: boolean;
  capacityLow?: boolean;
  chargePct?: number;
  mfgDate?: string;
  nextLearn?: string;
}

export interface RaidReport {
  controllers?: RaidController[];
  arrays?: RaidArray[];
  disks?: RaidDisk[];
  batteries?: RaidBattery[];
  error?: ReportedError;
  /** Controllers that gave nothing while others did, each with its reason. */
  unread?: string[];
  duplicateKeys?: string[];
  notUnderstood?: number;
}

/** A report while it is read: all lists there. */
export type OpenReport = Required<Pick<RaidReport, 'controllers' | 'arrays' | 'disks' | 'batteries'>>;

export const openReport = (): OpenReport => ({ controllers: [], arrays: [], disks: [], batteries: [] });

export const hasRows = (report: OpenReport): boolean => Object.values(report).some((rows) => rows.length > 0);

/** The report without its empty lists, and with what went wrong. */
export const closeReport = (report: OpenReport, error?: ReportedError): RaidReport => ({
  ...Object.fromEntries(Object.entries(report).filter(([, rows]) => rows.length > 0)),
  ...(error && { error }),
});
