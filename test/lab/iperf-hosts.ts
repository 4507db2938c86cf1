import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Net } from './net.ts';

/**
 * Hosts on one bridge: if1 and if2 healthy, if3 sends slowly, if4 is bimodal by source port, if5 loses, if6 is reached by an
 * address on which nobody listens, if7 is bimodal in time, if8 has iperf 2 alone, a firewall on if9 drops what if6 sends, one flow of
 * if10 gets a fifth of its wire, and the site file gives if11 a name that nobody resolves. Not here: delay (this machine's kernel may
 * have no netem), so no test is limited by its window, and interrupts, which a namespace has none of.
 */
export const IPERF_HOSTS: readonly string[] = Array.from({ length: 11 }, (_, at) => `if${at + 1}`);

export const iperfNet = new Net({
  name: 'iperf',
  hosts: IPERF_HOSTS,
  inner: '10.113.0',
  outer: '127.77.2',
});

/** Runs a command as on the host itself; throws with its words when it fails. */
export const onHost = (folder: string, host: string, ...argv: string[]): string =>
  iperfNet.on(folder, host, ...argv);

/** Makes one host. */
export const makeHost = async (folder: string, host: string): Promise<void> => {
  const own = join(iperfNet.places(folder).home(host), 'tmp');
  mkdirSync(own, { recursive: true });
  const no3 = host === 'if8' ? ['mount --bind /dev/null "$(command -v iperf3)"'] : [];
  await iperfNet.make(folder, host, [`mount --bind ${own} /var/tmp`, ...no3].join('\n'));
};

/** What every wire carries, Mbit/s. */
export const LINE = 200;

/** The faults: a slow sender, a sender with two levels by source port, a receiver that drops. */
export const shapeHosts = (folder: string): void => {
  const on = (host: string, words: string): string => onHost(folder, host, ...words.split(' '));
  const limit = (host: string, mbit: number): string =>
    on(host, `tc qdisc add dev eth0 root tbf rate ${mbit}mbit burst 256kb latency 50ms`);
  for (const host of ['if1', 'if2', 'if5', 'if6', 'if7', 'if8', 'if9', 'if11']) limit(host, LINE);
  limit('if3', LINE / 5);
  const level = (id: string, mbit: number): string =>
    on('if4', `tc class add dev eth0 parent 1: classid ${id} htb rate ${mbit}mbit quantum 60000`);
  on('if4', 'tc qdisc add dev eth0 root handle 1: htb default 10');
  level('1:10', LINE);
  // Narrow: chance sends as few as two of twelve streams there, and they must still stand apart from the ten others.
  level('1:20', LINE / 20);
  on('if4', 'tc filter add dev eth0 parent 1: protocol ip u32 match ip sport 2 2 flowid 1:20');
  // By three bits of the source port, as a hash of flows would: eight ways of a fifth each, all together a little over line rate,
  // so that what many streams lose to each other leaves them at it.
  on('if10', 'tc qdisc add dev eth0 root handle 1: htb default 10');
  on('if10', `tc class add dev eth0 parent 1: classid 1:1 htb rate ${LINE + LINE / 10}mbit quantum 60000`);
  for (const way of [0, 1, 2, 3, 4, 5, 6, 7]) {
    on(
      'if10',
      `tc class add dev eth0 parent 1:1 classid 1:1${way} htb rate ${LINE / 8}mbit ceil ${LINE / 5}mbit quantum 60000`,
    );
    on(
      'if10',
      `tc filter add dev eth0 parent 1: protocol ip u32 match ip sport ${way * 2} 0xe flowid 1:1${way}`,
    );
  }
  on('if5', 'iptables -A INPUT -p tcp -m statistic --mode random --probability 0.15 -j DROP');
  on('if9', `iptables -A INPUT -p tcp -s ${iperfNet.inner('if6')} --dport 5301:5340 -j DROP`);
  iperfNet.behind(folder, 'if7', 'sh', '-c', swingScript);
};

/** The rate of if7 goes up and down for as long as the host lives; long enough that few intervals hold both on a busy machine. */
const swingScript = `while :; do
  sleep 10; tc qdisc change dev eth0 root tbf rate ${LINE / 5}mbit burst 256kb latency 50ms
  sleep 10; tc qdisc change dev eth0 root tbf rate ${LINE}mbit burst 256kb latency 50ms
done`;

/** Programs named iperf that live on a host, server or client. */
export const iperfOn = (folder: string, host: string): string[] => {
  const root = `/proc/${iperfNet.pid(folder, host)}/root/proc`;
  return readdirSync(root).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(join(root, name, 'cmdline'), 'utf8')
        .split('\0')
        .join(' ');
      const state = /\) (\S)/.exec(readFileSync(join(root, name, 'stat'), 'utf8'))?.[1];
      return state !== 'Z' && /(?:^|\/| )iperf3? -[cs]/.test(line) ? [line] : [];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
};
