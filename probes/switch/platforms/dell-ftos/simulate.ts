import type { SimulatedMake } from '../simulate.ts';
import { moduleText } from './simulate-optics.ts';
import {
  countersAt,
  isUp,
  peerOf,
  portKey,
  reroute,
  type SimNetwork,
  type SimPort,
} from '../../simulate/network.ts';

const invalidInput = (line: string): string =>
  `${' '.repeat(Math.min(60, line.length + 6))}^\n% Error: Invalid input at "^" marker.\n`;

const macOf = (host: string): string => (host === 'core3' ? '00:01:e8:8b:15:77' : '00:01:e8:8b:2c:01');

/** A login on a Force10 stack: exec mode, configuration, interface. Words may be cut as FTOS lets them. */
// oxlint-disable-next-line max-lines-per-function -- one table of what can be typed at one state
const login: SimulatedMake['login'] = (host, network, now, rights) => {
  let mode: 'exec' | 'conf' | SimPort = 'exec';
  const listOwnPorts = (): SimPort[] => [...network.ports.values()].filter((port) => port.host === host);
  const findPort = (text: string): SimPort | undefined =>
    network.ports.get(portKey(host, text.replace(/^(?:te|ten|tengig|tengigabitethernet)\s*(?=\d)/i, 'te')));

  const show = (words: string, line: string): string => {
    if (words === 'interfaces')
      return listOwnPorts()
        .map((port) => interfaceText(port, network, now()))
        .join('\n');
    if (/^interfaces port-channel(?: \d+)? brief$/.test(words)) return portChannels(listOwnPorts(), network);
    if (words === 'running-config | grep "interface port-channel|minimum-links"')
      return [...new Set(listOwnPorts().flatMap(({ lag }) => lag ?? []))]
        .map((lag) => `interface Port-channel ${lag}\n`)
        .join('');
    const configured = /^running-config interface (.+)$/.exec(words)?.[1];
    if (configured !== undefined && rights() !== 'look') {
      const port = findPort(configured);
      return port ? configurationOf(port) : invalidInput(line);
    }
    if (words === 'interfaces port-channel') return portChannelTexts(listOwnPorts(), network);
    if (words === 'lldp neighbors detail')
      return listOwnPorts()
        .map((port) => lldpText(port, network))
        .join('');
    if (words === 'version')
      return 'Dell Force10 Networks Real Time Operating System Software\nVersion: 9.14(2.4)\n';
    const transceiver = /^interfaces (.+) transceiver$/.exec(words);
    const port = findPort(transceiver?.[1] ?? /^interfaces (.+)$/.exec(words)?.[1] ?? '');
    if (!port) return invalidInput(line);
    return transceiver ? moduleText(port) : interfaceText(port, network, now());
  };

  const turn = (port: SimPort, up: boolean): { stdout: string; mutated: boolean } => {
    const mutated = port.adminUp !== up;
    port.adminUp = up;
    reroute(network, now());
    return { stdout: '', mutated };
  };

  return {
    prompt: () =>
      mode === 'exec'
        ? `${host}${rights() === 'look' ? '>' : '#'}`
        : mode === 'conf'
          ? `${host}(conf)#`
          : `${host}(conf-if-${mode.name.replace('TenGigabitEthernet ', 'te-')})#`,
    type: (line) => {
      const words = line.trim().replace(/\s+/g, ' ').toLowerCase();
      if (mode === 'exec') {
        if (words === 'exit' || words === 'logout') return undefined;
        if (words === 'terminal length 0') return { stdout: '' };
        if (words === 'enable') return { stdout: rights() === 'look' ? '% Error: Access denied.\n' : '' };
        if (rights() !== 'look' && /^configure(?: terminal)?$/.test(words)) {
          mode = 'conf';
          return { stdout: '' };
        }
        const rest = /^show (.+)$/.exec(words)?.[1];
        return { stdout: rest === undefined ? invalidInput(line) : show(rest, line) };
      }
      if (words === 'end') {
        mode = 'exec';
        return { stdout: '' };
      }
      if (words === 'exit') {
        mode = mode === 'conf' ? 'exec' : 'conf';
        return { stdout: '' };
      }
      const port = findPort(/^interface (.+)$/.exec(words)?.[1] ?? '');
      if (port) {
        mode = port;
        return { stdout: '' };
      }
      if (rights() !== 'all') return { stdout: invalidInput(line) };
      if (mode !== 'conf' && words === 'shutdown') return turn(mode, false);
      if (mode !== 'conf' && words === 'no shutdown') return turn(mode, true);
      return { stdout: invalidInput(line) };
    },
  };
};

const configurationOf = (port: SimPort): string =>
  [
    '!',
    `interface ${port.name}`,
    ' no ip address',
    ' mtu 12000',
    port.adminUp ? ' no shutdown' : ' shutdown',
    '',
  ].join('\n');

const interfaceText = (port: SimPort, network: SimNetwork, now: number): string => {
  const up = isUp(network, port);
  const { rxPackets, rxBytes, rxCrc, txPackets, txBytes } = countersAt(port, now);
  const state = up ? 'up' : 'down';
  const megaText = (bytes: number): string => ((bytes * 8) / 1e6).toFixed(2);
  return [
    `${port.name} is ${state}${port.adminUp ? '' : '(Admin Down)'}, line protocol is ${state}`,
    ...(port.lag === undefined ? [] : [`Port is part of Port-channel ${port.lag}`]),
    `Hardware is DellForce10Eth, address is ${macOf(port.host)}`,
    `    Current address is ${macOf(port.host)}`,
    'Pluggable media present, SFP+ type is 10GBASE-SR',
    '    Medium is MultiRate, Wavelength is 850nm',
    `    SFP+ receive power reading is ${port.rx.toFixed(4)}dBm`,
    'Interface index is 45420801',
    'Internet address is not set',
    'Mode of IP Address Assignment : NONE',
    'MTU 12000 bytes, IP MTU 11982 bytes',
    `LineSpeed ${port.speedMbps} Mbit`,
    'Flowcontrol rx off tx off',
    'ARP type: ARPA, ARP Timeout 04:00:00',
    'Last clearing of "show interface" counters 41w2d3h',
    'Queueing strategy: fifo',
    'Input Statistics:',
    `     ${rxPackets} packets, ${rxBytes} bytes`,
    '     0 64-byte pkts, 0 over 64-byte pkts, 0 over 127-byte pkts',
    `     0 over 255-byte pkts, 0 over 511-byte pkts, ${rxPackets} over 1023-byte pkts`,
    `     0 Multicasts, 0 Broadcasts, ${rxPackets} Unicasts`,
    '     0 runts, 0 giants, 0 throttles',
    `     ${rxCrc} CRC, 0 overrun, 0 discarded`,
    'Output Statistics:',
    `     ${txPackets} packets, ${txBytes} bytes, 0 underruns`,
    '     0 64-byte pkts, 0 over 64-byte pkts, 0 over 127-byte pkts',
    `     0 over 255-byte pkts, 0 over 511-byte pkts, ${txPackets} over 1023-byte pkts`,
    `     0 Multicasts, 0 Broadcasts, ${txPackets} Unicasts`,
    '     0 throttles, 0 discarded, 0 collisions, 0 wreddrops',
    'Rate info (interval 299 seconds):',
    `     Input ${megaText(port.rates.rxBytes)} Mbits/sec, ${Math.round(port.rates.rxPackets)} packets/sec, 1.81% of line-rate`,
    `     Output ${megaText(port.rates.txBytes)} Mbits/sec, ${Math.round(port.rates.txPackets)} packets/sec, 0.96% of line-rate`,
    'Time since last interface status change: 40w1d9h',
    '',
  ].join('\n');
};

/** `show interfaces port-channel`: each as an interface of its own. */
const portChannelTexts = (ports: readonly SimPort[], network: SimNetwork): string =>
  [...Map.groupBy(ports, ({ lag }) => lag)]
    .flatMap(([lag, members]) => {
      if (lag === undefined) return [];
      const up = members.filter((port) => isUp(network, port));
      const state = up.length > 0 ? 'up' : 'down';
      return [
        `Port-channel ${lag} is ${state}, line protocol is ${state}`,
        'Created by LACP protocol',
        `Hardware address is ${macOf(members[0]?.host ?? '')}, Current address is ${macOf(members[0]?.host ?? '')}`,
        'Minimum number of links to bring Port-channel up is 1',
        'MTU 12000 bytes, IP MTU 11982 bytes',
        `LineSpeed ${up.reduce((sum, port) => sum + port.speedMbps, 0)} Mbit`,
        `Members in this channel:  ${members.map((port) => `${port.name.replace('TenGigabitEthernet', 'Te')}(${isUp(network, port) ? 'U' : 'D'})`).join(' ')}`,
        '',
      ];
    })
    .join('\n');

const portChannels = (ports: readonly SimPort[], network: SimNetwork): string => {
  const lags = Map.groupBy(
    ports.filter((port) => port.lag !== undefined),
    (port) => port.lag,
  );
  const rows = [...lags].flatMap(([lag, members]) =>
    members.map((port, index) => {
      const state = isUp(network, port) ? 'Up' : 'Down';
      const up = members.some((one) => isUp(network, one)) ? 'up' : 'down';
      const head =
        index === 0 ? `L   ${String(lag).padEnd(5)}L2    ${up.padEnd(11)}40w1d9h     ` : ' '.repeat(38);
      return `${head.padEnd(38)}  ${port.name.replace('TenGigabitEthernet', 'Te').padEnd(10)}(${state})`;
    }),
  );
  return [
    'Codes: L - LACP Port-channel',
    '       O - OpenFlow Controller Port-channel',
    '',
    '    LAG  Mode  Status       Uptime      Ports',
    ...rows,
    '',
  ].join('\n');
};

const lldpText = (port: SimPort, network: SimNetwork): string => {
  const peer = isUp(network, port) ? peerOf(network, port) : undefined;
  const local = port.name.replace('TenGigabitEthernet', 'Te');
  if (!peer) return '';
  return [
    '========================================================================',
    ` Local Interface ${local} has 1 neighbor`,
    '  Total Frames Out: 656296',
    '  Total Frames In: 677475',
    '  Total In Error Frames: 0',
    '  Next packet will be sent after 24 seconds',
    '  The neighbors are given below:',
    '  -----------------------------------------------------------------------',
    '',
    '    Remote Chassis ID Subtype: Mac address (4)',
    `    Remote Chassis ID:  ${macOf(peer.host)}`,
    '    Remote Port Subtype:  Interface name (5)',
    `    Remote Port ID:  ${peer.name}`,
    `    Remote Port Description:  ${peer.name}`,
    `    Local Port ID: ${port.name}`,
    '    Locally assigned remote Neighbor Index: 11',
    '    Remote TTL:  120',
    '    Information valid for next 108 seconds',
    '    Time since last information change of this neighbor:  1w3d22h',
    `    Remote System Name:  ${peer.host}`,
    '   ---------------------------------------------------------------------------',
    '',
    '',
  ].join('\n');
};

export const simulateFtos: SimulatedMake = { login };
