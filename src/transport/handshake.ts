import type { Duplex } from 'node:stream';
import type { Algorithms, Client } from 'ssh2';
import type { ConnectFailure } from '../model/answer.ts';
import { failure, reason } from './failure.ts';
import type { Clock } from '../model/ports.ts';
import { codeOf, unreachableFailure, wordsOf } from './socket.ts';
import type { AuthLog, authHandler } from './ssh2-auth.ts';

type Ssh2 = typeof import('ssh2');

/** Keepalive: a dead peer is noticed after 30 to 40 s. */
const KEEPALIVE = { keepaliveInterval: 10_000, keepaliveCountMax: 3 };

/** How much of a stranger's greeting is looked at, bytes. */
const GREETING = 200;

/** A first word later than this is worth a remark, ms. */
const SLOW_WORD = 1000;

const CLOSED = new Error('the server closed the connection');

export interface HandshakeOptions {
  host: string;
  user: string;
  where: string;
  algorithms: Algorithms;
  /** The failure when the key is not to be trusted. */
  checkKey: (key: Buffer) => ConnectFailure | undefined;
  clock: Clock;
  /** How long the first word was waited for before, ms. */
  waitedMs: number;
  auth: ReturnType<typeof authHandler>;
  authLog: AuthLog;
  /** Why the credentials did not do, in words and what to do. */
  failRefused: () => ConnectFailure;
}

/**
 * Key exchange, host key and log-in over a stream that is connected. Has no deadline: `late` names what was missing when
 * ours has passed. The client's errors are listened to for good, so that none can end the program.
 */
export class Handshake {
  readonly client: Client;
  readonly done: Promise<ConnectFailure | undefined>;
  readonly #options: HandshakeOptions;
  #greeting = '';
  /** Ms from the connection to the first word. */
  #greetedMs = 0;
  #shook = false;
  #keyFailure: ConnectFailure | undefined;

  constructor(ssh2: Ssh2, stream: Duplex, options: HandshakeOptions) {
    this.#options = options;
    this.client = new ssh2.Client();
    const { promise, resolve } = Promise.withResolvers<ConnectFailure | undefined>();
    this.done = promise;
    this.client.once('ready', () => resolve(undefined));
    this.client.on('handshake', () => {
      this.#shook = true;
    });
    this.client.on('error', (error) => {
      if (levelOf(error) !== 'agent') resolve(this.#judge(error));
    });
    this.client.on('close', () => resolve(this.#judge(CLOSED)));
    stream.pause();
    const from = options.clock.mono();
    stream.once('data', (chunk: Buffer) => {
      this.#greetedMs = options.clock.mono() - from + options.waitedMs;
      this.#greeting = chunk.toString('latin1', 0, GREETING);
    });
    this.client.connect({
      sock: stream,
      username: options.user,
      algorithms: options.algorithms,
      authHandler: options.auth,
      hostVerifier: (key: Buffer) => {
        this.#keyFailure = options.checkKey(key);
        return this.#keyFailure === undefined;
      },
      readyTimeout: 0,
      ...KEEPALIVE,
    });
  }

  /** What is said when the deadline passes now. */
  failLate(seconds: number): ConnectFailure {
    const { host, where } = this.#options;
    if (this.#greeting === '')
      return failure(
        'noBanner',
        host,
        [`no SSH banner within ${seconds} s`, where],
        'the machine accepts connections but sshd does not answer: look at its console',
      );
    if (!this.#isSsh) return this.#stranger();
    return failure(
      'timeout',
      host,
      `timed out after ${seconds} s during ${this.#step}`,
      this.#greetedMs < SLOW_WORD
        ? 'look at its load and its log'
        : `its first word took ${(this.#greetedMs / 1000).toFixed(1)} s: the link to it is slow, or its sshd; compare with: ping`,
    );
  }

  get #step(): string {
    return this.#shook ? 'the log-in' : 'the key exchange';
  }

  get #isSsh(): boolean {
    return /^SSH-/m.test(this.#greeting);
  }

  #stranger(): ConnectFailure {
    const { host, where } = this.#options;
    const line = this.#greeting.split(/\r?\n/)[0]?.slice(0, 60) ?? '';
    if (/MaxStartups|Not allowed at this time/i.test(this.#greeting))
      return failure(
        'unreachable',
        host,
        ['the server takes no more connections', `"${line}"`],
        'see MaxStartups and PerSourcePenalties in its sshd_config',
      );
    return failure(
      'notSsh',
      host,
      ['not an SSH server', `${where} says "${line}"`],
      'check HostName and Port in your ssh configuration',
    );
  }

  #judge(error: Error): ConnectFailure {
    const { host, where, authLog } = this.#options;
    if (this.#keyFailure) return this.#keyFailure;
    if (
      levelOf(error) === 'client-authentication' ||
      (this.#shook && authLog.tried > 0 && isDisconnect(error))
    )
      return this.#options.failRefused();
    if (this.#greeting !== '' && !this.#isSsh) return this.#stranger();
    if (this.#greeting === '' && levelOf(error) === 'protocol')
      return failure(
        'noBanner',
        host,
        ['no SSH banner', `${where} closed the connection`],
        'look at the log of its sshd',
      );
    const missing = /no matching (.*)/.exec(error.message)?.[1];
    if (missing !== undefined)
      return failure('unsupported', host, `no ${missing} in common`, 'it is reached through OpenSSH');
    const lost = levelOf(error) === 'client-socket' ? wordsOf(error) : error === CLOSED ? CLOSED.message : '';
    if (lost !== '' && this.#greeting !== '')
      return failure(
        'unreachable',
        host,
        [`connection lost during ${this.#step}: ${lost}`, where],
        'it is tried again; when it stays so, look at the network and at the log of its sshd',
      );
    if (levelOf(error) === 'client-socket') return unreachableFailure(host, error, where);
    return failure('other', host, reason(error), 'look at the log of its sshd');
  }
}

/** ssh2 marks its errors with where they come from. */
const levelOf = (error: Error): string =>
  'level' in error && typeof error.level === 'string' ? error.level : '';

/** The server hung up with a reason (2: too many authentication failures). */
const isDisconnect = (error: Error): boolean => 'code' in error && error.code === 2 && codeOf(error) !== '';
