import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { failModeOf, optionsIn, unescapePath, versionOf, wholeNumber, type FailMode } from './words.ts';

/** One NFS mount of this mount namespace. Times as printed: `timeo` in tenths of a second. */
export interface NfsMount {
  mount: string;
  source: string;
  fsType: 'nfs' | 'nfs4';
  /** `major:minor` of the superblock; mountinfo only. */
  dev?: string;
  server: string;
  export: string;
  readOnly: boolean;
  vers?: string;
  failMode?: FailMode;
  proto?: string;
  sec?: string;
  timeo?: number;
  retrans?: number;
  rsize?: number;
  wsize?: number;
  localLock?: string;
  /** What the mount resolved to. Not always where its traffic goes: NFSv4.1 trunks. */
  addr?: string;
  clientAddr?: string;
  mountAddr?: string;
  mountProto?: string;
  mountVers?: string;
  mountPort?: number;
  nconnect?: number;
  port?: number;
  acregmin?: number;
  noac?: boolean;
  nolock?: boolean;
  intr?: boolean;
}

/** A place where the automounter mounts what is asked for. */
export interface Automount {
  mount: string;
  source: string;
  fsType: 'autofs';
  dev?: string;
  kind?: 'direct' | 'indirect' | 'offset';
  timeoutS?: number;
  /** Process group of the automounter, in the pid namespace that mounted. */
  pgrp?: number;
}

export interface Mounts {
  mounts: (NfsMount | Automount)[];
  notUnderstood?: number;
}

interface Row {
  mount: string;
  source: string;
  fsType: string;
  dev?: string;
  /** Those of the mount and of the superblock, comma by comma. */
  options: string;
}

/** `38 29 0:32 / /home rw,relatime shared:7 - nfs nfs1:/x rw,vers=3`: none, one or several optional fields before the dash (proc(5)). */
const mountinfoRow = (fields: readonly string[]): Row | undefined => {
  const dash = fields.indexOf('-', 6);
  const [, , dev = '', , mount = '', mountOptions = ''] = fields;
  const [fsType, source, superOptions = ''] = fields.slice(dash + 1);
  if (dash < 0 || !/^\d+:\d+$/.test(dev) || fsType === undefined || source === undefined) return undefined;
  return { mount, source, fsType, dev, options: `${superOptions},${mountOptions}` };
};

/** `nfs1:/x /home nfs rw,vers=3 0 0` */
const mountsRow = (fields: readonly string[]): Row | undefined => {
  const [source, mount, fsType, options, ...rest] = fields;
  return options !== undefined &&
    source !== undefined &&
    mount !== undefined &&
    fsType !== undefined &&
    mount.startsWith('/') &&
    rest.every((field) => /^\d+$/.test(field))
    ? { mount, source, fsType, options }
    : undefined;
};

const dropAbsent = <T extends object>(row: T): T =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only keys without a value are left out
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;

const nfsMount = (row: Row, fsType: 'nfs' | 'nfs4'): NfsMount => {
  const options = optionsIn(row.options);
  const number = (name: string): number | undefined => wholeNumber(options.get(name));
  const source = unescapePath(row.source);
  const at = source.indexOf(':/');
  return dropAbsent({
    mount: unescapePath(row.mount),
    source,
    fsType,
    dev: row.dev,
    server: at < 0 ? source.replace(/:$/, '') : source.slice(0, at),
    export: at < 0 ? '' : source.slice(at + 1),
    readOnly: options.has('ro'),
    vers: versionOf(options),
    failMode: failModeOf(options),
    proto: options.get('proto'),
    sec: options.get('sec'),
    timeo: number('timeo'),
    retrans: number('retrans'),
    rsize: number('rsize'),
    wsize: number('wsize'),
    localLock: options.get('local_lock'),
    addr: options.get('addr'),
    clientAddr: options.get('clientaddr'),
    mountAddr: options.get('mountaddr'),
    mountProto: options.get('mountproto'),
    mountVers: options.get('mountvers'),
    mountPort: number('mountport'),
    nconnect: number('nconnect'),
    port: number('port'),
    acregmin: number('acregmin'),
    noac: options.has('noac') || undefined,
    nolock: options.has('nolock') || undefined,
    intr: options.has('intr') || undefined,
  } as NfsMount);
};

const automount = (row: Row): Automount => {
  const options = optionsIn(row.options);
  return dropAbsent({
    mount: unescapePath(row.mount),
    source: unescapePath(row.source),
    fsType: 'autofs',
    dev: row.dev,
    kind: (['direct', 'indirect', 'offset'] as const).find((kind) => options.has(kind)),
    timeoutS: wholeNumber(options.get('timeout')),
    pgrp: wholeNumber(options.get('pgrp')),
  } as Automount);
};

/** Reads /proc/self/mountinfo or /proc/self/mounts: what is mounted by NFS or kept by an automounter in this namespace. */
export const parseMounts = ({ stdout }: ParseInput): Mounts => {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => {
    const fields = line.trim().split(/\s+/);
    return mountinfoRow(fields) ?? mountsRow(fields);
  });
  if (!rows.some((row) => row !== undefined))
    throw new NotThisFormat('no line is one of /proc/self/mountinfo or /proc/self/mounts');
  const skipped = rows.filter((row) => row === undefined).length;
  const mounts = rows.flatMap((row): (NfsMount | Automount)[] => {
    if (row?.fsType === 'nfs' || row?.fsType === 'nfs4') return [nfsMount(row, row.fsType)];
    return row?.fsType === 'autofs' ? [automount(row)] : [];
  });
  return { mounts, ...(skipped > 0 && { notUnderstood: skipped }) };
};
