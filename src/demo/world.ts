import type { SimulatedAnswer, SimulatedHost, SimulatedSession, Simulator } from '../model/simulator.ts';
import { Files } from './shell/files.ts';
import { pause, type Command, type Outside } from './shell/shell.ts';
import { kernelLog } from './kernel-log.ts';
import type { Edit, HostFault, LoggedCall } from './messages.ts';

/** The folder that consoles on the demo site share, on `SHARED_HOST`. */
export const SHARED = { host: 'admin1', dir: '/var/lib/faultline' } as const;

const LOG_LIMIT = 200_000;
/** How long the hosts have been up when the demo starts. */
const UP_MS = 40 * 86_400_000;

const FLOOD_BYTES = 100_000_000;

/** Lines of a page: those of a terminal without the pager's own. */
const PAGE_LINES = 23;

/** All simulated hosts with their files and faults, and the simulators behind them. */
export class World {
  readonly simulators: readonly Simulator[];
  readonly hosts: readonly SimulatedHost[];
  readonly log: LoggedCall[] = [];
  readonly faults = new Map<string, HostFault>();
  readonly edits = new Map<string, readonly Edit[]>();
  private readonly files = new Map<string, Files>();
  private readonly now: () => number;
  /** Incidents that were put in place: what kernels have logged follows from them. */
  private readonly begun = new Set<string>();

  constructor(simulators: readonly Simulator[], now: () => number) {
    this.simulators = simulators;
    this.now = now;
    this.hosts = mergeHosts([
      ...simulators.flatMap((simulator) => simulator.hosts),
      { name: SHARED.host, roles: [] },
    ]);
  }

  /** Puts an incident in place in every system that knows it; `night` is everything, `quiet` nothing. */
  start(incident: string): void {
    if (incident === 'quiet') this.begun.clear();
    else this.begun.add(incident);
    for (const simulator of this.simulators) {
      const own = simulator.incidents.map((known) => known.name);
      const all = own.filter((name) => name !== 'quiet');
      const chosen = own.includes(incident) ? [incident] : incident === 'night' ? all : [];
      for (const name of chosen) simulator.start(name, this.now());
    }
  }

  poweredOff(): ReadonlySet<string> {
    return new Set(this.simulators.flatMap((simulator) => simulator.poweredOff?.(this.now()) ?? []));
  }

  /** What a shell on a host finds there. */
  outside(host: string, user: string): Outside {
    return {
      host,
      user,
      files: this.filesOf(host),
      now: this.now,
      call: (command) => this.call(host, command),
      knows: (name) => this.programsOf(host).has(name) || this.answer(host, [name], '', {}) !== undefined,
      onChanged: (argv) => this.note(host, argv, true),
      login: () => this.login(host),
    };
  }

  private programsOf(host: string): ReadonlySet<string> {
    const own = this.simulators.filter(({ hosts }) => hosts.some(({ name }) => name === host));
    return new Set(own.flatMap(({ programs }) => programs ?? []));
  }

  private login(host: string): SimulatedSession | undefined {
    for (const simulator of this.simulators) {
      const session = simulator.login?.(host, this.now);
      if (!session) continue;
      return {
        prompt: () => (this.faults.get(host) === 'mute' ? '' : session.prompt()),
        pageLines: () => (this.faults.get(host) === 'paged' ? PAGE_LINES : undefined),
        end: () => session.end?.(),
        type: (line) => {
          const answer = session.type(line);
          this.note(host, [line], answer?.mutated ?? false);
          return answer && { ...answer, stdout: this.edited(host, answer.stdout) };
        },
      };
    }
    return undefined;
  }

  private edited(host: string, text: string): string {
    const edits = this.edits.get(host) ?? [];
    return edits.reduce((said, { what, by }) => said.replace(what, by), text);
  }

  private filesOf(host: string): Files {
    const known = this.files.get(host);
    if (known) return known;
    const folders = [
      '/root',
      '/tmp',
      '/etc',
      '/var/log',
      '/var/tmp/faultline-tasks',
      ...(host === SHARED.host ? [SHARED.dir] : []),
    ];
    const files = new Files(folders, this.now);
    if (host === SHARED.host) files.setMode(SHARED.dir, 0o2775);
    const booted = this.now() - UP_MS;
    const uptimeText = (): string => ((this.now() - booted) / 1000).toFixed(2);
    files.live('/proc/uptime', () => `${uptimeText()} ${uptimeText()}\n`);
    files.live('/proc/loadavg', () => '0.08 0.03 0.01 1/212 4242\n');
    this.files.set(host, files);
    return files;
  }

  private call(host: string, { argv, streams, env, signal }: Command): Promise<number> | undefined {
    const fault = this.faults.get(host);
    if (fault === 'hangs') {
      this.note(host, argv, false);
      return pause(Number.POSITIVE_INFINITY, signal).then(() => 0);
    }
    const words = [(argv[0] ?? '').split('/').pop() ?? '', ...argv.slice(1)];
    const answer = this.answer(host, words, streams.input.text, env);
    if (!answer) return undefined;
    streams.input.text = '';
    this.note(host, argv, answer.mutated ?? false);
    const give = (): number => {
      if (fault === 'floods') streams.out(Buffer.alloc(FLOOD_BYTES, 'y\n'));
      if (answer.stdout !== undefined) streams.out(answer.stdout);
      if (answer.stderr !== undefined) streams.err(answer.stderr);
      return answer.exitCode ?? 0;
    };
    return answer.delayMs ? pause(answer.delayMs, signal).then(give) : Promise.resolve(give());
  }

  private answer(
    host: string,
    argv: readonly string[],
    stdin: string,
    env: Readonly<Record<string, string>>,
  ): SimulatedAnswer | undefined {
    for (const simulator of this.simulators) {
      const answer = simulator.call({ host, argv, stdin, env, now: this.now() });
      if (!answer) continue;
      if (answer.ends !== undefined)
        for (const other of this.simulators) other.end?.(answer.ends, this.now());
      return answer;
    }
    return argv[0] === 'dmesg' ? this.dmesg(host, env) : undefined;
  }

  /** Debian sets kernel.dmesg_restrict: only root may read the ring buffer. */
  private dmesg(host: string, env: Readonly<Record<string, string>>): SimulatedAnswer {
    if (env['USER'] !== 'root')
      return { stderr: 'dmesg: read kernel buffer failed: Operation not permitted\n', exitCode: 1 };
    const uptime = this.answer(host, ['cat', '/proc/uptime'], '', {})?.stdout;
    const up = typeof uptime === 'string' ? Number.parseFloat(uptime) : UP_MS / 1000;
    return { stdout: kernelLog(host, this.begun, up) };
  }

  private note(host: string, argv: readonly string[], mutated: boolean): void {
    this.log.push({ at: this.now(), host, argv, mutated });
    if (this.log.length > LOG_LIMIT) this.log.splice(0, LOG_LIMIT / 2);
  }
}

/** A host that several systems know has the roles of all of them. */
const mergeHosts = (hosts: readonly SimulatedHost[]): SimulatedHost[] => {
  const merged = new Map<string, SimulatedHost>();
  for (const host of hosts) {
    const known = merged.get(host.name);
    if (!known) merged.set(host.name, host);
    else {
      const roles = [...new Set([...known.roles, ...host.roles])];
      merged.set(host.name, { ...known, ...host, roles, location: { ...known.location, ...host.location } });
    }
  }
  return [...merged.values()];
};
