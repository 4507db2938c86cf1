import { decode } from '../../src/text/bytes.ts';
import { Files } from '../../src/demo/shell/files.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../src/demo/shell/shell.ts';
import type { Reread, Step } from '../../src/model/action.ts';
import type { Answer } from '../../src/model/answer.ts';
import type { Fact, Facts } from '../../src/model/fact.ts';
import type { History, Point } from '../../src/model/history.ts';
import type { Reading, Readings, Source } from '../../src/model/reading.ts';
import type { SiteView, TrafficRule } from '../../src/model/site.ts';
import type { Judgement, Probe } from '../../src/model/system.ts';
import { viewOf } from '../../src/site/view.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { iperf } from '../../probes/iperf/index.ts';
import { createIperfSimulator, type IperfSimulator } from '../../probes/iperf/simulate.ts';

const start = Date.UTC(2026, 10, 20, 2, 21, 0);

/** Sources as a store holds them. */
class Sources implements Readings {
  private readonly known = new Map<string, Source>();

  source<T>(probe: string, host: string): Source<T> | undefined {
    return this.known.get(`${probe} ${host}`) as Source<T> | undefined;
  }

  sources<T>(probe: string): readonly Source<T>[] {
    return [...this.known.values()].filter((one) => one.probe === probe) as Source<T>[];
  }

  good(probe: string, host: string, value: unknown, at: number): void {
    const reading: Reading = { probe, host, at, mono: at - start, durationMs: 5, value, notUnderstood: 0 };
    this.known.set(`${probe} ${host}`, {
      probe,
      host,
      state: 'fresh',
      good: reading,
      before: [],
      everyMs: 10_000,
      durations: [5],
    });
  }
}

const factsOf = (list: readonly Fact[], asked: readonly Reread[]): Facts => ({
  askedBy: () => asked,
  all: <N extends Fact['name']>(name: N) =>
    list.filter((one) => one.name === name) as Extract<Fact, { name: N }>[],
  of: <N extends Fact['name']>(name: N, subject: { kind: string; id: string }) =>
    list.find((one) => one.name === name && one.subject.id === subject.id) as
      Extract<Fact, { name: N }> | undefined,
});

/** The simulated hosts, asked through the probes and the demo's own shell; time stands where the test puts it. */
export class World {
  readonly simulator: IperfSimulator = createIperfSimulator();
  readonly readings = new Sources();
  readonly site: SiteView;
  readonly points: Record<string, Point[]> = {};
  facts: Fact[] = [];
  /** Who is asked for jobs. */
  asked: Reread[] = [];
  now = start;

  constructor(incident: string, settings: unknown = {}, traffic: readonly TrafficRule[] = []) {
    this.simulator.start(incident, this.now);
    this.site = viewOf({
      name: 'test',
      file: 'site.yaml',
      readOnly: false,
      hosts: this.simulator.hosts.map((host) => ({
        platform: 'linux',
        location: {},
        legacy: false,
        ...host,
      })),
      settings: { iperf: settings },
      links: [],
      windows: [],
      runbooks: [],
      intervals: {},
      transports: {},
      traffic,
    });
  }

  judgement(): Judgement {
    const history: History = {
      changes: (name, since) => (this.points[name] ?? []).filter((point) => point.at >= since),
      changedSince: () => [],
    };
    return {
      readings: this.readings,
      history,
      facts: factsOf(this.facts, this.asked),
      connections: new Map(),
      site: this.site,
      now: this.now,
      mono: this.now - start,
    };
  }

  async poll(): Promise<void> {
    for (const probe of iperf.probes.filter(({ touches }) => touches !== 'traffic'))
      for (const host of this.site.withRole('iperf')) await this.ask(probe, host.name);
  }

  async ask(probe: Probe, name: string): Promise<void> {
    const host = this.site.host(name);
    if (!host) throw new Error(`no host ${name}`);
    const { facts } = this.judgement();
    const context = { site: this.site, readings: this.readings, now: this.now, facts: () => facts };
    const ask = probe.ask(host, context);
    if (!('script' in ask)) throw new Error('asks a device');
    const answer = await this.run(name, ask.script);
    const { value } = probe.read(answer, host, context);
    this.readings.good(probe.id, name, probe.schema.parse(value), this.now);
  }

  async send(step: Step): Promise<Answer> {
    if (!('argv' in step)) throw new Error('a device');
    return this.run(step.host, shellCommand(step.argv), step.stdin ?? '');
  }

  async run(host: string, script: string, stdin = ''): Promise<Answer> {
    const chunks: { out: Uint8Array[]; err: Uint8Array[] } = { out: [], err: [] };
    const bytes = (text: string | Uint8Array): Uint8Array =>
      typeof text === 'string' ? Buffer.from(text) : text;
    const answer = (argv: readonly string[], input: string) =>
      this.simulator.call({
        host,
        argv: [(argv[0] ?? '').split('/').pop() ?? '', ...argv.slice(1)],
        stdin: input,
        now: this.now,
      });
    const outside: Outside = {
      host,
      user: 'root',
      files: new Files(['/root', '/tmp'], () => this.now),
      now: () => this.now,
      call: ({ argv, streams }) => {
        const given = answer(argv, streams.input.text);
        if (!given) return undefined;
        if (given.stdout !== undefined) streams.out(given.stdout);
        if (given.stderr !== undefined) streams.err(given.stderr);
        this.now += given.delayMs ?? 0;
        return Promise.resolve(given.exitCode ?? 0);
      },
      knows: (name) => answer([name], '') !== undefined,
      changed: () => undefined,
    };
    const exitCode = await runScript(
      script,
      newShell(outside),
      {
        input: { text: stdin },
        out: (text) => chunks.out.push(bytes(text)),
        err: (text) => chunks.err.push(bytes(text)),
      },
      new AbortController().signal,
    );
    const stdout = decode(Buffer.concat(chunks.out));
    return {
      stdout,
      stderr: decode(Buffer.concat(chunks.err)),
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
