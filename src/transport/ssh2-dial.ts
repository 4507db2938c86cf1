import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import type { ConnectFailure } from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import { algorithmsFor } from './algorithms.ts';
import { waitWithin } from './deadline.ts';
import { failBehindJump, failure, reason, markUntouched } from './failure.ts';
import { Handshake } from './handshake.ts';
import { checkHostKey, orderFor } from './host-key.ts';
import type { KnownHostsCache } from './known-hosts-file.ts';
import { prepareLogin } from './login.ts';
import type { Names } from './names.ts';
import type { Places } from './places.ts';
import { firstWord, openSocket } from './socket.ts';
import { type AuthLog, authHandler } from './ssh2-auth.ts';
import type { SshConfig } from './ssh-config.ts';
import type { SshFacts } from './ssh-facts.ts';
import { Stopwatch } from './stopwatch.ts';

/** Name look-up, connect, key exchange and log-in together, ms; waiting for our own turn does not count. */
const CONNECT = 8000;

/** A jump host has a deadline of its own, after its turn; this one is for jumps that wait for each other in a circle. */
const JUMP = 60_000;

const THROUGH_OPENSSH = 'it is reached through OpenSSH';

export type Stream = { stream: Duplex } | { failure: ConnectFailure };
export type Ready = { client: Client } | { failure: ConnectFailure };

/** A server that opens streams to others: a jump host. */
export interface Jump {
  readonly name: string;
  awaitReady(): Promise<Ready>;
  forward(host: string, port: number): Promise<Stream>;
}

/** What all connections of a site share. */
export interface Ssh2Context {
  clock: Clock;
  log: Log;
  config: SshConfig;
  names: Names;
  knownHosts: KnownHostsCache;
  handshakes: Places;
  /** The pooled connection to the last of several jump hosts; undefined without one. */
  jump: (hops: readonly string[], trail: readonly string[]) => Jump | undefined;
}

export interface Ssh2Target {
  /** As ssh would be called: a host name, or a jump with user and port. */
  name: string;
  legacy: boolean;
  /** The jump host to go through; without one the host's own ProxyJump says. */
  via?: Jump;
  /** Names already on the way here, so that a jump through itself is left out. */
  trail: readonly string[];
}

/** One attempt to connect and log in, from `ssh -G` to the last credential. */
export class Dial {
  /** The key the server showed, and the facts it was judged by. */
  shown: { facts: SshFacts; key: Buffer } | undefined;
  readonly #context: Ssh2Context;
  readonly #target: Ssh2Target;
  readonly #host: string;
  readonly #over = new AbortController();
  #handshake: Handshake | undefined;
  /** A server, or a jump host on the way to it, has taken a connection of ours. */
  #touched = false;

  /** `host` is the name in messages. */
  constructor(context: Ssh2Context, target: Ssh2Target, host: string) {
    this.#context = context;
    this.#target = target;
    this.#host = host;
  }

  /** The client, ready for channels, or the failure; never throws. */
  async run(): Promise<Ready> {
    const found = await this.#steps().catch((error: unknown) => ({
      failure: this.#fail('other', reason(error), 'see the log'),
    }));
    if ('failure' in found) {
      this.#over.abort();
      this.#handshake?.client.destroy();
    }
    return found;
  }

  /** `ssh -G` has a deadline and a queue of its own, so ours begins after it. */
  async #steps(): Promise<Ready> {
    const asked = await this.#context.config.readFacts(this.#target.name);
    if ('failure' in asked) return asked;
    const facts = { ...asked.facts, host: this.#host };
    const stopwatch = new Stopwatch(this.#context.clock, CONNECT);
    const found = await stopwatch.race(this.#reachAndLogIn(facts, stopwatch)).finally(() => stopwatch.end());
    return found === 'late' ? { failure: this.#late(facts) } : found;
  }

  async #reachAndLogIn(facts: SshFacts, stopwatch: Stopwatch): Promise<Ready> {
    if (facts.beyond[0] !== undefined)
      return { failure: this.#fail('unsupported', `${facts.beyond[0]} is set for it`, THROUGH_OPENSSH) };
    const allowed = algorithmsFor(facts.algorithms, this.#target.legacy);
    if ('none' in allowed) {
      const what = `your ssh configuration allows no ${allowed.none} of ours`;
      return { failure: this.#fail('unsupported', what, THROUGH_OPENSSH) };
    }
    const ssh2 = (await import('ssh2')).default;
    const files = await this.#context.knownHosts.read(facts.knownHostsFiles).catch(reason);
    if (typeof files === 'string') {
      const what = `its host key can't be checked: ${files}`;
      return { failure: this.#fail('hostKeyUnknown', what, 'make that file readable') };
    }
    const login = await prepareLogin(ssh2, facts, this.#context.clock);
    if (login.hopeless) return { failure: login.hopeless };

    const reached = await this.#reach(facts, stopwatch);
    if ('failure' in reached) return reached;
    const { clock } = this.#context;
    const { free, waitedMs } = await this.#turn(reached.stream, stopwatch);
    const authLog: AuthLog = { offers: undefined, partial: false, tried: 0 };
    try {
      this.#handshake = new Handshake(ssh2, reached.stream, {
        host: this.#host,
        user: facts.user,
        where: `${facts.hostname} port ${facts.port}`,
        algorithms: {
          ...allowed.algorithms,
          serverHostKey: orderFor(facts, files, allowed.algorithms.serverHostKey),
        },
        clock,
        waitedMs,
        checkKey: (key) => {
          this.shown = { facts, key };
          return checkHostKey(facts, files, key);
        },
        auth: authHandler(ssh2, facts.user, login.credentials, facts.agent, authLog),
        authLog,
        failRefused: () => login.failRefused(authLog),
      });
      const over = Promise.withResolvers<undefined>();
      this.#over.signal.addEventListener('abort', () => over.resolve(undefined), { once: true });
      const ended = await Promise.race([this.#handshake.done, over.promise]);
      return ended ? { failure: ended } : { client: this.#handshake.client };
    } finally {
      free();
    }
  }

  /** Our place among the handshakes, not needed by a silent server; the deadline stands still while we wait for it. */
  async #turn(stream: Duplex, stopwatch: Stopwatch): Promise<{ free: () => void; waitedMs: number }> {
    const over = this.#over.signal;
    over.addEventListener('abort', () => stream.destroy(), { once: true });
    if (over.aborted) stream.destroy();
    const from = this.#context.clock.mono();
    const spoke = await firstWord(stream, this.#context.clock);
    const waitedMs = this.#context.clock.mono() - from;
    over.throwIfAborted();
    if (!spoke) return { free: () => {}, waitedMs };
    stopwatch.pause();
    const freePlace = await this.#context.handshakes.take(over).finally(() => stopwatch.resume());
    return { free: freePlace, waitedMs };
  }

  /** The stream to the server: our own socket, or one through the jump host. */
  async #reach(facts: SshFacts, stopwatch: Stopwatch): Promise<Stream> {
    const trail = [...this.#target.trail, this.#target.name];
    const hops = facts.jumps.filter((hop) => !trail.includes(hop));
    const via = this.#target.via ?? this.#context.jump(hops, trail);
    if (!via) {
      const reached = await openSocket(facts, this.#context.names, this.#over.signal);
      this.#touched = 'stream' in reached;
      return reached;
    }
    this.#touched = true;
    stopwatch.pause();
    const jump = await waitWithin(this.#context.clock, JUMP, via.awaitReady(), () => ({
      failure: failure('timeout', via.name, `timed out after ${JUMP / 1000} s`, 'see ProxyJump'),
    }));
    stopwatch.resume();
    if ('failure' in jump) return { failure: failBehindJump(this.#host, via.name, jump.failure) };
    const forwarded = await via.forward(facts.hostname, facts.port);
    if (!('failure' in forwarded)) return forwarded;
    if (forwarded.failure.kind !== 'sessions')
      return { failure: failBehindJump(this.#host, via.name, forwarded.failure) };
    const what = `its jump host ${via.name} can't reach ${facts.hostname} port ${facts.port}`;
    return {
      failure: this.#fail('unreachable', what, 'is it up, and does the jump host allow forwarding?'),
    };
  }

  #late(facts: SshFacts): ConnectFailure {
    const seconds = CONNECT / 1000;
    if (this.#handshake) return this.#handshake.failLate(seconds);
    const where = `${facts.hostname} port ${facts.port}`;
    const next = 'is it up, and does its name resolve?';
    const why = this.#fail('timeout', [`timed out after ${seconds} s`, where], next);
    return this.#touched ? why : markUntouched(why);
  }

  #fail(kind: ConnectFailure['kind'], what: Parameters<typeof failure>[2], next: string): ConnectFailure {
    return failure(kind, this.#host, what, next);
  }
}
