import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingPrograms } from './packages.ts';
import { livingPid, run, signal, stateOf, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

/** One user-mode kernel: its address on the lab's bridge, its memory, and words of the lab's own for its guest script. */
export interface KernelHost {
  address: string;
  memory: string;
  words: Readonly<Record<string, string>>;
}

interface File {
  name: string;
  text: string;
  mode?: number;
}

/** A lab of user-mode kernels on a bridge of this machine. `Name`: its hosts. */
export interface KernelLab<Name extends string> {
  /** Its folder below that of the test. */
  name: string;
  title: string;
  /** The bridge; its taps begin so: a name and that of the longest host are 14 characters at most. */
  bridge: string;
  /** Of this machine on the bridge, with the length of the network. */
  ownAddress: string;
  hosts: Readonly<Record<Name, KernelHost>>;
  /** Programs beside those that every such lab needs, and the Debian package each is in. */
  needed: Readonly<Record<string, string>>;
  /** What the guests run once they have a root, a network and sshd: a file beside this one. */
  guest: string;
  /** The site file without its first two keys. */
  site: string;
  files: readonly File[];
}

const PORT = 2022;
/** Where the guests see the lab's folder. */
export const SEEN = '/hostfs';

const NEEDED = {
  '/usr/bin/linux.uml': 'user-mode-linux',
  '/usr/sbin/modprobe': 'kmod',
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/sshd': 'openssh-server',
};

const hostsOf = <Name extends string>({ hosts }: KernelLab<Name>): Name[] => Object.keys(hosts) as Name[];

/** Why this machine can't run the kernels; undefined: it can. */
export const kernelProblem = ({ needed, bridge }: KernelLab<string>): string | undefined => {
  const missing = missingPrograms({ ...NEEDED, ...needed });
  if (missing.length > 0) return `missing packages: ${missing.join(' ')}`;
  try {
    run('ip', ['tuntap', 'add', `${bridge}try`, 'mode', 'tap']);
    run('ip', ['link', 'del', `${bridge}try`]);
    return undefined;
  } catch (error) {
    return `no tap device: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** Names below the folder of a lab. */
const placesOf = ({ name }: KernelLab<string>, folder: string) => {
  const root = join(folder, name);
  const at = (file: string): string => join(root, file);
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

const prepare = <Name extends string>(lab: KernelLab<Name>, folder: string): void => {
  const at = placesOf(lab, folder);
  const write = ({ name, text, mode = 0o644 }: File): void =>
    writeFileSync(join(at.root, name), text, { mode });
  mkdirSync(join(at.root, 'uml'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'kernel-guest.sh'), at.guest);
  execFileSync('chmod', ['755', at.guest]);
  copyFileSync(join(import.meta.dirname, lab.guest), join(at.root, 'own.sh'));
  const known = hostsOf(lab).map((name) => `${lab.hosts[name].address} ${name}\n`);
  write({ name: 'hosts', text: `127.0.0.1 localhost\n${known.join('')}` });
  for (const file of lab.files) write(file);
  newKey(at.clientKey, 'lab');
  const keys = `AuthorizedKeysFile ${SEEN}/id_ed25519.pub\nPermitRootLogin yes\n`;
  write({ name: 'sshd.conf', text: `Port ${PORT}\n${keys}${sshdSettings()}` });
  const hosts = hostsOf(lab).map((name) => ({
    name,
    address: lab.hosts[name].address,
    key: newKey(join(at.root, `${name}.key`), name),
  }));
  writeReach({ ...at, port: PORT, hosts });
  const site = `site: ${lab.name}-lab\nsshConfig: ${at.sshConfig}\n${lab.site}`;
  writeFileSync(at.siteFile, site, { mode: 0o600 });
};

const boot = <Name extends string>(lab: KernelLab<Name>, folder: string, name: Name): void => {
  const { address, memory, words } = lab.hosts[name];
  const at = placesOf(lab, folder);
  const tap = `${lab.bridge}-${name}`;
  run('ip', ['tuntap', 'add', tap, 'mode', 'tap']);
  run('ip', ['link', 'set', tap, 'master', lab.bridge, 'up']);
  const log = openSync(at.log(name), 'a');
  const told = { name, address, folder: at.root, ...words };
  const line = [
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    `init=${at.guest}`,
    `mem=${memory}`,
    `umid=${name}`,
    `uml_dir=${join(at.root, 'uml')}/`,
    'con=null',
    'con0=null,fd:1',
    `vec0:transport=tap,ifname=${tap},depth=128`,
    ...Object.entries(told).map(([key, value]) => `lab_${key}=${value}`),
  ];
  // A process namespace: what the kernel started ends with it, and it with whoever started it, whatever becomes of that.
  const enclosed = ['--pdeathsig', 'KILL', 'unshare', '--pid', '--fork', '--kill-child', 'linux.uml'];
  const kernel = spawn('setpriv', [...enclosed, ...line], {
    detached: true,
    stdio: ['ignore', log, log],
    // Its memory is a file, for which /tmp may lack the space.
    env: { ...process.env, TMPDIR: '/dev/shm' },
  });
  kernel.unref();
  writeFileSync(at.pid(name), String(kernel.pid));
};

/** Starts the kernels; gives the site file. They end with this process at the latest. */
export const kernelsUp = async <Name extends string>(
  lab: KernelLab<Name>,
  folder: string,
): Promise<string> => {
  const at = placesOf(lab, folder);
  prepare(lab, folder);
  try {
    dropNetwork(lab);
    run('ip', ['link', 'add', lab.bridge, 'type', 'bridge']);
    run('ip', ['addr', 'add', lab.ownAddress, 'dev', lab.bridge]);
    run('ip', ['link', 'set', lab.bridge, 'up']);
    for (const name of hostsOf(lab)) boot(lab, folder, name);
    for (const name of hostsOf(lab)) await until(`${name} is up`, () => existsSync(at.ready(name)), 300_000);
  } catch (error) {
    await kernelsDown(lab, folder);
    throw new Error(`${lab.title} did not start`, { cause: error });
  }
  return at.siteFile;
};

/** Ends the kernels and takes their network away. */
export const kernelsDown = async (lab: KernelLab<string>, folder: string): Promise<void> => {
  const at = placesOf(lab, folder);
  for (const name of hostsOf(lab)) {
    const pid = livingPid(at.pid(name));
    if (pid === undefined) continue;
    signal(pid, 'SIGKILL');
    await until(`end of ${name}`, () => stateOf(pid) === undefined, 10_000);
  }
  dropNetwork(lab);
  rmSync(at.root, { recursive: true, force: true });
};

const dropNetwork = (lab: KernelLab<string>): void => {
  for (const name of [...hostsOf(lab).map((one) => `${lab.bridge}-${one}`), lab.bridge])
    if (existsSync(`/sys/class/net/${name}`)) run('ip', ['link', 'del', name]);
};

/** Runs a script on a host by ssh; gives its exit code and what it said. It is ended after a minute. */
export const onKernel = (
  lab: KernelLab<string>,
  folder: string,
  host: string,
  script: string,
): { code: number; text: string } => {
  const argv = ['-F', placesOf(lab, folder).sshConfig, host, script];
  try {
    return { code: 0, text: execFileSync('ssh', argv, { encoding: 'utf8', stdio: 'pipe', timeout: 60_000 }) };
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') throw error;
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { code: error.status, text: `${stdout}${stderr}` };
  }
};
