import type { SimulatedSession } from '../../../src/model/simulator.ts';
import { countersAt, isUp, peerOf, portKey, reroute, type SimNetwork, type SimPort } from './network.ts';

/** A login on an EOS switch; a configuration session that is committed with a timer goes back by itself. */
export const eosSession = (
  host: string,
  network: SimNetwork,
  now: () => number,
  timers: { at: number; run(): void }[],
): SimulatedSession => {
  let privileged = false;
  let mode: 'exec' | 'conf' | 'session' = 'exec';
  let port: SimPort | undefined;
  const staged = new Map<SimPort, boolean>();
  const own = (): SimPort[] => [...network.ports.values()].filter((one) => one.host === host);
  const sign = (): string => (privileged ? '#' : '>');
  const ok = { stdout: '' };
  const invalid = { stdout: '% Invalid input\n' };
  const put = (one: SimPort, up: boolean): void => {
    one.adminUp = up;
    reroute(network, now());
  };
  const turn = (up: boolean): { stdout: string; mutated?: boolean } => {
    if (!port) return invalid;
    if (mode === 'session') {
      staged.set(port, up);
      return ok;
    }
    put(port, up);
    return { stdout: '', mutated: true };
  };
  const exec = (words: string): { stdout: string; mutated?: boolean } | undefined => {
    if (words === 'exit' || words === 'logout') return undefined;
    if (words === 'terminal length 0') return { stdout: 'Pagination disabled.\n' };
    if (words === 'enable') {
      privileged = true;
      return ok;
    }
    if (words === 'show interfaces | json') return { stdout: interfaces(own(), network, now()) };
    if (words === 'show lldp neighbors detail | json') return { stdout: neighbors(own(), network) };
    if (words === 'show port-channel summary') return { stdout: summary(own(), network) };
    if (words === 'show interfaces transceiver detail') return { stdout: transceivers(own()) };
    const shown = network.ports.get(portKey(host, /^show interfaces (Ethernet\S+)$/.exec(words)?.[1] ?? ''));
    if (shown) {
      const state = isUp(network, shown)
        ? 'up, line protocol is up (connected)'
        : 'down, line protocol is down';
      return { stdout: `${shown.name} is ${state}\n  Hardware is Ethernet, address is 001c.7300.0049\n` };
    }
    if (!privileged || !words.startsWith('configure')) return invalid;
    if (words === 'configure session faultline commit') {
      timers.length = 0;
      return ok;
    }
    mode = /^configure session \S+$/.test(words) ? 'session' : 'conf';
    return words === 'configure' || words === 'configure terminal' || mode === 'session' ? ok : invalid;
  };
  return {
    prompt: () =>
      mode === 'exec'
        ? `${host}${sign()}`
        : `${host}(config${mode === 'session' ? '-s-faultl' : ''}${port ? `-if-Et${port.name.replace('Ethernet', '')}` : ''})#`,
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
      const timer = /^commit timer (\d\d):(\d\d):(\d\d)$/.exec(words);
      if (mode === 'session' && timer) {
        const [, hours, minutes, seconds] = timer;
        const before = [...staged.keys()].map((one) => [one, one.adminUp] as const);
        for (const [one, up] of staged) put(one, up);
        timers.push({
          at: now() + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000,
          run: () => {
            for (const [one, up] of before) put(one, up);
          },
        });
        mode = 'exec';
        port = undefined;
        return { stdout: '', mutated: true };
      }
      if (words !== 'end' && words !== 'exit' && words !== 'abort') return invalid;
      mode = 'exec';
      port = undefined;
      return ok;
    },
  };
};

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
  return `${JSON.stringify({ interfaces: Object.fromEntries(entries) }, undefined, 4)}\n`;
};

const neighbors = (ports: readonly SimPort[], network: SimNetwork): string => {
  const entries = ports.flatMap((port) => {
    const peer = isUp(network, port) ? peerOf(network, port) : undefined;
    if (!peer) return [];
    const info = {
      chassisId: '0001.e88b.1577',
      systemName: peer.host,
      neighborInterfaceInfo: {
        interfaceIdType: 'interfaceName',
        interfaceId: `"${peer.name}"`,
        interfaceDescription: peer.name,
      },
    };
    return [[port.name, { lldpNeighborInfo: [info] }] as const];
  });
  return `${JSON.stringify({ lldpNeighbors: Object.fromEntries(entries) }, undefined, 4)}\n`;
};

const summary = (ports: readonly SimPort[], network: SimNetwork): string => {
  const members = ports.filter((port) => port.lag !== undefined);
  const state = (port: SimPort): string =>
    `${port.name.replace('Ethernet', 'Et')}(${isUp(network, port) ? 'PG+' : 'D'})`;
  const up = members.some((port) => isUp(network, port)) ? 'U' : 'D';
  return [
    '                 Flags',
    '-------------------------- ----------------------------- -------------------------',
    '   a - LACP Active            p - LACP Passive           * - static fallback',
    '   F - Fallback enabled       f - Fallback configured    ^ - individual fallback',
    '   U - In Use                 D - Down',
    '   + - In-Sync                - - Out-of-Sync            i - incompatible with agg',
    '   P - bundled in Po          s - suspended              G - Aggregable',
    '   I - Individual             S - ShortTimeout           w - wait for agg',
    '',
    'Number of channels in use: 1',
    'Number of aggregators: 1',
    '',
    '   Port-Channel       Protocol     Ports',
    '------------------ --------------- --------------------------------',
    `   ${`Po1(${up})`.padEnd(18)} LACP(a)         ${members.map(state).join(' ')}`,
    '',
  ].join('\n');
};

const transceivers = (ports: readonly SimPort[]): string => {
  const rows = ports
    .filter((port) => port.lag !== undefined)
    .map((port) => ({ port: port.name.replace('Ethernet', 'Et'), tx: port.tx, rx: port.rx }));
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
