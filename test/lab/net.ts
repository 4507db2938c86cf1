import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, signal, stateOf, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

interface NetParts {
  /** The lab's folder below the folder of all labs. */
  name: string;
  hosts: readonly string[];
  /** The first three bytes of the addresses on a bridge that only the hosts see. */
  inner: string;
  /** The first three bytes of the addresses on this machine's loopback, where the hosts' sshd listen. */
  outer: string;
}

/** The hosts of a lab: each a set of namespaces on this machine, wired to one bridge, with an sshd. */
export class Net {
  readonly hosts: readonly string[];
  private readonly parts: NetParts;

  constructor(parts: NetParts) {
    this.parts = parts;
    this.hosts = parts.hosts;
  }

  inner(host: string): string {
    return `${this.parts.inner}.${this.hosts.indexOf(host) + 11}`;
  }

  outer(host: string): string {
    return `${this.parts.outer}.${this.hosts.indexOf(host) + 11}`;
  }

  /** Names below the folder of this lab. */
  places(folder: string) {
    const root = join(folder, this.parts.name);
    return {
      root,
      siteFile: join(root, 'site.yaml'),
      sshConfig: join(root, 'ssh_config'),
      knownHosts: join(root, 'known_hosts'),
      clientKey: join(root, 'id_ed25519'),
      hub: join(root, 'hub.pid'),
      home: (host: string) => join(root, host),
      pid: (host: string) => join(root, host, 'init.pid'),
    };
  }

  /** The first process of a host, whose namespaces are the host. */
  pid(folder: string, host: string): number {
    const pid = Number(readFileSync(this.places(folder).pid(host), 'utf8'));
    if (!(pid > 1) || stateOf(pid) === undefined) throw new Error(`${host} does not run`);
    return pid;
  }

  private inside(folder: string, host: string, argv: readonly string[]): string[] {
    return ['-t', String(this.pid(folder, host)), '-m', '-u', '-n', '-p', '--', ...argv];
  }

  /** Runs a command as on the host itself; throws with its words when it fails. */
  on(folder: string, host: string, ...argv: string[]): string {
    return run('nsenter', this.inside(folder, host, argv));
  }

  /** The same, of which nobody waits for the end. */
  behind(folder: string, host: string, ...argv: string[]): void {
    const log = openSync(join(this.places(folder).home(host), 'behind.log'), 'a');
    const stdio = ['ignore', log, log] as const;
    spawn('nsenter', this.inside(folder, host, argv), { detached: true, stdio: [...stdio] }).unref();
  }

  /** Makes the namespaces of a host; `mounts` are lines of sh that give it private folders. */
  async make(folder: string, host: string, mounts: string): Promise<void> {
    const at = this.places(folder);
    const home = at.home(host);
    mkdirSync(home, { recursive: true });
    const known = this.hosts.map((one) => `${this.inner(one)} ${one}\n`);
    writeFileSync(join(home, 'hosts'), `127.0.0.1 localhost\n${known.join('')}`);
    writeFileSync(join(home, 'net'), '');
    writeFileSync(join(home, 'enter'), enterScript(home), { mode: 0o755 });
    writeFileSync(join(home, 'init.sh'), initScript(home, host, mounts));
    const log = openSync(join(home, 'init.log'), 'a');
    const flags = ['-n', '-m', '-u', '-p', '-f', '--mount-proc', '--kill-child', '--propagation', 'private'];
    const parent = spawn('unshare', [...flags, 'sh', join(home, 'init.sh')], {
      detached: true,
      stdio: ['ignore', log, log],
    });
    parent.unref();
    await until(`namespaces of ${host}`, () => existsSync(join(home, 'ready')), 20_000);
    writeFileSync(at.pid(host), String(childOf(parent.pid ?? 0)));
  }

  /** A bridge in a network of its own, one wire to each host: addresses that no other lab sees. */
  async wire(folder: string): Promise<void> {
    const hub = spawn('unshare', ['-n', 'sleep', 'infinity'], { detached: true, stdio: 'ignore' });
    hub.unref();
    const pid = String(hub.pid);
    writeFileSync(this.places(folder).hub, pid);
    await until('a network for the bridge', () => networkOf(pid) !== networkOf('self'), 5_000);
    const inHub = (...argv: string[]): string => run('nsenter', ['-t', pid, '-n', '--', 'ip', ...argv]);
    inHub('link', 'add', 'hub', 'type', 'bridge');
    inHub('link', 'set', 'hub', 'up');
    for (const host of this.hosts) {
      const netns = String(this.pid(folder, host));
      inHub('link', 'add', `to-${host}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', netns);
      inHub('link', 'set', `to-${host}`, 'master', 'hub', 'up');
      this.on(folder, host, 'ip', 'addr', 'add', `${this.inner(host)}/24`, 'dev', 'eth0');
      this.on(folder, host, 'ip', 'link', 'set', 'eth0', 'up');
    }
  }

  /** Keys, ssh_config, known_hosts and an sshd for each of these hosts. */
  startSshd(folder: string, port: number, hosts = this.hosts): void {
    const at = this.places(folder);
    // sshd leaves privileges behind in this folder; a container without init scripts has none.
    mkdirSync('/run/sshd', { recursive: true });
    newKey(at.clientKey, 'lab');
    const reached = hosts.map((name) => {
      const home = at.home(name);
      const address = this.outer(name);
      const key = newKey(join(home, 'hostkey'), name);
      const config = join(home, 'sshd.conf');
      writeFileSync(
        config,
        `Port ${port}
ListenAddress ${address}
HostKey ${home}/hostkey
PidFile ${home}/sshd.pid
AuthorizedKeysFile ${at.clientKey}.pub
PermitRootLogin yes
${sshdSettings()}ForceCommand ${home}/enter
`,
      );
      // Without -n: it listens outside, and sees the host's files and processes.
      const pid = String(this.pid(folder, name));
      run('nsenter', ['-t', pid, '-m', '-u', '-p', '--', '/usr/sbin/sshd', '-f', config]);
      return { name, address, key };
    });
    writeReach({ ...at, port, hosts: reached });
  }

  /** Everything in a host's namespaces ends with its first process. */
  async end(folder: string): Promise<void> {
    const at = this.places(folder);
    for (const host of this.hosts) {
      if (!existsSync(at.pid(host))) continue;
      const pid = Number(readFileSync(at.pid(host), 'utf8'));
      if (pid > 1) signal(pid, 'SIGKILL');
      await until(`end of ${host}`, () => stateOf(pid) === undefined, 10_000);
    }
    if (existsSync(at.hub)) signal(Number(readFileSync(at.hub, 'utf8')), 'SIGKILL');
  }
}

/** What the first process of a host does: private folders, then reap for ever. */
const initScript = (home: string, host: string, mounts: string): string => `set -e
hostname ${host}
mount --bind ${home}/hosts /etc/hosts
mount --bind /proc/self/ns/net ${home}/net
${mounts}
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

const networkOf = (pid: string): string => run('readlink', [`/proc/${pid}/ns/net`]).trim();
