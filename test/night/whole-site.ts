import { askAll } from '../../src/collect/ask-all.ts';
import { createCollector, type Collector } from '../../src/collect/collector.ts';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { doParseJob } from '../../src/collect/parse-job.ts';
import { newKeyPair } from '../../src/demo/host-server.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, type Outside } from '../../src/demo/shell/shell.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { writeSite } from '../../src/demo/site-files.ts';
import { SHARED, World } from '../../src/demo/world.ts';
import type { DeviceRequest, RawAnswer, RunRequest, Transport, Transports } from '../../src/model/answer.ts';
import type { Simulator } from '../../src/model/simulator.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { System } from '../../src/model/system.ts';
import { loadSite } from '../../src/site/load.ts';
import { systems } from '../../src/registries/systems.ts';
import { createFakeClock, type FakeClock } from '../collect/helpers/fake-clock.ts';
import { answerOf, broken, unreachable } from '../collect/helpers/fake-site.ts';
import { emptyFolder } from '../helpers/folder.ts';

/** The demo's site file, loaded as any site's; nothing listens anywhere. */
export const demoSite = async (): Promise<SiteView> => {
  const simulators = createSimulators();
  const file = writeSite(emptyFolder('night'), {
    name: 'demo',
    shared: SHARED,
    settings: Object.fromEntries(simulators.map(({ system, settings }) => [system, settings])),
    intervals: {},
    runbooks: [],
    listening: new World(simulators, Date.now).hosts.map((host) => ({ host, port: 1, publicLine: '' })),
    clientKey: newKeyPair(),
  });
  return (await loadSite(file, { systems })).site;
};

/** The demo site with these incidents, asked once through the real probes; without SSH and without waiting. */
export const askWith = async (
  site: SiteView,
  incidents: readonly string[],
  {
    judging = systems,
    clock = createFakeClock(),
    simulators = createSimulators(),
  }: { judging?: readonly System[]; clock?: FakeClock; simulators?: readonly Simulator[] } = {},
): Promise<Collector> => {
  const world = new World(simulators, () => clock.now());
  for (const incident of incidents) world.start(incident);
  const probes = systems.flatMap((system) => system.probes);
  const collector = createCollector({
    site,
    systems: judging,
    transports: transportsTo(world, clock),
    clock,
    history: memoryHistory(),
    readOnly: false,
    once: true,
    log: () => {},
    random: () => 0.5,
    parseElsewhere: async (job) => doParseJob(job, probes, site),
  });
  const over = new AbortController();
  const asking = askAll(collector, 600_000).finally(() => over.abort());
  while (!over.signal.aborted) await clock.advance(500);
  await asking;
  collector.update();
  return collector;
};

/** How long lines on a device take. */
const TYPED_MS = 20;

/** The hosts of a world, without SSH. */
export const transportsTo = (world: World, clock: FakeClock): Transports => {
  const off = world.poweredOff();
  const to = (host: string): Transport => ({
    kind: 'ssh2',
    run: async (request) => (off.has(host) ? unreachable(host) : runOn(world, clock, host, request)),
    type: async (request) => {
      // A reading counts as begun after a moment only when its time has passed on the clock, too.
      await clock.sleep(TYPED_MS);
      return typeOn(world, host, request);
    },
    connection: () => ({ host, kind: 'ssh2', state: 'up', since: 0, badges: [] }),
    close: async () => {},
  });
  return { transportTo: to, connections: () => new Map(), close: async () => {} };
};

/** A script on a host; the time it takes passes on the fake clock. */
const runOn = async (
  world: World,
  clock: FakeClock,
  host: string,
  { script, stdin = '', deadlineMs }: RunRequest,
): Promise<RawAnswer> => {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const take = (into: Uint8Array[]) => (text: string | Uint8Array) =>
    void into.push(typeof text === 'string' ? Buffer.from(text) : text);
  let waits = 5;
  const real = world.outside(host, 'demo');
  const outside: Outside = {
    ...real,
    call: (command) => {
      const { argv, env, streams } = command;
      const words = [(argv[0] ?? '').split('/').pop() ?? '', ...argv.slice(1)];
      for (const simulator of world.simulators) {
        const answer = simulator.call({
          host,
          argv: words,
          stdin: streams.input.text,
          env,
          now: clock.now(),
        });
        if (!answer) continue;
        streams.input.text = '';
        waits += answer.delayMs ?? 0;
        if (answer.stdout !== undefined) streams.out(answer.stdout);
        if (answer.stderr !== undefined) streams.err(answer.stderr);
        return Promise.resolve(answer.exitCode ?? 0);
      }
      return real.call(command);
    },
  };
  const all = { input: { text: stdin }, out: take(out), err: take(err) };
  const exitCode = await runScript(script, newShell(outside), all, new AbortController().signal);
  await clock.sleep(Math.min(waits, deadlineMs));
  if (waits > deadlineMs) return broken({ timedOut: true, durationMs: deadlineMs });
  return answerOf(Buffer.concat(out), { stderr: Buffer.concat(err), exitCode, durationMs: waits });
};

/** Lines typed on a device's own command line, as the device's transport types them. */
const typeOn = (world: World, host: string, { lines, dialect, headed }: DeviceRequest): RawAnswer => {
  const session = world.outside(host, 'root').login?.();
  if (!session) return unreachable(host);
  for (const line of dialect.pagerOff) session.type(line);
  const shown = lines.map((line) => ({ line, text: session.type(line)?.stdout ?? '' }));
  const text = shown.map((one) => `${headed ? `--- ${one.line}\n` : ''}${one.text}`).join('');
  const errors = text
    .split('\n')
    .filter((line) => dialect.errors.some((pattern) => new RegExp(pattern).test(line)));
  return answerOf(text.replaceAll('\r', ''), {
    stderr: Buffer.from(errors.join('\n')),
    exitCode: errors.length > 0 ? 1 : 0,
    durationMs: TYPED_MS,
  });
};
