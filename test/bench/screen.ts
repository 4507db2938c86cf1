import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import xterm from '@xterm/headless';

const COLUMNS = 200;
const ROWS = 50;

/** The bundled console in a terminal of 200x50. */
export interface BenchScreen {
  pid: number;
  /** ms since the start. */
  age(): number;
  /** Bytes written to the terminal so far. */
  bytes(): number;
  text(): string;
  type(keys: string): void;
  /** Resolves with the age in ms at which the screen first matched; throws with the screen when it does not come. */
  until(pattern: RegExp, limitMs?: number): Promise<number>;
  /** Resolves with ms until the next bytes come; undefined when none come within the limit. */
  next(limitMs: number): Promise<number | undefined>;
  quit(): Promise<void>;
}

const program = join(import.meta.dirname, '../../dist/faultline.mjs');

/** A private place for audit log and history, gone with `remove`. */
export const newHome = (): { env: Record<string, string>; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'));
  const { NODE_OPTIONS: _, ...rest } = process.env;
  return {
    env: {
      ...(rest as Record<string, string>),
      XDG_STATE_HOME: folder,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export const openScreen = (args: readonly string[], env: Record<string, string>): BenchScreen => {
  const began = performance.now();
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const pty = spawnPty(process.execPath, [program, ...args], {
    cols: COLUMNS,
    rows: ROWS,
    env,
    name: 'xterm-256color',
  });
  let bytes = 0;
  const arrived = new Set<() => void>();
  const drawn = new Set<() => void>();
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    for (const one of arrived) one();
    terminal.write(data, () => {
      for (const one of drawn) one();
    });
  });
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  const text = (): string =>
    Array.from(
      { length: ROWS },
      (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
    ).join('\n');
  const age = (): number => performance.now() - began;
  return {
    pid: pty.pid,
    age,
    bytes: () => bytes,
    text,
    type: (keys) => pty.write(keys),
    until: (pattern, limitMs = 30_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          drawn.delete(check);
          reject(new Error(`the screen never showed ${pattern}:\n${text()}`));
        }, limitMs);
        const check = (): void => {
          if (!pattern.test(text())) return;
          clearTimeout(timer);
          drawn.delete(check);
          resolve(age());
        };
        drawn.add(check);
        check();
      }),
    next: (limitMs) =>
      new Promise((resolve) => {
        const from = performance.now();
        const done = (): void => {
          clearTimeout(timer);
          arrived.delete(done);
          resolve(performance.now() - from);
        };
        const timer = setTimeout(() => {
          arrived.delete(done);
          resolve(undefined);
        }, limitMs);
        arrived.add(done);
      }),
    quit: async () => {
      pty.write('q');
      const timer = setTimeout(() => pty.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
    },
  };
};

/** Builds the bundle; throws when that fails. */
export const buildBundle = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`the build failed (exit ${code})`)),
    );
  });
