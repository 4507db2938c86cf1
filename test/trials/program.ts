import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The built program, as a user starts it. */
export const PROGRAM = join(import.meta.dirname, '../../dist/faultline.mjs');

/** What `act --json` prints, as far as the judge looks. */
const claimSchema = z.object({
  outcome: z.enum(['done', 'nothing', 'undone', 'failed', 'refused', 'unknown', 'shown']),
  refused: z.object({ guard: z.string(), reason: z.string() }).exactOptional(),
  run: z.object({ id: z.string(), state: z.string(), result: z.string().exactOptional() }).exactOptional(),
});

/** What one start of the program said of what it did. */
export interface Claim {
  /** Null when it was killed. */
  code: number | null;
  /** Absent when it printed no document: killed before it could, or it refused to begin. */
  said?: z.infer<typeof claimSchema>;
  stdout: string;
  /** Both streams. */
  text: string;
}

/** Its own words for what came of it. */
export const saidOf = ({ said, text }: Claim): string =>
  said?.run?.result ?? said?.refused?.reason ?? text.trim().replaceAll(/\s+/g, ' ').slice(0, 300);

/** It did not begin because a machine with too much to do did not let it in, answer or write in time, and says so. */
export const isTooBusy = (claim: Claim): boolean =>
  /timed out after|login shell did not start|not read just now|gave no fresh answer|no SSH banner|disk still does not answer|machine is too busy/.test(
    saidOf(claim),
  ) &&
  (claim.said?.outcome === 'refused' || /not sent, nothing was changed/.test(saidOf(claim)));

export interface Started {
  pid: number;
  kill(): void;
  running(): boolean;
  ended: Promise<Claim>;
}

interface Place {
  env: NodeJS.ProcessEnv;
  /** Words before the program's own: `unshare --uts sh -c ...`. */
  within?: readonly string[];
  limitMs?: number;
}

const LIMIT_MS = 240_000;

/** Starts the program and does not wait. One that does not end within the limit is killed, which its claim says by its code. */
export const start = (args: readonly string[], { env, within = [], limitMs = LIMIT_MS }: Place): Started => {
  const [command = process.execPath, ...words] = [...within, process.execPath, PROGRAM, ...args];
  const child = spawn(command, words, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let over = false;
  const ended = new Promise<Claim>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      over = true;
      resolve({ code, stdout, text: stdout + stderr, ...documentOf(stdout) });
    });
  });
  return {
    pid: child.pid ?? 0,
    kill: () => void child.kill('SIGKILL'),
    running: () => !over,
    ended,
  };
};

const documentOf = (stdout: string): { said?: z.infer<typeof claimSchema> } => {
  if (!stdout.startsWith('{')) return {};
  const parsed = claimSchema.safeParse(JSON.parse(stdout));
  return parsed.success ? { said: parsed.data } : {};
};

/** Throws with the line to type when there is nothing to try. */
export const checkBuilt = (): void => {
  if (!existsSync(PROGRAM)) throw new Error('there is no built program: run "npm run build" first');
};
