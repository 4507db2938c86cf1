import { eosSession } from '../../probes/switch/platforms/arista-eos/simulate.ts';
import { EosSessions } from '../../probes/switch/platforms/arista-eos/simulate-sessions.ts';
import { portKey, type SimNetwork, type SimPort } from '../../probes/switch/simulate/network.ts';
import type { Simulator } from '../../src/model/simulator.ts';

/** Switches in a ring: the first half of each one's ports lead to the second half of the next one's. Two of each receive damaged frames. */
export const createFabric = (switches: number, ports: number): Simulator => {
  const now = Date.now();
  const names = Array.from({ length: switches }, (_, at) => `leaf${at + 1}`);
  const half = ports / 2;
  const made = names.map((host) => Array.from({ length: ports }, (_, at) => newPort(host, at + 1, now)));
  const networks = new Map(
    names.map((name, at): [string, SimNetwork] => {
      const own = made[at] ?? [];
      const next = made[(at + 1) % switches] ?? [];
      const before = made[(at + switches - 1) % switches] ?? [];
      const cables = own.flatMap((a, index) => {
        const b = index < half ? next[index + half] : before[index - half];
        return b ? [{ a, b, badToA: 0, badToB: 0 }] : [];
      });
      const known = new Map(own.map((port) => [portKey(name, port.name), port]));
      return [name, { ports: known, cables, startedAt: now }];
    }),
  );
  return {
    system: 'switch',
    hosts: names.map((name) => ({ name, roles: ['switch'], platform: 'arista_eos' })),
    settings: {},
    incidents: [],
    start: () => {},
    call: () => undefined,
    login: (host, clock) => {
      const network = networks.get(host);
      return network && eosSession(host, network, clock, new EosSessions(() => {}));
    },
  };
};

const newPort = (host: string, number: number, now: number): SimPort => {
  const packets = 9000 + number * 31;
  const rates = {
    rxPackets: packets,
    rxBytes: packets * 9000,
    rxCrc: number <= 2 ? packets / 1e5 : 0,
    txPackets: packets,
    txBytes: packets * 9000,
  };
  return {
    host,
    name: `Ethernet${number}`,
    speedMbps: 100_000,
    adminUp: true,
    values: { ...rates },
    rates,
    settledAt: now,
    tx: -2.5,
    rx: -2.9,
  };
};
