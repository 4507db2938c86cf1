import type { Readable, Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';

/** The outside world as a command sees it: passed in, so that tests can hold both ends. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
}

/** Exit codes that all commands share (design.md section 5); `status`, `act`, `doctor`, `audit` have their own besides. */
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

/** Writes one line. Remote text must have gone through `visible` before. */
export const line = (stream: Writable, text: string): void => {
  stream.write(`${text}\n`);
};
