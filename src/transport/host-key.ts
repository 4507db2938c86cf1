import type { ConnectFailure } from '../model/answer.ts';
import { failure } from './failure.ts';
import { type Verdict, fingerprint, recordedName, putKnownFirst, verifyKey } from './known-hosts.ts';
import { type KnownHostsFile, keyType } from './known-hosts-file.ts';
import type { SshFacts } from './ssh-facts.ts';

/** The name a host's key is filed under. */
const filedAs = (facts: SshFacts): string => facts.hostKeyAlias ?? recordedName(facts.hostname, facts.port);

/** Like OpenSSH, a key filed without the port will do for another port of the same host. */
const judge = (facts: SshFacts, files: readonly KnownHostsFile[], key: Buffer): Verdict => {
  const verdict = verifyKey(files, filedAs(facts), key);
  if (verdict.is !== 'unknown' || facts.hostKeyAlias !== undefined || facts.port === 22) return verdict;
  const bare = verifyKey(files, facts.hostname, key);
  return bare.is === 'known' || bare.is === 'revoked' ? bare : verdict;
};

/** Undefined when the key is known; else why the host is blocked, with the fingerprints and the place on record. */
export const checkHostKey = (
  facts: SshFacts,
  files: readonly KnownHostsFile[],
  key: Buffer,
): ConnectFailure | undefined => {
  const verdict = judge(facts, files, key);
  const { host } = facts;
  const shown = `${keyType(key)} ${fingerprint(key)}`;
  switch (verdict.is) {
    case 'known':
      return undefined;
    case 'revoked':
      return failure(
        'hostKeyRevoked',
        host,
        `host key revoked: it shows ${shown}, revoked at ${verdict.by.file}:${verdict.by.line}`,
        'do not log in; ask who revoked it',
      );
    case 'changed': {
      const { known } = verdict;
      return failure(
        'hostKeyChanged',
        host,
        `host key changed: it shows ${shown}, on record is ${known.type} ${fingerprint(known.blob)} at ${known.file}:${known.line}`,
        'find out why; only when it is right, mend that line',
      );
    }
    case 'authority':
      return failure(
        'unsupported',
        host,
        ['a certificate authority vouches for it', `${verdict.by.file}:${verdict.by.line}`],
        'it is reached through OpenSSH',
      );
    case 'unknown':
      return failure(
        'hostKeyUnknown',
        host,
        `host key unknown: it shows ${shown}, none is on record for ${filedAs(facts)} in ${facts.knownHostsFiles.join(', ') || 'any file'}`,
        `compare it with the host's own, then log in once with: ssh ${host}`,
      );
  }
};

/** The order in which to offer host key algorithms to this host. */
export const orderFor = <A extends string>(
  facts: SshFacts,
  files: readonly KnownHostsFile[],
  algorithms: readonly A[],
): A[] => {
  const bare =
    facts.hostKeyAlias === undefined ? putKnownFirst(algorithms, files, facts.hostname) : algorithms;
  return putKnownFirst(bare, files, filedAs(facts));
};
