import type { Facts } from '../../../src/model/fact.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { runsReading } from './pairs.ts';
import { tasksFolder } from '../read/parse-runs.ts';

/** The switch port over which a host is reached, where that is known. */
export const uplinkOf = (host: string, facts: Facts): string | undefined =>
  facts.find('host.uplink', { kind: 'host', id: host })?.value.port;

/** A test that runs now on one of these hosts, or over the same uplink; undefined when there is none. `own`: a sweep that is ours. */
export const findTestOn = (
  hosts: readonly string[],
  live: Pick<Judgement, 'readings' | 'site' | 'facts'>,
  own?: string,
): string | undefined => {
  const uplink = (host: string): string | undefined => uplinkOf(host, live.facts);
  const ours = new Set(hosts.flatMap((host) => uplink(host) ?? []));
  for (const { name } of live.site.hostsWithRole('iperf')) {
    const read = runsReading(live.readings, name);
    const reading = read?.value;
    const isNear = hosts.includes(name) || ours.has(uplink(name) ?? '');
    if (read && isNear && read.notUnderstood > 0)
      return `whether ${name} is in a test is not known: ${read.notUnderstood} of the files iperf-* in ${tasksFolder} there can't be read; look at them`;
    for (const run of reading?.runs ?? []) {
      if (run.status !== 'running' || (own !== undefined && run.sweep === own)) continue;
      const shared = [run.client, run.server].find((host) => hosts.includes(host));
      if (shared !== undefined) return `${shared} is in a test already: ${run.client} → ${run.server}`;
      const link = [run.client, run.server].map(uplink).find((port) => port !== undefined && ours.has(port));
      if (link !== undefined) return `${run.client} → ${run.server} is tested over the same uplink ${link}`;
    }
    const sweep = reading?.sweep;
    if (sweep && isNear && sweep.id !== own && (sweep.state === 'running' || sweep.state === 'armed'))
      return `${name} is in ${sweep.id}, round ${sweep.round} of ${sweep.rounds}`;
    const server = hosts.includes(name) ? reading?.servers[0] : undefined;
    if (server && own === undefined)
      return `${name} is in a test already: its server for ${server.pair} listens on port ${server.port}`;
  }
  return undefined;
};

/** Hosts of which it is not known over which uplink they are reached: a test beside them can't be ruled out. */
export const hostsWithoutUplink = (hosts: readonly string[], { facts }: Pick<Judgement, 'facts'>): string[] =>
  hosts.filter((host) => uplinkOf(host, facts) === undefined);

/** Hosts whose tests stand in the way of tests on these: themselves, and who shares an uplink with one of them. */
export const neighbours = (
  hosts: readonly string[],
  { site, facts }: Pick<Judgement, 'site' | 'facts'>,
): string[] => {
  const ours = new Set(hosts.flatMap((host) => uplinkOf(host, facts) ?? []));
  const others = site.hostsWithRole('iperf').filter(({ name }) => ours.has(uplinkOf(name, facts) ?? ''));
  return [...new Set([...hosts, ...others.map(({ name }) => name)])];
};
