import { accessSync, constants } from 'node:fs';

/** The programs the lab starts, and the Debian package each is in. */
const NEEDED: Readonly<Record<string, string>> = {
  '/usr/sbin/munged': 'munge',
  '/usr/sbin/slurmctld': 'slurmctld',
  '/usr/sbin/slurmd': 'slurmd',
  '/usr/bin/sinfo': 'slurm-client',
  '/usr/sbin/sshd': 'openssh-server',
  '/usr/bin/ssh-keygen': 'openssh-client',
  '/usr/bin/unshare': 'util-linux',
};

const present = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The Debian packages of those of these programs that are not there. */
export const missingPrograms = (needed: Readonly<Record<string, string>>): string[] => [
  ...new Set(
    Object.entries(needed)
      .filter(([path]) => !present(path))
      .map(([, name]) => name),
  ),
];

/** Throws with the line to type when something is missing, or when not root. */
export const checkMachine = (): void => {
  if (process.getuid?.() !== 0)
    throw new Error('the lab starts daemons under other names and hosts: run it as root');
  const missing = Object.entries(NEEDED).filter(([path]) => !present(path));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
  throw new Error(
    `missing: ${missing.map(([path]) => path).join(', ')}; install with\n  apt-get update && apt-get install -y --no-install-recommends ${packages}`,
  );
};

/** What the gluster lab needs besides: throws with the line to type, or with what this machine cannot do. */
export const checkGlusterMachine = (): void => {
  if (process.getuid?.() !== 0) throw new Error('the gluster lab makes namespaces: run it as root');
  const needed = {
    '/usr/sbin/glusterd': 'glusterfs-server',
    '/usr/sbin/ip': 'iproute2',
    '/usr/sbin/sshd': 'openssh-server',
  };
  const missing = Object.entries(needed).filter(([path]) => !present(path));
  if (missing.length > 0) {
    throw new Error(
      `missing: ${missing.map(([path]) => path).join(', ')}; install with\n  apt-get update && apt-get install -y --no-install-recommends ${missing.map(([, name]) => name).join(' ')}`,
    );
  }
};

/** What the iperf lab needs besides: throws with the line to type. */
export const checkIperfMachine = (): void => {
  if (process.getuid?.() !== 0) throw new Error('the iperf lab makes namespaces: run it as root');
  const needed = {
    '/usr/bin/iperf3': 'iperf3',
    '/usr/bin/iperf': 'iperf',
    '/usr/sbin/ip': 'iproute2',
    '/usr/sbin/tc': 'iproute2',
    '/usr/sbin/iptables': 'iptables',
    '/usr/sbin/sshd': 'openssh-server',
  };
  const missing = Object.entries(needed).filter(([path]) => !present(path));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
  throw new Error(
    `missing: ${missing.map(([path]) => path).join(', ')}; install with\n  apt-get update && apt-get install -y --no-install-recommends ${packages}`,
  );
};
