import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import {
  counter,
  failModeOf,
  optionsIn,
  unescapePath,
  versionOf,
  wholeNumber,
  type FailMode,
} from './words.ts';

/** A transport of a mount. Mounts of one server and version share transports: the same line stands under each of them. */
export interface Transport {
  proto: string;
  /** 0 for NFSv4.1 and later. */
  srcPort?: number;
  binds?: number;
  connects?: number;
  connectTime?: number;
  /** Begins anew with each reconnect: no measure of silence. */
  idleS?: number;
  sends?: number;
  recvs?: number;
  badXids?: number;
  /** Sums of the queue's length at each send, no lengths. */
  reqU?: bigint;
  backlogU?: bigint;
  maxSlots?: number;
  sendingU?: bigint;
  pendingU?: bigint;
}

/** What ended of one operation since the mount; one that hangs is in no row. */
export interface Operation {
  op: string;
  ops: number;
  trans: number;
  timeouts: number;
  bytesSent: bigint;
  bytesRecv: bigint;
  /** Sums; one that went below zero is printed as 2^64 less. */
  queueMs: bigint;
  rttMs: bigint;
  /** With the time that the server was away. */
  executeMs: bigint;
  /** Kernels before 5.3 print none. */
  errors?: number;
}

export interface MountStats {
  mount: string;
  source: string;
  statvers?: string;
  vers?: string;
  failMode?: FailMode;
  ageS?: number;
  leaseTimeS?: number;
  /** For how long the lease of an NFSv4 client has run out; 0: it has not. */
  leaseExpiredS?: number;
  bytes?: Readonly<Record<string, bigint>>;
  xprts: Transport[];
  ops: Operation[];
}

export interface MountStatsFile {
  mounts: MountStats[];
  notUnderstood?: number;
}

/** In the order in which the kernel prints them (fs/nfs/iostat.h). */
const byteNames = [
  'normalRead',
  'normalWrite',
  'directRead',
  'directWrite',
  'serverRead',
  'serverWrite',
  'readPages',
  'writePages',
] as const;

/** Columns behind the protocol (net/sunrpc/xprtsock.c, xprtrdma/transport.c); older kernels print fewer. */
const udp = [
  'srcPort',
  'binds',
  'sends',
  'recvs',
  'badXids',
  'reqU',
  'backlogU',
  'maxSlots',
  'sendingU',
  'pendingU',
] as const;
const tcp = ['srcPort', 'binds', 'connects', 'connectTime', 'idleS', ...udp.slice(2)] as const;
const columns: Readonly<Record<string, readonly string[]>> = { udp, tcp, rdma: tcp.slice(0, 10) };
const sums = new Set(['reqU', 'backlogU', 'sendingU', 'pendingU']);

const transportOf = (text: string): Transport | undefined => {
  const [proto = '', ...cells] = text.trim().split(/\s+/);
  const names = columns[proto];
  const values = (names ?? []).flatMap((name, at): [string, number | bigint][] => {
    const value = sums.has(name) ? counter(cells[at]) : wholeNumber(cells[at]);
    return value === undefined ? [] : [[name, value]];
  });
  const printed = Math.min(names?.length ?? 0, cells.length);
  return names === undefined || printed === 0 || values.length < printed
    ? undefined
    : { proto, ...Object.fromEntries(values) };
};

const operationOf = (op: string, text: string): Operation | undefined => {
  const cells = text.trim().split(/\s+/);
  const [ops, trans, timeouts] = cells.slice(0, 3).map(wholeNumber);
  const [bytesSent, bytesRecv, queueMs, rttMs, executeMs] = cells.slice(3, 8).map(counter);
  const errors = wholeNumber(cells[8]);
  if (ops === undefined || trans === undefined || timeouts === undefined) return undefined;
  if (bytesSent === undefined || bytesRecv === undefined) return undefined;
  if (queueMs === undefined || rttMs === undefined || executeMs === undefined) return undefined;
  const times = { queueMs, rttMs, executeMs };
  return {
    op,
    ops,
    trans,
    timeouts,
    bytesSent,
    bytesRecv,
    ...times,
    ...(errors !== undefined && { errors }),
  };
};

const readOptions = (mount: MountStats, text: string): void => {
  const options = optionsIn(text);
  const [vers, failMode] = [versionOf(options), failModeOf(options)];
  Object.assign(mount, vers !== undefined && { vers }, failMode !== undefined && { failMode });
};

const readLease = (mount: MountStats, text: string): void => {
  const options = optionsIn(text);
  const [time, expired] = [wholeNumber(options.get('lease_time')), wholeNumber(options.get('lease_expired'))];
  Object.assign(
    mount,
    time !== undefined && { leaseTimeS: time },
    expired !== undefined && { leaseExpiredS: expired },
  );
};

/** Takes one line into its mount; false: it looks like a figure and is none. */
const takeLine = (mount: MountStats, line: string): boolean => {
  const [, name = '', rest = ''] = /^\s*([A-Za-z][\w ]{0,40}):\s*(.*)$/.exec(line) ?? [];
  if (name === 'opts') readOptions(mount, rest);
  else if (name === 'nfsv4') readLease(mount, rest);
  else if (name === 'age') {
    const age = wholeNumber(rest.trim());
    if (age === undefined) return false;
    mount.ageS = age;
  } else if (name === 'bytes') {
    const values = rest.trim().split(/\s+/).map(counter);
    const named = byteNames.flatMap((key, at) =>
      values[at] === undefined ? [] : [[key, values[at]] as const],
    );
    if (named.length < byteNames.length) return false;
    mount.bytes = Object.fromEntries(named);
  } else if (name === 'xprt') {
    const transport = transportOf(rest);
    if (transport === undefined) return false;
    mount.xprts.push(transport);
  } else if (/^[A-Z][A-Z\d_]*$/.test(name)) {
    const operation = operationOf(name, rest);
    if (operation === undefined) return false;
    if (operation.ops > 0) mount.ops.push(operation);
  }
  return true;
};

const deviceLine = /^(?:device (\S+)|no device) mounted on (\S+) with fstype (\S+)(?: statvers=(\S+))?\s*$/;

/** Reads /proc/self/mountstats: state and statistics of each NFS mount since it was mounted. Other file systems are no rows. */
export const parseMountstats = ({ stdout }: ParseInput): MountStatsFile => {
  const mounts: MountStats[] = [];
  let current: MountStats | undefined;
  let [devices, skipped] = [0, 0];
  for (const line of stdout.split('\n')) {
    const [device, source = '', mount = '', fsType, statvers] = deviceLine.exec(line) ?? [];
    if (device !== undefined) {
      devices += 1;
      current =
        fsType === 'nfs' || fsType === 'nfs4'
          ? {
              mount: unescapePath(mount),
              source: unescapePath(source),
              ...(statvers !== undefined && { statvers }),
              xprts: [],
              ops: [],
            }
          : undefined;
      if (current) mounts.push(current);
    } else if (line.startsWith('device ')) {
      current = undefined;
      skipped += 1;
    } else if (current && !takeLine(current, line)) skipped += 1;
  }
  if (devices === 0) throw new NotThisFormat('no "device ... mounted on ..." line of /proc/self/mountstats');
  return { mounts, ...(skipped > 0 && { notUnderstood: skipped }) };
};
