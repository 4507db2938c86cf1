import type { Facts } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Order } from './order.ts';
import { addressOf } from './settings.ts';
import { roundsOf, type Meeting } from './sweep-rounds.ts';
import { chooseTool, freePorts } from './tools.ts';

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

/** Room for the clients' patience, for servers to end, and for the word to reach all hosts one after the other. */
const slotOf = (seconds: number, hosts: number): number => seconds + 7 + Math.ceil(hosts / 16);

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

const uplinkOf = (host: string, facts: Facts): string | undefined =>
  facts.of('host.uplink', { kind: 'host', id: host })?.value.port;
