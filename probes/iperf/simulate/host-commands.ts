import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { cores, nic, queues, firstCore, type SimHost } from './state.ts';

/** What tells a host's facts, and `ethtool -C`; undefined for what is none of it. */
export const hostCommand = (host: SimHost, argv: readonly string[]): SimulatedAnswer | undefined => {
  const words = argv.join(' ');
  const index = 10 + (Number(/\d+$/.exec(host.name)?.[0]) || 0);
  if (/^ip -o (-4 )?route /.test(words))
    return { stdout: `default via 10.12.0.1 dev ${nic} proto static metric 100 \n` };
  if (words === `ip -j link show dev ${nic}`)
    return {
      stdout: `[{"ifindex":2,"ifname":"${nic}","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":9000,"qdisc":"mq","operstate":"UP","group":"default","txqlen":1000,"link_type":"ether","address":"b8:59:9f:00:12:${index.toString(16).padStart(2, '0')}","broadcast":"ff:ff:ff:ff:ff:ff"}]\n`,
    };
  if (words === 'uname -r') return { stdout: `${host.kernel}\n` };
  if (words === `ethtool -i ${nic}`)
    return {
      stdout: `driver: ixgbe\nversion: ${host.kernel}\nfirmware-version: 0x800007c7, 1.1824.0\nexpansion-rom-version: \nbus-info: 0000:3b:00.0\nsupports-statistics: yes\n`,
    };
  if (words === `ethtool ${nic}`)
    return {
      stdout: `Settings for ${nic}:\n\tSupported ports: [ FIBRE ]\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tAuto-negotiation: on\n\tLink detected: yes\n`,
    };
  if (words === `ethtool -c ${nic}`)
    return {
      stdout: `Coalesce parameters for ${nic}:\nAdaptive RX: ${host.adaptiveRx ? 'on' : 'off'}  TX: n/a\nstats-block-usecs: n/a\n\nrx-usecs: ${host.rxUsecs}\nrx-frames: n/a\n\ntx-usecs: 0\ntx-frames: n/a\n`,
    };
  if (argv[0] === 'ethtool' && argv[1] === '-C') return setCoalescing(host, argv.slice(3));
  if (argv[0] === 'grep' && words.endsWith('/proc/interrupts')) return { stdout: interrupts(host) };
  if (argv[0] === 'grep' && words.includes('effective_affinity_list'))
    return {
      stdout: [
        ...[...host.irqs].map(
          ([irq, allowed]) => `/proc/irq/${irq}/effective_affinity_list:${firstCore(allowed)}\n`,
        ),
        ...[...host.irqs].map(([irq, allowed]) => `/proc/irq/${irq}/smp_affinity_list:${allowed}\n`),
      ].join(''),
    };
  if (words === 'cat /proc/sys/net/ipv4/tcp_rmem /proc/sys/net/ipv4/tcp_wmem')
    return { stdout: '4096\t131072\t67108864\n4096\t16384\t67108864\n' };
  if (words === 'cat /proc/loadavg') return { stdout: `0.0${index % 10} 0.05 0.01 1/412 20713\n` };
  if (words === 'pgrep -x irqbalance') return host.irqbalance ? { stdout: '1023\n' } : { exitCode: 1 };
  return undefined;
};

const setCoalescing = (host: SimHost, words: readonly string[]): SimulatedAnswer => {
  for (let at = 0; at + 1 < words.length; at += 2) {
    const value = words[at + 1] ?? '';
    if (words[at] === 'adaptive-rx') host.adaptiveRx = value === 'on';
    if (words[at] === 'rx-usecs') host.rxUsecs = Number(value);
  }
  return { mutated: true };
};

/** Counts as they have grown on the core that each queue is served by. */
const interrupts = (host: SimHost): string => {
  const cell = (text: string): string => text.padStart(11);
  const head = `           ${Array.from({ length: cores }, (_, at) => cell(`CPU${at}`)).join('')}`;
  const lines = [...host.irqs].map(([irq, allowed], at) => {
    const core = firstCore(allowed);
    const counts = Array.from({ length: cores }, (_, cpu) =>
      cell(String(cpu) === core ? String(81_234_567 + at * 1_003) : '0'),
    );
    return `${String(irq).padStart(4)}: ${counts.join('')}  PCI-MSI ${31_457_281 + at}-edge      ${nic}-TxRx-${at % queues}`;
  });
  return `${[head, ...lines].join('\n')}\n`;
};

/** `98:3`: what writing to smp_affinity_list does. */
export const setAffinity = (host: SimHost, pairs: readonly string[]): SimulatedAnswer => {
  for (const pair of pairs) {
    const [irq = '', core = ''] = pair.split(':');
    if (!host.irqs.has(Number(irq)))
      return {
        stderr: `sh: 1: cannot create /proc/irq/${irq}/smp_affinity_list: Directory nonexistent\n`,
        exitCode: 1,
      };
    host.irqs.set(Number(irq), core);
  }
  return { mutated: true };
};
