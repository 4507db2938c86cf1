import { Files } from '../../../src/demo/shell/files.ts';
import { runScript } from '../../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../../src/demo/shell/shell.ts';
import type { Step } from '../../../src/model/action.ts';
import type { Answer } from '../../../src/model/answer.ts';
import type { Facts } from '../../../src/model/fact.ts';
import type { HostView, Site, SiteView } from '../../../src/model/site.ts';
import type { Ask, Judgement, Probe } from '../../../src/model/system.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { viewOf } from '../../../src/site/view.ts';
import { facts } from '../../../probes/switch/facts.ts';
import { switchProbes } from '../../../probes/switch/probes.ts';
import { createSwitchSimulator, type SwitchSimulator } from '../../../probes/switch/simulate.ts';
import { historyOf, judgementOf, Sources, start } from '../../slurm/world.ts';

const plainAnswer = (host: string, at: number): Answer =>
  ({
    host,
    stdout: '',
    stderr: '',
    exitCode: 0,
    truncated: false,
    stdoutBytes: 0,
    timedOut: false,
    lost: false,
    cancelled: false,
    durationMs: 20,
    at,
  }) as unknown as Answer;

/** Sources that keep the readings before, as the store does for probes with `keep`. */
class Kept extends Sources {
  keep(probe: Probe, host: string, value: unknown, at: number): void {
    const known = this.source(probe.id, host);
    this.good(probe.id, host, value, at);
    const now = this.source(probe.id, host);
    const before = known?.good ? [known.good, ...known.before].slice(0, probe.keep ?? 0) : [];
    if (now) this.put({ ...now, before });
  }
}

/** The simulated network with a collector in miniature; time moves when a test says so. */
export class SwitchWorld {
  readonly simulator: SwitchSimulator = createSwitchSimulator();
  readonly site: SiteView;
  readonly readings = new Kept();
  now = start;

  constructor(incident: string, change: (site: Site) => Site = (site) => site) {
    this.simulator.start(incident, this.now);
    const site: Site = {
      name: 'test',
      file: 'site.yaml',
      readOnly: false,
      hosts: this.simulator.hosts.map((host) => ({
        platform: 'linux',
        location: {},
        legacy: false,
        ...host,
      })),
      shared: { host: 'admin1', dir: '/var/lib/faultline' },
      settings: { switch: this.simulator.settings },
      links: [],
      windows: [],
      runbooks: [],
      intervals: {},
      transports: {},
    };
    this.site = viewOf(change(site));
  }

  judgement(): Judgement {
    const parts = { readings: this.readings, site: this.site, now: this.now, mono: this.now - start };
    const own = facts(judgementOf({ ...parts, history: historyOf() }));
    const known = {
      all: (name: string) => own.filter((one) => one.name === name),
      of: (name: string, subject: { id: string }) =>
        own.find((one) => one.name === name && one.subject.id === subject.id),
    } as unknown as Facts;
    return judgementOf({ ...parts, facts: known });
  }

  /** One round of everything that wants to be asked, `seconds` after the last one; the matrix only when it is named. */
  async poll(seconds = 10, also: readonly string[] = []): Promise<void> {
    this.now += seconds * 1000;
    for (const probe of switchProbes) {
      if (probe.everyMs === 0 && !also.includes(probe.id)) continue;
      for (const host of this.site.withRole(probe.role)) {
        const context = { site: this.site, readings: this.readings, now: this.now };
        if (probe.when?.(host, context) ?? true) await this.ask(probe, host);
      }
    }
  }

  async ask(probe: Probe, host: HostView): Promise<void> {
    const context = { site: this.site, readings: this.readings, now: this.now };
    const answer = await this.answer(host.name, probe.ask(host, context));
    try {
      const { value } = probe.read(answer, host, context);
      this.readings.keep(probe, host.name, probe.schema.parse(value), this.now);
    } catch (error) {
      const message = `${host.name}: ${error instanceof Error ? error.message : String(error)}`;
      this.readings.fail(probe.id, host.name, { kind: 'command', message }, this.now);
    }
  }

  /** Runs a step of a plan; gives its exit code. */
  async send(step: Step): Promise<number> {
    const ask: Ask =
      'argv' in step ? { script: shellCommand(step.argv) } : { lines: step.lines, dialect: step.dialect };
    return (await this.answer(step.host, ask, true)).exitCode ?? -1;
  }

  /** `changes`: the first line that is refused is the last that is typed. */
  private async answer(host: string, ask: Ask, changes = false): Promise<Answer> {
    if ('script' in ask) return this.run(host, ask.script);
    const session = this.simulator.login?.(host, () => this.now);
    if (!session) throw new Error(`${host} is no device`);
    const refused = ask.dialect.errors.map((one) => new RegExp(one, 'im'));
    let stdout = '';
    let stderr = '';
    for (const line of [...ask.dialect.pagerOff, ...ask.lines]) {
      expect1(new RegExp(`^(?:${ask.dialect.prompt})`), session.prompt().trim().split('\n').at(-1) ?? '');
      const answer = session.type(line)?.stdout ?? '';
      if (ask.dialect.pagerOff.includes(line)) continue;
      if (ask.headed) stdout += `--- ${line}\n`;
      stdout += answer;
      const no = answer.split('\n').find((said) => refused.some((one) => one.test(said)));
      if (no === undefined) continue;
      stderr += `${line}: ${no.trim()}\n`;
      if (changes) break;
    }
    session.end?.();
    return { ...plainAnswer(host, this.now), stdout, stderr, exitCode: stderr === '' ? 0 : 1 };
  }

  private async run(host: string, script: string): Promise<Answer> {
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
        const given = this.simulator.call({ host, argv, stdin: '', env, now: this.now });
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
    return { ...plainAnswer(host, this.now), stdout, stderr, exitCode };
  }
}

const expect1 = (pattern: RegExp, prompt: string): void => {
  if (!pattern.test(prompt)) throw new Error(`the prompt "${prompt}" is not what the dialect waits for`);
};
