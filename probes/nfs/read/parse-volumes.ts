import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { wholeNumber } from './words.ts';

interface Place {
  vers: string;
  /** IPv4 decoded, IPv6 as printed: 32 hexadecimal digits. */
  addr: string;
  port: number;
}

/** A superblock of NFS. Those that were unmounted lazily stand here and nowhere else. */
export interface NfsVolume extends Place {
  dev: string;
  fsid: string;
  fscache?: string;
}

export interface NfsServerEntry extends Place {
  users: number;
  host: string;
}

export interface NfsVolumes {
  volumes?: NfsVolume[];
  servers?: NfsServerEntry[];
  notUnderstood?: number;
}

const address = (hex: string): string | undefined => {
  if (/^[0-9a-f]{32}$/i.test(hex)) return hex;
  return /^[0-9a-f]{8}$/i.test(hex)
    ? hex
        .match(/../g)
        ?.map((byte) => Number.parseInt(byte, 16))
        .join('.')
    : undefined;
};

/** `v3 0a090001  801 ...`: version, address and port in hexadecimal. */
const placeOf = ([vers = '', hex = '', port = '']: readonly string[]): Place | undefined => {
  const addr = address(hex);
  return addr !== undefined && /^v\d/.test(vers) && /^[0-9a-f]{1,4}$/i.test(port)
    ? { vers: vers.slice(1), addr, port: Number.parseInt(port, 16) }
    : undefined;
};

const volumeOf = (cells: readonly string[]): NfsVolume | undefined => {
  const [, , , dev, fsid, fscache] = cells;
  const place = placeOf(cells);
  return place && dev !== undefined && fsid !== undefined && /^\d+:\d+$/.test(dev)
    ? { ...place, dev, fsid, ...(fscache !== undefined && { fscache }) }
    : undefined;
};

const serverOf = (cells: readonly string[]): NfsServerEntry | undefined => {
  const [, , , users, host] = cells;
  const [place, count] = [placeOf(cells), wholeNumber(users)];
  return place && count !== undefined && host !== undefined ? { ...place, users: count, host } : undefined;
};

/** Reads /proc/fs/nfsfs/volumes or /proc/fs/nfsfs/servers (fs/nfs/client.c). */
export const parseVolumes = ({ stdout }: ParseInput): NfsVolumes => {
  const [header = '', ...lines] = stdout.split('\n').filter((line) => line.trim() !== '');
  if (!/^NV\s+SERVER\s+PORT\s+(?:DEV|USE)\b/.test(header))
    throw new NotThisFormat('no "NV SERVER PORT" header of /proc/fs/nfsfs');
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const volumes = /\bDEV\b/.test(header) ? rows.flatMap((cells) => volumeOf(cells) ?? []) : undefined;
  const servers = volumes ? undefined : rows.flatMap((cells) => serverOf(cells) ?? []);
  const skipped = rows.length - (volumes ?? servers ?? []).length;
  return {
    ...(volumes && { volumes }),
    ...(servers && { servers }),
    ...(skipped > 0 && { notUnderstood: skipped }),
  };
};
