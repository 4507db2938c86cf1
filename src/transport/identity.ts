import { readOwned } from '../site/regular.ts';
import { keyType } from './known-hosts-file.ts';

/** A key of 16,384 bits has 13 kB. */
const MOST_BYTES = 1_000_000;

/** A key an identity file stands for. `blob` is its public half; `text` the file, when it can sign by itself. */
export interface Identity {
  path: string;
  type: string;
  blob: Buffer;
  encrypted: boolean;
  /** Its mode in octal, when a private key of ours can be read by others: OpenSSH ignores it then, and so do we (sshkey_perm_ok). */
  exposed?: string;
  text?: Buffer;
}

/** What is wrong with such a key, and what to do. */
export const exposedKey = (path: string, mode: string): [wrong: string, next: string] => [
  `the key ${path} is open to others (mode ${mode}) and is not used`,
  `run: chmod 600 ${path}; when others may have read it, make a new one`,
];

/** Key types only OpenSSH can use: FIDO keys and certificates. */
export const needsOpenSsh = (type: string): boolean => type.startsWith('sk-') || type.includes('-cert-v01@');

/**
 * Reads an identity file: a private key, or a public key whose private half an agent holds. The public half comes from
 * the file itself (OpenSSH's format carries it in the clear), else from `PATH.pub`. Undefined when the file is absent or
 * holds no key; what is encrypted is said, never asked for.
 */
export const readIdentity = async (
  path: string,
  publicOf: (key: Buffer) => Buffer | undefined,
): Promise<Identity | undefined> => {
  const file = await readWithMode(path);
  if (!file) return undefined;
  const { text } = file;
  const openSsh = readOpenSsh(text.toString('latin1'));
  const encrypted =
    openSsh?.encrypted ?? /^(Proc-Type:.*ENCRYPTED|-----BEGIN ENCRYPTED)/m.test(text.toString('latin1'));
  const own =
    openSsh?.blob ?? readPublic(text.toString('latin1')) ?? (encrypted ? undefined : publicOf(text));
  const blob = own ?? readPublic((await readWithMode(`${path}.pub`))?.text.toString() ?? '');
  if (!blob) return undefined;
  const secret = text.includes('PRIVATE KEY-----');
  const type = keyType(blob);
  if (secret && file.exposed !== undefined) return { path, type, blob, encrypted, exposed: file.exposed };
  return { path, type, blob, encrypted, ...(secret && !encrypted && !needsOpenSsh(type) && { text }) };
};

/** A file, and its mode where others may read it. Undefined when it can't be read. */
const readWithMode = async (path: string): Promise<{ text: Buffer; exposed?: string } | undefined> => {
  try {
    const { bytes, uid, mode } = await readOwned(path, MOST_BYTES);
    const isExposed = uid === process.getuid?.() && (mode & 0o077) !== 0;
    return {
      text: bytes,
      ...(isExposed && { exposed: (mode & 0o777).toString(8).padStart(4, '0') }),
    };
  } catch {
    return undefined;
  }
};

/** `type base64 comment`. */
const readPublic = (text: string): Buffer | undefined => {
  const [type, base64] = text.trim().split(/\s+/);
  const blob = Buffer.from(base64 ?? '', 'base64');
  return type !== undefined && type !== '' && keyType(blob) === type ? blob : undefined;
};

/** OpenSSH's PROTOCOL.key: magic, cipher, kdf, kdf options, number of keys, public key, ... */
const readOpenSsh = (text: string): { blob: Buffer; encrypted: boolean } | undefined => {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(text)?.[1];
  const bytes = Buffer.from(body ?? '', 'base64');
  const magic = 'openssh-key-v1\0';
  if (bytes.toString('latin1', 0, magic.length) !== magic) return undefined;
  try {
    let at = magic.length;
    const readNext = (): Buffer => {
      const length = bytes.readUInt32BE(at);
      const from = at + 4;
      at = from + length;
      return bytes.subarray(from, at);
    };
    const cipher = readNext().toString('latin1');
    readNext();
    readNext();
    at += 4;
    const blob = readNext();
    return keyType(blob) === '' ? undefined : { blob, encrypted: cipher !== 'none' };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
