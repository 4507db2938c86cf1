import type { Readable, Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { constants } from 'node:os';
import { makeSafeJson } from '../text/safe.ts';

/** Signals that end a program with a screen; it leaves in order: terminal restored, demo and threads ended. */
const ending = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/**
 * Calls back once with the exit code (128 + number) that a shell expects; a second signal ends the program at once. Gives the function
 * that stops listening. The listeners stay while they are called: execa's own (signal-exit) ends the program where it finds itself alone.
 */
export const onEndingSignal = (leave: (code: number) => void): (() => void) => {
  let isLeaving = false;
  const handlers = ending.map((name) => ({
    name,
    handler: () => {
      if (isLeaving) {
        stop();
        process.kill(process.pid, name);
        return;
      }
      isLeaving = true;
      leave(128 + constants.signals[name]);
    },
  }));
  const stop = (): void => {
    for (const { name, handler } of handlers) process.off(name, handler);
  };
  for (const { name, handler } of handlers) process.on(name, handler);
  return stop;
};

declare global {
  interface JSON {
    /** Text that `stringify` writes as it is (Node 22 and later; TypeScript's own library has no type for it yet). */
    rawJSON(text: string): object;
  }
}

const keepExact = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;

/** One JSON document as a terminal may be given it; big integers are written unquoted with all their digits. */
export const jsonText = (value: unknown, indent = 0): string =>
  makeSafeJson(JSON.stringify(value, keepExact, indent));

/** The outside world as a command sees it: passed in, so that tests can hold both ends. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
}

/** Exit codes that all commands share (docs/design.md, Command line); `status`, `act`, `doctor`, `audit` have their own besides. */
export const exit = { ok: 0, usage: 64, data: 65, bug: 70, site: 78 } as const;

/** The command line asks for something that can't be: exit 64. The message says what, then "; " and what would be right. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}

/** Both ends of a real terminal, or undefined: the console and the wall need one. */
export const terminal = (io: Io): { stdin: ReadStream; stdout: WriteStream } | undefined =>
  isReadTty(io.stdin) && isWriteTty(io.stdout) ? { stdin: io.stdin, stdout: io.stdout } : undefined;

const isReadTty = (stream: Io['stdin']): stream is ReadStream =>
  stream.isTTY === true && 'setRawMode' in stream;

const isWriteTty = (stream: Io['stdout']): stream is WriteStream =>
  stream.isTTY === true && 'columns' in stream;

/**
 * A terminal that says of itself that it can only write on (an editor's shell, a serial log) would get a screen's worth of escapes:
 * exit 64. Without `TERM` nothing is said, and the sequences that every terminal of today knows are used.
 */
export const requireCursor = ({ TERM: term }: Io['env'], what: 'console' | 'wall'): void => {
  if (term !== 'dumb') return;
  throw new UsageError(
    `the ${what} needs a terminal that can move its cursor, and TERM=dumb says that this one can't; use "faultline status" here, or set TERM to what it is (xterm-256color)`,
  );
};

/** Writes one line. Remote text must have gone through `makeSafe` before. */
export const line = (stream: Writable, text: string): void => {
  stream.write(`${text}\n`);
};
