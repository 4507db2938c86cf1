import type { AnyAuthMethod, AuthenticationType, NextAuthHandler } from 'ssh2';
import type { Credential } from './credentials.ts';

type Ssh2 = typeof import('ssh2');

/** What the server said of our tries. */
export interface AuthLog {
  /** Methods it would still take; undefined before the first refusal. */
  offers: readonly string[] | undefined;
  /** A credential was right, but more is asked for. */
  partial: boolean;
  tried: number;
}

/**
 * ssh2's authentication handler: each credential once, in order, then no more. Without any, `none` is asked so that we
 * learn what the server would take. Never asks a person: 500 pollers would be 500 prompts.
 */
export const authHandler = (
  ssh2: Ssh2,
  user: string,
  credentials: readonly Credential[],
  agent: string | undefined,
  log: AuthLog,
) => {
  const left: AnyAuthMethod[] = credentials.map((one) => method(ssh2, user, one, agent));
  if (left.length === 0) left.push({ type: 'none', username: user });
  return (offers: AuthenticationType[] | null, partial: boolean | null, next: NextAuthHandler): void => {
    if (offers) log.offers = offers;
    if (partial) log.partial = true;
    const one = log.partial || (offers && !offers.includes('publickey')) ? undefined : left.shift();
    if (one) log.tried += 1;
    // @ts-expect-error the typings leave out `false`, which ends the tries
    next(one ?? false);
  };
};

const method = (ssh2: Ssh2, user: string, one: Credential, agent: string | undefined): AnyAuthMethod => {
  if (one.by === 'file') return { type: 'publickey', username: user, key: one.text };
  return { type: 'agent', username: user, agent: oneKeyAgent(ssh2, agent ?? '', one.blob) };
};

/** An agent that shows one key only: which keys a server is shown is for us to say (IdentitiesOnly), not for the agent. */
const oneKeyAgent = (ssh2: Ssh2, socketPath: string, blob: Buffer) => {
  const real = ssh2.createAgent(socketPath);
  class OneKey extends ssh2.BaseAgent<Buffer> {
    getIdentities(done: (error?: Error | null, keys?: Buffer[]) => void): void {
      done(null, [blob]);
    }
    sign(...args: unknown[]): void {
      // @ts-expect-error handed through as it came: two forms with and without options
      real.sign(...args);
    }
  }
  return new OneKey();
};
