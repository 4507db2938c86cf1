import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { jumboLoss } from './faults.ts';
import { countersAt, isUp, peerOf, portKey, type SimNetwork } from './network.ts';

/** Addresses that the matrix goes to, in the order of its columns. */
export const servers = [
  { name: 'nfs1', address: '10.98.0.1' },
  { name: 'nfs1-b', address: '10.98.0.2', host: 'nfs1' },
  { name: 'nfs2', address: '10.98.0.3' },
  { name: 'nfs2-b', address: '10.98.0.4', host: 'nfs2' },
] as const;

export const clients = ['node1', 'node2', 'node3', 'node4'] as const;

const jumboBytes = 2000;

/** What the NIC commands and pings of a simulated Linux host print. */
export const hostCommand = (call: SimulatedCall, network: SimNetwork): SimulatedAnswer | undefined => {
  const port = network.ports.get(portKey(call.host, 'eth0'));
  const [program, ...words] = call.argv;
  if (program === 'fping' && clientOf(call) >= 0) return fping(words, clientOf(call), network);
  if (program === 'ping' && clientOf(call) >= 0) return ping(words, clientOf(call), network);
  if (!port) return undefined;
  if (program === 'ip' && words.join(' ') === '-s -s -j link show') {
    const { rxPackets, rxBytes, rxCrc, txPackets, txBytes } = countersAt(port, call.now);
    const side = (packets: bigint, bytes: bigint): Record<string, number> => ({
      bytes: Number(bytes),
      packets: Number(packets),
      errors: 0,
      dropped: 0,
    });
    const nic = {
      ifindex: 2,
      ifname: 'eth0',
      flags: ['BROADCAST', 'MULTICAST', 'UP', 'LOWER_UP'],
      mtu: 9000,
      operstate: isUp(network, port) ? 'UP' : 'DOWN',
      link_type: 'ether',
      stats64: {
        rx: { ...side(rxPackets, rxBytes), errors: Number(rxCrc), crc_errors: Number(rxCrc), over_errors: 0 },
        tx: { ...side(txPackets, txBytes), carrier_errors: 0 },
      },
    };
    return { stdout: `${JSON.stringify([nic])}\n` };
  }
  if (program === 'ethtool' && words.at(-1) === 'eth0') return ethtool(words, isUp(network, port));
  if (program === 'lldpctl' && words.join(' ') === '-f json') {
    const peer = isUp(network, port) ? peerOf(network, port) : undefined;
    const seen = peer && {
      via: 'LLDP',
      chassis: { [peer.host]: { id: { type: 'mac', value: '00:01:e8:8b:2c:01' } } },
      port: { id: { type: 'ifname', value: peer.name }, descr: peer.name },
    };
    return {
      stdout: `${JSON.stringify({ lldp: { interface: seen ? { eth0: seen } : {} } }, undefined, 2)}\n`,
    };
  }
  return undefined;
};

/** What ethtool 6.1 prints of a 10GBASE-SR NIC to an account that is not root. */
const ethtool = (words: readonly string[], up: boolean): SimulatedAnswer | undefined => {
  if (words[0] === '--show-fec') return { stderr: 'netlink error: Operation not supported\n', exitCode: 1 };
  if (words[0] === '-m') return { stdout: moduleOf(up) };
  if (words.length > 1) return undefined;
  const rows = [
    'Supported ports: [ FIBRE ]',
    'Supported link modes:   10000baseSR/Full',
    'Supports auto-negotiation: No',
    `Speed: ${up ? '10000Mb/s' : 'Unknown!'}`,
    `Duplex: ${up ? 'Full' : 'Unknown! (255)'}`,
    'Auto-negotiation: off',
    'Port: FIBRE',
    `Link detected: ${up ? 'yes' : 'no'}`,
  ];
  return { stdout: `Settings for eth0:\n${rows.map((row) => `\t${row}\n`).join('')}` };
};

/** What ethtool 6.1 prints of an SFP+ module of 10GBASE-SR (SFF-8472); without a link no light is received. */
const moduleOf = (up: boolean): string =>
  [
    'Identifier : 0x03 (SFP)',
    'Connector : 0x07 (LC)',
    'Transceiver type : 10G Ethernet: 10G Base-SR',
    'Optical diagnostics support : Yes',
    'Laser bias current : 6.748 mA',
    'Laser output power : 0.5734 mW / -2.42 dBm',
    `Receiver signal average optical power : ${up ? '0.5514 mW / -2.59 dBm' : '0.0000 mW / -inf dBm'}`,
    'Module temperature : 38.12 degrees C / 100.62 degrees F',
    'Module voltage : 3.2959 V',
    'Laser output power low alarm threshold : 0.1000 mW / -10.00 dBm',
    'Laser output power low warning threshold : 0.1585 mW / -8.00 dBm',
    'Laser rx power low alarm threshold : 0.0251 mW / -16.00 dBm',
    'Laser rx power low warning threshold : 0.0398 mW / -14.00 dBm',
  ]
    .map((line) => {
      const [name = '', ...value] = line.split(' : ');
      return `\t${name.padEnd(42)}: ${value.join(' : ')}\n`;
    })
    .join('');

const clientOf = ({ host }: SimulatedCall): number => clients.findIndex((one) => one === host);

const option = (words: readonly string[], name: string): string | undefined => {
  const at = words.indexOf(name);
  return at < 0 ? undefined : words[at + 1];
};

const lostOf = (
  network: SimNetwork,
  client: number,
  address: string,
  bytes: number,
  count: number,
): number => {
  const server = servers.findIndex((one) => one.address === address);
  const loss = jumboLoss(network, client, server);
  return bytes < jumboBytes && loss < 1 ? 0 : Math.min(count, Math.round(count * loss));
};

/** Every fifth or so is lost: spread over the run. */
const isLost = (index: number, lost: number, count: number): boolean =>
  Math.floor(((index + 1) * lost) / count) > Math.floor((index * lost) / count);

const fping = (words: readonly string[], client: number, network: SimNetwork): SimulatedAnswer => {
  const count = Number(option(words, '-C') ?? 1);
  const bytes = Number(option(words, '-b') ?? 56);
  const targets = words.filter((word) => servers.some(({ address }) => address === word));
  const lines = targets.map((address) => {
    const lost = lostOf(network, client, address, bytes, count);
    const times = Array.from({ length: count }, (_, index) =>
      isLost(index, lost, count) ? '-' : (0.11 + ((index * 7) % 5) / 100).toFixed(3),
    );
    return `${address} : ${times.join(' ')}\n`;
  });
  return { stderr: lines.join(''), exitCode: 0, delayMs: 120 };
};

const ping = (words: readonly string[], client: number, network: SimNetwork): SimulatedAnswer => {
  if (words[0] === '-V') return { stdout: 'ping from iputils 20221126\n' };
  const address = words.at(-1) ?? '';
  if (!servers.some((one) => one.address === address))
    return { stderr: `ping: ${address}: Name or service not known\n`, exitCode: 2 };
  const count = Number(option(words, '-c') ?? 1);
  const bytes = Number(option(words, '-s') ?? 56);
  const lost = lostOf(network, client, address, bytes, count);
  const received = count - lost;
  return {
    stdout: [
      `PING ${address} (${address}) ${bytes}(${bytes + 28}) bytes of data.`,
      '',
      `--- ${address} ping statistics ---`,
      `${count} packets transmitted, ${received} received, ${((lost / count) * 100).toPrecision(3).replace(/\.?0+$/, '')}% packet loss, time ${count * 200}ms`,
      ...(received > 0 ? ['rtt min/avg/max/mdev = 0.101/0.129/0.190/0.020 ms'] : []),
      '',
    ].join('\n'),
    exitCode: received > 0 ? 0 : 1,
    delayMs: 60,
  };
};
