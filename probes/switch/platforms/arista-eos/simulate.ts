import type { SimulatedSession } from '../../../../src/model/simulator.ts';
import type { SimulatedMake } from '../simulate.ts';
import { EosSessions } from './simulate-sessions.ts';
import { chassisOf, lagConfiguration, mlag, mlagInterfaces, shortName, summary } from './simulate-lags.ts';
import {
  countersAt,
  isUp,
  peerOf,
  portKey,
  putIn,
  reroute,
  type SimNetwork,
  type SimPort,
} from '../../simulate/network.ts';

type Said = { stdout: string; mutated?: boolean };

const ok: Said = { stdout: '' };
const invalid: Said = { stdout: '% Invalid input\n' };

/** A login on an EOS switch; its configuration sessions belong to the switch. */
// oxlint-disable-next-line max-lines-per-function -- one table of what can be typed at one state
export const eosSession = (
  host: string,
  network: SimNetwork,
  now: () => number,
  sessions: EosSessions,
): SimulatedSession => {
  let privileged = false;
  let mode: 'exec' | 'conf' | { session: string } = 'exec';
  let port: SimPort | undefined;
  const listOwnPorts = (): SimPort[] => [...network.ports.values()].filter((one) => one.host === host);
  const turn = (up: boolean): Said => {
    if (!port) return invalid;
    if (typeof mode === 'object') {
      sessions.stage(mode.session, port, up);
      return ok;
    }
    port.adminUp = up;
    reroute(network, now());
    return { stdout: '', mutated: true };
  };
  const leave = (said: Said = ok): Said => {
    mode = 'exec';
    port = undefined;
    return said;
  };
  const show = (words: string): Said | undefined => {
    if (words === 'show version')
      return { stdout: 'Arista DCS-7280SR-48C6-F\nSoftware image version: 4.28.3M\n' };
    if (words === 'show interfaces | json') return { stdout: interfaces(listOwnPorts(), network, now()) };
    if (words === 'show lldp neighbors detail | json') return { stdout: neighbors(listOwnPorts(), network) };
    if (words === 'show port-channel summary') return { stdout: summary(listOwnPorts(), network) };
    if (words === 'show interfaces transceiver detail') return { stdout: transceivers(listOwnPorts()) };
    if (words === 'show running-config section Port-Channel')
      return { stdout: lagConfiguration(listOwnPorts()) };
    if (words === 'show mlag | json') return { stdout: json(mlag(host, network)) };
    if (words === 'show mlag interfaces | json') return { stdout: json(mlagInterfaces(host, network)) };
    if (words === 'show configuration sessions detail | json') return { stdout: sessions.json() };
    const shown = network.ports.get(portKey(host, /^show interfaces (Ethernet\S+)$/.exec(words)?.[1] ?? ''));
    if (!shown) return undefined;
    const state = isUp(network, shown)
      ? 'up, line protocol is up (connected)'
      : 'down, line protocol is down';
    return { stdout: `${shown.name} is ${state}\n  Hardware is Ethernet, address is 001c.7300.0049\n` };
  };
  const session = (words: string): Said | undefined => {
    const named = /^configure session ([A-Za-z0-9-]+)( commit| abort)?$/.exec(words);
    const name = named?.[1];
    if (name === undefined) return undefined;
    if (named?.[2] === ' commit') return sessions.commit(name, now());
    if (named?.[2] === ' abort') return sessions.abort(name, now());
    const no = sessions.open(name);
    if (no !== undefined) return { stdout: no };
    mode = { session: name };
    return ok;
  };
  const exec = (words: string): Said | undefined => {
    if (words === 'exit' || words === 'logout') return undefined;
    if (words === 'terminal length 0') return { stdout: 'Pagination disabled.\n' };
    if (words === 'enable') {
      privileged = true;
      return ok;
    }
    const shown = show(words);
    if (shown) return shown;
    if (!privileged) return invalid;
    if (words !== 'configure' && words !== 'configure terminal') return session(words) ?? invalid;
    mode = 'conf';
    return ok;
  };
  return {
    prompt: () =>
      mode === 'exec'
        ? `${host}${privileged ? '#' : '>'}`
        : `${host}(config${mode === 'conf' ? '' : `-s-${mode.session.slice(0, 6)}`}${port ? `-if-Et${port.name.replace('Ethernet', '')}` : ''})#`,
    type: (line) => {
      const words = line.trim().replace(/\s+/g, ' ');
      if (mode === 'exec') return exec(words);
      const named = network.ports.get(portKey(host, /^interface (\S+)$/.exec(words)?.[1] ?? ''));
      if (named) {
        port = named;
        return ok;
      }
      if (words === 'shutdown') return turn(false);
      if (words === 'no shutdown') return turn(true);
      if (words === 'end' || (words === 'exit' && !port)) return leave();
      if (words === 'exit') {
        port = undefined;
        return ok;
      }
      if (mode === 'conf') return invalid;
      if (words === 'abort') return leave(sessions.abort(mode.session, now()));
      const timed = /^commit(?: timer (\d\d):([0-5]\d):([0-5]\d))?$/.exec(words);
      if (!timed) return invalid;
      const [, hours, minutes, seconds] = timed;
      const after =
        hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
      return leave(sessions.commit(mode.session, now(), after));
    },
  };
};

const json = (value: object): string => `${JSON.stringify(value, undefined, 4)}\n`;

const interfaces = (ports: readonly SimPort[], network: SimNetwork, now: number): string => {
  const entries = ports.map((port) => {
    const up = isUp(network, port);
    const counters = countersAt(port, now);
    const value = {
      name: port.name,
      lineProtocolStatus: up ? 'up' : 'down',
      interfaceStatus: up ? 'connected' : port.adminUp ? 'notconnect' : 'disabled',
      bandwidth: port.speedMbps * 1e6,
      mtu: 9214,
      ...(port.lag !== undefined && { interfaceMembership: `Member of Port-Channel${port.lag}` }),
      interfaceCounters: {
        inTotalPkts: Number(counters.rxPackets),
        outTotalPkts: Number(counters.txPackets),
        inUcastPkts: Number(counters.rxPackets),
        outUcastPkts: Number(counters.txPackets),
        inOctets: Number(counters.rxBytes),
        outOctets: Number(counters.txBytes),
        totalInErrors: Number(counters.rxCrc),
        totalOutErrors: 0,
        inDiscards: 0,
        outDiscards: 0,
        inputErrorsDetail: {
          runtFrames: 0,
          rxPause: 0,
          fcsErrors: Number(counters.rxCrc),
          alignmentErrors: 0,
          giantFrames: 0,
          symbolErrors: 0,
        },
        outputErrorsDetail: { deferredTransmissions: 0, txPause: 0, collisions: 0, lateCollisions: 0 },
      },
    };
    return [port.name, value] as const;
  });
  return json({ interfaces: Object.fromEntries(entries) });
};

const neighbors = (ports: readonly SimPort[], network: SimNetwork): string => {
  const entries = ports.flatMap((port) => {
    const peer = isUp(network, port) ? peerOf(network, port) : undefined;
    if (!peer) return [];
    const info = {
      chassisId: chassisOf(peer.host),
      systemName: peer.host,
      neighborInterfaceInfo: {
        interfaceIdType: 'interfaceName',
        interfaceId: `"${peer.name}"`,
        interfaceDescription: peer.name,
      },
    };
    return [[port.name, { lldpNeighborInfo: [info] }] as const];
  });
  return json({ lldpNeighbors: Object.fromEntries(entries) });
};

const transceivers = (ports: readonly SimPort[]): string => {
  const rows = ports
    .filter((port) => port.lag !== undefined)
    .map((port) => ({ port: shortName(port), tx: port.tx, rx: port.rx }));
  const table = (title: string, pick: (row: (typeof rows)[number]) => number): string[] => [
    '',
    '                        High Alarm  High Warn   Low Alarm   Low Warn',
    `            ${title.padEnd(12)}Threshold   Threshold   Threshold   Threshold`,
    'Port        (dBm)       (dBm)       (dBm)       (dBm)       (dBm)',
    '-------     ----------- ----------- ----------- ----------- -----------',
    ...rows.map(
      (row) =>
        `${row.port.padEnd(12)}${pick(row).toFixed(2).padEnd(12)}2.00        1.00        -10.00      -8.00`,
    ),
  ];
  return [
    'mA: milliamperes, dBm: decibels (milliwatts), N/A: not applicable.',
    ...table('Tx Power', (row) => row.tx),
    ...table('Rx Power', (row) => row.rx),
    '',
  ].join('\n');
};

/** EOS switches, each with its configuration sessions. */
export const simulateEos = (network: (now: number) => SimNetwork): SimulatedMake => {
  const sessions = new Map<string, EosSessions>();
  const put = putIn(network);
  return {
    login: (host, built, now) => {
      const own = sessions.get(host) ?? new EosSessions(put);
      sessions.set(host, own);
      return eosSession(host, built, now, own);
    },
    runDue: (now) => {
      for (const one of sessions.values()) one.runDue(now);
    },
  };
};
