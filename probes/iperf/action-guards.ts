import type { Guard, GuardResult, Refusal, Reread } from '../../src/model/action.ts';
import type { Facts } from '../../src/model/fact.ts';
import type { Readings } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Order } from './order.ts';
import { runsReading } from './pairs.ts';
import { chooseTool, freePorts } from './tools.ts';

export const ok = (text: string): GuardResult => ({ ok: true, text });
export const no = (text: string): GuardResult => ({ ok: false, text });
export const refusal = (guard: string, reason: string): Refusal => ({ refused: true, guard, reason });

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
    const sweep = reading?.sweep;
    if (sweep && hosts.includes(name) && (sweep.state === 'running' || sweep.state === 'armed'))
      return `${name} is in ${sweep.id}, round ${sweep.round} of ${sweep.rounds}`;
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
    const chosen = chooseTool(client, server, mode, live.readings);
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
