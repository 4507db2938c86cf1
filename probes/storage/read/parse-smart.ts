import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { isMap, mapOf, mapsOf, numberIn, readLooseJson, textIn, type JsonMap } from './json.ts';
import { errorOfMessage, squeeze, type ReportedError } from './words.ts';

type Count = number | bigint;

export interface Smart {
  exitStatus?: number;
  exitBits: number[];
  device?: string;
  deviceType?: string;
  protocol?: string;
  model?: string;
  serial?: string;
  firmware?: string;
  capacityBytes?: Count;
  rotationRpm?: Count;
  passed?: boolean;
  temperatureC?: Count;
  powerOnHours?: Count;
  failingAttributes?: { id: number; name?: string; when: string }[];
  reallocated?: Count;
  reportedUncorrect?: Count;
  /** Some vendors pack three 16-bit counters into it. */
  commandTimeout?: Count;
  pending?: Count;
  offlineUncorrectable?: Count;
  crcErrors?: Count;
  errorLogCount?: Count;
  grownDefects?: Count;
  uncorrectedErrors?: Count;
  criticalWarning?: Count;
  availableSpare?: Count;
  spareThreshold?: Count;
  percentageUsed?: Count;
  mediaErrors?: Count;
  unsafeShutdowns?: Count;
  standby?: true;
  /** The naming number of the disk, 16 hexadecimal digits. */
  wwn?: string;
  messages?: string[];
  error?: ReportedError;
}

/** Attributes of ATA disks that failure studies support, and 199 as the mark of a cable. */
const attributes = {
  5: 'reallocated',
  187: 'reportedUncorrect',
  188: 'commandTimeout',
  197: 'pending',
  198: 'offlineUncorrectable',
  199: 'crcErrors',
} as const;

const isCounted = (id: unknown): id is keyof typeof attributes =>
  typeof id === 'number' && Object.hasOwn(attributes, id);

const table = (json: JsonMap): JsonMap[] => mapsOf(mapOf(json['ata_smart_attributes'])['table']);

const rawValues = (json: JsonMap): Partial<Smart> =>
  Object.fromEntries(
    table(json).flatMap((row) => {
      const raw = numberIn(mapOf(row['raw']), 'value');
      return isCounted(row['id']) && raw !== undefined ? [[attributes[row['id']], raw]] : [];
    }),
  );

const failingOf = (json: JsonMap): Smart['failingAttributes'] => {
  const failing = table(json).flatMap((row) => {
    const [when, name] = [textIn(row, 'when_failed'), textIn(row, 'name')];
    if (when === undefined || typeof row['id'] !== 'number') return [];
    return [{ id: row['id'], ...(name !== undefined && { name }), when }];
  });
  return failing.length === 0 ? undefined : failing;
};

/** The sum of what could not be corrected while reading, writing and verifying (SCSI error counter log). */
const uncorrectedOf = (json: JsonMap): Count | undefined => {
  const log = mapOf(json['scsi_error_counter_log']);
  const counts = ['read', 'write', 'verify'].flatMap(
    (way) => numberIn(mapOf(log[way]), 'total_uncorrected_errors') ?? [],
  );
  if (counts.length === 0) return undefined;
  const sum = counts.reduce<bigint>((total, count) => total + BigInt(count), 0n);
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : sum;
};

const errorLogCount = (json: JsonMap): Count | undefined => {
  const log = mapOf(json['ata_smart_error_log']);
  return numberIn(mapOf(log['extended']), 'count') ?? numberIn(mapOf(log['summary']), 'count');
};

/** `naa` 4 bits, `oui` 24, `id` 36 (smartmontools, ata_get_wwn): together the name of the disk. */
const wwnOf = ({ wwn }: JsonMap): string | undefined => {
  const [naa, oui, id] = ['naa', 'oui', 'id'].map((key) => numberIn(mapOf(wwn), key));
  if (naa === undefined || oui === undefined || id === undefined) return undefined;
  const name = (BigInt(naa) << 60n) | (BigInt(oui) << 36n) | BigInt(id);
  return name.toString(16).padStart(16, '0');
};

const modelOf = (json: JsonMap): string | undefined => {
  const vendor = textIn(json, 'scsi_vendor') ?? textIn(json, 'vendor');
  const product = textIn(json, 'scsi_product') ?? textIn(json, 'product');
  const joined = [vendor, product].filter((part) => part !== undefined).join(' ');
  return squeeze(textIn(json, 'model_name') ?? textIn(json, 'scsi_model_name') ?? joined);
};

const passedOf = ({ smart_status }: JsonMap): boolean | undefined => {
  const { passed } = mapOf(smart_status);
  return typeof passed === 'boolean' ? passed : undefined;
};

const healthOf = (json: JsonMap): Partial<Smart> => {
  const nvme = mapOf(json['nvme_smart_health_information_log']);
  return {
    ...rawValues(json),
    ...dropUndefined({
      failingAttributes: failingOf(json),
      errorLogCount: errorLogCount(json),
      grownDefects: numberIn(json, 'scsi_grown_defect_list'),
      uncorrectedErrors: uncorrectedOf(json),
      criticalWarning: numberIn(nvme, 'critical_warning'),
      availableSpare: numberIn(nvme, 'available_spare'),
      spareThreshold: numberIn(nvme, 'available_spare_threshold'),
      percentageUsed: numberIn(nvme, 'percentage_used'),
      mediaErrors: numberIn(nvme, 'media_errors'),
      unsafeShutdowns: numberIn(nvme, 'unsafe_shutdowns'),
    }),
  };
};

interface Said {
  text: string;
  severity?: string;
}

/** `Device is in STANDBY mode, exit(2)`: it was asked not to wake the disk, and did not. */
const isAsleep = ({ text }: Said): boolean => /^Device is in .{1,40} mode, exit\(\d{1,3}\)/.test(text);

const failureOf = (said: readonly Said[], bits: readonly number[]): ReportedError | undefined => {
  if (!bits.includes(0) && !bits.includes(1)) return undefined;
  const message = (said.find(({ severity }) => severity === 'error') ?? said[0])?.text;
  return errorOfMessage(message ?? (bits.includes(0) ? 'command line not understood' : 'device not opened'));
};

/** Reads `smartctl -j` with any other options, of ATA, SCSI and NVMe disks, also behind RAID controllers. */
export const parseSmart = ({ stdout, exitCode }: ParseInput): Smart => {
  const { value } = readLooseJson(stdout);
  if (!isMap(value) || !isMap(value['smartctl'])) throw new NotThisFormat('no JSON of smartctl');
  const json = value;
  const status = numberIn(value['smartctl'], 'exit_status') ?? exitCode;
  const exitStatus = status === undefined ? undefined : Number(status);
  const exitBits = [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (((exitStatus ?? 0) >> bit) & 1) === 1);
  const said = mapsOf(value['smartctl']['messages']).flatMap((message): Said[] => {
    const [text, severity] = [textIn(message, 'string'), textIn(message, 'severity')];
    return text === undefined ? [] : [{ text, ...(severity !== undefined && { severity }) }];
  });
  const asleep = said.some(isAsleep);
  return dropUndefined({
    exitStatus,
    exitBits,
    device: textIn(mapOf(json['device']), 'name'),
    deviceType: textIn(mapOf(json['device']), 'type'),
    protocol: textIn(mapOf(json['device']), 'protocol'),
    model: modelOf(json),
    serial: textIn(json, 'serial_number'),
    firmware: textIn(json, 'firmware_version'),
    capacityBytes: numberIn(mapOf(json['user_capacity']), 'bytes'),
    rotationRpm: numberIn(json, 'rotation_rate'),
    passed: passedOf(json),
    temperatureC: numberIn(mapOf(json['temperature']), 'current'),
    powerOnHours: numberIn(mapOf(json['power_on_time']), 'hours'),
    ...healthOf(json),
    standby: asleep ? (true as const) : undefined,
    wwn: wwnOf(json),
    messages: said.length === 0 ? undefined : said.map(({ text }) => text),
    error: asleep ? undefined : failureOf(said, exitBits),
  });
};
