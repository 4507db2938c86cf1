import { Files } from '../../src/demo/shell/files.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../src/demo/shell/shell.ts';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Failure, Reading } from '../../src/model/reading.ts';
import type { PastRun } from '../../src/model/past-run.ts';
import type { Step } from '../../src/model/action.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import type { Judgement, Probe } from '../../src/model/system.ts';
import { safeDeep } from '../../src/text/safe.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { lustreProbes } from '../../probes/lustre/probes.ts';
import { createLustreSimulator } from '../../probes/lustre/simulate.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../slurm/world.ts';

/** A simulated file system with a collector in miniature: asks probes through a shell, without waiting for real. */
export class World {
  readonly simulator = createLustreSimulator();
  readonly site: SiteView;
  readonly readings = new Sources();
  history = historyOf();
  /** Earlier runs, as the remedies tell of them. */
  runs: readonly PastRun[] | undefined;
  now = start;
  private readonly files = new Map<string, Files>();

  constructor(incident: string) {
    this.simulator.start(incident, this.now);
    this.site = siteOf(this.simulator.hosts);
  }

  judgement(): Judgement {
    const { runs } = this;
    return judgementOf({
      readings: this.readings,
      history: this.history,
      site: this.site,
      now: this.now,
      mono: this.now - start,
      ...(runs && {
        audit: {
          of: ({ kind, id }) => runs.filter(({ subject }) => subject.kind === kind && subject.id === id),
        },
      }),
    });
  }

  /** Time passes, then everything is asked once. */
  async poll(afterMs = 0): Promise<Judgement> {
    this.now += afterMs;
    for (const probe of lustreProbes) {
      for (const host of this.site.withRole(probe.role)) await this.ask(probe, host);
    }
    return this.judgement();
  }

  private async ask(probe: Probe, host: HostView): Promise<void> {
    const context = { site: this.site, readings: this.readings, now: this.now };
    const before = this.readings.source(probe.id, host.name);
    if (probe.when && !probe.when(host, context)) return;
    const ask = probe.ask(host, context);
    if (!('script' in ask)) throw new Error(`${probe.id} asks a device`);
    const answer = await this.run(host.name, ask.script);
    try {
      const { value, notUnderstood = 0 } = probe.read(answer, host, context);
      if (notUnderstood > 0) throw new Error(`${probe.id}: ${notUnderstood} not understood`);
      const reading: Reading = {
        probe: probe.id,
        host: host.name,
        at: this.now,
        mono: this.now - start,
        durationMs: 20,
        value: safeDeep(probe.schema.parse(value)),
        notUnderstood: 0,
      };
      const kept = before?.good ? [before.good, ...before.before].slice(0, probe.keep ?? 0) : [];
      const base = { probe: probe.id, host: host.name, everyMs: 10_000, durations: [] };
      this.readings.put({ ...base, state: 'fresh', good: reading, before: kept });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const failure: Failure = {
        kind: 'command',
        code: error.code,
        message: `${host.name}: ${error.message}`,
      };
      this.readings.fail(probe.id, host.name, failure, this.now);
    }
  }

  /** Sends the steps of a plan; throws when one says no. */
  async send(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (!('argv' in step)) throw new Error('a step for a device');
      const answer = await this.run(step.host, shellCommand(step.argv));
      if (answer.exitCode !== 0) throw new Error(`${step.argv.join(' ')}: ${answer.stderr}`);
    }
  }

  /** Steps whose script goes in on standard input: handed to the simulator as the shell would. */
  start(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (!('argv' in step)) throw new Error('a step for a device');
      const given = this.simulator.call({
        host: step.host,
        argv: step.argv,
        stdin: step.stdin ?? '',
        now: this.now,
      });
      if (given?.exitCode) throw new Error(given.stderr);
    }
    return Promise.resolve();
  }

  async run(host: string, script: string): Promise<Answer> {
    let stdout = '';
    let stderr = '';
    const known = this.files.get(host) ?? new Files(['/root', '/tmp', '/var/tmp'], () => this.now);
    this.files.set(host, known);
    const outside: Outside = {
      host,
      user: 'root',
      files: known,
      now: () => this.now,
      knows: () => true,
      changed: () => undefined,
      call: ({ argv, env, streams }) => {
        const given = this.simulator.call({ host, argv, stdin: streams.input.text, env, now: this.now });
        if (!given) return undefined;
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
    const exitCode = await runScript(script, newShell(outside), streams, new AbortController().signal);
    return {
      stdout,
      stderr,
      exitCode,
      truncated: false,
      stdoutBytes: stdout.length,
      timedOut: false,
      lost: false,
      cancelled: false,
      durationMs: 20,
    };
  }
}
