import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Clock ticks a second of `/proc/PID/stat`. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU that a process used so far, all its threads, ms. Linux only; in steps of 10 ms. */
export const cpuMs = (pid: number): number => cpuIn(`/proc/${pid}/stat`);

/** The same of its first thread alone: the one that draws. */
export const drawingCpuMs = (pid: number): number => cpuIn(`/proc/${pid}/task/${pid}/stat`);

const cpuIn = (path: string): number => {
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
};

/** Resident memory of a process, MB. */
export const residentMb = (pid: number): number =>
  (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6;

/** Runs a program with everything it starts; wall and CPU (its children's too) in ms. Undefined: not installed. */
export const timed = async (
  argv: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Promise<{ wallMs: number; cpuMs: number; code: number | null } | undefined> => {
  if (spawnSync('which', [argv[0]]).status !== 0) return undefined;
  const script = `TIMEFORMAT='%R %U %S'; time "$@" >/dev/null 2>/dev/null`;
  const child = spawn('bash', ['-c', script, 'bash', ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const [wall = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, code };
};
