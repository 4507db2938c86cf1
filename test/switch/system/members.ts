import { shutAction } from '../../../probes/switch/act/shut.ts';
import { switchProbes } from '../../../probes/switch/ask/probes.ts';
import type { Port } from '../../../probes/switch/readings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

/** A switch whose LAG is printed as its platform does. */
export interface Device {
  platform: string;
  /** Canonical names of four members. */
  ports: readonly string[];
  /** What it prints of a LAG whose members read these words. */
  prints: (states: readonly string[]) => string;
}

const each = (
  names: readonly string[],
  states: readonly string[],
  one: (name: string, state: string) => string,
) => names.map((name, at) => one(name, states[at] ?? ''));

const ofPorts = (
  platform: string,
  names: readonly string[],
  ports: readonly string[],
  prints: (cells: string) => string,
): Device => ({
  platform,
  ports,
  prints: (states) => prints(each(names, states, (name, state) => `${name}(${state})`).join(' ')),
});

/** The platforms that can be told to shut a port and print a word for each member. */
export const devices: readonly Device[] = [
  ofPorts(
    'arista_eos',
    ['Et1', 'Et2', 'Et3', 'Et4'],
    ['eth1', 'eth2', 'eth3', 'eth4'],
    (cells) =>
      `   Port-Channel       Protocol     Ports\n------------------ --------------- --------------------------------\n   Po10(U)            LACP(a)      ${cells}\n`,
  ),
  ofPorts(
    'cisco_nxos',
    ['Eth1/1', 'Eth1/2', 'Eth1/3', 'Eth1/4'],
    ['eth1/1', 'eth1/2', 'eth1/3', 'eth1/4'],
    (cells) =>
      `Group Port-       Type     Protocol  Member Ports\n      Channel\n-----------------------------------------\n10    Po10(SU)    Eth      LACP      ${cells}\n`,
  ),
  ofPorts(
    'dell_os10',
    ['1/1/1', '1/1/2', '1/1/3', '1/1/4'],
    ['eth1/1/1', 'eth1/1/2', 'eth1/1/3', 'eth1/1/4'],
    (cells) =>
      `Group Port-Channel           Type     Protocol  Member Ports\n-----------------------------------------\n10    port-channel10  (U)    Eth      DYNAMIC   ${cells}\n`,
  ),
  ofPorts(
    'sonic',
    ['Ethernet0', 'Ethernet4', 'Ethernet8', 'Ethernet12'],
    ['eth0', 'eth4', 'eth8', 'eth12'],
    (cells) =>
      `  No.  Team Dev       Protocol     Ports\n-----  -------------  -----------  ---------------------------\n   10  PortChannel10  LACP(A)(Up)  ${cells}\n`,
  ),
  ofPorts(
    'mellanox_onyx',
    ['Eth1/1', 'Eth1/2', 'Eth1/3', 'Eth1/4'],
    ['eth1/1', 'eth1/2', 'eth1/3', 'eth1/4'],
    (cells) => JSON.stringify({ '1 Po10(U)': [{ Type: 'LACP', 'Member Ports': cells }] }),
  ),
  {
    platform: 'dell_ftos',
    ports: ['te0/45', 'te0/46', 'te0/47', 'te0/48'],
    prints: (states) =>
      `    LAG  Mode  Status       Uptime      Ports\nL   10   L2    up           40w1d9h     ${each(['Te 0/45', 'Te 0/46', 'Te 0/47', 'Te 0/48'], states, (name, state) => `${name}   (${state})`).join(`\n${' '.repeat(40)}`)}\n`,
  },
  {
    platform: 'juniper_junos',
    ports: ['xe-0/0/0', 'xe-0/0/1', 'xe-0/0/2', 'xe-0/0/3'],
    prints: (states) =>
      `<rpc-reply><lacp-interface-information-list><lacp-interface-information><lag-lacp-header><aggregate-name>ae10</aggregate-name></lag-lacp-header>${each(
        ['xe-0/0/0', 'xe-0/0/1', 'xe-0/0/2', 'xe-0/0/3'],
        states,
        (name, state) =>
          `<lag-lacp-protocol><name>${name}</name><lacp-mux-state>${state}</lacp-mux-state></lag-lacp-protocol>`,
      ).join('')}</lacp-interface-information></lacp-interface-information-list></rpc-reply>`,
  },
];

const probe = (id: string) => {
  const found = switchProbes.find((one) => one.id === id);
  if (!found) throw new Error(`no probe ${id}`);
  return found;
};

/** The guards of a shutdown of the first member, as the program makes them, on a device whose members read these words. */
export const guards = (
  { platform, ports, prints }: Device,
  states: readonly string[],
  min = 1,
): Record<string, string> => {
  const site = siteOf([
    { name: 'sw1', roles: ['switch'], platform, undoHost: 'admin1' },
    { name: 'admin1', roles: ['switch-helper'] },
  ]);
  const host = site.host('sw1');
  if (!host) throw new Error('no host');
  const readings = new Sources();
  const listed = ports.map((port): Port => ({
    port,
    name: port,
    link: 'up',
    state: 'up',
    load: 0.1,
    counts: {},
  }));
  for (const id of ['switch.counters', 'switch.screens'])
    readings.good(id, 'sw1', { ports: listed }, start, 20, 2);
  try {
    const { value } = probe('switch.lags').read(answerOf(prints(states)), host, {
      site,
      now: start,
      readings,
    });
    readings.good('switch.lags', 'sw1', value);
  } catch (error) {
    readings.fail('switch.lags', 'sw1', { kind: 'parse', message: String(error) });
  }
  const lag = platform === 'juniper_junos' ? 'ae10' : 'po10';
  readings.good('switch.minlinks', 'sw1', { lags: [{ lag, min }] });
  // A second chassis that carries nothing: what is counted there is what is counted here.
  readings.good('switch.chassis', 'sw1', {
    spans: 'listed',
    lags: [{ lag, peer: { members: 0, active: 0 } }],
  });
  const live = judgementOf({ readings, site });
  const plan = shutAction.plan(
    [{ kind: 'port', id: `sw1:${ports[0]}` }],
    {},
    { judgement: live, operator: 'alice' },
  );
  if ('refused' in plan) throw new Error(plan.reason);
  return Object.fromEntries(
    (plan.targets[0]?.guards ?? []).map((guard) => {
      const { ok, text } = guard.check(live);
      return [guard.id, `${ok ? 'ok' : 'no'}: ${text}`];
    }),
  );
};
