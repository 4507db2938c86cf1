import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';
import { kernelProblem, kernelsDown, kernelsUp, onKernel, type KernelLab } from './kernels.ts';

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
  /** Where it is not the first action: the key that chooses it. */
  choose?: string;
  /** The action with the mark of the one that is chosen. */
  action: RegExp;
  /** What is typed into the form before the dialog, field by field. */
  form?: readonly string[];
  dialog: RegExp;
  word: string;
  /** Default: that it was verified. */
  cured?: RegExp;
}

/** The goal for every incident that a console can cure. */
export const MOST_KEYS = 8;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Why a lab of kernels can't run here, which is said once; undefined: it can. */
export const labProblem = (lab: KernelLab<string>): string | undefined => {
  const problem = kernelProblem(lab);
  if (problem !== undefined) process.stderr.write(`${lab.title}: skipped: ${problem}\n`);
  return problem;
};

/** The kernels of a lab, and the program before them. `system`: the one whose findings are asked for. */
export class KernelSession<Name extends string> {
  readonly #lab: KernelLab<Name>;
  readonly #system: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #site = '';

  constructor(lab: KernelLab<Name>, system: string, name: string) {
    this.#lab = lab;
    this.#system = system;
    this.#folder = emptyFolder(name);
    this.#env = { ...process.env, XDG_STATE_HOME: join(this.#folder, 'state') };
  }

  async begin(): Promise<void> {
    mkdirSync(join(this.#folder, 'state'));
    this.#site = await kernelsUp(this.#lab, this.#folder);
  }

  end(): Promise<void> {
    return kernelsDown(this.#lab, this.#folder);
  }

  /** Runs a script on a host, for at most a minute. */
  on(host: Name, script: string): { code: number; text: string } {
    return onKernel(this.#lab, this.#folder, host, script);
  }

  /** A user's process that outlives its login. */
  leave(host: Name, command: string): number {
    return this.on(host, `(setsid sh -c '${command}' </dev/null >/dev/null 2>&1 &)`).code;
  }

  async status(): Promise<readonly Found[]> {
    const { stdout, stderr } = await this.#program('status', '--json', '--system', this.#system);
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
  async cureByKeys({
    finding,
    action,
    form = [],
    choose,
    dialog,
    word,
    cured = /verified/,
  }: KeyCure): Promise<number> {
    const screen = this.openConsole();
    let pressed = 0;
    const press = (key: string): void => {
      screen.type(key);
      pressed += 1;
    };
    try {
      await screen.until(finding, 90_000);
      press('a');
      if (choose !== undefined) {
        await screen.until(/>\s+\S/, 60_000);
        await pause(1000);
        press(choose);
      }
      await screen.until(action, 60_000);
      press('\r');
      for (const text of form) {
        await screen.until(/\(required\)/, 60_000);
        for (const letter of text) press(letter);
        press('\r');
      }
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
