/** NFS of the demo site: two servers, and nodes that mount home directories and applications from them. */
export const SERVERS = {
  nfs1: { address: '10.98.0.1', exports: ['/export/home', '/export/apps'] },
  nfs2: { address: '10.98.0.3', exports: ['/export/project'] },
} as const;

export type ServerName = keyof typeof SERVERS;

export const isServer = (host: string): host is ServerName => Object.hasOwn(SERVERS, host);

export const clients = Array.from({ length: 30 }, (_none, at) => `node${at + 10}`);

export const isClient = (host: string): boolean => clients.includes(host);

/** When the hosts of the demo mounted them, before it began. */
const MOUNTED_MS = 40 * 86_400_000;

export interface NfsMountState {
  mount: string;
  server: ServerName;
  path: string;
  vers: string;
  dev: string;
  srcPort: number;
}

const mounts: readonly NfsMountState[] = [
  { mount: '/home', server: 'nfs1', path: '/export/home', vers: '3', dev: '0:41', srcPort: 812 },
  { mount: '/apps', server: 'nfs1', path: '/export/apps', vers: '4.2', dev: '0:42', srcPort: 0 },
  { mount: '/project', server: 'nfs2', path: '/export/project', vers: '3', dev: '0:43', srcPort: 977 },
];

/** What registers with rpcbind, and with it what it serves: nlockmgr with nfsd. */
export type Registered = 'statd' | 'mountd' | 'nfsd';

/** What changes: who hangs since when, threads, daemons that died, and what is exported. */
export class NfsState {
  readonly begunAt: number;
  readonly hungSince = new Map<ServerName, number>();
  readonly threads = new Map<ServerName, number>([
    ['nfs1', 16],
    ['nfs2', 8],
  ]);
  readonly deadStatd = new Map<string, number>();
  readonly deadRpcbind = new Set<string>();
  /** What rpcbind of a host does not know since it was started anew. */
  readonly unregistered = new Map<string, Set<Registered>>();
  /** When mounts were made again, `HOST PATH`. */
  readonly mountedAt = new Map<string, number>();
  /** Mounts that a host no longer has, `HOST PATH`. */
  readonly unmounted = new Set<string>();
  /** Paths of /etc/exports that are not in the table in force. */
  readonly withdrawn = new Set<string>();

  /** What list.sh kept, by directory, and files that were put below /etc, on the login host. */
  readonly listings = new Map<string, string>();
  readonly files = new Map<string, string>();

  constructor(now: number) {
    this.begunAt = now;
  }

  /** Seconds since the mounts were made. */
  ageS(now: number): number {
    return Math.floor((now - this.begunAt + MOUNTED_MS) / 1000);
  }

  /** Seconds since a mount was made. */
  mountAgeS(host: string, { mount }: NfsMountState, now: number): number {
    const again = this.mountedAt.get(`${host} ${mount}`);
    return again === undefined ? this.ageS(now) : Math.floor((now - again) / 1000);
  }

  /** All mounts of a client at boot. */
  fstab(): readonly NfsMountState[] {
    return mounts;
  }

  /** Whether this restarts a service that clients and servers have alike. A new rpcbind knows nobody. */
  restart(host: string, command: string): boolean {
    if (command === 'systemctl restart rpcbind') {
      this.deadRpcbind.delete(host);
      this.unregistered.set(host, new Set(['statd', 'mountd', 'nfsd']));
      return true;
    }
    if (command !== 'systemctl restart rpc-statd') return false;
    this.deadStatd.delete(host);
    this.register(host, 'statd');
    return true;
  }

  register(host: string, what: Registered): void {
    this.unregistered.get(host)?.delete(what);
  }

  /** Whether a service of a host is found by its rpcbind. */
  isFound(host: string, what: Registered): boolean {
    return !this.deadRpcbind.has(host) && this.unregistered.get(host)?.has(what) !== true;
  }

  mountsOf(host: string): readonly NfsMountState[] {
    return mounts.filter(({ mount }) => !this.unmounted.has(`${host} ${mount}`));
  }

  /** Requests that were sent and answered on a mount's transport; one that hangs has a few outstanding. */
  requests({ server }: NfsMountState, host: string, now: number): { sends: number; recvs: number } {
    const since = this.hungSince.get(server);
    const perSecond = 3 + (host.length % 4);
    const answered = this.ageS(since ?? now) * perSecond;
    return since === undefined
      ? { sends: answered, recvs: answered }
      : { sends: answered + Math.min(9, 2 + Math.floor((now - since) / 1000)), recvs: answered };
  }
}
