import { mkdirSync, writeFileSync } from 'node:fs';
import { addressOf, CONTROLLER, HOSTS, NODES, places, type LabState } from './folder.ts';
import { descendants, end, livingPid, run, signal, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

const portOf = (state: Pick<LabState, 'port'>): number => state.port + NODES.length + 1;

const config = (folder: string, state: LabState, host: string, extra: string): string => {
  const at = places(folder);
  const node = NODES.includes(host) ? [`SLURMD_NODENAME=${host}`] : [];
  return `Port ${portOf(state)}
ListenAddress ${addressOf(host)}
HostKey ${at.hostKey(host)}
PidFile ${at.pid(`sshd-${host}`)}
AuthorizedKeysFile ${at.clientKey}.pub
PermitRootLogin prohibit-password
${sshdSettings(`SLURM_CONF=${at.slurmConf}`, ...node)}${extra}`;
};

/** Keys, one sshd configuration per host, ssh_config and known_hosts. */
export const prepareSsh = (folder: string, state: LabState): void => {
  const at = places(folder);
  mkdirSync(at.keys, { recursive: true });
  // sshd leaves privileges behind in this folder; a container without init scripts has none.
  mkdirSync('/run/sshd', { recursive: true });
  newKey(at.clientKey, 'lab');
  const hosts = HOSTS.map((name) => {
    writeFileSync(at.sshdConfig(name), config(folder, state, name, ''));
    return { name, address: addressOf(name), key: newKey(at.hostKey(name), name) };
  });
  writeReach({ ...at, port: portOf(state), hosts });
};

/** One sshd with the host's name as its own. */
export const startSshd = async (folder: string, host: string): Promise<void> => {
  const at = places(folder);
  run('unshare', ['--uts', 'sh', '-c', `hostname ${host}; exec /usr/sbin/sshd -f ${at.sshdConfig(host)}`]);
  await until(`sshd of ${host}`, () => livingPid(at.pid(`sshd-${host}`)) !== undefined);
};

/** The listener and every session of it end: as when the host goes away. */
export const killSshd = (folder: string, host: string): Promise<void> =>
  end(places(folder).pid(`sshd-${host}`));

/** Stops or continues the listener and its sessions: connections stay open, nobody answers. */
export const signalSshd = (folder: string, host: string, name: 'SIGSTOP' | 'SIGCONT'): void => {
  const pid = livingPid(places(folder).pid(`sshd-${host}`));
  if (pid === undefined) throw new Error(`sshd of ${host} does not run`);
  for (const one of [pid, ...descendants(pid)]) signal(one, name);
};

const restart = async (folder: string, host: string): Promise<void> => {
  await killSshd(folder, host);
  await startSshd(folder, host);
};

/** The host shows another key than known_hosts holds. `putBackHostKey` undoes it. */
export const swapHostKey = async (folder: string, state: LabState, host: string): Promise<void> => {
  const other = `${places(folder).hostKey(host)}.other`;
  newKey(other, host);
  const text = config(folder, state, host, '').replace(/^HostKey .*$/m, `HostKey ${other}`);
  writeFileSync(places(folder).sshdConfig(host), text);
  await restart(folder, host);
};

export const putBackHostKey = async (folder: string, state: LabState, host: string): Promise<void> => {
  writeFileSync(places(folder).sshdConfig(host), config(folder, state, host, ''));
  await restart(folder, host);
};

/** The login shell of the host prints a banner before it runs anything, as a careless start-up file does. */
export const setNoisy = async (
  folder: string,
  state: LabState,
  host: string,
  noisy: boolean,
): Promise<void> => {
  const script = `${places(folder).keys}/noisy`;
  writeFileSync(
    script,
    '#!/bin/sh\necho "*** authorised use only ***"\necho "module: not found" >&2\nexec sh -c "${SSH_ORIGINAL_COMMAND:-exec sh}"\n',
    { mode: 0o755 },
  );
  const extra = noisy ? `ForceCommand ${script}\n` : '';
  writeFileSync(places(folder).sshdConfig(host), config(folder, state, host, extra));
  await restart(folder, host);
};

/** Every address and port that the lab listens on. */
export const portsOf = (state: Pick<LabState, 'port'>): { address: string; port: number }[] => [
  ...[CONTROLLER, ...NODES].map((_, index) => ({ address: '127.0.0.1', port: state.port + index })),
  ...HOSTS.map((host) => ({ address: addressOf(host), port: portOf(state) })),
];
