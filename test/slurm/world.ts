import { Files } from '../../src/demo/shell/files.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../src/demo/shell/shell.ts';
import type { Answer, ConnectionState } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Facts } from '../../src/model/fact.ts';
import type { History, Point } from '../../src/model/history.ts';
import type { Failure, Reading, Readings, Source } from '../../src/model/reading.ts';
import type { HostView, Site, SiteView } from '../../src/model/site.ts';
import type { Judgement, Probe } from '../../src/model/system.ts';
import { safeDeep } from '../../src/text/safe.ts';
import { viewOf } from '../../src/site/view.ts';
import { slurmProbes } from '../../probes/slurm/probes.ts';
import { createSlurmSimulator, type SlurmSimulator } from '../../probes/slurm/simulate.ts';

export const start = Date.UTC(2026, 10, 20, 2, 21, 0);

/** A site of these hosts; locations and the section `slurm` as given. */
export const siteOf = (hosts: readonly Partial<HostView>[], slurm: unknown = {}): SiteView => {
  const site: Site = {
    name: 'test',
    file: 'site.yaml',
    readOnly: false,
    hosts: hosts.map((host) => ({
      name: '?',
      roles: [],
      platform: 'linux',
      location: {},
      legacy: false,
      ...host,
    })),
    settings: { slurm },
    links: [],
    windows: [],
    runbooks: [],
    intervals: {},
    transports: {},
  };
  return viewOf(site);
};

const noFacts: Facts = { all: () => [], of: () => undefined };

/** A history that holds what is put into it. */
export const historyOf = (series: Readonly<Record<string, readonly Point[]>> = {}): History => ({
  changes: (name, since) => (series[name] ?? []).filter((point) => point.at >= since),
  changedSince: (prefix, since) =>
    Object.entries(series)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, points]) => ({ series: name, points: points.filter((point) => point.at >= since) })),
});

/** Sources as a store holds them. */
export class Sources implements Readings {
  private readonly known = new Map<string, Source>();

  source<T>(probe: string, host: string): Source<T> | undefined {
    return this.known.get(`${probe} ${host}`) as Source<T> | undefined;
  }

  sources<T>(probe: string): readonly Source<T>[] {
    return [...this.known.values()].filter((one) => one.probe === probe) as Source<T>[];
  }

  put(source: Source): void {
    this.known.set(`${source.probe} ${source.host}`, source);
  }

  /** As if it was never asked. */
  forget(probe: string, host: string): void {
    this.known.delete(`${probe} ${host}`);
  }

  /** A good answer, as if read just now. */
  good(probe: string, host: string, value: unknown, at = start, durationMs = 20): void {
    const reading: Reading = { probe, host, at, mono: at - start, durationMs, value, notUnderstood: 0 };
    const durations = [durationMs, ...(this.source(probe, host)?.durations ?? [])].slice(0, 5);
    this.put({ probe, host, state: 'fresh', good: reading, before: [], everyMs: 10_000, durations });
  }

  /** A failure; the last good reading stays. */
  fail(probe: string, host: string, failure: Failure, at = start): void {
    const before = this.source(probe, host);
    this.put({
      probe,
      host,
      state: 'failed',
      ...(before?.good && { good: before.good }),
      before: [],
      failure,
      failingSince: before?.failingSince ?? at,
      everyMs: 10_000,
      durations: before?.durations ?? [],
    });
  }
}

export const judgementOf = (parts: Partial<Judgement> & Pick<Judgement, 'readings' | 'site'>): Judgement => ({
  history: historyOf(),
  facts: noFacts,
  connections: new Map<string, ConnectionState>(),
  now: start,
  mono: 0,
  ...parts,
});

/** A simulated cluster with a collector in miniature: asks probes through a shell, without waiting for real. */
export class World {
  readonly simulator: SlurmSimulator;
  readonly site: SiteView;
  readonly readings = new Sources();
  readonly history = historyOf();
  now = start;

  constructor(incident: string, options: { nodes?: number; slurm?: unknown } = {}) {
    this.simulator = createSlurmSimulator(options.nodes === undefined ? {} : { nodes: options.nodes });
    this.simulator.start(incident, this.now);
    this.site = siteOf(this.simulator.hosts, options.slurm ?? this.simulator.settings);
  }

  judgement(): Judgement {
    return judgementOf({ readings: this.readings, site: this.site, now: this.now, mono: this.now - start });
  }

  /** One round of everything that wants to be asked. */
  async poll(): Promise<void> {
    for (const probe of slurmProbes) {
      for (const host of this.site.withRole(probe.role)) {
        const last = this.readings.source(probe.id, host.name)?.good;
        const context = { site: this.site, readings: this.readings, now: this.now, ...(last && { last }) };
        if (probe.when?.(host, context) ?? true) await this.ask(probe, host);
      }
    }
  }

  async ask(probe: Probe, host: HostView): Promise<void> {
    const last = this.readings.source(probe.id, host.name)?.good;
    const context = { site: this.site, readings: this.readings, now: this.now, ...(last && { last }) };
    const ask = probe.ask(host, context);
    if (!('script' in ask)) throw new Error(`${probe.id} asks a device`);
    const answer = await this.run(host.name, ask.script, ask.deadlineMs ?? probe.deadlineMs ?? 8_000);
    if (answer.timedOut) {
      const failure: Failure = { kind: 'timeout', message: `${host.name}: ${probe.id} timed out` };
      this.readings.fail(probe.id, host.name, failure, this.now);
      return;
    }
    try {
      const { value } = probe.read(answer, host, context);
      const checked = safeDeep(probe.schema.parse(value));
      this.readings.good(probe.id, host.name, checked, this.now, answer.durationMs);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const command = error instanceof CommandFailed;
      const failure: Failure = {
        kind: command ? 'command' : 'parse',
        message: `${host.name}: ${error.message}`,
        ...(command && { code: error.code }),
      };
      this.readings.fail(probe.id, host.name, failure, this.now);
    }
  }

  /** A script on a host, its answer at once, the time it would have taken in `durationMs`. */
  async run(host: string, script: string, deadlineMs = 15_000): Promise<Answer> {
    let waited = 5;
    let stdout = '';
    let stderr = '';
    const outside: Outside = {
      host,
      user: 'root',
      files: new Files(['/root'], () => this.now),
      now: () => this.now,
      knows: () => true,
      changed: () => undefined,
      call: ({ argv, env, streams }) => {
        const [program = '', ...words] = argv;
        const name = program.split('/').at(-1) ?? '';
        const given = this.simulator.call({ host, argv: [name, ...words], stdin: '', env, now: this.now });
        if (!given) return undefined;
        waited += given.delayMs ?? 0;
        if (given.stdout !== undefined) streams.out(given.stdout);
        if (given.stderr !== undefined) streams.err(given.stderr);
        return Promise.resolve(given.exitCode ?? 0);
      },
    };
    const streams = {
      input: { text: '' },
      out: (text: string | Uint8Array) => (stdout += String(text)),
      err: (text: string | Uint8Array) => (stderr += String(text)),
    };
    // The shell's own `cat` would answer for the simulated host's uptime.
    const exitCode =
      script === 'cat /proc/uptime'
        ? ((await outside.call({ argv: ['cat', '/proc/uptime'], env: {}, streams } as never)) ?? 127)
        : await runScript(script, newShell(outside), streams, new AbortController().signal);
    const timedOut = waited > deadlineMs;
    return {
      stdout: timedOut ? '' : stdout,
      stderr: timedOut ? '' : stderr,
      ...(!timedOut && { exitCode }),
      truncated: false,
      stdoutBytes: stdout.length,
      timedOut,
      lost: false,
      cancelled: false,
      durationMs: Math.min(waited, deadlineMs),
    };
  }
}
