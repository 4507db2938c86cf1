import { Files } from '../../src/demo/shell/files.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../src/demo/shell/shell.ts';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Step } from '../../src/model/action.ts';
import type { Failure } from '../../src/model/reading.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Judgement, Probe } from '../../src/model/system.ts';
import { viewOf } from '../../src/site/view.ts';
import { safeDeep } from '../../src/text/safe.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { glusterProbes } from '../../probes/gluster/probes.ts';
import { createGlusterSimulator, type GlusterSimulator } from '../../probes/gluster/simulate.ts';
import type { SimPeer } from '../../probes/gluster/simulator/state.ts';
import { historyOf, judgementOf, Sources, start } from '../slurm/world.ts';

const hosts = ['gl1', 'gl2', 'gl3'] as const;

const siteOf = (settings: unknown = {}): SiteView =>
  viewOf({
    name: 'test',
    file: 'site.yaml',
    readOnly: false,
    hosts: hosts.map((name) => ({
      name,
      roles: ['gluster'],
      platform: 'linux',
      location: {},
      legacy: false,
    })),
    settings: { gluster: settings },
    links: [],
    windows: [],
    runbooks: [],
    intervals: {},
    transports: {},
  });

/** A simulated pool, asked through our own probes and the demo's shell, without waiting for real. */
export class Pool {
  readonly simulator: GlusterSimulator = createGlusterSimulator();
  readonly site: SiteView;
  readonly readings = new Sources();
  history = historyOf();
  now = start;

  constructor(incident: string, settings: unknown = {}) {
    this.simulator.start('quiet', this.now);
    this.simulator.start(incident, this.now);
    this.site = siteOf(settings);
  }

  peer(name: string): SimPeer {
    const peer = this.simulator.state().peers.get(name);
    if (!peer) throw new Error(`no peer ${name}`);
    return peer;
  }

  judgement(): Judgement {
    const { readings, site, now, history } = this;
    return judgementOf({ readings, site, now, mono: now - start, history });
  }

  probe(id: string): Probe {
    const found = glusterProbes.find((one) => one.id === id);
    if (!found) throw new Error(`no probe ${id}`);
    return found;
  }

  /** One round of everything that wants to be asked, volumes before heals. */
  async poll(): Promise<void> {
    for (const probe of glusterProbes) {
      if (probe.everyMs === 0) continue;
      for (const name of hosts) {
        const host = this.site.host(name);
        const last = this.readings.source(probe.id, name)?.good;
        const context = { site: this.site, readings: this.readings, now: this.now, ...(last && { last }) };
        if (host && (probe.when?.(host, context) ?? true)) await this.ask(probe.id, name);
      }
    }
  }

  async ask(id: string, name: string): Promise<void> {
    const probe = this.probe(id);
    const host = this.site.host(name);
    if (!host) throw new Error(`no host ${name}`);
    const last = this.readings.source(id, name)?.good;
    const context = { site: this.site, readings: this.readings, now: this.now, ...(last && { last }) };
    const ask = probe.ask(host, context);
    if (!('script' in ask)) throw new Error(`${id} asks a device`);
    this.take(id, name, await this.run(name, ask.script));
  }

  /** What a probe makes of an answer, put where the store would have it. */
  take(id: string, name: string, answer: Answer): void {
    const probe = this.probe(id);
    const host = this.site.host(name);
    if (!host) throw new Error(`no host ${name}`);
    const last = this.readings.source(id, name)?.good;
    const context = { site: this.site, readings: this.readings, now: this.now, ...(last && { last }) };
    try {
      const { value } = probe.read(answer, host, context);
      this.readings.good(id, name, safeDeep(probe.schema.parse(value)), this.now);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const command = error instanceof CommandFailed;
      const failure: Failure = {
        kind: command ? 'command' : 'parse',
        message: `${name}: ${error.message}`,
        ...(command && { code: error.code }),
      };
      this.readings.fail(id, name, failure, this.now);
    }
  }

  /** Sends the steps of a plan in order. */
  async send(steps: readonly Step[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const step of steps) {
      if (!('argv' in step)) throw new Error('a step for a device');
      answers.push(await this.run(step.host, shellCommand(step.argv)));
    }
    return answers;
  }

  async run(host: string, script: string): Promise<Answer> {
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
        const call = {
          host,
          argv: [program.split('/').at(-1) ?? '', ...words],
          stdin: '',
          env,
          now: this.now,
        };
        const given = this.simulator.call(call);
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
      durationMs: 5,
    };
  }
}

/** An answer of a script, as text. */
export const answerOf = (stdout: string, stderr = ''): Answer => ({
  stdout,
  stderr,
  exitCode: 0,
  truncated: false,
  stdoutBytes: stdout.length,
  timedOut: false,
  lost: false,
  cancelled: false,
  durationMs: 5,
});
