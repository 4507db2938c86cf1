import type { Guard, GuardResult, Refusal, Reread } from '../../src/model/action.ts';
import type { Facts } from '../../src/model/fact.ts';
import type { Readings } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Order } from './action-scripts.ts';
import { runsReading, toolsOf } from './pairs.ts';
import type { ToolsReading } from './readings.ts';
import { settingsOf } from './settings.ts';

export const ok = (text: string): GuardResult => ({ ok: true, text });
export const no = (text: string): GuardResult => ({ ok: false, text });
export const refusal = (guard: string, reason: string): Refusal => ({ refused: true, guard, reason });

const release = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major * 1000 + minor;
};

/** What each mode needs at both ends: `--bidir` came with iperf3 3.7, `-R` and `--full-duplex` with iperf 2.1. */
const leastFor = (tool: Order['tool'], mode: Order['mode']): number =>
  tool === 'iperf3' ? (mode === 'both' ? 3007 : 0) : mode === 'forward' ? 0 : 2001;

const says = (host: string, reading: ToolsReading | undefined): string =>
  reading === undefined
    ? `${host} was not read`
    : reading.tools.length === 0
      ? `${host} has no iperf`
      : `${host} has ${reading.tools.map(({ tool, version }) => `${tool} ${version}`).join(' and ')}`;

/** The tool that both ends have and that can do the test: iperf3 before iperf 2; else why there is none. */
export const chooseTool = (
  client: string,
  server: string,
  mode: Order['mode'],
  { readings }: Judgement,
): { tool: Order['tool'] } | { problem: string } => {
  const ends = [client, server].map((host) => ({ host, reading: toolsOf(readings, host)?.good?.value }));
  const have = (tool: Order['tool'], least: number): boolean =>
    ends.every(({ reading }) =>
      reading?.tools.some((one) => one.tool === tool && release(one.version) >= least),
    );
  const tool = (['iperf3', 'iperf2'] as const).find((one) => have(one, leastFor(one, mode)));
  if (tool) return { tool };
  const all = ends.map(({ host, reading }) => says(host, reading)).join(', ');
  const common = have('iperf3', 0) || have('iperf2', 0);
  return {
    problem: common
      ? `${all}: too old for mode ${mode} (iperf3 3.7 for both ways, iperf 2.1 for reverse); test the pair the other way round`
      : `${all}: versions that can't talk to each other`,
  };
};

/** Free ports of the range, by what the server's host listens on: the first few, so that a race is survived. */
export const freePorts = (server: string, { readings, site }: Judgement): number[] => {
  const { from, to } = settingsOf(site).ports;
  const taken = new Set(toolsOf(readings, server)?.good?.value.listening);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .filter((port) => !taken.has(port))
    .slice(0, 3);
};

const named = (host: string) => ({ kind: 'node' as const, id: host });

/** Who has jobs on these hosts; undefined when nobody. */
const busyText = (hosts: readonly string[], facts: Facts): string | undefined => {
  const busy = hosts.flatMap((host) => {
    const fact = facts.of('node.busy', named(host));
    return fact
      ? [
          `${host} runs ${fact.value.jobs.length} ${fact.value.jobs.length === 1 ? 'job' : 'jobs'} of ${fact.value.users.join(', ')}`,
        ]
      : [];
  });
  return busy.length === 0 ? undefined : busy.slice(0, 4).join('; ');
};

/** Why it can't be told whether jobs run: jobs are asked for on this site, and nobody answered. */
const jobsUnknown = (readings: Readings, facts: Facts): string | undefined => {
  const asked = facts.askedBy?.('node.busy') ?? [];
  return asked.length === 0 || asked.some((one) => isFresh(readings, one))
    ? undefined
    : `whether jobs run is not known: ${asked.map(({ host }) => host).join(' and ')} did not answer`;
};

const isFresh = (readings: Readings, { probe, host }: Reread): boolean =>
  readings.source(probe, host)?.state === 'fresh';

/** What speaks against a test on these hosts; undefined: nothing. */
export const jobsProblem = (
  hosts: readonly string[],
  { readings, facts }: Pick<Judgement, 'readings' | 'facts'>,
): string | undefined => busyText(hosts, facts) ?? jobsUnknown(readings, facts);

/**
 * Nodes with jobs are not tested unless somebody says why. Who tells of jobs is asked again before a byte is sent; where that is
 * asked at several places, those that answer now.
 */
export const idleNodes = (hosts: readonly string[], { readings, facts }: Judgement): Guard => {
  const asked = facts.askedBy?.('node.busy') ?? [];
  const fresh = asked.filter((one) => isFresh(readings, one));
  return {
    id: '4 ownership',
    text: `no job runs on ${hosts.length > 4 ? `any of the ${hosts.length} hosts` : hosts.join(' or ')}`,
    reads: [...hosts.map((host) => ({ probe: 'iperf.results', host })), ...fresh],
    absolute: false,
    check: (live) => {
      const problem = jobsProblem(hosts, live);
      if (problem !== undefined) return no(problem);
      return ok(asked.length === 0 ? 'nobody tells of jobs on this site' : 'no jobs');
    },
  };
};

/** A test that runs now on one of these hosts, or over the same uplink; undefined when there is none. */
const testOn = (hosts: readonly string[], live: Judgement): string | undefined => {
  const uplink = (host: string): string | undefined =>
    live.facts.of('host.uplink', { kind: 'host', id: host })?.value.port;
  const ours = new Set(hosts.flatMap((host) => uplink(host) ?? []));
  for (const { name } of live.site.withRole('iperf')) {
    const reading = runsReading(live.readings, name)?.value;
    for (const run of reading?.runs ?? []) {
      if (run.status !== 'running') continue;
      const shared = [run.client, run.server].find((host) => hosts.includes(host));
      if (shared !== undefined) return `${shared} is in a test already: ${run.client} → ${run.server}`;
      const link = [run.client, run.server].map(uplink).find((port) => port !== undefined && ours.has(port));
      if (link !== undefined) return `${run.client} → ${run.server} is tested over the same uplink ${link}`;
    }
    const server = hosts.includes(name) ? reading?.servers[0] : undefined;
    if (server)
      return `${name} is in a test already: its server for ${server.pair} listens on port ${server.port}`;
  }
  return undefined;
};

/** One test per host and per uplink at a time. */
export const oneTest = (hosts: readonly string[]): Guard => ({
  id: '6 one test',
  text: `no other test on ${hosts.join(', ')} or their uplinks`,
  reads: hosts.map((host) => ({ probe: 'iperf.results', host })),
  absolute: true,
  check: (live) => {
    const other = testOn(hosts, live);
    return other === undefined ? ok('none') : no(other);
  },
});

/** Both ends have the tool, and a port is free. */
export const bothTools = ({ client, server, mode, tool }: Order): Guard => ({
  id: '3 tools',
  text: `${tool} on ${client} and ${server}, a port of the range free`,
  reads: [client, server].map((host) => ({ probe: 'iperf.tools', host })),
  absolute: true,
  check: (live) => {
    const chosen = chooseTool(client, server, mode, live);
    if ('problem' in chosen) return no(chosen.problem);
    return freePorts(server, live).length === 0
      ? no(`no port of the range is free on ${server}`)
      : ok(chosen.tool);
  },
});

/** Guard 12: one test per host and uplink, across consoles. */
export const locksOf = (hosts: readonly string[], { facts }: Judgement): string[] =>
  [
    ...new Set(
      hosts.flatMap((host) => {
        const port = facts.of('host.uplink', { kind: 'host', id: host })?.value.port;
        return [`iperf host ${host}`, ...(port === undefined ? [] : [`iperf uplink ${port}`])];
      }),
    ),
  ].sort();
