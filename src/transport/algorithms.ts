import type { CipherAlgorithm, KexAlgorithm, MacAlgorithm, ServerHostKeyAlgorithm } from 'ssh2';
import type { SshFacts } from './ssh-facts.ts';

/** The algorithms of one connection, in the order of preference. */
export interface Offer {
  kex: KexAlgorithm[];
  cipher: CipherAlgorithm[];
  hmac: MacAlgorithm[];
  serverHostKey: ServerHostKeyAlgorithm[];
}

/**
 * What we offer, fast first. No diffie-hellman-group-exchange (1.2 s of a blocked thread per connection), no SHA-1, no
 * chacha20 (2-3 times slower here, and Terrapin). Measured in decision record 0012.
 */
const kex: readonly KexAlgorithm[] = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group16-sha512',
];
const cipher: readonly CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes256-ctr',
  'aes128-ctr',
];
const hmac: readonly MacAlgorithm[] = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
];
const serverHostKey: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

/** Old switches: only for hosts that the site file marks `legacy`, and then with a badge. */
const legacyKex: readonly KexAlgorithm[] = ['diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'];
const legacyCipher: readonly CipherAlgorithm[] = ['aes256-cbc', 'aes128-cbc', '3des-cbc'];
const legacyHmac: readonly MacAlgorithm[] = ['hmac-sha1'];
const legacyHostKey: readonly ServerHostKeyAlgorithm[] = ['ssh-rsa'];

/** Our lists as far as the operator's configuration allows them, or the kind on which nothing is left in common. */
export const algorithmsFor = (
  allowed: SshFacts['algorithms'],
  legacy: boolean,
): { algorithms: Offer } | { none: string } => {
  const keepKnown = <A extends string>(
    ours: readonly A[],
    theirs: readonly string[],
    old: readonly A[],
  ): A[] => [...ours.filter((one) => theirs.length === 0 || theirs.includes(one)), ...(legacy ? old : [])];
  const algorithms: Offer = {
    kex: keepKnown(kex, allowed.kex, legacyKex),
    cipher: keepKnown(cipher, allowed.cipher, legacyCipher),
    hmac: keepKnown(hmac, allowed.hmac, legacyHmac),
    serverHostKey: keepKnown(serverHostKey, allowed.serverHostKey, legacyHostKey),
  };
  const none = Object.entries(algorithms).find(([, list]) => list.length === 0)?.[0];
  return none === undefined ? { algorithms } : { none };
};
