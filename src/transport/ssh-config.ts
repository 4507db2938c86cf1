import type { ConnectFailure } from '../model/answer.ts';
import { failure } from './failure.ts';
import { Places } from './places.ts';
import { type SshFacts, readFacts } from './ssh-facts.ts';
import { SshLane } from './ssh-lane.ts';

/** `ssh -G` at once: 300 hosts take 1.35 s one by one, 0.81 s with 4, hardly less with more. */
const AT_ONCE = 4;

type Facts = { facts: SshFacts } | { failure: ConnectFailure };

/**
 * Asks `ssh -G` how to reach a host: the one truth about users, ports, keys and jump hosts. Lazily, cached, a failure is
 * asked again. `Match exec` runs, as it would in ssh.
 */
export class SshConfig {
  readonly #file: string | undefined;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #places = new Places(AT_ONCE);
  #lanes: SshLane[] = [];
  readonly #known = new Map<string, Promise<Facts>>();

  /** `file`: the site's own configuration, given to `-F`. */
  constructor(file: string | undefined, env: Readonly<Record<string, string | undefined>>) {
    this.#file = file;
    this.#env = env;
  }

  /** `-F FILE` for every ssh that is started. */
  get flags(): readonly string[] {
    return this.#file === undefined ? [] : ['-F', this.#file];
  }

  /** The facts of a host; a jump may carry a user and port of its own (`user@gw:2222`, `ssh://user@gw:2222`). */
  readFacts(name: string): Promise<Facts> {
    const known = this.#known.get(name);
    if (known) return known;
    const asking = this.#ask(name).then((found) => {
      if ('failure' in found) this.#known.delete(name);
      return found;
    });
    this.#known.set(name, asking);
    return asking;
  }

  async #ask(name: string): Promise<Facts> {
    const spec = readJump(name);
    if (!spec)
      return {
        failure: failure('config', name, 'not a host name', 'see ProxyJump in your ssh configuration'),
      };
    const freePlace = await this.#places.take();
    this.#lanes = this.#lanes.filter((lane) => !lane.over);
    const lane = this.#lanes.pop() ?? new SshLane(this.#env);
    const argv = ['-G', ...this.flags, ...spec.flags, '--', spec.host];
    const result = await lane.ask(argv).finally(() => {
      this.#lanes.push(lane);
      freePlace();
    });
    if ('stdout' in result) return { facts: readFacts(spec.host, result.stdout, this.#env) };
    const next = result.missing ? 'install openssh-client' : `try: ssh -G ${spec.host}`;
    return { failure: failure('config', name, result.what, next) };
  }
}

/** `[user@]host[:port]`, `[user@][v6]:port` or the same as a URL; undefined when it can't be a host. */
export const readJump = (text: string): { host: string; flags: string[] } | undefined => {
  const match = /^(?:ssh:\/\/)?(?:([^@]+)@)?(?:\[([^\]]+)\]|([^:@[\]]+|[0-9a-fA-F:]+))(?::(\d+))?\/?$/.exec(
    text,
  );
  const host = match?.[2] ?? match?.[3];
  if (!match || host === undefined || host.startsWith('-') || match[1]?.startsWith('-')) return undefined;
  return {
    host,
    flags: [
      ...(match[1] === undefined ? [] : ['-l', match[1]]),
      ...(match[4] === undefined ? [] : ['-p', match[4]]),
    ],
  };
};
