import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';
import { nfsDown, nfsProblem, nfsUp, onHost, type NfsHost } from './nfs-kernels.ts';

const repository = join(import.meta.dirname, '../..');

export interface Found {
  kind: string;
  summary: string;
  severity: string;
  suspects?: { cause: string; values?: Record<string, unknown> }[];
  evidence: { text: string }[];
}

/** What stands on the screen on the way to a cure, and what is typed to confirm it. */
export interface KeyCure {
  finding: RegExp;
  /** The action with the mark of the one that is chosen. */
  action: RegExp;
  dialog: RegExp;
  word: string;
  /** Default: that it was verified. */
  cured?: RegExp;
}

/** The goal for every incident that a console can cure. */
export const MOST_KEYS = 8;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Why the NFS lab can't run here, which is said once; undefined: it can. */
export const nfsLabProblem = (): string | undefined => {
  const problem = nfsProblem();
  if (problem !== undefined) process.stderr.write(`NFS lab: skipped: ${problem}\n`);
  return problem;
};

/** The kernels of the NFS lab, what users do on them, and the program before them. */
export class NfsSession {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #site = '';

  constructor(name: string) {
    this.#folder = emptyFolder(name);
    this.#env = { ...process.env, XDG_STATE_HOME: join(this.#folder, 'state') };
  }

  async begin(): Promise<void> {
    mkdirSync(join(this.#folder, 'state'));
    this.#site = await nfsUp(this.#folder);
  }

  end(): Promise<void> {
    return nfsDown(this.#folder);
  }

  /** Runs a script on a host, for at most a minute. */
  on(host: NfsHost, script: string): { code: number; text: string } {
    return onHost(this.#folder, host, script);
  }

  /** What a user does there; a minute is more than it takes where the server answers. */
  lock(host: NfsHost): number {
    return this.on(host, 'timeout -s KILL 40 flock -n /home/lock true 2>/dev/null').code;
  }

  /** Past the client's cache. */
  readFresh(host: NfsHost, path: string): string {
    const script = `echo 3 >/proc/sys/vm/drop_caches; timeout -s KILL 20 cat ${path} 2>&1`;
    return this.on(host, script).text.trim();
  }

  /** A user's process that outlives its login. */
  leave(host: NfsHost, command: string): number {
    return this.on(host, `(setsid sh -c '${command}' </dev/null >/dev/null 2>&1 &)`).code;
  }

  async status(): Promise<readonly Found[]> {
    const { stdout, stderr } = await this.#program('status', '--json', '--system', 'nfs');
    if (!stdout.startsWith('{')) throw new Error(`no document:\n${stdout}${stderr}`);
    const { findings } = JSON.parse(stdout) as { findings: Found[] };
    return findings;
  }

  /** These kernels are slow: where a reading came too late for a plan it is tried again. */
  async act(
    action: string,
    target: string,
    confirm: string,
    ...more: string[]
  ): Promise<{ code: number | null; run: string | undefined; said: string }> {
    const once = () => this.#program('act', action, target, '--confirm', confirm, '--json', ...more);
    let ended = await once();
    for (let tries = 0; tries < 2 && /"reason": ".*read just now"/.test(ended.stdout); tries += 1)
      ended = await once();
    const run = /"id": "(r-[0-9a-f]+)"/.exec(ended.stdout)?.[1];
    return { code: ended.code, run, said: ended.stdout + ended.stderr };
  }

  /**
   * Cures what a finding says with the keys of an operator. Gives the key presses as the incidents' targets count them: those up to the
   * dialog, and one for the whole confirmation.
   */
  async cureByKeys({ finding, action, dialog, word, cured = /verified/ }: KeyCure): Promise<number> {
    const screen = this.openConsole();
    let pressed = 0;
    const press = (key: string): void => {
      screen.type(key);
      pressed += 1;
    };
    try {
      await screen.until(finding, 90_000);
      press('a');
      await screen.until(action, 60_000);
      press('\r');
      await screen.until(dialog, 60_000);
      // The dialog is deaf for a moment after it opened: nobody has read it yet.
      await pause(2000);
      for (const letter of word) {
        screen.type(letter);
        await pause(300);
      }
      // One letter is the whole confirmation of what is reversible.
      if (word.length > 1) screen.type('\r');
      await screen.until(cured, 90_000);
    } finally {
      screen.kill();
    }
    return pressed + 1;
  }

  /** The last action that was run, by its id. */
  async lastRun(): Promise<string> {
    const { stdout } = await this.#program('audit', 'show', '--json');
    const id = [...stdout.matchAll(/"run": *"(r-[0-9a-f]+)"/g)].at(-1)?.[1];
    if (id === undefined) throw new Error(`no run in the log:\n${stdout}`);
    return id;
  }

  /** The console in a terminal of its own; who opens it ends it. */
  openConsole(): Terminal {
    return openTerminal([...programArgs(), '--site', this.#site], this.#env, repository);
  }

  #program(...args: string[]): ReturnType<typeof runProgram> {
    return runProgram([...programArgs(), ...args, '--site', this.#site], this.#env, repository);
  }
}

export const summaries = (findings: readonly Found[]): string[] =>
  findings.map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);
