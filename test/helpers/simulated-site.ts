import { Files } from '../../src/demo/shell/files.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../src/demo/shell/shell.ts';
import type { Step } from '../../src/model/action.ts';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Failure } from '../../src/model/reading.ts';
import type { SimulatedAnswer, Simulator } from '../../src/model/simulator.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import type { Ask, AskContext, Judgement, Probe } from '../../src/model/system.ts';
import { decode } from '../../src/text/bytes.ts';
import { makeSafeDeep } from '../../src/text/safe.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { answerOf, withoutExit } from './answer.ts';
import { historyOf, judgementOf, Sources, start } from './judging.ts';

/**
 * One system's simulator with a collector in miniature: its own probes are asked through the demo's shell. Nothing waits for
 * real; time stands where a test puts `now`.
 */
export class SimulatedSite<S extends Simulator = Simulator> {
  readonly simulator: S;
  readonly probes: readonly Probe[];
  readonly site: SiteView;
  readonly readings = new Sources();
  history = historyOf();
  now = start;
  private readonly files = new Map<string, Files>();

  constructor(simulator: S, probes: readonly Probe[], site: SiteView) {
    this.simulator = simulator;
    this.probes = probes;
    this.site = site;
  }

  judgement(): Judgement {
    const { readings, site, history, now } = this;
    return judgementOf({ readings, site, history, now, mono: now - start });
  }

  probe(id: string): Probe {
    const found = this.probes.find((one) => one.id === id);
    if (!found) throw new Error(`no probe ${id}`);
    return found;
  }

  /** One round of these probes, on every host that they want to ask. */
  protected async round(probes: readonly Probe[]): Promise<void> {
    for (const probe of probes)
      for (const host of this.site.hostsWithRole(probe.role))
        if (probe.when?.(host, this.context(probe, host)) ?? true) await this.ask(probe.id, host.name);
  }

  /** Asks a probe. What our own simulator prints must be understood. */
  async ask(id: string, name: string): Promise<void> {
    const probe = this.probe(id);
    const host = this.host(name);
    const ask = probe.ask(host, this.context(probe, host));
    const notUnderstood = this.take(
      id,
      name,
      await this.answer(name, ask, ask.deadlineMs ?? probe.deadlineMs),
    );
    if (notUnderstood > 0) throw new Error(`${name}: ${id}: ${notUnderstood} not understood`);
  }

  /** What a probe makes of an answer is put where the store would have it; gives what of it was not understood. */
  take(id: string, name: string, answer: Answer): number {
    const probe = this.probe(id);
    const host = this.host(name);
    const fail = (failure: Failure): void => this.readings.fail(id, name, failure, this.now);
    if (answer.timedOut) {
      fail({ kind: 'timeout', message: `${name}: ${id} timed out` });
      return 0;
    }
    try {
      const { value, notUnderstood = 0 } = probe.read(answer, host, this.context(probe, host));
      const checked = makeSafeDeep(probe.schema.parse(value));
      this.readings.good(id, name, checked, this.now, answer.durationMs, probe.keep);
      return notUnderstood;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const command = error instanceof CommandFailed && { code: error.code };
      fail({ kind: command ? 'command' : 'parse', message: `${name}: ${error.message}`, ...command });
      return 0;
    }
  }

  /** Sends one step of a plan, whatever comes of it. */
  sendStep(step: Step): Promise<Answer> {
    if (!('argv' in step)) throw new Error('a step for a device');
    return this.run(step.host, shellCommand(step.argv), undefined, step.stdin);
  }

  /** The hosts of a system with devices answer lines, too. */
  protected answer(host: string, ask: Ask, deadlineMs?: number): Promise<Answer> {
    if (!('script' in ask)) throw new Error(`${host} is no device`);
    return this.run(host, ask.script, deadlineMs);
  }

  /** A script on a host. It does not wait: `durationMs` is the time that the simulator would have taken. */
  async run(host: string, script: string, deadlineMs = 15_000, stdin = ''): Promise<Answer> {
    const text = { out: '', err: '' };
    const into = (stream: keyof typeof text) => (given: string | Uint8Array) => {
      text[stream] += typeof given === 'string' ? given : decode(given);
    };
    const streams = { input: { text: stdin }, out: into('out'), err: into('err') };
    let waited = 5;
    const call = (argv: readonly string[], input = '', env = {}): SimulatedAnswer | undefined => {
      const [program = '', ...words] = argv;
      const name = program.split('/').at(-1) ?? '';
      return this.simulator.call({ host, argv: [name, ...words], stdin: input, env, now: this.now });
    };
    const outside: Outside = {
      host,
      user: 'root',
      files: this.filesOf(host),
      now: () => this.now,
      knows: (name) => this.simulator.programs?.includes(name) === true || call([name]) !== undefined,
      onChanged: () => undefined,
      call: ({ argv, env, streams: own }) => {
        const given = call(argv, own.input.text, env);
        if (!given) return undefined;
        waited += given.delayMs ?? 0;
        if (given.stdout !== undefined) own.out(given.stdout);
        if (given.stderr !== undefined) own.err(given.stderr);
        return Promise.resolve(given.exitCode ?? 0);
      },
    };
    const exitCode = await runScript(script, newShell(outside), streams, new AbortController().signal);
    if (waited > deadlineMs) return withoutExit({ timedOut: true, durationMs: deadlineMs });
    return answerOf(text.out, { stderr: text.err, exitCode, durationMs: waited });
  }

  private filesOf(host: string): Files {
    const known =
      this.files.get(host) ?? new Files(['/root', '/tmp', '/var/tmp/faultline-tasks'], () => this.now);
    this.files.set(host, known);
    return known;
  }

  private host(name: string): HostView {
    const host = this.site.host(name);
    if (!host) throw new Error(`no host ${name}`);
    return host;
  }

  private context(probe: Probe, host: HostView): AskContext {
    const last = this.readings.source(probe.id, host.name)?.good;
    const { site, readings, now } = this;
    return { site, readings, now, facts: () => this.judgement().facts, ...(last && { last }) };
  }
}
