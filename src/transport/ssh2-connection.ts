import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import type { ConnectFailure } from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import { algorithmsFor } from './algorithms.ts';
import { within } from './deadline.ts';
import { behind, failure, reason } from './failure.ts';
import { Handshake } from './handshake.ts';
import { checkHostKey, orderFor } from './host-key.ts';
import type { HostState } from './host-state.ts';
import type { KnownHostsCache } from './known-hosts-cache.ts';
import { prepareLogin } from './login.ts';
import type { Names } from './names.ts';
import type { Places } from './places.ts';
import { firstWord, openSocket } from './socket.ts';
import type { SshConfig } from './ssh-config.ts';
import type { SshFacts } from './ssh-facts.ts';
import { type AuthLog, authHandler } from './ssh2-auth.ts';
import { ssh2Wire } from './ssh2-wire.ts';
import { Stopwatch } from './stopwatch.ts';
import type { Wire } from './wire.ts';

/** Name look-up, connect, key exchange and log-in together, ms; waiting for our own turn does not count. */
export const CONNECT = 8000;

/** A connected server that opens no channel within this many ms is taken for dead. */
const OPEN = 8000;

/** How often, at most, a blocked host's key is compared with the files again, ms. */
const RECHECK = 2000;

/** What all connections of a site share. */
export interface Ssh2Context {
  clock: Clock;
  log: Log;
  config: SshConfig;
  names: Names;
  knownHosts: KnownHostsCache;
  handshakes: Places;
  /** The pooled connection to the last of several jump hosts. */
  jump: (hops: readonly string[], trail: readonly string[]) => Ssh2Connection | undefined;
}

export interface Ssh2Target {
  /** As ssh would be called: a host name, or a jump with user and port. */
  name: string;
  legacy: boolean;
  /** The connection to go through; without one the host's own ProxyJump says. */
  via?: Ssh2Connection;
  /** Names already on the way here, so that a jump through itself is left out. */
  trail: readonly string[];
}

type Ready = { client: Client } | { failure: ConnectFailure };
type Stream = { stream: Duplex } | { failure: ConnectFailure };

/** One connection to one server, made when first needed and again after it was lost. */
export class Ssh2Connection {
  readonly #context: Ssh2Context;
  readonly #target: Ssh2Target;
  readonly #state: HostState;
  #client: Client | undefined;
  #connecting: Promise<Ready> | undefined;
  #shown: { facts: SshFacts; key: Buffer; checkedAt: number } | undefined;

  constructor(context: Ssh2Context, target: Ssh2Target, state: HostState) {
    this.#context = context;
    this.#target = target;
    this.#state = state;
  }

  /** The connected client; one attempt serves all who wait for it. */
  async ready(): Promise<Ready> {
    if (this.#client) return { client: this.#client };
    await this.#recheck();
    const { blocked } = this.#state;
    if (blocked) return { failure: blocked };
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** One more `sh`: the remote command is constant, whatever the login shell is. */
  async open(): Promise<{ wire: Wire } | { failure: ConnectFailure }> {
    const opened = await this.#channel<ClientChannel>((client, done) => client.exec('exec sh', done));
    return 'failure' in opened ? opened : { wire: ssh2Wire(opened.channel) };
  }

  /** A stream to a port as seen from there: what ProxyJump does. */
  async forward(host: string, port: number): Promise<Stream> {
    const opened = await this.#channel<Duplex>((client, done) =>
      client.forwardOut('127.0.0.1', 0, host, port, done),
    );
    return 'failure' in opened ? opened : { stream: opened.channel };
  }

  /** Ends the back-off: the next request tries at once. */
  retry(): void {
    this.#state.retry();
  }

  /** Ends the connection and all that runs on it. */
  drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.destroy();
    this.#state.reset();
  }

  async #channel<C extends Duplex>(
    ask: (client: Client, done: (error: Error | undefined, channel: C) => void) => void,
  ): Promise<{ channel: C } | { failure: ConnectFailure }> {
    const ready = await this.ready();
    if ('failure' in ready) return ready;
    const { client } = ready;
    const { promise, resolve } = Promise.withResolvers<{ channel: C } | { error: Error }>();
    let late = false;
    try {
      ask(client, (error, channel) => {
        if (late && !error) channel.destroy();
        resolve(error ? { error } : { channel });
      });
    } catch (error) {
      resolve({ error: new Error(reason(error)) });
    }
    const opened = await within(this.#context.clock, OPEN, promise, () => {
      late = true;
      return undefined;
    });
    if (!opened) return { failure: this.#lost(client, this.#silent()) };
    return 'channel' in opened ? opened : { failure: this.#noChannel(client, opened.error) };
  }

  #silent(): ConnectFailure {
    return failure(
      'timeout',
      this.#state.host,
      `timed out after ${OPEN / 1000} s: connected, but no new session is opened`,
      'look at its load',
    );
  }

  #noChannel(client: Client, error: Error): ConnectFailure {
    const { host } = this.#state;
    if ('reason' in error && typeof error.reason === 'number')
      return failure(
        'sessions',
        host,
        'server refuses more sessions',
        'raise MaxSessions in its sshd_config',
      );
    if (this.#client !== client) return failure('unreachable', host, 'connection lost', 'it is tried again');
    return failure(
      'other',
      host,
      `the server runs no commands (${reason(error)})`,
      'see ForceCommand and the login shell of this user',
    );
  }

  /** A blocked host is let in again when its key has been put on record since; nothing is sent for that. */
  async #recheck(): Promise<void> {
    const shown = this.#shown;
    const { clock, knownHosts } = this.#context;
    if (
      !shown ||
      !this.#state.blocked?.kind.startsWith('hostKey') ||
      clock.mono() < shown.checkedAt + RECHECK
    )
      return;
    shown.checkedAt = clock.mono();
    const files = await within(
      clock,
      1000,
      knownHosts.read(shown.facts.knownHostsFiles).catch(() => undefined),
      () => undefined,
    );
    if (files && !checkHostKey(shown.facts, files, shown.key)) this.#state.retry();
  }

  async #connect(): Promise<Ready> {
    const { clock } = this.#context;
    this.#state.connecting();
    const stopwatch = new Stopwatch(clock, CONNECT);
    const over = new AbortController();
    const progress: { handshake?: Handshake; facts?: SshFacts } = {};
    try {
      const found = await stopwatch.race(this.#dial(progress, stopwatch, over.signal));
      if (found === 'late') return { failure: this.#state.down(this.#late(progress)) };
      if ('failure' in found) return { failure: this.#state.down(found.failure) };
      this.#keep(found.client);
      return found;
    } catch (error) {
      return { failure: this.#state.down(failure('other', this.#state.host, reason(error), 'see the log')) };
    } finally {
      stopwatch.end();
      if (!this.#client) {
        over.abort();
        progress.handshake?.client.destroy();
      }
    }
  }

  #late({ handshake, facts }: { handshake?: Handshake; facts?: SshFacts }): ConnectFailure {
    const seconds = CONNECT / 1000;
    if (handshake) return handshake.late(seconds);
    const where = facts ? ` (${facts.hostname} port ${facts.port})` : '';
    return failure(
      'timeout',
      this.#state.host,
      `timed out after ${seconds} s${where}`,
      'is it up, and does its name resolve?',
    );
  }

  async #dial(
    progress: { handshake?: Handshake; facts?: SshFacts },
    stopwatch: Stopwatch,
    over: AbortSignal,
  ): Promise<Ready> {
    const { clock, config, knownHosts, handshakes } = this.#context;
    const asked = await config.of(this.#target.name);
    if ('failure' in asked) return asked;
    const { facts } = asked;
    progress.facts = facts;
    const { host } = this.#state;
    const [beyond] = facts.beyond;
    if (beyond !== undefined)
      return {
        failure: failure('unsupported', host, `${beyond} is set for it`, 'it is reached through OpenSSH'),
      };
    const allowed = algorithmsFor(facts.algorithms, this.#target.legacy);
    if ('none' in allowed)
      return {
        failure: failure(
          'unsupported',
          host,
          `your ssh configuration allows no ${allowed.none} of ours`,
          'it is reached through OpenSSH',
        ),
      };
    const ssh2 = (await import('ssh2')).default;
    const files = await knownHosts.read(facts.knownHostsFiles).catch((error: unknown) => reason(error));
    if (typeof files === 'string')
      return {
        failure: failure(
          'hostKeyUnknown',
          host,
          `its host key can't be checked: ${files}`,
          'make that file readable',
        ),
      };
    const login = await prepareLogin(ssh2, { ...facts, host }, clock);
    if (login.hopeless) return { failure: login.hopeless };

    const reached = await this.#reach(facts, over);
    if ('failure' in reached) return reached;
    const { stream } = reached;
    over.addEventListener('abort', () => stream.destroy(), { once: true });
    await firstWord(stream, clock);
    stopwatch.pause();
    const free = await handshakes.take(over);
    stopwatch.resume();
    try {
      const authLog: AuthLog = { offers: undefined, partial: false, tried: 0 };
      progress.handshake = new Handshake(ssh2, stream, {
        host,
        user: facts.user,
        where: `${facts.hostname} port ${facts.port}`,
        algorithms: {
          ...allowed.algorithms,
          serverHostKey: orderFor(facts, files, allowed.algorithms.serverHostKey),
        },
        checkKey: (key) => {
          this.#shown = { facts, key, checkedAt: clock.mono() };
          return checkHostKey({ ...facts, host }, files, key);
        },
        auth: authHandler(ssh2, facts.user, login.credentials, facts.agent, authLog),
        authLog,
        refused: () => login.refused(authLog),
      });
      const ended = await stopwatch.race(progress.handshake.done);
      if (ended === 'late') return { failure: this.#late(progress) };
      return ended ? { failure: ended } : { client: progress.handshake.client };
    } finally {
      free();
    }
  }

  /** The stream to the server: our own socket, or one through the jump host. */
  async #reach(facts: SshFacts, over: AbortSignal): Promise<Stream> {
    const trail = [...this.#target.trail, this.#target.name];
    const hops = facts.jumps.filter((hop) => !trail.includes(hop));
    const via = this.#target.via ?? this.#context.jump(hops, trail);
    if (!via) {
      const opened = await openSocket({ ...facts, host: this.#state.host }, this.#context.names, over);
      return 'failure' in opened ? opened : { stream: opened.socket };
    }
    const forwarded = await via.forward(facts.hostname, facts.port);
    if (!('failure' in forwarded)) return forwarded;
    if (forwarded.failure.kind !== 'sessions')
      return { failure: behind(this.#state.host, forwarded.failure) };
    const where = `${facts.hostname} port ${facts.port}`;
    return {
      failure: failure(
        'unreachable',
        this.#state.host,
        `its jump host ${via.name} can't reach ${where}`,
        'is it up, and does the jump host allow forwarding?',
      ),
    };
  }

  get name(): string {
    return this.#state.host;
  }

  #keep(client: Client): void {
    this.#client = client;
    this.#shown = undefined;
    if (this.#target.legacy) this.#state.badge('legacy algorithms');
    this.#state.up();
    let why = 'connection lost';
    client.on('error', (error) => {
      why =
        error.message === 'Keepalive timeout'
          ? 'no answer to keepalives for 30 s'
          : `connection lost (${error.message})`;
    });
    client.on('close', () => {
      if (this.#client === client)
        this.#lost(client, failure('unreachable', this.#state.host, why, 'it is tried again'));
    });
  }

  #lost(client: Client, why: ConnectFailure): ConnectFailure {
    if (this.#client === client) this.#client = undefined;
    client.destroy();
    return this.#state.down(why);
  }
}
