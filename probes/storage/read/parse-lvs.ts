import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { isMap, mapOf, mapsOf, numberIn, readLooseJson, textIn, type JsonMap } from './json.ts';
import { errorOfMessage, leadingNumber, messagesOf, wholeNumber, type ReportedError } from './words.ts';

export interface LogicalVolume {
  name: string;
  vg?: string;
  attr?: string;
  segType?: string;
  /** A part of another volume: its image, its metadata. */
  internal?: true;
  sizeBytes?: number;
  syncPct?: number;
  syncAction?: string;
  mismatches?: number;
  health?: string;
  /** Without the extent behind each; `[unknown]` is a device that is missing. */
  devices?: string[];
}

export interface Lvs {
  lvs?: LogicalVolume[];
  error?: ReportedError;
  notUnderstood?: number;
}

const volumeOf = (row: JsonMap): LogicalVolume | undefined => {
  const printed = textIn(row, 'lv_name') ?? textIn(row, 'name');
  if (printed === undefined) return undefined;
  const internal = printed.startsWith('[') && printed.endsWith(']');
  const health = textIn(row, 'lv_health_status');
  const syncPct = numberIn(row, 'copy_percent') ?? numberIn(row, 'sync_percent');
  const mismatches = wholeNumber(textIn(row, 'raid_mismatch_count'));
  const devices = textIn(row, 'devices');
  // Units are bytes, as they were asked for; what says another unit is left out.
  const size = textIn(row, 'lv_size');
  return dropUndefined({
    name: internal ? printed.slice(1, -1) : printed,
    vg: textIn(row, 'vg_name'),
    attr: textIn(row, 'lv_attr'),
    segType: textIn(row, 'segtype'),
    internal: internal ? (true as const) : undefined,
    sizeBytes: size?.endsWith('B') === true ? wholeNumber(size.slice(0, -1)) : undefined,
    syncPct: syncPct === undefined ? undefined : leadingNumber(String(syncPct)),
    syncAction: textIn(row, 'raid_sync_action'),
    mismatches,
    health,
    devices: devices?.split(',').map((device) => device.replace(/\(\d{1,20}\)$/, '').trim()),
  });
};

/** Reads `lvs -a --reportformat json --units b -o name,vg_name,...`. */
export const parseLvs = ({ stdout, stderr }: ParseInput): Lvs => {
  if (stdout.trim() === '') {
    const said = messagesOf(/^lvs: /, stderr)[0];
    if (said === undefined) throw new NotThisFormat('neither a report nor a message of lvs');
    return { error: errorOfMessage(said) };
  }
  const { report } = mapOf(readLooseJson(stdout).value);
  if (!Array.isArray(report) || !report.some((part) => isMap(part) && Array.isArray(part['lv'])))
    throw new NotThisFormat('no report of lvs');
  const rows = mapsOf(report).flatMap((part) => mapsOf(part['lv']));
  const lvs = rows.flatMap((row) => volumeOf(row) ?? []);
  const skipped = rows.length - lvs.length;
  return { lvs, ...(skipped > 0 && { notUnderstood: skipped }) };
};
