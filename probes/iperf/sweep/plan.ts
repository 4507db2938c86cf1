import type { Judgement } from '../../../src/model/system.ts';
import { uplinkOf } from '../judge/in-use.ts';
import { chooseTool, freePorts, type Order } from '../judge/order.ts';
import { addressOf } from '../settings.ts';

/** A test of a round: who sends to whom. */
export interface Meeting {
  from: string;
  to: string;
}

/** A test of a sweep as its hosts are told of it. */
export interface SweepOrder extends Meeting, Pick<Order, 'address' | 'tool' | 'ports'> {}

export interface SweepPlan {
  /** The same on all hosts: their state files and results belong together by it. */
  id: string;
  hosts: readonly string[];
  /** Seconds of each test. */
  seconds: number;
  /** Seconds from the beginning of a round to that of the next. */
  slot: number;
  rounds: readonly (readonly SweepOrder[])[];
}

export const mostHosts = 64;

/** Room for pings before the test, the clients' patience, for servers to end, and for the word to reach all hosts one after the other. */
const slotOf = (seconds: number, hosts: number): number => seconds + 9 + Math.ceil(hosts / 16);

/** Who sends to whom and when; the problem when a pair can't be tested. Ports are those free by the last reading. */
export const sweepPlan = (
  id: string,
  hosts: readonly string[],
  seconds: number,
  { readings, site, facts }: Pick<Judgement, 'readings' | 'site' | 'facts'>,
): SweepPlan | { problem: string } => {
  const rounds: SweepOrder[][] = [];
  for (const round of roundsOf(hosts, (host) => uplinkOf(host, facts))) {
    const made: SweepOrder[] = [];
    for (const { from, to } of round) {
      const chosen = chooseTool(from, to, 'forward', readings);
      if ('problem' in chosen) return chosen;
      const ports = freePorts(to, { readings, site });
      if (ports.length === 0) return { problem: `no port of the range is free on ${to}` };
      made.push({ from, to, address: addressOf(site, to), tool: chosen.tool, ports });
    }
    rounds.push(made);
  }
  return { id, hosts, seconds, slot: slotOf(seconds, hosts.length), rounds };
};

/**
 * Tests in rounds in which no host, and no uplink, is in two: along the ring of the hosts as given, then along the ring of every
 * third, so that each host sends twice and receives twice, with other partners. Pure.
 */
export const roundsOf = (
  hosts: readonly string[],
  uplinkOf: (host: string) => string | undefined = () => undefined,
): Meeting[][] => {
  const wanted = [...ring(hosts, 1), ...(hosts.length >= 5 ? ring(hosts, 3) : [])];
  const rounds: { meetings: Meeting[]; taken: Set<string> }[] = [];
  for (const one of wanted) {
    const takes = [one.from, one.to].flatMap((host) => {
      const uplink = uplinkOf(host);
      return [`host ${host}`, ...(uplink === undefined ? [] : [`uplink ${uplink}`])];
    });
    const round = rounds.find(({ taken }) => !takes.some((key) => taken.has(key)));
    if (round) {
      round.meetings.push(one);
      for (const key of takes) round.taken.add(key);
    } else rounds.push({ meetings: [one], taken: new Set(takes) });
  }
  return rounds.map(({ meetings }) => meetings);
};

/** Each host sends to the one so many places on. */
const ring = (hosts: readonly string[], step: number): Meeting[] =>
  hosts.flatMap((from, at) => {
    const to = hosts[(at + step) % hosts.length];
    return to === undefined || to === from ? [] : [{ from, to }];
  });
