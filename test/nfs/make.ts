import { nfs } from '../../probes/nfs/index.ts';
import type { Call, ClientMount, ClientReading, ServerReading } from '../../probes/nfs/readings.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import type { Point } from '../../src/model/reading.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** A hard NFSv3 mount of nfs1, all of whose requests were answered. */
export const mountOf = (more: Partial<ClientMount> = {}): ClientMount => ({
  mount: '/home',
  source: 'nfs1:/export/home',
  server: 'nfs1',
  export: '/export/home',
  readOnly: false,
  dev: '0:32',
  vers: '3',
  failMode: 'hard',
  proto: 'tcp',
  timeo: 600,
  localLock: 'none',
  addr: '10.9.0.1',
  transports: [{ proto: 'tcp', srcPort: 965, sends: 28, recvs: 28 }],
  ops: [],
  ...more,
});

/** A transport with requests that were sent and not answered. */
export const outstanding = (sends: number, recvs: number): Pick<ClientMount, 'transports'> => ({
  transports: [{ proto: 'tcp', srcPort: 965, sends, recvs }],
});

export const clientOf = (more: Partial<ClientReading> = {}): ClientReading => ({
  mounts: [mountOf()],
  automounts: 0,
  waiting: { all: 0, nfs: [] },
  lines: [],
  unread: {},
  ...more,
});

export const waiter = (lwp: number) => ({
  pid: lwp,
  lwp,
  ageS: 300,
  wchan: 'rpc_wait_bit_killable',
  comm: 'ls',
});

export const serverOf = (more: Partial<ServerReading> = {}): ServerReading => ({
  threads: 8,
  workers: { all: 8, waiting: 0, wchans: [] },
  sockets: { all: 3, queued: 0 },
  exports: [{ path: '/export', client: '*' }],
  calls: (['nfs', 'rpcbind', 'statd', 'lockd', 'mountd'] as const).map((what) => ({
    what,
    addr: '127.0.0.1',
    version: 3,
    state: 'ready' as const,
  })),
  unread: {},
  ...more,
});

/** A call of a service at nfs1 that ended like this. */
export const call = (what: Call['what'], state: Call['state'], more: Partial<Call> = {}): Call => ({
  what,
  addr: '10.9.0.1',
  version: 3,
  state,
  ...more,
});

/** Two readings of everything that is put in, half a minute apart. */
export class Nfs {
  readonly readings = new Sources();
  series: Record<string, readonly Point[]> = {};
  private readonly site;

  /** `rackOf`: the racks of clients, where that matters. */
  constructor(
    clients: readonly string[],
    servers: readonly string[] = ['nfs1'],
    rackOf?: (client: string) => string,
  ) {
    this.site = siteOf([
      ...clients.map((name) => ({
        name,
        roles: ['nfs-client'],
        ...(rackOf && { location: { rack: rackOf(name) } }),
      })),
      ...servers.map((name) => ({ name, roles: ['nfs-server'] })),
    ]);
  }

  client(host: string, before: ClientReading, now: ClientReading): this {
    return this.put('nfs.client', host, before, now);
  }

  server(host: string, before: ServerReading, now = before): this {
    return this.put('nfs.server', host, before, now);
  }

  calls(host: string, before: readonly Call[], now = before): this {
    return this.put('nfs.calls', host, { calls: before }, { calls: now });
  }

  findings(): readonly FindingDraft[] {
    return nfs.findings(this.judgement());
  }

  kinds(): readonly string[] {
    return this.findings().map(({ kind }) => kind);
  }

  judgement() {
    return judgementOf({ readings: this.readings, site: this.site, history: historyOf(this.series) });
  }

  private put(probe: string, host: string, before: unknown, now: unknown): this {
    this.readings.good(probe, host, before, start - 30_000, 20, 1);
    this.readings.good(probe, host, now, start, 20, 1);
    return this;
  }
}
