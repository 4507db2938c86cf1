import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Runs a program to its end; throws with its own words when it fails. */
export const run = (program: string, args: readonly string[], env: Record<string, string> = {}): string => {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
      env: { ...process.env, ...env },
    });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`${program} ${args.join(' ')}: ${stderr || String(error)}`, { cause: error });
  }
};

/** The process number in a pid file, when that process lives. Zombies are dead: a container's first process may not reap. */
export const livingPid = (pidFile: string): number | undefined => {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8').trim());
  return pid > 1 && stateOf(pid) !== undefined ? pid : undefined;
};

/** `S`, `T` (stopped) and so on; undefined for none or a zombie. */
export const stateOf = (pid: number): string | undefined => {
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state === 'Z' ? undefined : state;
  } catch {
    return undefined;
  }
};

/** All living descendants of a process, the deepest first. */
export const descendants = (pid: number): number[] => {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number);
  return children.flatMap((child) => [...descendants(child), child]);
};

const parentOf = (pid: number): number | undefined => {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
};

export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

/** Waits until it holds; throws naming what did not come. */
export const until = async (what: string, holds: () => boolean, timeoutMs = 60_000): Promise<void> => {
  const end = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Ends a daemon and what it started: TERM, after 3 s KILL. */
export const end = async (pidFile: string): Promise<void> => {
  const pid = livingPid(pidFile);
  if (pid === undefined) return;
  const all = [...descendants(pid), pid];
  for (const one of all) {
    signal(one, 'SIGCONT');
    signal(one, 'SIGTERM');
  }
  const gone = (): boolean => all.every((one) => stateOf(one) === undefined);
  await until(`end of ${pid}`, gone, 3000).catch(() => undefined);
  for (const one of all) if (stateOf(one) !== undefined) signal(one, 'SIGKILL');
  await until(`end of ${pid} after SIGKILL`, gone, 3000);
};
