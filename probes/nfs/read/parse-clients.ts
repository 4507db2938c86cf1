import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { wholeNumber } from './words.ts';

/** An NFSv4 client as its server sees it; NFSv3 clients have none. */
export interface NfsClient {
  /** The folder below /proc/fs/nfsd/clients. */
  id?: string;
  clientId: string;
  address?: string;
  /** confirmed, unconfirmed, courtesy (lease over, state kept until somebody wants it), expirable; older kernels print none. */
  status?: string;
  renewS?: number;
  name?: string;
  minorVersion?: number;
  implementation?: string;
  callback?: string;
  callbackAddress?: string;
  adminRevoked?: number;
}

export interface NfsClients {
  clients: NfsClient[];
  notUnderstood?: number;
}

/** The text between quotes, with the kernel's escapes (`\"`, `\\`, `\040`) undone; other text as it is. */
const unquoteText = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"')
    ? text
        .slice(1, -1)
        .replaceAll(/\\([0-7]{3}|.)/g, (_all, code: string) =>
          code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
        )
    : text;

const texts: Readonly<Record<string, keyof NfsClient>> = {
  address: 'address',
  status: 'status',
  name: 'name',
  'Implementation name': 'implementation',
  'callback state': 'callback',
  'callback address': 'callbackAddress',
};
const numbers: Readonly<Record<string, keyof NfsClient>> = {
  'seconds from last renew': 'renewS',
  'minor version': 'minorVersion',
  'admin-revoked states': 'adminRevoked',
};

/** Takes `name: value`; false: a number that is none. Fields of other names are left out. */
const takeField = (client: NfsClient, name: string, value: string): boolean => {
  const [text, number] = [texts[name], numbers[name]];
  if (text !== undefined) Object.assign(client, { [text]: unquoteText(value) });
  if (number === undefined) return true;
  const whole = wholeNumber(value);
  if (whole !== undefined) Object.assign(client, { [number]: whole });
  return whole !== undefined;
};

/** Reads `tail -v -n +1 -- {folders}/info` in /proc/fs/nfsd/clients; without header lines the folders are not known. An empty output: no client. */
export const parseClients = ({ stdout }: ParseInput): NfsClients => {
  const clients: NfsClient[] = [];
  let id: string | undefined;
  let skipped = 0;
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines) {
    const [, folder] = /^==> (?:.*\/)?([^/]+)\/info <==$/.exec(line) ?? [];
    const at = line.indexOf(':');
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    const current = clients.at(-1);
    if (folder !== undefined) id = folder;
    else if (at > 0 && name === 'clientid') {
      clients.push({ ...(id !== undefined && { id }), clientId: value });
      id = undefined;
    } else if (at <= 0 || current === undefined || !takeField(current, name, value)) skipped += 1;
  }
  if (lines.length > 0 && clients.length === 0)
    throw new NotThisFormat('no "clientid:" line of /proc/fs/nfsd/clients');
  return { clients, ...(skipped > 0 && { notUnderstood: skipped }) };
};
