import { createHash } from 'node:crypto';
import { type KnownHostsFile, type KnownKey, keyType } from './known-hosts-file.ts';

/** A name a host may be known by; `[host]:port` when the port is not 22. */
export const recordedName = (host: string, port: number): string =>
  port === 22 ? host : `[${host}]:${port}`;

/** `SHA256:...` as ssh prints it. */
export const fingerprint = (blob: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/**
 * What the known_hosts files say of a key that a host showed. `changed` when other keys of the host are known;
 * `authority` when none is, but a certificate authority vouches for the host: only OpenSSH can check that.
 */
export type Verdict =
  | { is: 'known' }
  | { is: 'revoked'; by: KnownKey }
  | { is: 'changed'; known: KnownKey }
  | { is: 'authority'; by: KnownKey }
  | { is: 'unknown' };

/** Judges a key against all lines that match the name, over all files. A revoked line for this key always wins. */
export const verifyKey = (files: readonly KnownHostsFile[], name: string, key: Buffer): Verdict => {
  const lines = files.flatMap((file) => file.find(name));
  const isSame = (one: KnownKey) => one.blob.equals(key);
  const revoked = lines.find((one) => one.marker === 'revoked' && isSame(one));
  if (revoked) return { is: 'revoked', by: revoked };
  const plain = lines.filter((one) => one.marker === undefined && !isRevoked(lines, one));
  if (plain.some(isSame)) return { is: 'known' };
  const type = keyType(key);
  const known = plain.find((one) => one.type === type) ?? plain[0];
  if (known) return { is: 'changed', known };
  const by = lines.find((one) => one.marker === 'cert-authority');
  return by ? { is: 'authority', by } : { is: 'unknown' };
};

const isRevoked = (lines: readonly KnownKey[], key: KnownKey): boolean =>
  lines.some((one) => one.marker === 'revoked' && one.blob.equals(key.blob));

/** The signature algorithms a key type stands for. */
const algorithmsOf: Readonly<Record<string, readonly string[]>> = {
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
};

/**
 * The host key algorithms in the order to offer: those of known keys first. Else a host whose ed25519 key is known would
 * show its ECDSA key and look like a stranger.
 */
export const putKnownFirst = <A extends string>(
  algorithms: readonly A[],
  files: readonly KnownHostsFile[],
  name: string,
): A[] => {
  const types = files.flatMap((file) => file.find(name)).filter(({ marker }) => marker === undefined);
  const known = new Set(types.flatMap(({ type }) => algorithmsOf[type] ?? [type]));
  return [...algorithms.filter((one) => known.has(one)), ...algorithms.filter((one) => !known.has(one))];
};
