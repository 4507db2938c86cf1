import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingPrograms } from './packages.ts';
import { livingPid, run, signal, stateOf, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

/** A server and two clients, each a user-mode kernel with an address of its own on a bridge of this machine. */
export const NFS_HOSTS = {
  nfs1: { role: 'server', address: '10.119.0.1', address6: 'fd00:119::1', memory: '256M' },
  cn1: { role: 'client', address: '10.119.0.21', address6: 'fd00:119::21', memory: '192M' },
  cn2: { role: 'client', address: '10.119.0.22', address6: 'fd00:119::22', memory: '192M' },
} as const;
export type NfsHost = keyof typeof NFS_HOSTS;

const NAMES = Object.keys(NFS_HOSTS) as NfsHost[];
const BRIDGE = 'flnfs';
const OWN_ADDRESS = '10.119.0.254/24';
const NETWORK = '10.119.0.0/24';
const NETWORK6 = 'fd00:119::/64';
const PORT = 2022;
/** Where the guests see the lab's folder. */
const SEEN = '/hostfs';

const NEEDED = {
  '/usr/bin/linux.uml': 'user-mode-linux',
  '/usr/sbin/rpc.nfsd': 'nfs-kernel-server',
  '/usr/sbin/mount.nfs': 'nfs-common',
  '/usr/sbin/rpcbind': 'rpcbind',
  '/usr/sbin/modprobe': 'kmod',
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/iptables-legacy': 'iptables',
  '/usr/sbin/mkfs.ext4': 'e2fsprogs',
  '/usr/bin/bindfs': 'bindfs',
  '/usr/sbin/sshd': 'openssh-server',
};

/** Why this machine can't run the kernels; undefined: it can. */
export const nfsProblem = (): string | undefined => {
  const missing = missingPrograms(NEEDED);
  if (missing.length > 0) return `missing packages: ${missing.join(' ')}`;
  try {
    run('ip', ['tuntap', 'add', 'flnfstry', 'mode', 'tap']);
    run('ip', ['link', 'del', 'flnfstry']);
    return undefined;
  } catch (error) {
    return `no tap device: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** Names below the folder of this lab. */
const nfsPlaces = (folder: string) => {
  const root = join(folder, 'nfs');
  const at = (name: string): string => join(root, name);
  return {
    root,
    siteFile: at('site.yaml'),
    sshConfig: at('ssh_config'),
    knownHosts: at('known_hosts'),
    clientKey: at('id_ed25519'),
    guest: at('guest.sh'),
    pid: (host: string) => at(`${host}.pid`),
    log: (host: string) => at(`${host}.log`),
    ready: (host: string) => at(`${host}.ready`),
  };
};

const siteText = (
  folder: string,
): string => `# The NFS lab: a server and two clients, each a kernel of its own.
site: nfs-lab
sshConfig: ${nfsPlaces(folder).sshConfig}
hosts:
  - {names: nfs1, roles: [nfs-server]}
  - {names: cn1, roles: [nfs-client, login], location: {rack: r1}}
  - {names: cn2, roles: [nfs-client], location: {rack: r1}}
nfs:
  restartStatd: [${SEEN}/restart-statd]
  restartRpcbind: [${SEEN}/restart-rpcbind]
  restartMountd: [${SEEN}/restart-mountd]
`;

/**
 * There is no init in the guests that would restart a daemon. mountd must end before it is started: it takes its name off rpcbind then.
 * rpcbind and mountd end their first process before the second has left the group of the command, which the frame grants
 * (decision 0533).
 */
const restarts: Readonly<Record<string, string>> = {
  'restart-statd': 'pkill -9 -x rpc.statd\nexec rpc.statd --no-notify',
  'restart-rpcbind': 'pkill -9 -x rpcbind\nexec rpcbind -w',
  'restart-mountd': 'pkill -x rpc.mountd\nsleep 2\nexec rpc.mountd',
};

const prepare = (folder: string): void => {
  const at = nfsPlaces(folder);
  const write = (name: string, text: string, mode = 0o644): void =>
    writeFileSync(join(at.root, name), text, { mode });
  mkdirSync(join(at.root, 'uml'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'nfs-guest.sh'), at.guest);
  execFileSync('chmod', ['755', at.guest]);
  const known = NAMES.map((name) => `${NFS_HOSTS[name].address} ${name}\n`);
  write('hosts', `127.0.0.1 localhost\n${known.join('')}`);
  const toNetwork = (network: string): string => `${network}(rw,sync,no_subtree_check,no_root_squash)`;
  write(
    'exports',
    `/export/home ${toNetwork(NETWORK)}\n/export/apps ${toNetwork(NETWORK)} ${toNetwork(NETWORK6)}\n`,
  );
  for (const [file, commands] of Object.entries(restarts)) write(file, `#!/bin/sh\n${commands}\n`, 0o755);
  newKey(at.clientKey, 'lab');
  const keys = `AuthorizedKeysFile ${SEEN}/id_ed25519.pub\nPermitRootLogin yes\n`;
  write('sshd.conf', `Port ${PORT}\n${keys}${sshdSettings()}`);
  const hosts = NAMES.map((name) => ({
    name,
    address: NFS_HOSTS[name].address,
    key: newKey(join(at.root, `${name}.key`), name),
  }));
  writeReach({ ...at, port: PORT, hosts });
  writeFileSync(at.siteFile, siteText(folder), { mode: 0o600 });
};

const boot = (folder: string, name: NfsHost): void => {
  const { role, address, address6, memory } = NFS_HOSTS[name];
  const at = nfsPlaces(folder);
  run('ip', ['tuntap', 'add', `${BRIDGE}-${name}`, 'mode', 'tap']);
  run('ip', ['link', 'set', `${BRIDGE}-${name}`, 'master', BRIDGE, 'up']);
  const log = openSync(at.log(name), 'a');
  const told = { name, role, address, address6, server: NFS_HOSTS.nfs1.address, folder: at.root };
  const words = [
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    `init=${at.guest}`,
    `mem=${memory}`,
    `umid=${name}`,
    `uml_dir=${join(at.root, 'uml')}/`,
    'con=null',
    'con0=null,fd:1',
    `vec0:transport=tap,ifname=${BRIDGE}-${name},depth=128`,
    ...Object.entries(told).map(([key, value]) => `lab_${key}=${value}`),
  ];
  // A process namespace: what the kernel started ends with it, and it with whoever started it, whatever becomes of that.
  const enclosed = ['--pdeathsig', 'KILL', 'unshare', '--pid', '--fork', '--kill-child', 'linux.uml'];
  const kernel = spawn('setpriv', [...enclosed, ...words], {
    detached: true,
    stdio: ['ignore', log, log],
    // Its memory is a file, for which /tmp may lack the space.
    env: { ...process.env, TMPDIR: '/dev/shm' },
  });
  kernel.unref();
  writeFileSync(at.pid(name), String(kernel.pid));
};

/** Starts the kernels; gives the site file. They end with this process at the latest. */
export const nfsUp = async (folder: string): Promise<string> => {
  const at = nfsPlaces(folder);
  prepare(folder);
  try {
    dropNetwork();
    run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
    run('ip', ['addr', 'add', OWN_ADDRESS, 'dev', BRIDGE]);
    run('ip', ['link', 'set', BRIDGE, 'up']);
    for (const name of NAMES) boot(folder, name);
    for (const name of NAMES) await until(`${name} is up`, () => existsSync(at.ready(name)), 90_000);
  } catch (error) {
    await nfsDown(folder);
    throw new Error('the NFS lab did not start', { cause: error });
  }
  return at.siteFile;
};

/** Ends the kernels and takes their network away. */
export const nfsDown = async (folder: string): Promise<void> => {
  const at = nfsPlaces(folder);
  for (const name of NAMES) {
    const pid = livingPid(at.pid(name));
    if (pid === undefined) continue;
    signal(pid, 'SIGKILL');
    await until(`end of ${name}`, () => stateOf(pid) === undefined, 10_000);
  }
  dropNetwork();
  rmSync(at.root, { recursive: true, force: true });
};

const dropNetwork = (): void => {
  for (const name of [...NAMES.map((one) => `${BRIDGE}-${one}`), BRIDGE])
    if (existsSync(`/sys/class/net/${name}`)) run('ip', ['link', 'del', name]);
};

/** Runs a script on a host by ssh; gives its exit code and what it said. It is ended after a minute. */
export const onHost = (folder: string, host: NfsHost, script: string): { code: number; text: string } => {
  const argv = ['-F', nfsPlaces(folder).sshConfig, host, script];
  try {
    return { code: 0, text: execFileSync('ssh', argv, { encoding: 'utf8', stdio: 'pipe', timeout: 60_000 }) };
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') throw error;
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { code: error.status, text: `${stdout}${stderr}` };
  }
};
