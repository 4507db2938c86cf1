import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { emptyFolder } from '../helpers/folder.ts';
import { sharedPath } from '../helpers/shared-folder.ts';
import { run } from '../lab/processes.ts';

/** Where the strangers' models lie. */
const models = (): string => sharedPath('worlds/switch') ?? '';

/** A Python with what the models need: `requirements.txt` there. */
const python = (): string => process.env['FAULTLINE_PYTHON'] ?? 'python3';

/** Why they cannot be had here, in one line. */
export const whyNoSwitches = (): string | undefined => {
  const folder = models();
  if (folder === '') return 'FAULTLINE_SHARED is not set, and no folder `shared` is beside the checkout';
  if (process.getuid?.() !== 0) return 'they make namespaces and want root';
  if (!existsSync('/lib/systemd/systemd'))
    return 'the helper host wants systemd: apt-get install systemd dbus';
  try {
    run(python(), ['-c', 'import asyncssh']);
    return undefined;
  } catch {
    return `${python()} has no asyncssh: python3 -m venv V && V/bin/pip install -r ${folder}/requirements.txt, then FAULTLINE_PYTHON=V/bin/python`;
  }
};

const START_MS = 120_000;
const ANSWER_MS = 60_000;

/** The devices of `actlab.py` with a helper host; what really changed on them is asked past the program. */
export class SwitchWorld {
  readonly siteFile: string;
  private readonly folder: string;
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private asked = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private homes = 0;

  private constructor(folder: string, child: ChildProcess, lines: string[]) {
    this.folder = folder;
    this.child = child;
    this.lines = lines;
    this.siteFile = join(folder, 'site.yaml');
  }

  static async open(): Promise<SwitchWorld> {
    const folder = emptyFolder('sw');
    const child = spawn(python(), ['actlab.py', folder], { cwd: models(), stdio: ['pipe', 'pipe', 'pipe'] });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const until = performance.now() + START_MS;
    while (!lines.some((line) => line.startsWith('faultline --site'))) {
      if (child.exitCode !== null || performance.now() > until) {
        child.kill('SIGKILL');
        throw new Error(`the switches did not start: ${stderr.trim().split('\n').at(-1) ?? ''}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (!existsSync('/proc/net/bonding'))
      console.log('cumulus: only its refusal is tried, this kernel has no bonding driver');
    const world = new SwitchWorld(folder, child, lines);
    // The shortest that a change may be held: trials wait it out.
    appendFileSync(world.siteFile, `switch: {hold: ${HOLD_S}}\n`);
    return world;
  }

  /** A line for its standard input; gives what it printed. One after the other: the answers come in one stream. */
  ask(line: string): Promise<string[]> {
    const answer = this.turn.then(() => this.askNow(line));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private async askNow(line: string): Promise<string[]> {
    const mark = `--${(this.asked += 1)}--`;
    const from = this.lines.length;
    this.child.stdin?.write(`${line}\nprint("${mark}", flush=True)\n`);
    const until = performance.now() + ANSWER_MS;
    while (!this.lines.includes(mark, from)) {
      if (performance.now() > until) throw new Error(`the switches do not answer to "${line}"`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const said = this.lines.slice(from, this.lines.indexOf(mark, from)).filter((one) => one !== 'ok');
    const wrong = said.find((one) => one.startsWith('error '));
    if (wrong !== undefined) throw new Error(`the switches: ${line}: ${wrong}`);
    return said;
  }

  /** What changed on a device, oldest first: `Ethernet1 shutdown`, `faultline-1 session confirmed`. */
  async events(device: string): Promise<string[]> {
    const lines = await this.ask(
      `print(*(" ".join(map(str, e[2:])) for e in w.events if e[1] == "${device}"), sep="\\n")`,
    );
    return lines.filter((line) => line !== '');
  }

  /** Whether the device itself has the port administratively up. */
  async isUp(device: string, port: string): Promise<boolean> {
    return (await this.ask(`print(P["${device}"]["${port}"].admin)`)).includes('True');
  }

  /** A command on the helper host. */
  async onHelper(command: string): Promise<string> {
    return (await this.ask(`on ${command}`)).join('\n');
  }

  newHome(name = 'home'): { env: NodeJS.ProcessEnv; state: string } {
    const state = join(this.folder, 'homes', `${(this.homes += 1)}-${name}`);
    mkdirSync(state, { recursive: true });
    const env = {
      ...process.env,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: join(state, 'config'),
      FAULTLINE_SITE: this.siteFile,
    };
    return { env, state: join(state, 'faultline/lab') };
  }

  async close(): Promise<void> {
    this.child.stdin?.end('quit\n');
    const until = performance.now() + 20_000;
    while (this.child.exitCode === null && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 100));
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
  }
}

/** How long a change is held, seconds. */
export const HOLD_S = 60;
