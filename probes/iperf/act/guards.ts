import type { Guard } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, rereads } from '../../../src/kit/guards.ts';
import { isFresh, jobsProblem } from '../../../src/kit/jobs.ts';
import { neighbours, findTestOn, hostsWithoutUplink, uplinkOf } from '../judge/in-use.ts';
import { runsReading } from '../judge/pairs.ts';
import { chooseTool, freePorts, type Order } from '../judge/order.ts';

/** Tests of a console that logs in as somebody else are not read: what that login's files tell anybody could make up. */
const othersProblem = (hosts: readonly string[], { readings }: Judgement): string | undefined => {
  const [told] = hosts.flatMap((host) =>
    (runsReading(readings, host)?.value.others ?? []).map((other) => `${host}: ${other}`),
  );
  return told && `whether another login tests there is not known: ${told}`;
};

/**
 * Nodes with jobs are not tested unless somebody says why. Who tells of jobs is asked again before a byte is sent; where that is
 * asked at several places, those that answer now.
 */
export const idleNodes = (hosts: readonly string[], { readings, facts }: Judgement): Guard => {
  const asked = facts.askedBy?.('node.busy') ?? [];
  const fresh = asked.filter((one) => isFresh(readings, one));
  return {
    id: '4 ownership',
    text: `no job, and no test of another login, runs on ${hosts.length > 4 ? `any of the ${hosts.length} hosts` : hosts.join(' or ')}`,
    reads: [...rereads('iperf.results', ...hosts), ...fresh],
    absolute: false,
    check: (live) => {
      const problem = jobsProblem(hosts, live) ?? othersProblem(hosts, live);
      if (problem !== undefined) return failGuard(problem);
      return passGuard(asked.length === 0 ? 'no system of this site knows of jobs' : 'no jobs');
    },
  };
};

/** One test per host and per uplink at a time. */
export const oneTest = (hosts: readonly string[], judgement: Judgement): Guard => ({
  id: '6 one test',
  text: `no other test on ${hosts.join(', ')} or their uplinks`,
  reads: rereads('iperf.results', ...neighbours(hosts, judgement)),
  absolute: true,
  check: (live) => {
    const other = findTestOn(hosts, live);
    if (other !== undefined) return failGuard(other);
    const unknown = hostsWithoutUplink(hosts, live);
    return passGuard(
      unknown.length === 0
        ? 'none'
        : `none on these hosts; over which uplink ${unknown.length === 1 ? unknown[0] : `${unknown.length} of them`} is reached is not known`,
    );
  },
});

/** Both ends have the tool, and a port is free. */
export const requireBothTools = ({ client, server, mode, tool }: Order): Guard => ({
  id: '3 tools',
  text: `${tool} on ${client} and ${server}, a port of the range free`,
  reads: rereads('iperf.tools', client, server),
  absolute: true,
  check: (live) => {
    const chosen = chooseTool(client, server, mode, live.readings);
    if ('problem' in chosen) return failGuard(chosen.problem);
    return freePorts(server, live).length === 0
      ? failGuard(`no port of the range is free on ${server}`)
      : passGuard(chosen.tool);
  },
});

/** Guard 12: one test per host and uplink, across consoles. */
export const locksOf = (hosts: readonly string[], { facts }: Judgement): string[] =>
  [
    ...new Set(
      hosts.flatMap((host) => {
        const port = uplinkOf(host, facts);
        return [`iperf host ${host}`, ...(port === undefined ? [] : [`iperf uplink ${port}`])];
      }),
    ),
  ].sort();
