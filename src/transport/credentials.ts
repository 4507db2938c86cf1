import type { ConnectFailure } from '../model/answer.ts';
import type { AgentKey } from './agent.ts';
import { failure } from './failure.ts';
import { exposedKey, type Identity, needsOpenSsh } from './identity.ts';
import type { SshFacts } from './ssh-facts.ts';

/** One thing to log in with. */
export type Credential = { by: 'agent'; blob: Buffer } | { by: 'file'; path: string; text: Buffer };

/** What there is to choose from. `agent` is undefined when no agent is set, `gone` when it doesn't answer. */
export interface Found {
  identities: readonly Identity[];
  agent: readonly AgentKey[] | 'gone' | undefined;
}

/** sshd's MaxAuthTries is 6, and it counts. */
const MOST = 6;

/**
 * What to log in with, in OpenSSH's order: identity files whose key the agent holds, the agent's other keys (not with
 * IdentitiesOnly), identity files by themselves. Each once, no more than a server takes. Pure.
 */
export const chooseCredentials = (
  facts: Pick<SshFacts, 'identitiesOnly'>,
  found: Found,
): { credentials: Credential[]; beyond: string[] } => {
  const held = Array.isArray(found.agent) ? found.agent : [];
  const files = found.identities.filter(
    (one, at) => found.identities.findIndex(({ blob }) => blob.equals(one.blob)) === at,
  );
  const isFile = (key: AgentKey) => files.some(({ blob }) => blob.equals(key.blob));
  const agentKeys = [
    ...files.flatMap(({ blob }) => held.filter((key) => key.blob.equals(blob))),
    ...(facts.identitiesOnly ? [] : held.filter((key) => !isFile(key))),
  ];
  const inAgent = (file: Identity) => held.some(({ blob }) => blob.equals(file.blob));
  const credentials: Credential[] = [
    ...agentKeys
      .filter(({ type }) => !needsOpenSsh(type))
      .map(({ blob }) => ({ by: 'agent' as const, blob })),
    ...files.flatMap((file) =>
      file.text && !inAgent(file) ? [{ by: 'file' as const, path: file.path, text: file.text }] : [],
    ),
  ];
  const beyond = [...agentKeys, ...files].filter(({ type }) => needsOpenSsh(type)).map(({ type }) => type);
  return { credentials: credentials.slice(0, MOST), beyond: [...new Set(beyond)] };
};

/** A key that was left out because others can read it: what to say of it. */
export const findExposed = ({ identities }: Found): ReturnType<typeof exposedKey> | undefined => {
  const key = identities.find((one) => one.exposed !== undefined);
  return key && exposedKey(key.path, key.exposed ?? '');
};

/** Why there is nothing to log in with, and what to do. */
export const noCredential = (host: string, facts: SshFacts, found: Found): ConnectFailure => {
  const exposed = findExposed(found);
  if (exposed) return failure('auth', host, ...exposed);
  const locked = found.identities.find(({ encrypted }) => encrypted);
  if (found.agent === 'gone')
    return failure(
      'agent',
      host,
      ['agent not available', facts.agent ?? ''],
      'start ssh-agent and load the key with ssh-add',
    );
  if (locked && found.agent === undefined)
    return failure(
      'agent',
      host,
      `agent not available, and the key ${locked.path} is encrypted`,
      `start ssh-agent, then: ssh-add ${locked.path}`,
    );
  if (locked)
    return failure(
      'agent',
      host,
      `the key ${locked.path} is encrypted and not in the agent`,
      `run: ssh-add ${locked.path}`,
    );
  return failure(
    'auth',
    host,
    `no key to log in with as ${facts.user}`,
    'set IdentityFile in your ssh configuration or load a key with ssh-add',
  );
};
