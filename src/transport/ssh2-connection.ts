import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import type { ConnectFailure } from '../model/answer.ts';
import { waitWithin } from './deadline.ts';
import { failure, reason } from './failure.ts';
import { checkHostKey } from './host-key.ts';
import type { HostState } from './host-state.ts';
import { Dial, type Jump, type Ready, type Ssh2Context, type Ssh2Target, type Stream } from './ssh2-dial.ts';
import type { SshFacts } from './ssh-facts.ts';
import type { Wire } from './wire.ts';

/** An ssh2 session channel without a terminal, as a wire. */
const ssh2Wire = (channel: ClientChannel): Wire => ({
  write: (text) => void channel.write(text),
  end: () => void channel.end(),
  close: () => channel.close(),
  listen: (on) => {
    channel.on('data', (chunk: Buffer) => on.data('stdout', chunk));
    channel.stderr.on('data', (chunk: Buffer) => on.data('stderr', chunk));
    channel.on('error', () => {
      // The connection's own error tells the reason; 'close' follows.
    });
    channel.on('close', (exitCode: number | null | undefined, signal?: string) =>
      on.onClosed({
        ...(typeof exitCode === 'number' && { exitCode }),
        ...(signal !== undefined && { signal }),
      }),
    );
  },
});

/** A connected server that opens no channel within this many ms is taken for dead. */
const OPEN = 8000;

/** How often, at most, a blocked host's key is compared with the files again, ms. */
const RECHECK = 2000;

/** One connection to one server, made when first needed and again after it was lost. */
export class Ssh2Connection implements Jump {
  readonly #context: Ssh2Context;
  readonly #target: Ssh2Target;
  readonly #state: HostState;
  #client: Client | undefined;
  #connecting: Promise<Ready> | undefined;
  #drops = 0;
  #shown: { facts: SshFacts; key: Buffer; checkedAt: number } | undefined;

  constructor(context: Ssh2Context, target: Ssh2Target, state: HostState) {
    this.#context = context;
    this.#target = target;
    this.#state = state;
  }

  /** The connected client; one attempt serves all who wait for it. */
  async awaitReady(): Promise<Ready> {
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

  /** A device's own command line, on a terminal so wide that it breaks no line. */
  async openShell(): Promise<{ wire: Wire } | { failure: ConnectFailure }> {
    const opened = await this.#channel<ClientChannel>((client, done) =>
      client.shell({ term: 'vt100', cols: 511, rows: 1000 }, done),
    );
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
    this.#drops += 1;
    client?.destroy();
    this.#state.reset();
  }

  async #channel<C extends Duplex>(
    ask: (client: Client, done: (error: Error | undefined, channel: C) => void) => void,
  ): Promise<{ channel: C } | { failure: ConnectFailure }> {
    const ready = await this.awaitReady();
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
    // Two ways there and back: one for the channel, one for the shell on it.
    const waitMs = OPEN + this.#state.extraMs(2);
    const opened = await waitWithin(this.#context.clock, waitMs, promise, () => {
      late = true;
      return undefined;
    });
    if (!opened) return { failure: this.#lost(client, this.#silent(waitMs)) };
    return 'channel' in opened ? opened : { failure: this.#noChannel(client, opened.error) };
  }

  #silent(waitedMs: number): ConnectFailure {
    return failure(
      'timeout',
      this.#state.host,
      `timed out after ${Math.round(waitedMs / 1000)} s: connected, but no new session is opened`,
      this.#state.lookAt('look at its load'),
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
    if (this.#client !== client) return this.#gone();
    const what = ['the server runs no commands', reason(error)] as const;
    return this.#state.noteDown(
      failure('other', host, what, 'see ForceCommand and the login shell of this user'),
    );
  }

  #gone(why = 'connection lost'): ConnectFailure {
    return failure('unreachable', this.#state.host, why, 'it is tried again');
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
    const files = await waitWithin(
      clock,
      1000,
      knownHosts.read(shown.facts.knownHostsFiles).catch(() => undefined),
      () => undefined,
    );
    if (files && !checkHostKey(shown.facts, files, shown.key)) this.#state.retry();
  }

  async #connect(): Promise<Ready> {
    this.#state.noteConnecting();
    const drops = this.#drops;
    const dial = new Dial(this.#context, this.#target, this.#state.host);
    const ready = await dial.run();
    if ('client' in ready && drops !== this.#drops) {
      ready.client.destroy();
      return { failure: this.#gone() };
    }
    if ('failure' in ready) {
      this.#shown = dial.shown && { ...dial.shown, checkedAt: this.#context.clock.mono() };
      return { failure: this.#state.noteDown(ready.failure) };
    }
    this.#keep(ready.client);
    return ready;
  }

  get name(): string {
    return this.#state.host;
  }

  #keep(client: Client): void {
    this.#client = client;
    this.#shown = undefined;
    if (this.#target.legacy) this.#state.badge('legacy algorithms');
    this.#state.noteUp();
    let why = 'connection lost';
    client.on('error', (error) => {
      why =
        error.message === 'Keepalive timeout'
          ? 'no answer to keepalives for 30 s'
          : `connection lost (${error.message})`;
    });
    client.on('close', () => {
      if (this.#client === client) this.#lost(client, this.#gone(why));
    });
  }

  #lost(client: Client, why: ConnectFailure): ConnectFailure {
    if (this.#client === client) this.#client = undefined;
    client.destroy();
    return this.#state.noteDown(why);
  }
}
