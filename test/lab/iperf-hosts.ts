import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, signal, stateOf, until } from './processes.ts';

/**
 * Hosts on one bridge: if1 and if2 healthy, if3 sends slowly, if4 is bimodal by source port, if5 loses, if6 is reached by an
 * address on which nobody listens, if7 is bimodal in time, if8 has iperf 2 alone, and a firewall on if9 drops what if6 sends.
 */
export const IPERF_HOSTS: readonly string[] = Array.from({ length: 9 }, (_, at) => `if${at + 1}`);

/** Their addresses on a bridge that only they see. */
export const inner = (host: string): string => `10.113.0.${IPERF_HOSTS.indexOf(host) + 11}`;

/** Names below the folder of the iperf lab. */
export const iperfPlaces = (folder: string) => ({
  root: join(folder, 'iperf'),
  siteFile: join(folder, 'iperf', 'site.yaml'),
  sshConfig: join(folder, 'iperf', 'ssh_config'),
  knownHosts: join(folder, 'iperf', 'known_hosts'),
  clientKey: join(folder, 'iperf', 'id_ed25519'),
  hub: join(folder, 'iperf', 'hub.pid'),
  host: (host: string) => join(folder, 'iperf', host),
  pid: (host: string) => join(folder, 'iperf', host, 'init.pid'),
});

/** The first process of a host, whose namespaces are the host. */
export const hostPid = (folder: string, host: string): number => {
  const pid = Number(readFileSync(iperfPlaces(folder).pid(host), 'utf8'));
  if (!(pid > 1) || stateOf(pid) === undefined) throw new Error(`${host} does not run`);
  return pid;
};

/** Runs a command as on the host itself; throws with its words when it fails. */
export const onHost = (folder: string, host: string, ...argv: string[]): string =>
  run('nsenter', ['-t', String(hostPid(folder, host)), '-m', '-u', '-n', '-p', '--', ...argv]);

const initScript = (home: string, host: string): string => `set -e
hostname ${host}
mount --bind ${home}/tmp /var/tmp
mount --bind ${home}/hosts /etc/hosts
mount --bind /proc/self/ns/net ${home}/net
${host === 'if8' ? 'mount --bind /dev/null "$(command -v iperf3)"' : ':'}
ip link set lo up
: > ${home}/ready
set +e
while :; do sleep 3600 & wait $!; done
`;

/** Sessions of the host's sshd, which listens outside its network, go on inside. */
const enterScript = (home: string): string => `#!/bin/sh
exec nsenter --net=${home}/net -- sh -c "\${SSH_ORIGINAL_COMMAND:-exec sh}"
`;

const childOf = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0];
  if (text === undefined || text === '') throw new Error(`${pid} has no child`);
  return Number(text);
};

/** Makes the namespaces of one host. */
export const makeHost = async (folder: string, host: string): Promise<void> => {
  const at = iperfPlaces(folder);
  const home = at.host(host);
  mkdirSync(join(home, 'tmp'), { recursive: true });
  writeFileSync(
    join(home, 'hosts'),
    `127.0.0.1 localhost\n${IPERF_HOSTS.map((one) => `${inner(one)} ${one}\n`).join('')}`,
  );
  writeFileSync(join(home, 'net'), '');
  writeFileSync(join(home, 'enter'), enterScript(home), { mode: 0o755 });
  writeFileSync(join(home, 'init.sh'), initScript(home, host));
  const log = openSync(join(home, 'init.log'), 'a');
  const flags = ['-n', '-m', '-u', '-p', '-f', '--mount-proc', '--kill-child', '--propagation', 'private'];
  const parent = spawn('unshare', [...flags, 'sh', join(home, 'init.sh')], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  parent.unref();
  await until(`namespaces of ${host}`, () => existsSync(join(home, 'ready')), 20_000);
  writeFileSync(at.pid(host), String(childOf(parent.pid ?? 0)));
};

/** A bridge in a network of its own, one wire to each host: addresses that no other lab sees. */
export const wireHosts = async (folder: string): Promise<void> => {
  const hub = spawn('unshare', ['-n', 'sleep', 'infinity'], { detached: true, stdio: 'ignore' });
  hub.unref();
  const pid = String(hub.pid);
  writeFileSync(iperfPlaces(folder).hub, pid);
  await until('a network for the bridge', () => namespaceOf(pid) !== namespaceOf('self'), 5_000);
  const inHub = (...argv: string[]): string => run('nsenter', ['-t', pid, '-n', '--', 'ip', ...argv]);
  inHub('link', 'add', 'hub', 'type', 'bridge');
  inHub('link', 'set', 'hub', 'up');
  for (const host of IPERF_HOSTS) {
    const netns = String(hostPid(folder, host));
    inHub('link', 'add', `to-${host}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', netns);
    inHub('link', 'set', `to-${host}`, 'master', 'hub', 'up');
    onHost(folder, host, 'ip', 'addr', 'add', `${inner(host)}/24`, 'dev', 'eth0');
    onHost(folder, host, 'ip', 'link', 'set', 'eth0', 'up');
  }
};

const namespaceOf = (pid: string): string => run('readlink', [`/proc/${pid}/ns/net`]).trim();

/** What every wire carries, Mbit/s. */
export const LINE = 200;

/** The faults: a slow sender, a sender with two levels by source port, a receiver that drops. */
export const shapeHosts = (folder: string): void => {
  const on = (host: string, ...argv: string[]): string => onHost(folder, host, ...argv);
  const limit = (host: string, mbit: number): string =>
    on(
      host,
      'tc',
      'qdisc',
      'add',
      'dev',
      'eth0',
      'root',
      'tbf',
      'rate',
      `${mbit}mbit`,
      'burst',
      '256kb',
      'latency',
      '50ms',
    );
  for (const host of ['if1', 'if2', 'if5', 'if6', 'if7', 'if8', 'if9']) limit(host, LINE);
  limit('if3', LINE / 5);
  const tc = (...argv: string[]): string => on('if4', 'tc', ...argv);
  tc('qdisc', 'add', 'dev', 'eth0', 'root', 'handle', '1:', 'htb', 'default', '10');
  tc(
    'class',
    'add',
    'dev',
    'eth0',
    'parent',
    '1:',
    'classid',
    '1:10',
    'htb',
    'rate',
    `${LINE}mbit`,
    'quantum',
    '60000',
  );
  tc(
    'class',
    'add',
    'dev',
    'eth0',
    'parent',
    '1:',
    'classid',
    '1:20',
    'htb',
    'rate',
    `${LINE / 10}mbit`,
    'quantum',
    '60000',
  );
  tc(
    'filter',
    'add',
    'dev',
    'eth0',
    'parent',
    '1:',
    'protocol',
    'ip',
    'u32',
    'match',
    'ip',
    'sport',
    '2',
    '2',
    'flowid',
    '1:20',
  );
  on(
    'if5',
    'iptables',
    '-A',
    'INPUT',
    '-p',
    'tcp',
    '-m',
    'statistic',
    '--mode',
    'random',
    '--probability',
    '0.15',
    '-j',
    'DROP',
  );
  on('if9', 'iptables', '-A', 'INPUT', '-p', 'tcp', '-s', inner('if6'), '--dport', '5301:5340', '-j', 'DROP');
  swing(folder);
};

/** The rate of if7 goes up and down for as long as the host lives. */
const swingScript = `while :; do
  sleep 5; tc qdisc change dev eth0 root tbf rate ${LINE / 5}mbit burst 256kb latency 50ms
  sleep 5; tc qdisc change dev eth0 root tbf rate ${LINE}mbit burst 256kb latency 50ms
done`;

const swing = (folder: string): void => {
  const inside = [
    '-t',
    String(hostPid(folder, 'if7')),
    '-m',
    '-u',
    '-n',
    '-p',
    '--',
    'sh',
    '-c',
    swingScript,
  ];
  spawn('nsenter', inside, { detached: true, stdio: 'ignore' }).unref();
};

/** Programs named iperf that live on a host, server or client. */
export const iperfOn = (folder: string, host: string): string[] => {
  const root = `/proc/${hostPid(folder, host)}/root/proc`;
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

/** Everything in the host's namespaces ends with its first process. */
export const endHost = async (folder: string, host: string): Promise<void> => {
  const file = iperfPlaces(folder).pid(host);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (pid > 1) signal(pid, 'SIGKILL');
  await until(`end of ${host}`, () => stateOf(pid) === undefined, 10_000);
};
