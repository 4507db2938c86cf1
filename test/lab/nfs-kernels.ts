import { SEEN, type KernelLab } from './kernels.ts';

const [SERVER, CN1, CN2] = ['10.119.0.1', '10.119.0.21', '10.119.0.22'] as const;
const NETWORK = '10.119.0.0/24';
const NETWORK6 = 'fd00:119::/64';

export type NfsHost = 'nfs1' | 'cn1' | 'cn2';

const site = `hosts:
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

const toNetwork = (network: string): string => `${network}(rw,sync,no_subtree_check,no_root_squash)`;

/** A server and two clients. */
export const nfsLab: KernelLab<NfsHost> = {
  name: 'nfs',
  title: 'the NFS lab',
  bridge: 'flnfs',
  ownAddress: '10.119.0.254/24',
  hosts: {
    nfs1: {
      address: SERVER,
      memory: '256M',
      words: { role: 'server', address6: 'fd00:119::1', server: SERVER },
    },
    cn1: {
      address: CN1,
      memory: '192M',
      words: { role: 'client', address6: 'fd00:119::21', server: SERVER },
    },
    cn2: {
      address: CN2,
      memory: '192M',
      words: { role: 'client', address6: 'fd00:119::22', server: SERVER },
    },
  },
  needed: {
    '/usr/sbin/rpc.nfsd': 'nfs-kernel-server',
    '/usr/sbin/mount.nfs': 'nfs-common',
    '/usr/sbin/rpcbind': 'rpcbind',
    '/usr/sbin/iptables-legacy': 'iptables',
    '/usr/sbin/mkfs.ext4': 'e2fsprogs',
    '/usr/bin/bindfs': 'bindfs',
  },
  guest: 'nfs-guest.sh',
  site,
  files: [
    {
      name: 'exports',
      text: `/export/home ${toNetwork(NETWORK)}\n/export/apps ${toNetwork(NETWORK)} ${toNetwork(NETWORK6)}\n`,
    },
    ...Object.entries(restarts).map(([name, commands]) => ({
      name,
      text: `#!/bin/sh\n${commands}\n`,
      mode: 0o755,
    })),
  ],
};
