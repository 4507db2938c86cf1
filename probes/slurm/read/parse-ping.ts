import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, type SlurmError } from './errors.ts';
import { type Json, isJson, readJson, rowsIn, text } from './json.ts';
import type { PingReading } from '../readings.ts';

export interface PingDocument extends PingReading {
  notUnderstood: number;
  error?: SlurmError;
}

type Controller = PingReading['controllers'][number];

/** `Slurmctld(primary) at ctl1 is UP`; with an address behind the host in some versions. */
const line = /^Slurmctld(?:\(([^)]+)\))? at (\S+)(?: \([^)]*\))? is (UP|DOWN)\b/;
/** Up to 18.08: both on one line. */
const pair = /^Slurmctld\(primary\/backup\) at ([^/\s]+)\/(\S+) are (UP|DOWN)\/(UP|DOWN)/;

/** `scontrol ping`, text and JSON (23.02 on). Throws NotThisFormat, ParseError. */
export const parsePing = ({ stdout, stderr = '' }: ParseInput): PingDocument => {
  const document = isJson(stdout) ? fromJson(readJson(stdout)) : fromText(stdout);
  if (document.error) return document;
  const munge = findError(stderr);
  if (munge && (munge.code === 'munge' || document.controllers.length === 0))
    return { ...document, error: munge };
  if (document.controllers.length > 0) return document;
  const error = findError(stdout);
  if (!error) throw new NotThisFormat('no line starts with "Slurmctld"');
  return { ...document, notUnderstood: 0, error };
};

const fromText = (output: string): PingDocument => {
  const document: PingDocument = { controllers: [], notUnderstood: 0 };
  for (const one of output.split('\n')) {
    const single = line.exec(one);
    const both = pair.exec(one);
    if (single) {
      const [, role = 'primary', host = '', state] = single;
      document.controllers.push({ host, role, up: state === 'UP' });
    } else if (both) {
      const [, primary = '', backup = '', first, second] = both;
      document.controllers.push({ host: primary, role: 'primary', up: first === 'UP' });
      document.controllers.push({ host: backup, role: 'backup', up: second === 'UP' });
    } else if (one.trim() !== '' && !one.startsWith('**')) {
      document.notUnderstood += 1;
    }
  }
  return document;
};

const fromJson = (root: Json): PingDocument => {
  const { rows: controllers, ...rest } = rowsIn(root, 'pings', controllerOf);
  return { controllers, ...rest };
};

/** `pinged` and `mode` until 24.11, `responding` and `primary` beside and after them. */
const controllerOf = (one: Json): Controller | undefined => {
  const host = text(one['hostname']);
  const up = typeof one['responding'] === 'boolean' ? one['responding'] : upWord(one['pinged']);
  if (host === undefined || up === undefined) return undefined;
  const role = text(one['mode']) ?? (one['primary'] === false ? 'backup' : 'primary');
  return { host, role, up };
};

const upWord = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const word = text(value)?.toUpperCase();
  return word === undefined ? undefined : word === 'UP';
};
