import { dropUndefined } from '../../../src/kit/known.ts';
/** A lock on a file, from a brick's dump. */
export interface FileLock {
  /** `posixlk`, or the domain of an inodelk or entrylk (`home0-replicate-0`). */
  domain: string;
  path?: string;
  gfid?: string;
  state: 'ACTIVE' | 'BLOCKED';
  pid?: bigint;
  client?: string;
}

export type LockType = 'posixlk' | 'inodelk' | 'entrylk';

/** The same with what it is of, which `clear-locks` wants to know. */
export interface PlacedLock extends FileLock {
  type: LockType;
  volume?: string;
}

const lockLine = /^(posixlk|inodelk|entrylk)\.\w+\[\d+\]\((ACTIVE|BLOCKED)\)=(.*)$/;
const section = /^\[xlator\.features\.locks\.(.+)-locks\./;

/** The locks of a brick's dump: path and volume stand in the lines before them. */
export const fileLocks = (lines: readonly string[]): PlacedLock[] => {
  const found: PlacedLock[] = [];
  let gfid: string | undefined;
  let path: string | undefined;
  let domain: string | undefined;
  let volume: string | undefined;
  for (const line of lines) {
    if (line.startsWith('[')) {
      path = undefined;
      domain = undefined;
      volume = section.exec(line)?.[1];
      if (volume === undefined) gfid = undefined;
      continue;
    }
    const [, key, value = ''] = /^(gfid|path|lock-dump\.domain\.domain)=(.*?)\s*$/.exec(line) ?? [];
    if (key === 'gfid') gfid = value;
    else if (key === 'path') path = value;
    else if (key !== undefined) domain = value;
    const lock = lockLine.exec(line);
    const type = lockTypes.find((one) => one === lock?.[1]);
    if (!lock || !type) continue;
    const pid = /\bpid = (-?\d+)/.exec(lock[3] ?? '')?.[1];
    const client =
      /\bconnection-id=([^,\s]+)/.exec(lock[3] ?? '')?.[1] ?? /\bclient=([^,\s]+)/.exec(lock[3] ?? '')?.[1];
    found.push({
      type,
      domain: type === 'posixlk' ? type : (domain ?? type),
      ...dropUndefined({ volume, path, gfid }),
      state: lock[2] === 'BLOCKED' ? 'BLOCKED' : 'ACTIVE',
      ...(pid !== undefined && { pid: BigInt(pid) }),
      ...(client !== undefined && { client }),
    });
  }
  return found;
};

const lockTypes: readonly LockType[] = ['posixlk', 'inodelk', 'entrylk'];

/**
 * The host and process of a client by its connection: `CTX_ID:...-PID:294-HOST:gl1-PC_NAME:...` from 4 on (observed),
 * `node12-4711-2013/05/02-10:22:33:123456-home0-client-0-0` before (source).
 */
export const clientOf = (connection: string): { host: string; pid: string } | undefined => {
  const [, pid, host] = /-PID:(\d+)-HOST:(.+?)-PC_NAME:/.exec(connection) ?? [];
  if (pid !== undefined && host !== undefined) return { host, pid };
  const [, old, oldPid] = /^(.+?)-(\d+)-\d{4}\/\d\d\/\d\d-/.exec(connection) ?? [];
  return old === undefined || oldPid === undefined ? undefined : { host: old, pid: oldPid };
};
