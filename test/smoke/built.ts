import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** The bundle, copied to a folder with nothing else in it, and a private state folder. */
export interface Built {
  run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string; ms: number }>;
  screen(...args: string[]): Screen;
  remove(): void;
}

/** The built program in a terminal. */
interface Screen {
  /** Resolves to the screen's text once it matches; throws with the screen when it does not within 20 s. */
  until(pattern: RegExp): Promise<string>;
  type(keys: string): void;
  /** Exit code, and everything that was written. */
  ended: Promise<{ code: number; bytes: string }>;
}

const LIMIT_MS = 20_000;

export const openBuilt = (): Built => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-smoke-'));
  cpSync(join(import.meta.dirname, '../../dist'), join(folder, 'dist'), { recursive: true });
  const program = join(folder, 'dist/faultline.mjs');
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  return {
    run: (...args) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, timeout: 60_000 });
        let stdout = '';
        let stderr = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, stdout, stderr, ms: performance.now() - began }));
        child.stdin.end();
      }),
    screen: (...args) => openScreen([program, ...args], folder, { ...env, TERM: 'xterm-256color' }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const openScreen = (args: string[], cwd: string, env: NodeJS.ProcessEnv): Screen => {
  const [cols, rows] = [200, 50];
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  const pty = spawnPty(process.execPath, args, {
    cols,
    rows,
    cwd,
    env: env as Record<string, string>,
    name: 'xterm-256color',
  });
  let bytes = '';
  const seen = new Set<() => void>();
  pty.onData((data) => {
    bytes += data;
    terminal.write(data, () => {
      for (const one of seen) one();
    });
  });
  const text = (): string =>
    Array.from(
      { length: rows },
      (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
    ).join('\n');
  const ended = new Promise<{ code: number; bytes: string }>((resolve) => {
    pty.onExit(({ exitCode }) => resolve({ code: exitCode, bytes }));
  });
  return {
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          seen.delete(check);
          pty.kill('SIGKILL');
          reject(new Error(`the screen never showed ${pattern}:\n${text()}`));
        }, LIMIT_MS);
        const check = (): void => {
          if (!pattern.test(text())) return;
          clearTimeout(timer);
          seen.delete(check);
          resolve(text());
        };
        seen.add(check);
        check();
      }),
    type: (keys) => pty.write(keys),
    ended,
  };
};
