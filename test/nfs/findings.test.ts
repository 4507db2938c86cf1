import { describe, expect, it } from 'vitest';
import { nfs } from '../../probes/nfs/index.ts';
import type { ClientReading, ServerReading } from '../../probes/nfs/readings.ts';
import type { Point } from '../../src/model/reading.ts';
import { start } from '../helpers/judging.ts';
import { call, clientOf, mountOf, Nfs, outstanding, serverOf, waiter } from './make.ts';

const stuckBefore = clientOf({
  mounts: [mountOf(outstanding(30, 28))],
  waiting: { all: 2, nfs: [waiter(7)] },
});
const stuckNow = clientOf({
  mounts: [mountOf(outstanding(37, 28))],
  waiting: { all: 3, nfs: [waiter(7), waiter(8)] },
});
const moving = [clientOf(), clientOf({ mounts: [mountOf(outstanding(60, 60))] })] as const;

describe('a server that hangs', () => {
  const night = (): Nfs => {
    const made = new Nfs(['n1', 'n2', 'n3']);
    for (const host of ['n1', 'n2', 'n3']) made.client(host, stuckBefore, stuckNow);
    return made;
  };

  it('is one finding with all its clients, long before a kernel says a word', () => {
    const found = night()
      .calls('n1', [call('nfs', 'timedOut'), call('rpcbind', 'timedOut')])
      .findings();
    expect(found).toMatchObject([
      {
        id: 'nfs:mount-hung:nfs1',
        severity: 'critical',
        subject: { kind: 'host', id: 'nfs1' },
        summary: 'nfs1 hangs on n[1-3]: it answers no call; 3 processes wait',
        suspects: [{ cause: 'server-hung', confidence: 'high' }],
        hurt: { clients: 3 },
        lacks: [{ what: 'data', from: [{ kind: 'host', id: 'nfs1' }] }],
      },
    ]);
  });

  it.each([
    ['nfsd-stopped', [call('nfs', 'refused'), call('rpcbind', 'ready')]],
    ['host-unreachable', [call('nfs', 'noRoute'), call('rpcbind', 'noRoute')]],
    ['threads-exhausted', [call('nfs', 'timedOut'), call('rpcbind', 'ready')]],
    ['disk-hung', [call('nfs', 'ready'), call('rpcbind', 'ready')]],
    ['disk-hung', [call('nfs', 'ready'), call('rpcbind', 'refused')]],
  ] as const)('%s is told by two calls', (cause, calls) => {
    const [found] = night().calls('n1', calls).findings();
    expect(found?.suspects).toMatchObject([{ cause }]);
  });

  it('is said to be of no known cause where nobody called', () => {
    const [found] = night().findings();
    expect(found).toMatchObject({ kind: 'mount-hung', suspects: [{ confidence: 'low' }] });
  });

  it('says how many of its clients hang, and that it is their way where others reach it', () => {
    const made = new Nfs(['n1', 'n2']).client('n1', stuckBefore, stuckNow).client('n2', ...moving);
    made.calls('n1', [call('nfs', 'timedOut')]).calls('n2', [call('nfs', 'ready')]);
    expect(made.findings()).toMatchObject([
      {
        kind: 'mount-hung',
        summary: expect.stringContaining('on n1 of 2 clients'),
        suspects: [{ cause: 'link' }],
      },
    ]);
  });

  it('takes processes that were not read for ones that may wait', () => {
    const blind = ({ mounts }: typeof stuckNow) => ({
      mounts,
      automounts: 0,
      lines: [],
      unread: { waiting: 'ps: bad option' },
    });
    const made = new Nfs(['n1']).client('n1', blind(stuckBefore), blind(stuckNow));
    expect(made.kinds()).toEqual(['mount-hung', 'part-unread']);
  });

  it.each([
    [
      'requests in flight that are answered',
      clientOf({ mounts: [mountOf(outstanding(30, 28))], waiting: { all: 1, nfs: [waiter(7)] } }),
      clientOf({ mounts: [mountOf(outstanding(90, 88))], waiting: { all: 1, nfs: [waiter(7)] } }),
    ],
    [
      'a mount made anew',
      stuckBefore,
      clientOf({
        mounts: [mountOf({ transports: [{ proto: 'tcp', srcPort: 700, sends: 37, recvs: 28 }] })],
        waiting: { all: 1, nfs: [waiter(7)] },
      }),
    ],
    ['requests in flight for the first time', clientOf(), stuckNow],
    ['a process in state D elsewhere', clientOf(), clientOf({ waiting: { all: 9, nfs: [] } })],
  ])('is silent on %s', (_what, before, now) => {
    expect(new Nfs(['n1']).client('n1', before, now).kinds()).toEqual([]);
  });

  it('is found for each of two servers that hang on the same clients', () => {
    const nfs2 = (sends: number) =>
      mountOf({
        mount: '/apps',
        source: 'nfs2:/apps',
        server: 'nfs2',
        addr: '10.9.0.2',
        ...outstanding(sends, 9),
      });
    const both = ({ mounts, ...rest }: typeof stuckNow, sends: number) => ({
      ...rest,
      mounts: [...mounts, nfs2(sends)],
    });
    const made = new Nfs(['n1'], ['nfs1', 'nfs2']).client('n1', both(stuckBefore, 11), both(stuckNow, 12));
    expect(made.findings().map(({ id }) => id)).toEqual(['nfs:mount-hung:nfs1', 'nfs:mount-hung:nfs2']);
  });

  it('is silent on a server that answers beside one that hangs on the same client', () => {
    const nfs2 = (all: number) =>
      mountOf({
        mount: '/apps',
        source: 'nfs2:/apps',
        server: 'nfs2',
        addr: '10.9.0.2',
        ...outstanding(all, all),
      });
    const both = ({ mounts, ...rest }: typeof stuckNow, all: number) => ({
      ...rest,
      mounts: [...mounts, nfs2(all)],
    });
    const made = new Nfs(['n1'], ['nfs1', 'nfs2']).client('n1', both(stuckBefore, 9), both(stuckNow, 9));
    expect(made.findings().map(({ id }) => id)).toEqual(['nfs:mount-hung:nfs1']);
  });

  it('is silent on a request whose process was killed: it stays unanswered, and nobody waits', () => {
    const idle = clientOf({ mounts: [mountOf(outstanding(30, 28))] });
    const made = new Nfs(['n1']).client('n1', idle, idle).calls('n1', [call('nfs', 'ready')]);
    expect(made.kinds()).toEqual([]);
  });

  /** nfs1 hangs and threads wait for it; a request to nfs2 stands unanswered besides. */
  const beside = (tasks?: ClientReading['tasks']) => {
    const nfs2 = mountOf({
      mount: '/apps',
      source: 'nfs2:/apps',
      server: 'nfs2',
      addr: '10.9.0.2',
      ...outstanding(11, 9),
    });
    const both = ({ mounts, ...rest }: ClientReading) => ({
      ...rest,
      mounts: [...mounts, nfs2],
      ...(tasks && { tasks }),
    });
    return new Nfs(['n1'], ['nfs1', 'nfs2']).client('n1', both(stuckBefore), both(stuckNow));
  };
  const mountRows = (made: Nfs) =>
    nfs
      .view(made.judgement())
      .blocks.flatMap((block) => (block.type === 'table' && block.id === 'mounts' ? block.rows : []))
      .map(({ key, sign }) => `${key} ${sign}`);

  it('is silent on a killed request beside a server that hangs, where the kernel works on nothing for it', () => {
    const known = beside({ '10.9.0.1': 2, '10.9.0.2': 0 });
    expect(known.findings().map(({ id }) => id)).toEqual(['nfs:mount-hung:nfs1']);
    const down = beside({ '10.9.0.2': 1 });
    expect(down.findings().map(({ id }) => id)).toEqual(['nfs:mount-hung:nfs1', 'nfs:mount-hung:nfs2']);
  });

  it('on kernels that do not tell what they work on, is of the server that answers no call, and the other is not known', () => {
    const silent = [call('nfs', 'timedOut'), call('rpcbind', 'ready')];
    const answers = call('nfs', 'ready', { addr: '10.9.0.2' });
    const one = beside().calls('n1', [...silent, answers]);
    expect(one.findings().map(({ id }) => id)).toEqual(['nfs:mount-hung:nfs1']);
    expect(mountRows(one)).toEqual(['nfs1:/export/home critical', 'nfs2:/export/home unknown']);
    const none = beside().calls('n1', [...silent, { ...answers, state: 'timedOut' }]);
    expect(none.findings().map(({ kind }) => kind)).toEqual(['mount-hung', 'mount-hung']);
    const both = beside().calls('n1', [call('nfs', 'ready'), answers]);
    expect(both.findings().map(({ kind }) => kind)).toEqual(['mount-hung', 'mount-hung']);
  });

  it('is silent where counters began anew or wrapped between the readings', () => {
    const waits = { waiting: { all: 1, nfs: [waiter(7)] } };
    const before = clientOf({ ...waits, mounts: [mountOf(outstanding(4_294_967_290, 4_294_967_280))] });
    const now = clientOf({ ...waits, mounts: [mountOf(outstanding(9, 4))] });
    expect(new Nfs(['n1']).client('n1', before, now).kinds()).toEqual([]);
    const other = { transports: [{ proto: 'tcp', srcPort: 700, sends: 9, recvs: 4 }] };
    const anew = clientOf({ ...waits, mounts: [mountOf(other)] });
    expect(new Nfs(['n1']).client('n1', now, anew).kinds()).toEqual([]);
  });

  it('is one server where its name resolves to another address on each node', () => {
    const at = (addr: string, value: ClientReading): ClientReading => ({
      ...value,
      mounts: value.mounts.map((mount) => ({ ...mount, addr })),
    });
    const made = new Nfs(['n1', 'n2'])
      .client('n1', at('10.9.0.1', stuckBefore), at('10.9.0.1', stuckNow))
      .client('n2', at('fd00::1', stuckBefore), at('fd00::1', stuckNow));
    expect(made.findings()).toMatchObject([
      { id: 'nfs:mount-hung:nfs1', summary: expect.stringContaining('hangs on n[1-2]') },
    ]);
  });

  it('is silent where the reading is old', () => {
    const made = new Nfs(['n1']).client('n1', stuckBefore, stuckNow);
    made.readings.fail('nfs.client', 'n1', { kind: 'timeout', message: 'n1: no answer' });
    expect(made.kinds()).toEqual([]);
  });
});

describe('a server that answers nobody while nobody waits', () => {
  const silent = [call('nfs', 'timedOut'), call('rpcbind', 'timedOut')];

  it('is a warning after two rounds', () => {
    const made = new Nfs(['n1']).client('n1', ...moving).calls('n1', silent);
    expect(made.findings()).toMatchObject([{ kind: 'no-answer', severity: 'warning' }]);
  });

  it('is silent after one round, and of a server without a portmapper', () => {
    const once = new Nfs(['n1']).client('n1', ...moving).calls('n1', [call('nfs', 'ready')], silent);
    const bound = new Nfs(['n1'])
      .client('n1', ...moving)
      .calls('n1', [call('nfs', 'ready'), call('rpcbind', 'refused')]);
    expect([once.kinds(), bound.kinds()]).toEqual([[], []]);
  });
});

describe('rpc.statd', () => {
  const dead = call('statd', 'refused', { addr: '127.0.0.1', version: 1, text: 'RPC: Unable to receive' });

  it('dead on a client says what will fail, and with the kernel that it does', () => {
    const quiet = new Nfs(['n1']).client('n1', ...moving).calls('n1', [dead]);
    expect(quiet.findings()).toMatchObject([
      {
        kind: 'statd-dead',
        summary: 'n1: rpc.statd is dead, locks to servers not yet in use will be refused (NFSv3)',
        remedies: [{ action: 'nfs.restart-statd' }],
      },
    ]);
    const lines = [
      { kind: 'cannotMonitor', text: 'lockd: cannot monitor nfs1', at: start - 60_000, host: 'nfs1' },
    ];
    const loud = new Nfs(['n1']).client('n1', clientOf(), clientOf({ lines })).calls('n1', [dead]);
    expect(loud.findings()[0]?.summary).toContain('file locks are refused, last at');
  });

  it('is one finding for many clients', () => {
    const made = new Nfs(['n1', 'n2'])
      .client('n1', ...moving)
      .client('n2', ...moving)
      .calls('n1', [dead])
      .calls('n2', [dead]);
    expect(made.findings()).toMatchObject([
      { id: 'nfs:statd-dead:clients', subject: { kind: 'site', id: 'n[1-2]' } },
    ]);
  });

  it.each([
    ['NFSv4', { vers: '4.2' }],
    ['nolock', { nolock: true }],
    ['locks of its own', { localLock: 'all' }],
  ])('is not missed by %s', (_what, more) => {
    const value = clientOf({ mounts: [mountOf(more)] });
    expect(new Nfs(['n1']).client('n1', value, value).calls('n1', [dead]).kinds()).toEqual([]);
  });

  it('dead on the server is told of the server, and only where somebody mounts NFSv3', () => {
    const value = serverOf({
      calls: [call('nfs', 'ready'), call('statd', 'refused', { addr: '127.0.0.1' })],
    });
    const v4 = clientOf({ mounts: [mountOf({ vers: '4.2' })] });
    expect(
      new Nfs(['n1'])
        .client('n1', ...moving)
        .server('nfs1', value)
        .kinds(),
    ).toEqual(['server-statd-dead']);
    expect(new Nfs(['n1']).client('n1', v4, v4).server('nfs1', value).kinds()).toEqual([]);
  });

  it('is not said to be dead where rpcbind is, nor where nfsd does not run', () => {
    const calls = [
      call('nfs', 'ready'),
      call('rpcbind', 'refused'),
      call('statd', 'refused'),
      call('lockd', 'refused'),
    ];
    expect(
      new Nfs(['n1'])
        .client('n1', ...moving)
        .server('nfs1', serverOf({ calls }))
        .kinds(),
    ).toEqual(['rpcbind-dead']);
    const off = serverOf({ threads: 0, calls: [call('nfs', 'refused'), call('statd', 'refused')] });
    expect(
      new Nfs(['n1'])
        .client('n1', ...moving)
        .server('nfs1', off)
        .kinds(),
    ).toEqual(['nfsd-stopped']);
  });
});

describe('threads of nfsd', () => {
  const busy = serverOf({
    workers: { all: 3, waiting: 3, wchans: ['io_schedule'] },
    sockets: { all: 4, queued: 2 },
    threads: 3,
  });

  it('are exhausted by two of three proofs', () => {
    expect(new Nfs([]).server('nfs1', busy).findings()).toMatchObject([
      { kind: 'threads-exhausted', severity: 'critical', remedies: [{ action: 'nfs.threads' }] },
    ]);
  });

  it.each([
    [
      'one proof',
      serverOf({ workers: { all: 3, waiting: 3, wchans: [] } }),
      serverOf({ workers: { all: 3, waiting: 3, wchans: [] } }),
    ],
    ['requests that wait in one reading', serverOf(), busy],
    [
      'a server without threads that were read',
      serverOf({ workers: { all: 0, waiting: 0, wchans: [] } }),
      serverOf({ workers: { all: 0, waiting: 0, wchans: [] }, sockets: { all: 4, queued: 2 } }),
    ],
  ])('are not by %s', (_what, before, now) => {
    const value = before === now ? before : { ...now, sockets: now.sockets ?? { all: 0, queued: 0 } };
    const single = now === busy ? { ...value, workers: { all: 3, waiting: 0, wchans: [] } } : value;
    expect(new Nfs([]).server('nfs1', before, single).kinds()).toEqual([]);
  });
});

describe('exports', () => {
  it('that clients mount and the server no longer gives', () => {
    const value = serverOf({ exports: [{ path: '/export/homework', client: '*' }] });
    expect(
      new Nfs(['n1'])
        .client('n1', ...moving)
        .server('nfs1', value)
        .findings(),
    ).toMatchObject([
      {
        id: 'nfs:export-withdrawn:nfs1:/export/home',
        severity: 'critical',
        remedies: [{ action: 'nfs.export-again' }],
      },
    ]);
  });

  it.each([
    ['below one that is given', serverOf({ exports: [{ path: '/export', client: '*' }] }), {}],
    [
      'of a table that was not read',
      serverOf({ exports: [], unread: { exports: 'exportfs: not found' } }),
      {},
    ],
    [
      'of NFSv4 behind a pseudo root',
      serverOf({ exports: [{ path: '/srv', client: '*', options: ['fsid=0'] }] }),
      { vers: '4.2', export: '/home' },
    ],
    [
      'of NFSv4 above what is given',
      serverOf({ exports: [{ path: '/export/home/a', client: '*' }] }),
      { vers: '4.1' },
    ],
  ])('are not withdrawn %s', (_what, value, more) => {
    const client = clientOf({ mounts: [mountOf(more)] });
    const kinds = new Nfs(['n1']).client('n1', client, client).server('nfs1', value).kinds();
    expect(kinds.filter((kind) => kind !== 'part-unread')).toEqual([]);
  });
});

describe('exports for others alone', () => {
  const from = (local: string, peer = '10.9.0.1:2049') => [
    { state: 'ESTAB', recvQ: 0, sendQ: 0, local, peer },
  ];
  const night = (
    clients: readonly string[],
    sockets = from('10.9.0.21:973'),
    addr = '10.9.0.1',
    known?: ServerReading['known'],
  ) => {
    const value = clientOf({ mounts: [mountOf({ addr })], sockets });
    const exports = clients.map((client) => ({ path: '/export', client }));
    const server = serverOf({ exports, ...(known && { known }) });
    return new Nfs(['n1']).client('n1', value, value).server('nfs1', server);
  };

  it('are told with the address of the client and what the server has', () => {
    const [found] = night(['10.8.0.0/16', '10.9.0.22']).findings();
    expect(found).toMatchObject({
      id: 'nfs:export-excludes:nfs1:/export/home',
      severity: 'warning',
      summary: 'nfs1:/export/home is not exported to n1, though mounted there',
    });
    expect(found?.evidence.map(({ text }) => text)).toEqual([
      '/home is mounted, from the address 10.9.0.21',
      '/export is exported to 10.8.0.0/16, /export is exported to 10.9.0.22',
    ]);
    expect(night(['10.9.0.0/255.255.255.248']).kinds()).toEqual(['export-excludes']);
    const six = night(['fd00:1::/64'], from('[fd00:9::21]:740', '[fd00:9::1]:2049'), 'fd00:9::1');
    expect(six.kinds()).toEqual(['export-excludes']);
    const near = night(
      ['fd00:9:0:1::/64', 'fd00:9::22'],
      from('[fd00:9::21]:740', '[fd00:9::1]:2049'),
      'fd00:9::1',
    );
    expect(near.kinds()).toEqual(['export-excludes']);
  });

  it.each([
    ['the world may', ['10.8.0.0/16', '<world>']],
    ['its network may', ['10.9.0.0/24']],
    ['its network may, by its mask', ['10.9.0.0/255.255.0.0']],
    ['it may itself', ['10.9.0.21']],
    ['a netgroup may', ['10.8.0.0/16', '@trusted']],
    ['names may', ['10.8.0.0/16', '*.example.org']],
    ['everybody may', ['0.0.0.0/0']],
    ['a mask is none', ['10.8.0.0/255.0.255.0']],
  ])('are not said where %s', (_what, clients) => {
    expect(night(clients).kinds()).toEqual([]);
  });

  describe('of names, wildcards and netgroups the server itself says whom it takes for one', () => {
    const row = (clients: readonly string[], address = '10.9.0.21') => [{ address, clients: [...clients] }];
    const told = (clients: readonly string[], known: ServerReading['known']) =>
      night(clients, from('10.9.0.21:973'), '10.9.0.1', known).kinds();

    it('a client that it knows as none of them is told', () => {
      expect(told(['@nodes', '*.example.org'], row([]))).toEqual(['export-excludes']);
      expect(told(['@nodes', '10.8.0.0/16'], row([]))).toEqual(['export-excludes']);
      const six = night(['@nodes'], from('[fd00:9::21]:740', '[fd00:9::1]:2049'), 'fd00:9::1', [
        { address: 'fd00:0009:0000:0000:0000:0000:0000:0021', clients: [] },
      ]);
      expect(six.kinds()).toEqual(['export-excludes']);
    });

    it.each<[string, readonly string[], ServerReading['known']]>([
      ['it knows it as one', ['@nodes'], row(['@nodes'])],
      ['it does not know the address just now', ['@nodes'], row([], '10.9.0.22')],
      ['its names are others than those of its exports', ['@nodes'], row(['$10.9.0.21'])],
      ['its table was not read', ['@nodes'], undefined],
    ])('silent: %s', (_why, clients, known) => {
      expect(told(clients, known)).toEqual([]);
    });
  });

  it('are not said where nobody knows from which address a client talks, and for IPv6 as for IPv4', () => {
    expect(night(['10.8.0.0/16'], []).kinds()).toEqual([]);
    expect(night(['10.8.0.0/16'], from('10.9.0.21:973', '10.9.0.2:2049')).kinds()).toEqual([]);
    const six = from('[fd00:9::21]:740', '[fd00:9::1]:2049');
    expect(night(['fd00:9::/64'], six, 'fd00:9::1').kinds()).toEqual([]);
    expect(night(['10.9.0.0/24'], from('[::ffff:10.9.0.21]:740', '[::ffff:10.9.0.1]:2049')).kinds()).toEqual(
      [],
    );
  });
});

describe('speed', () => {
  const ops = (count: number, rttMs: bigint) => [
    { op: 'READ', ops: count, timeouts: 0, queueMs: 0n, rttMs, executeMs: rttMs },
  ];
  const slow = [
    clientOf({ mounts: [mountOf({ ops: ops(1000, 2000n) })] }),
    clientOf({ mounts: [mountOf({ ops: ops(1100, 12_000n) })] }),
  ] as const;
  const usual = Array.from({ length: 8 }, (_none, at) => ({ at: start - (at + 1) * 3_600_000, value: 2 }));

  it('of a server that takes many times as long as it did, on all its clients', () => {
    const made = new Nfs(['n1', 'n2']).client('n1', ...slow).client('n2', ...slow);
    made.series = { 'nfs/rtt/nfs1/n1/READ': usual, 'nfs/rtt/nfs1/n2/READ': usual };
    expect(made.findings()).toMatchObject([
      {
        kind: 'slow',
        subject: { id: 'nfs1' },
        summary: 'nfs1 slow on all 2 clients that use it: READ takes 100 ms, usually 2.0 ms',
        suspects: [{ cause: 'server-slow' }],
      },
    ]);
  });

  it('of one client of several is its own or its way', () => {
    const fine = [
      clientOf({ mounts: [mountOf({ ops: ops(1000, 2000n) })] }),
      clientOf({ mounts: [mountOf({ ops: ops(1100, 2200n) })] }),
    ] as const;
    const made = new Nfs(['n1', 'n2', 'n3'])
      .client('n1', ...slow)
      .client('n2', ...fine)
      .client('n3', ...fine);
    made.series = {
      'nfs/rtt/nfs1/n1/READ': usual,
      'nfs/rtt/nfs1/n2/READ': usual,
      'nfs/rtt/nfs1/n3/READ': usual,
    };
    expect(made.findings()).toMatchObject([
      { kind: 'slow', subject: { id: 'n1' }, suspects: [{ cause: 'link' }] },
    ]);
  });

  it.each([
    ['no history to compare with', {}],
    [
      'a server that was always so slow',
      { 'nfs/rtt/nfs1/n1/READ': usual.map((point) => ({ ...point, value: 90 })) },
    ],
  ])('is not judged with %s', (_what, series) => {
    const made = new Nfs(['n1']).client('n1', ...slow);
    made.series = series;
    expect(made.kinds()).toEqual([]);
  });

  describe('against other clients, where nothing is known of before', () => {
    const fine = [
      clientOf({ mounts: [mountOf({ ops: ops(1000, 2000n) })] }),
      clientOf({ mounts: [mountOf({ ops: ops(1100, 2200n) })] }),
    ] as const;
    const withOthers = (
      others: readonly string[],
      pair: readonly [ClientReading, ClientReading] = fine,
    ): Nfs => {
      const made = new Nfs(['n1', ...others]).client('n1', ...slow);
      for (const name of others) made.client(name, ...pair);
      return made;
    };

    it('one of five is told, with what the others take, and a fault on its way may explain it', () => {
      const [found, ...more] = withOthers(['n2', 'n3', 'n4', 'n5']).findings();
      expect(found).toMatchObject({
        kind: 'slow',
        subject: { id: 'n1' },
        summary: 'nfs1 slow on n1: READ takes 100 ms, on others 2.0 ms',
        suspects: [{ cause: 'link' }],
        lacks: [{ what: 'data', of: [{ id: 'n1' }], from: [{ id: 'nfs1' }] }],
      });
      expect(more).toEqual([]);
    });

    it.each<[string, Nfs]>([
      ['three others are too few', withOthers(['n2', 'n3', 'n4'])],
      ['others that do little say nothing', withOthers(['n2', 'n3', 'n4', 'n5'], [fine[0], fine[0]])],
      ['all are alike', withOthers(['n2', 'n3', 'n4', 'n5'], slow)],
    ])('silent: %s', (_why, made) => {
      expect(made.kinds()).toEqual([]);
    });

    it.each<[string, readonly Point[], number]>([
      ['a client whose way was always long is not', usual.map((point) => ({ ...point, value: 90 })), 0],
      ['one whose time has not changed for hours is not', [{ at: start - 2 * 3_600_000, value: 90 }], 0],
      ['one that became so a minute ago is told', [{ at: start - 60_000, value: 90 }], 1],
    ])('%s', (_what, points, found) => {
      const made = withOthers(['n2', 'n3', 'n4', 'n5']);
      made.series = { 'nfs/rtt/nfs1/n1/READ': points };
      expect(made.kinds()).toHaveLength(found);
    });
  });

  it('is not judged by a few operations, nor across a mount made anew', () => {
    const few = [
      clientOf({ mounts: [mountOf({ ops: ops(1000, 2000n) })] }),
      clientOf({ mounts: [mountOf({ ops: ops(1010, 12_000n) })] }),
    ] as const;
    const anew = [
      clientOf({ mounts: [mountOf({ ops: ops(9000, 90_000n) })] }),
      clientOf({ mounts: [mountOf({ ops: ops(100, 12_000n) })] }),
    ] as const;
    for (const pair of [few, anew]) {
      const made = new Nfs(['n1']).client('n1', ...pair);
      made.series = { 'nfs/rtt/nfs1/n1/READ': usual };
      expect(made.kinds()).toEqual([]);
    }
  });
});
