import ssh2, { type ParsedKey } from 'ssh2';

/** A key pair of the demo: the private part as ssh2 and OpenSSH read it, the public part as `TYPE BASE64`. */
export interface KeyPair {
  privateText: string;
  publicLine: string;
}

/** ECDSA P-256: ssh2's own ed25519 generation gives one key in 256 that it can't read back (decision record 0060). */
export const newKeyPair = (): KeyPair => {
  const pair = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
  return { privateText: pair.private, publicLine: pair.public.trim() };
};

/** The parsed public half. Throws when the text is no key. */
export const parsePublic = (publicLine: string): ParsedKey => {
  const key = ssh2.utils.parseKey(publicLine);
  if (key instanceof Error) throw key;
  return key;
};
