/** What a host's kernel has in its ring buffer: seconds since boot and text. */
type Line = readonly [at: number, text: string];

const boot: readonly Line[] = [
  [0, 'Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)'],
  [0.4, 'Command line: BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=/dev/sda2 ro quiet'],
  [
    2.118_43,
    'ixgbe 0000:3b:00.0: Multiqueue Enabled: Rx Queue count = 63, Tx Queue count = 63 XDP Queue count = 0',
  ],
  [9.872_11, 'ixgbe 0000:3b:00.0 eth0: NIC Link is Up 10 Gbps, Flow Control: RX/TX'],
];

const minute = 60;

/** The client's words for a server that does not answer (net/sunrpc/clnt.c), with the times at which it did again. */
const silentServer = (up: number): readonly Line[] => [
  [up - 149 * minute, 'nfs: server nfs1 not responding, still trying'],
  [up - 148 * minute, 'nfs: server nfs1 OK'],
  [up - 31 * minute, 'nfs: server nfs1 not responding, still trying'],
  [up - 30 * minute, 'nfs: server nfs1 OK'],
  [up - 4 * minute, 'nfs: server nfs1 not responding, still trying'],
];

/** After `umount -l` rpc.statd is gone: lockd says so for each lock (fs/lockd/mon.c). */
const refusedLocks = (up: number): readonly Line[] =>
  [52, 51, 18, 2].map((ago): Line => [up - ago * minute, 'lockd: cannot monitor nfs2']);

/** What each host's kernel has logged in an incident. */
const linesOf = (host: string, incidents: ReadonlySet<string>, up: number): readonly Line[] => {
  const all = incidents.has('night');
  return [
    ...(host === 'node1' && (all || incidents.has('sfp')) ? silentServer(up) : []),
    ...(host === 'node3' && all ? refusedLocks(up) : []),
  ];
};

/** `dmesg` as util-linux prints it: `[   12.345678] text`. `up`: seconds since the host was booted. */
export const kernelLog = (host: string, incidents: ReadonlySet<string>, up: number): string =>
  [...boot, ...linesOf(host, incidents, up)]
    .filter(([at]) => at <= up && at >= 0)
    .map(([at, text]) => `[${at.toFixed(6).padStart(12)}] ${text}\n`)
    .join('');
