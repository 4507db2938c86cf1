import { access } from 'node:fs/promises';
import type { ConnectFailure } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { listAgent } from './agent.ts';
import { type Credential, type Found, chooseCredentials, findExposed, noCredential } from './credentials.ts';
import { failure } from './failure.ts';
import { readIdentity } from './identity.ts';
import type { AuthLog } from './ssh2-auth.ts';
import type { SshFacts } from './ssh-facts.ts';

type Ssh2 = typeof import('ssh2');

/** What we log in with, and what to say when that does not do. */
export interface Login {
  credentials: readonly Credential[];
  /** Why there is no use in trying; undefined when there is. */
  hopeless: ConnectFailure | undefined;
  failRefused: (log: AuthLog) => ConnectFailure;
}

/** Looks at the agent and the identity files. Reads secrets into memory for this one log-in. */
export const prepareLogin = async (ssh2: Ssh2, facts: SshFacts, clock: Clock): Promise<Login> => {
  const [identities, agent, certificate] = await Promise.all([
    Promise.all(facts.identityFiles.map((path) => readIdentity(path, (text) => publicOf(ssh2, text)))),
    facts.agent === undefined
      ? undefined
      : listAgent(facts.agent, clock).then((keys) => keys ?? ('gone' as const)),
    firstCertificate(facts),
  ]);
  const found: Found = { identities: identities.filter((one) => one !== undefined), agent };
  const { credentials, beyond } = chooseCredentials(facts, found);
  if (certificate !== undefined)
    return {
      credentials,
      hopeless: openSsh(facts.host, `the certificate ${certificate}`),
      failRefused: refusedFailure,
    };

  function refusedFailure(log: AuthLog): ConnectFailure {
    if (beyond.length > 0) return openSsh(facts.host, beyond.join(', '));
    if (facts.gssapi && log.offers?.some((one) => one.startsWith('gssapi')))
      return openSsh(facts.host, 'Kerberos');
    if (credentials.length === 0) return noCredential(facts.host, facts, found);
    return deniedFailure(facts, log, found);
  }
  const alone = credentials.length === 0 && !facts.gssapi;
  const nothing =
    beyond.length > 0 ? openSsh(facts.host, beyond.join(', ')) : noCredential(facts.host, facts, found);
  return { credentials, hopeless: alone ? nothing : undefined, failRefused: refusedFailure };
};

const openSsh = (host: string, what: string): ConnectFailure =>
  failure(
    'unsupported',
    host,
    `logging in with ${what} is beyond our own client`,
    'it is reached through OpenSSH',
  );

const deniedFailure = (facts: SshFacts, log: AuthLog, found: Found): ConnectFailure => {
  const { host, user } = facts;
  if (log.partial)
    return failure(
      'auth',
      host,
      `the server wants a second factor (${log.offers?.join(', ')}) of ${user}`,
      'set ControlMaster and ControlPath, log in once with ssh, and set its transport to openssh',
    );
  const takes = log.offers ? `, the server takes ${log.offers.join(', ')}` : '';
  const agent = found.agent === 'gone' ? ', agent not available' : '';
  const [exposed, mend] = findExposed(found) ?? [];
  return failure(
    'auth',
    host,
    [
      `permission denied to ${user}`,
      `${log.tried} ${log.tried === 1 ? 'key' : 'keys'} tried${takes}${agent}${exposed ? `; ${exposed}` : ''}`,
    ],
    mend ?? 'check User and IdentityFile in your ssh configuration and authorized_keys there',
  );
};

/** A certificate the operator has in use: named in the configuration, or beside an identity file as OpenSSH looks for it. */
const firstCertificate = async (facts: SshFacts): Promise<string | undefined> => {
  const paths = [...facts.certificateFiles, ...facts.identityFiles.map((path) => `${path}-cert.pub`)];
  const present = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.find((_, at) => present[at]);
};

const publicOf = (ssh2: Ssh2, text: Buffer): Buffer | undefined => {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) return undefined;
  return (Array.isArray(key) ? key[0] : key)?.getPublicSSH();
};
