import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import type { ReportedError } from '../../../src/kit/answers.ts';
import { reportedError } from './words.ts';

/** One line of `lctl dl`: `%3d %s %s %s %s %d`, with `-t` the peer's NID behind it. */
export interface Device {
  index: number;
  /** `UP`, `IN` (inactive), `ST` (stopping), `AT` (attached), `--`. */
  status: string;
  type: string;
  name: string;
  uuid: string;
  refs: number;
  nid?: string;
}

export interface Devices {
  devices: Device[];
  error?: ReportedError;
  notUnderstood?: number;
}

const deviceLine = /^\s*(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(-?\d+)(?:\s+(\S+))?\s*$/;

/** Reads `lctl dl` and `lctl device_list`. Empty without modules: then standard error says why. */
export const parseDevices = (input: ParseInput): Devices => {
  const devices: Device[] = [];
  let skipped = 0;
  for (const line of input.stdout.split('\n')) {
    const match = deviceLine.exec(line);
    if (match) {
      const [, index = '', status = '', type = '', name = '', uuid = '', refs = '', nid] = match;
      devices.push({
        index: Number(index),
        status,
        type,
        name,
        uuid,
        refs: Number(refs),
        ...(nid !== undefined && { nid }),
      });
    } else if (line.trim() !== '') skipped += 1;
  }
  const error = reportedError(input.stderr);
  if (devices.length === 0 && skipped > 0)
    throw new NotThisFormat('no device line: not an output of lctl dl');
  return { devices, ...(error && { error }), ...(skipped > 0 && { notUnderstood: skipped }) };
};
