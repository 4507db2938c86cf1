import type { SimulatedAnswer, SimulatedCall, Simulator } from '../../../src/model/simulator.ts';
import { hostCommand, setAffinity } from './host-commands.ts';
import { addEarlierTests, incidents, putFault, simHostName } from './incidents.ts';
import { createNet, type SimHost, type SimNet } from './state.ts';
import { testCommand } from './test-commands.ts';

/** The simulator with what tests turn. */
export interface IperfSimulator extends Simulator {
  /** The irqbalance daemon of a host starts or ends. */
  irqbalance(host: string, runs: boolean, now: number): void;
}

/** Sixteen hosts `wn-d-01` to `wn-d-16`, each with a 10 Gbit/s NIC, that print what iperf 3.12 and ethtool print. */
export const createIperfSimulator = (): IperfSimulator => {
  const names = Array.from({ length: 16 }, (_, at) => simHostName(at + 1));
  let net: SimNet | undefined;
  const netAt = (now: number): SimNet => {
    if (net) return net;
    net = createNet(names);
    addEarlierTests(net, now);
    return net;
  };
  const answer = (
    known: SimNet,
    host: SimHost,
    { argv, now }: SimulatedCall,
  ): SimulatedAnswer | undefined => {
    const pairs = argv.slice(3);
    if (
      argv[0] === 'sh' &&
      argv[1] === '-s' &&
      pairs.length > 0 &&
      pairs.every((word) => /^\d+:[\d,-]+$/.test(word))
    )
      return setAffinity(host, pairs);
    return testCommand(known, host, argv, now) ?? hostCommand(host, argv);
  };
  return {
    system: 'iperf',
    programs: ['iperf3', 'ip', 'ethtool'],
    hosts: names.map((name) => ({ name, roles: ['iperf'], location: { rack: 'd' } })),
    runbooks: [{ finding: 'iperf:*', contact: 'operating systems team (kernel, NIC drivers)' }],
    settings: {},
    incidents,
    start: (incident, now) => putFault(netAt(now), incident, now),
    call: (call) => {
      const known = netAt(call.now);
      const host = known.hosts.get(call.host);
      return host && answer(known, host, call);
    },
    irqbalance: (name, runs, now) => {
      const host = netAt(now).hosts.get(name);
      if (host) host.irqbalance = runs;
    },
  };
};
