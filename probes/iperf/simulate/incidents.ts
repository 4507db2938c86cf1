import type { Incident } from '../../../src/model/simulator.ts';
import { badKernel, begin, crowdInterrupts, type SimNet } from './state.ts';

export const incidents: readonly Incident[] = [
  { name: 'quiet', text: 'nothing is wrong' },
  { name: 'bimodal', text: 'a 10 G link gives 9.47 or 2.33 Gbit/s, one way only: interrupts on one core' },
  { name: 'kernel-cap', text: 'three hosts stop at 18 % of line rate: they run the same kernel' },
];

const minute = 60_000;

/** `wn-d-04`. */
export const simHostName = (index: number): string => `wn-d-${String(index).padStart(2, '0')}`;

/** The pairs that somebody tested this evening, both ways. */
const tested = [
  [1, 2],
  [1, 3],
  [2, 3],
  [3, 4],
  [2, 5],
  [5, 6],
] as const;

const test = (net: SimNet, from: number, to: number, seconds: number, at: number): void => {
  const [client, server] = [simHostName(from), simHostName(to)];
  begin(
    net,
    {
      client,
      server,
      address: server,
      tool: 'iperf3',
      seconds,
      streams: 1,
      mode: 'forward',
      window: '',
      sweep: '',
      port: 5301,
    },
    at,
  );
};

/** What the hosts keep of earlier tests. */
export const addEarlierTests = (net: SimNet, now: number): void => {
  for (const [at, [a, b]] of tested.entries()) {
    test(net, a, b, 10, now - (130 - at) * minute);
    test(net, b, a, 10, now - (120 - at) * minute);
  }
};

/** Puts an incident in place, with the test that somebody ran into it. */
export const putFault = (net: SimNet, incident: string, now: number): void => {
  if (incident === 'bimodal') {
    const host = net.hosts.get(simHostName(4));
    if (!host) return;
    crowdInterrupts(host);
    host.adaptiveRx = true;
    host.rxUsecs = 1;
    test(net, 3, 4, 22, now - 12 * minute);
    test(net, 4, 3, 22, now - 11 * minute);
  }
  if (incident === 'kernel-cap') {
    for (const index of [13, 14, 15]) {
      const host = net.hosts.get(simHostName(index));
      if (host) host.kernel = badKernel;
    }
    for (const [turn, index] of [13, 14, 15].entries()) {
      test(net, index, 1, 10, now - (26 - turn * 2) * minute);
      test(net, 1, index, 10, now - (25 - turn * 2) * minute);
    }
  }
};
