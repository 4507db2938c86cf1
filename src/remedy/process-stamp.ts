import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { sha256 } from '../audit/audit-line.ts';
import type { AuditRecord } from '../model/run.ts';
import { thrownCode } from '../text/thrown.ts';
import type { ConsoleId, Liveness } from './parts.ts';

/** What a lock or a record says of the process that wrote it. Older consoles wrote less. */
export type ProcessOwner = Pick<ConsoleId, 'host' | 'pid' | 'spaces' | 'machine'> & { stamp?: string };

/** Of `dead` it says how that is known. */
export type Judged = { state: Exclude<Liveness, 'dead'>; proof?: never } | { state: 'dead'; proof: string };

const orEmpty = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

const bootId = (): string => orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));

/** Undefined: it does not run, or it is hidden from us (`hidepid`, another account's). */
const lookAtProcess = (pid: number | 'self'): { ended: boolean; start: string } | undefined => {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The command name in brackets may hold blanks and brackets itself: fields are counted after the last one. proc(5): field 3
  // is the state, 20 the number of threads, 22 the start time in ticks since boot.
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  const [state = '', threads, start] = [fields[0], fields[17], fields[19]];
  if (start === undefined) return undefined;
  // A first thread that has ended is a zombie too while others go on, say in a write to a disk that hangs.
  return { ended: /[ZX]/.test(state) && Number(threads) <= 1, start };
};

/** Boot id and start time of a process, which no later process of the same number has; empty when none is to be seen. */
export const stampOf = (pid: number | 'self'): string => {
  const found = lookAtProcess(pid);
  return found === undefined || found.ended ? '' : `${bootId()}/${found.start}`;
};

/**
 * This process, as locks and the audit log name it. `spaces`: the PID namespace its number counts in, and the time namespace that
 * start times count in. `machine`: a hash of /etc/machine-id, which machine-id(5) asks to keep to the machine; it outlives a boot.
 */
export const thisProcess = (): Pick<ConsoleId, 'pid' | 'stamp' | 'spaces' | 'machine'> => {
  const pidSpace = orEmpty(() => readlinkSync('/proc/self/ns/pid'));
  const timeSpace = orEmpty(() => readlinkSync('/proc/self/ns/time'));
  const machineId = orEmpty(() => readFileSync('/etc/machine-id', 'utf8'));
  return {
    pid: process.pid,
    stamp: stampOf('self'),
    ...(pidSpace !== '' && { spaces: `${pidSpace} ${timeSpace}`.trim() }),
    ...(/^[0-9a-f]{32}$/.test(machineId) && { machine: sha256(`faultline ${machineId}`).slice(0, 32) }),
  };
};

/** The largest process number of Linux (PID_MAX_LIMIT, proc(5)). */
const MOST_PID = 4_194_304;

/**
 * Whether the process that wrote this still runs. `dead` only where it is proven: the same boot and the same PID namespace, and the
 * kernel knows no such process (ESRCH) or one of the same number that began at another time; or this machine was booted since. A
 * process that can't be seen is alive; of one of another machine or namespace nothing can be told. `agoMs`: since when, at least,
 * it need not have run any more.
 */
export const judgeProcess = (owner: ProcessOwner, self: ConsoleId, agoMs: number): Judged => {
  const [boot = '', start = ''] = (owner.stamp ?? '').split('/');
  const [ownBoot = ''] = self.stamp.split('/');
  if (boot === '' || start === '' || ownBoot === '') return { state: 'elsewhere' };
  if (boot !== ownBoot) return ofEarlierBoot(owner, self, agoMs);
  if (!Number.isInteger(owner.pid) || owner.pid < 1 || owner.pid > MOST_PID) return { state: 'elsewhere' };
  // What an older console wrote names no namespace: its number may count in another one.
  if (owner.spaces === undefined)
    return { state: owner.host === self.host && stampOf(owner.pid) === owner.stamp ? 'alive' : 'elsewhere' };
  if (owner.spaces !== self.spaces) return { state: 'elsewhere' };
  const here = 'same boot id and PID namespace';
  if (!processExists(owner.pid)) return { state: 'dead', proof: `${here}, no process ${owner.pid} (ESRCH)` };
  // A /proc of another namespace tells of other processes.
  const found =
    orEmpty(() => readlinkSync('/proc/self')) === String(process.pid) ? lookAtProcess(owner.pid) : undefined;
  if (found === undefined) return { state: 'alive' };
  if (found.start !== start)
    return { state: 'dead', proof: `${here}, process ${owner.pid} is another one, begun at another time` };
  return found.ended
    ? { state: 'dead', proof: `${here}, process ${owner.pid} has ended (zombie)` }
    : { state: 'alive' };
};

/** EPERM says that it exists. */
const processExists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return thrownCode(error) !== 'ESRCH';
  }
};

/**
 * Another boot id is another machine, or this one before it was booted. Machines made from one image may share the machine id, so the
 * name must be the same too, and the boot younger than what was written: durations, so that no clock need be right.
 */
const ofEarlierBoot = (owner: ProcessOwner, self: ConsoleId, agoMs: number): Judged => {
  const same = owner.machine !== undefined && owner.machine === self.machine && owner.host === self.host;
  const upMs = uptime() * 1000;
  if (!same || !(upMs + BOOT_SLACK_MS < agoMs)) return { state: 'elsewhere' };
  return {
    state: 'dead',
    proof: `same machine id, booted since (up ${Math.round(upMs / 60_000)} min, another boot id)`,
  };
};

const BOOT_SLACK_MS = 60_000;

/** Of the process that made a lock so long ago; undefined: it is not proven that it has ended. */
export const endProof =
  (self: ConsoleId) =>
  (owner: ProcessOwner, agoMs: number): string | undefined =>
    judgeProcess(owner, self, agoMs).proof;

/** The same of the console that wrote a record. */
export const recordLiveness =
  (self: ConsoleId, now: () => number = Date.now) =>
  (record: AuditRecord): Liveness =>
    judgeProcess(record.console, self, now() - Date.parse(record.at)).state;
