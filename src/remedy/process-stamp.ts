import { readFileSync } from 'node:fs';
import type { AuditRecord } from '../model/run.ts';
import type { ConsoleId, Liveness } from './parts.ts';

/** Boot id and start time of a process, which no later process of the same number has; empty when it does not run. */
export const stampOf = (pid: number): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The command name in brackets may hold blanks and brackets itself: fields are counted after the last one. Field 22 is
    // the start time in ticks since boot (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return fields === undefined || fields[0] === 'Z' ? '' : `${boot}/${fields[19]}`;
  } catch {
    return '';
  }
};

/** Whether an owner (of a lock, of a record) is a process of this host that has ended. */
export const livenessOf = (
  owner: { host: string; pid: number; stamp?: string },
  self: ConsoleId,
): Liveness => {
  if (owner.host !== self.host) return 'elsewhere';
  return stampOf(owner.pid) === owner.stamp && owner.stamp !== '' ? 'alive' : 'dead';
};

export const recordLiveness =
  (self: ConsoleId) =>
  (record: AuditRecord): Liveness =>
    livenessOf(record.console, self);
