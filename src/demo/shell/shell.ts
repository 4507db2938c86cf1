import type { SimulatedSession } from '../../model/simulator.ts';
import type { Files } from './files.ts';
import type { Node } from './syntax.ts';

/** Where a command's text goes. */
export type Sink = (text: string | Uint8Array) => void;

/** A command's three streams. Commands share `input`: what one has read, the next does not get. */
export interface Streams {
  input: { text: string };
  out: Sink;
  err: Sink;
  /** A file that a group of commands has open as 3. */
  third?: Sink;
}

/** The command did not end by itself: its time was up or the connection went away. */
export class Stopped extends Error {}

/** `exit N`: ends the innermost (sub)shell. */
export class ExitShell extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** `return N`: ends the innermost function, outside of one the shell. */
export class ReturnFrom extends ExitShell {}

/** A command of the shell or of every host. Gives its exit code. */
export type Builtin = (command: Command) => number | Promise<number>;

/** What a command is called with. */
export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  streams: Streams;
  shell: Shell;
  signal: AbortSignal;
  /** Runs another command as this one would be run: `timeout 5 NAME ...`. Resolves to its exit code. */
  run(
    argv: readonly string[],
    changes?: { env?: Record<string, string>; signal?: AbortSignal },
  ): Promise<number>;
}

/** A command that only prints a line and succeeds. */
export const printLine =
  (lineOf: (command: Command) => string): Builtin =>
  (command) => {
    command.streams.out(`${lineOf(command)}\n`);
    return 0;
  };

/** Reads all of standard input: nothing is left for the next command. */
export const takeInput = ({ input }: Streams): string => {
  const { text } = input;
  input.text = '';
  return text;
};

/** What the world outside the shell offers: everything that is not built in. Undefined: no such command. */
export interface Outside {
  host: string;
  user: string;
  files: Files;
  now(): number;
  call(command: Command): Promise<number> | undefined;
  /** Whether `command -v` finds it. */
  knows(name: string): boolean;
  /** A command that is built in and changes files, for the command log. */
  onChanged(argv: readonly string[]): void;
  /** A new login where the host is a device with a command line of its own and no shell. */
  login?(): SimulatedSession | undefined;
}

/** The state of one shell; subshells get a copy. */
export interface Shell {
  readonly outside: Outside;
  directory: string;
  variables: Map<string, string>;
  exported: Set<string>;
  functions: Map<string, Node>;
  parameters: readonly string[];
  status: number;
  options: { stopOnError: boolean; unsetIsError: boolean; noClobber: boolean };
}

export const newShell = (outside: Outside): Shell => ({
  outside,
  directory: '/root',
  variables: new Map([
    ['HOME', '/root'],
    ['PATH', '/usr/sbin:/usr/bin:/sbin:/bin'],
    ['USER', outside.user],
    ['PWD', '/root'],
  ]),
  exported: new Set(['HOME', 'PATH', 'USER', 'PWD']),
  functions: new Map(),
  parameters: [],
  status: 0,
  options: { stopOnError: false, unsetIsError: false, noClobber: false },
});

export const subshell = (shell: Shell): Shell => ({
  ...shell,
  variables: new Map(shell.variables),
  exported: new Set(shell.exported),
  functions: new Map(shell.functions),
  options: { ...shell.options },
});

/** An absolute path as the shell sees it. */
export const absolutePath = (shell: Shell, path: string): string =>
  path.startsWith('/') ? path : `${shell.directory}/${path}`;

/** Resolves after simulated time; `Infinity` never does. Rejects with `Stopped` when the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Stopped());
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Stopped());
    };
    const timer = Number.isFinite(ms)
      ? setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, ms)
      : undefined;
    signal.addEventListener('abort', stop, { once: true });
  });

/** Runs with a limit in seconds, as under `timeout`: 124 when it is over. */
export const runLimited = async (
  seconds: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> => {
  const limit = new AbortController();
  const timer = seconds > 0 && setTimeout(() => limit.abort(), Math.min(seconds * 1000, 2_000_000_000));
  const pass = (): void => limit.abort();
  signal.addEventListener('abort', pass);
  try {
    return await run(limit.signal);
  } catch (error) {
    if (error instanceof Stopped && !signal.aborted) return 124;
    throw error;
  } finally {
    if (timer) clearTimeout(timer);
    signal.removeEventListener('abort', pass);
  }
};
