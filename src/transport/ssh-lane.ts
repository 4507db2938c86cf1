import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { shellCommand } from '../text/shell.ts';

/** What `ssh -G` printed, or why it did not. */
export type Printed =
  { stdout: string } | { what: string | readonly [what: string, detail: string]; missing: boolean };

/** CanonicalizeHostname with a dead resolver holds `ssh -G` for 10 s. */
const DEADLINE = 3000;

/** Nothing to ask for so long, ms: the shell ends. */
const IDLE = 2000;

/** A configuration prints 4 kB. */
const LONGEST = 1_000_000;

/**
 * A `sh` of ours that runs one `ssh -G` after the other. To start a process costs a thread of our size some 5 ms, during which
 * it does nothing else, and a shell 1: hundreds of hosts are asked at the start.
 */
export class SshLane {
  readonly #nonce = randomBytes(16).toString('hex');
  readonly #shell: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #got = { stdout: '', stderr: '' };
  #settle: ((printed: Printed) => void) | undefined;
  #idle: NodeJS.Timeout | undefined;
  #over = false;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    // A group of its own: what hangs in it can be ended with it.
    this.#shell = spawn('/bin/sh', [], { env: { ...env }, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of ['stdout', 'stderr'] as const)
      this.#shell[stream].setEncoding('utf8').on('data', (text: string) => this.#read(stream, text));
    // An idle shell keeps nobody from ending: it ends with its input. While it is asked the deadline holds the thread.
    this.#shell.unref();
    for (const end of [this.#shell.stdin, this.#shell.stdout, this.#shell.stderr])
      if (end instanceof Socket) end.unref();
    this.#shell.stdin.on('error', () => {
      // It has ended: `close` tells it.
    });
    this.#shell.on('error', ({ message }) =>
      this.#end({ what: ['sh did not start', message], missing: false }),
    );
    this.#shell.on('close', () => this.#end({ what: ['ssh -G failed', 'its shell ended'], missing: false }));
  }

  /** It takes no more questions. */
  get over(): boolean {
    return this.#over;
  }

  /** One at a time. `argv` without `ssh`. */
  async ask(argv: readonly string[]): Promise<Printed> {
    const command = shellCommand(['ssh', ...argv]);
    clearTimeout(this.#idle);
    Object.assign(this.#got, { stdout: '', stderr: '' });
    const { promise, resolve } = Promise.withResolvers<Printed>();
    this.#settle = resolve;
    const late = { what: `ssh -G timed out after ${DEADLINE / 1000} s`, missing: false };
    const timer = setTimeout(() => this.#kill(late), DEADLINE);
    const end = `printf '\\n%s %s\\n' ${this.#nonce} $?; printf '\\n%s \\n' ${this.#nonce} >&2`;
    this.#shell.stdin.write(`${command} </dev/null; ${end}\n`);
    const printed = await promise;
    clearTimeout(timer);
    this.#idle = setTimeout(() => this.#finish(), IDLE).unref();
    return printed;
  }

  #read(stream: 'stdout' | 'stderr', text: string): void {
    this.#got[stream] += text;
    const [stdout, code] = this.#until('stdout') ?? [];
    const [stderr] = this.#until('stderr') ?? [];
    if (stdout !== undefined && stderr !== undefined)
      this.#settle?.(judgePrinted(stdout, stderr, code ?? ''));
    else if (this.#got[stream].length > LONGEST)
      this.#kill({ what: 'ssh -G printed without end', missing: false });
  }

  /** A stream's text and what follows its end mark; undefined while that has not come. */
  #until(stream: 'stdout' | 'stderr'): [string, string] | undefined {
    const at = this.#got[stream].lastIndexOf(`\n${this.#nonce} `);
    if (at < 0 || !this.#got[stream].endsWith('\n')) return undefined;
    return [this.#got[stream].slice(0, at), this.#got[stream].slice(at + this.#nonce.length + 2).trim()];
  }

  #kill(why: Printed): void {
    try {
      if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    this.#end(why);
  }

  #finish(): void {
    this.#over = true;
    this.#shell.stdin.end();
  }

  #end(why: Printed): void {
    this.#over = true;
    clearTimeout(this.#idle);
    this.#settle?.(why);
  }
}

/** 127: the shell found no ssh. */
const judgePrinted = (stdout: string, stderr: string, code: string): Printed => {
  if (code === '0') return { stdout };
  if (code === '127') return { what: 'ssh is not installed', missing: true };
  const detail = stderr.trim().split('\n')[0] || `exit code ${code}`;
  return { what: ['ssh -G failed', detail], missing: false };
};
