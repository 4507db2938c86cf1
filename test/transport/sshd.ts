import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawAnswer } from '../../src/model/answer.ts';
import type { Clock } from '../../src/model/ports.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { type SiteTransports, createTransports } from '../../src/transport/pool.ts';
import { emptyFolder } from '../helpers/folder.ts';

const SSHD = '/usr/sbin/sshd';

/** True when OpenSSH's server and client are here; says so once, visibly, when not. */
export const haveSshd = (): boolean => {
  if (existsSync(SSHD)) return true;
  console.warn('skipped: openssh-server is not installed');
  return false;
};

/** Waits until a script made this file, and a moment for what it printed before: how long that takes depends on the machine. */
export const appears = async (file: string): Promise<void> => {
  for (let tries = 0; tries < 400 && !existsSync(file); tries++) await sleep(25);
  await sleep(500);
};

/** For `expect.poll`, on a busy machine. */
export const PATIENT = { timeout: 10_000 };

/** Real time, for tests against real daemons. */
export const clock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}).catch(() => {}),
};

/** Real time in which every wait is over sooner: a deadline of 8 s comes after 0.8 s. */
export const quickClock: Clock = { ...clock, sleep: (ms, signal) => clock.sleep(ms / 10, signal) };

/** A clock whose monotonic time can be moved on by hand, on top of real time. */
export const movableClock = (): Clock & { skip(ms: number): void } => {
  let ahead = 0;
  return {
    ...clock,
    mono: () => performance.now() + ahead,
    skip: (ms) => {
      ahead += ms;
    },
  };
};

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

export const keygen = (file: string, ...args: string[]): string => {
  execFileSync('ssh-keygen', [
    '-q',
    '-f',
    file,
    '-N',
    '',
    '-C',
    'test',
    ...(args.length > 0 ? args : ['-t', 'ed25519']),
  ]);
  return file;
};

/** The public key of a key file: `type base64`. */
export const publicKey = (file: string): string =>
  readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** The parts of an answer that tests compare. */
export const brief = (answer: RawAnswer) => ({
  code: answer.exitCode,
  out: text(answer.stdout),
  err: text(answer.stderr),
  ...(answer.notConnected && { why: answer.notConnected.kind }),
  ...(answer.timedOut && { timedOut: true }),
  ...(answer.lost && { lost: true }),
  ...(answer.truncated && { truncated: true }),
  ...(answer.cancelled && { cancelled: true }),
});

/** Processes started by a process, without needing `ps`. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((one) => one.trim() !== '')
    .map(Number);

interface SshdOptions {
  settings?: string[];
  hostKeys?: string[];
  port?: number;
}

/** One real sshd on a port of its own; the login shell's home is a folder of the test. */
export class Sshd {
  readonly port: number;
  readonly home: string;
  readonly hostKey: string;
  readonly #child: ChildProcess;
  readonly #log: string;

  private constructor(port: number, home: string, hostKey: string, child: ChildProcess, log: string) {
    this.port = port;
    this.home = home;
    this.hostKey = hostKey;
    this.#child = child;
    this.#log = log;
  }

  /** A port that was free a moment ago may be somebody else's now: then another one. */
  static async start(lab: Lab, options: SshdOptions = {}): Promise<Sshd> {
    for (let tries = 1; ; tries++) {
      const sshd = await Sshd.#spawn(lab, options);
      if (await sshd.#listens()) return sshd;
      if (options.port !== undefined || tries === 5) throw new Error(`sshd did not start:\n${sshd.log()}`);
    }
  }

  static async #spawn(lab: Lab, options: SshdOptions): Promise<Sshd> {
    const dir = mkdtempSync(join(lab.dir, 'sshd-'));
    const home = join(dir, 'home');
    mkdirSync(home);
    if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
    const port = options.port ?? (await freePort());
    const hostKeys = options.hostKeys ?? [keygen(join(dir, 'host_ed25519'))];
    const log = join(dir, 'log');
    writeFileSync(
      join(dir, 'config'),
      [
        ...(options.settings ?? []),
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        ...hostKeys.map((file) => `HostKey ${file}`),
        `AuthorizedKeysFile ${lab.key}.pub`,
        `PidFile ${join(dir, 'pid')}`,
        `SetEnv HOME=${home}`,
        'StrictModes no',
        'UsePAM no',
        'PermitRootLogin prohibit-password',
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'PrintMotd no',
        'LogLevel VERBOSE',
        '',
      ].join('\n'),
    );
    const child = spawn(SSHD, ['-D', '-f', join(dir, 'config'), '-E', log], { stdio: 'ignore' });
    const sshd = new Sshd(port, home, hostKeys[0] ?? '', child, log);
    lab.onEnd(() => sshd.stop());
    return sshd;
  }

  async #listens(): Promise<boolean> {
    for (let tries = 0; tries < 600 && this.#child.exitCode === null; tries++) {
      if (this.log().includes('Server listening')) return true;
      await sleep(30);
    }
    return false;
  }

  log(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8') : '';
  }

  /** The processes that serve connections, not the listener. */
  children(): number[] {
    return this.#child.pid === undefined ? [] : childrenOf(this.#child.pid);
  }

  killConnections(signal: NodeJS.Signals = 'SIGKILL'): void {
    for (const pid of this.children()) process.kill(pid, signal);
  }

  stop(): void {
    this.#child.kill();
  }
}

/** In one step: tests that run side by side read it at any moment. */
const replaceFile = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};

/** A temporary folder with a client key, known_hosts and ssh_config; what was started in it ends with `end`. */
export class Lab {
  readonly dir = emptyFolder('transport');
  readonly key = keygen(join(this.dir, 'client'));
  readonly knownHosts = join(this.dir, 'known_hosts');
  readonly config = join(this.dir, 'ssh_config');
  readonly log: string[] = [];
  readonly #ends: (() => unknown)[] = [];
  readonly #hosts: string[] = [];

  constructor() {
    writeFileSync(this.knownHosts, '');
  }

  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Adds a host to the ssh_config; `known` puts its key on record, `identity` replaces the key to log in with. */
  host(
    name: string,
    port: number,
    options: { lines?: string[]; known?: string; identity?: string } = {},
  ): void {
    this.#hosts.push(
      [
        `Host ${name}`,
        ...(options.lines ?? []),
        'HostName 127.0.0.1',
        `Port ${port}`,
        `User ${userInfo().username}`,
        `IdentityFile ${options.identity ?? this.key}`,
        'IdentitiesOnly yes',
        `UserKnownHostsFile ${this.knownHosts}`,
        'GlobalKnownHostsFile none',
      ].join('\n  '),
    );
    replaceFile(this.config, `${this.#hosts.join('\n')}\n`);
    if (options.known !== undefined) this.know(port, options.known);
  }

  know(port: number, keyFile: string, marker = ''): void {
    const line = `${marker}[127.0.0.1]:${port} ${publicKey(keyFile)}\n`;
    replaceFile(this.knownHosts, readFileSync(this.knownHosts, 'utf8') + line);
  }

  /** Transports over all hosts of the ssh_config. */
  transports(
    options: {
      kinds?: SiteView['transports'];
      legacy?: string[];
      clock?: Clock;
      env?: Record<string, string | undefined>;
    } = {},
  ): SiteTransports {
    const pool = createTransports({
      site: {
        sshConfig: this.config,
        transports: options.kinds ?? {},
        host: (name): HostView => ({
          name,
          roles: [],
          platform: 'linux',
          location: {},
          legacy: options.legacy?.includes(name) ?? false,
        }),
      },
      clock: options.clock ?? clock,
      log: (line) => void this.log.push(line),
      env: { PATH: process.env['PATH'], HOME: this.dir, ...options.env },
    });
    this.onEnd(() => pool.close());
    return pool;
  }

  async end(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }
}
