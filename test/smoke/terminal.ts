import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** A program in a terminal of 200x50, for the smoke run, the bench and the lab tests. */
export interface Terminal {
  pid: number;
  /** ms since the start. */
  age(): number;
  /** Everything written to the terminal so far. */
  written(): string;
  /** What stands on the screen, lines joined by line feeds, blanks at their ends dropped. */
  text(): string;
  type(keys: string): void;
  /** Resolves with the screen's text once it matches; throws with the screen when it does not within the limit. */
  until(pattern: RegExp, limitMs?: number): Promise<string>;
  /** Resolves with ms until the next bytes come; undefined when none come within the limit. */
  next(limitMs: number): Promise<number | undefined>;
  /** The exit code. */
  ended: Promise<number>;
  kill(): void;
}

const COLUMNS = 200;
const ROWS = 50;

export const openTerminal = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
  program: string = process.execPath,
): Terminal => {
  const began = performance.now();
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const pty = spawnPty(program, [...args], {
    cols: COLUMNS,
    rows: ROWS,
    name: 'xterm-256color',
    env: { ...env, TERM: 'xterm-256color' } as Record<string, string>,
    ...(cwd !== undefined && { cwd }),
  });
  let written = '';
  const arrived = new Set<() => void>();
  const drawn = new Set<() => void>();
  pty.onData((data) => {
    written += data;
    for (const one of arrived) one();
    screen.write(data, () => {
      for (const one of drawn) one();
    });
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const text = (): string =>
    Array.from(
      { length: ROWS },
      (_, row) => screen.buffer.active.getLine(row)?.translateToString(true) ?? '',
    ).join('\n');
  return {
    pid: pty.pid,
    age: () => performance.now() - began,
    written: () => written,
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
          resolve(text());
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
    ended,
    kill: () => pty.kill('SIGKILL'),
  };
};

/** A program to its end. */
export const runProgram = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const options = { env, timeout: 120_000, ...(cwd !== undefined && { cwd }) };
    const child = spawn(process.execPath, [...args], options);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end();
  });

/** A private place for audit log, history and configuration, gone with `remove`; the environment that names it. */
export const newHome = (): { folder: string; env: NodeJS.ProcessEnv; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-test-'));
  const { NODE_OPTIONS: _, FAULTLINE_SITE: __, ...rest } = process.env;
  const env = { ...rest, XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
