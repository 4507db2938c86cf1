import { expect, it } from 'vitest';
import { nfs } from '../../probes/nfs/index.ts';
import type { ServerReading } from '../../probes/nfs/readings.ts';
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

it('the pane shows servers with the hung first, and what is mounted where', () => {
  const made = new Nfs(['n1', 'n2'], ['nfs1', 'nfs2']).client('n1', stuckBefore, stuckNow);
  made.client(
    'n2',
    clientOf(),
    clientOf({ mounts: [mountOf({ source: 'nfs2:/x', server: 'nfs2', export: '/x', addr: '10.9.0.2' })] }),
  );
  const { blocks, sign, wall } = nfs.view(made.judgement());
  expect({ sign, wall }).toEqual({ sign: 'critical', wall: 'hangs on 1 client' });
  const [servers, mounts] = blocks.map((block) => (block.type === 'table' ? block.rows : []));
  expect(servers?.map(({ key, sign: own }) => [key, own])).toEqual([
    ['nfs1', 'critical'],
    ['nfs2', 'unknown'],
  ]);
  expect(mounts?.map(({ key }) => key)).toEqual(['nfs1:/export/home', 'nfs2:/x']);
});

it('the pane calls a mount with unanswered requests well only once a call is answered', () => {
  const idle = clientOf({ mounts: [mountOf(outstanding(30, 28))] });
  const signs = (made: Nfs) =>
    nfs
      .view(made.judgement())
      .blocks.flatMap((block) => (block.type === 'table' && block.id === 'mounts' ? block.rows : []))
      .map(({ sign }) => sign);
  const made = new Nfs(['n1']).client('n1', idle, idle);
  expect(signs(made)).toEqual(['unknown']);
  expect(signs(made.calls('n1', [call('nfs', 'timedOut')]))).toEqual(['unknown']);
  expect(signs(made.calls('n1', [call('nfs', 'ready')]))).toEqual(['fine']);
});

it('while no client was read, it says so in place of "no mount" and "0 clients"', () => {
  const made = new Nfs(['n1']).server('nfs1', serverOf());
  const shown = () => {
    const { blocks, summary } = nfs.view(made.judgement());
    const [servers, mounts] = blocks.flatMap((block) => (block.type === 'table' ? [block] : []));
    return [servers?.rows[0]?.cells['clients']?.text, mounts?.empty, summary];
  };
  made.readings.put({
    probe: 'nfs.client',
    host: 'n1',
    state: 'never',
    before: [],
    everyMs: 30_000,
    durations: [],
  });
  expect(shown()).toEqual(['?', 'not known: no client was read yet', '1 server, clients not read']);
  made.client('n1', clientOf({ mounts: [] }), clientOf({ mounts: [] }));
  expect(shown()).toEqual(['0', 'no NFS mount', '1 server, 1 client']);
});

it('clients depend on their servers for data, and what is mounted under a path on its server', () => {
  const made = new Nfs(['n1']).client('n1', ...moving);
  const value = { on: { kind: 'host', id: 'nfs1' }, carries: 'data' };
  expect(nfs.facts(made.judgement())).toEqual([
    { name: 'depends', subject: { kind: 'host', id: 'n1' }, value },
    { name: 'depends', subject: { kind: 'place', id: '/home' }, value },
  ]);
});

it('a large site has its server addresses by racks: what hangs, how fast it is, who was not read', () => {
  const names = Array.from({ length: 24 }, (_none, at) => `n${at + 1}`);
  const rackOf = (name: string): string => `r${Math.ceil(Number(name.slice(1)) / 8)}`;
  const read = (count: number, rttMs: bigint) => [
    { op: 'READ', ops: count, timeouts: 0, queueMs: 0n, rttMs, executeMs: rttMs },
  ];
  const gridOf = (made: Nfs) =>
    nfs
      .view(made.judgement())
      .blocks.flatMap((block) =>
        block.type === 'grid'
          ? block.rows.map(({ title, cells }) => [title, ...cells.map(({ text, sign }) => `${text} ${sign}`)])
          : [],
      );
  const night = (clients: readonly string[]): Nfs => {
    const made = new Nfs([...names, 'n30'], ['nfs1'], rackOf);
    for (const name of clients)
      if (name === 'n1') made.client(name, stuckBefore, stuckNow);
      else
        made.client(
          name,
          clientOf({ mounts: [mountOf({ ops: read(1000, 2000n) })] }),
          clientOf({
            mounts: [mountOf({ ops: rackOf(name) === 'r3' ? read(1000, 2000n) : read(1100, 2700n) })],
          }),
        );
    return made;
  };
  // n30 of the fourth rack was not read.
  expect(gridOf(night(names))).toEqual([
    ['nfs1 10.9.0.1', '1/8 critical', '7.0 ms fine', 'idle undefined', '? unknown'],
  ]);
  expect(gridOf(night(names.slice(0, 12)))).toEqual([]);
});

it('a mount whose export is gone is marked, and the pane with it; one of NFSv4 below a pseudo root is not', () => {
  const rowsOf = (vers: string, exports: ServerReading['exports']) => {
    const value = clientOf({ mounts: [mountOf({ vers })] });
    const made = new Nfs(['n1']).client('n1', value, value).server('nfs1', serverOf({ exports }));
    const { blocks, sign } = nfs.view(made.judgement());
    const rows = blocks.flatMap((block) =>
      block.type === 'table' && block.id === 'mounts' ? block.rows : [],
    );
    return [sign, ...rows.map(({ sign: own, cells }) => `${own} ${cells['path']?.text}`)];
  };
  const gone = 'critical nfs1:/export/home, no longer exported';
  expect(rowsOf('3', [{ path: '/export/apps', client: '*' }])).toEqual(['critical', gone]);
  expect(rowsOf('3', [{ path: '/export', client: '*' }])).toEqual(['fine', 'fine nfs1:/export/home']);
  const root = [{ path: '/srv', client: '*', options: ['fsid=0'] }];
  expect(rowsOf('4.2', root)).toEqual(['fine', 'fine nfs1:/export/home']);
});

it('the page of a client shows where its requests really go', () => {
  const socket = (peer: string, more: object = {}) => ({
    state: 'ESTAB',
    recvQ: 0,
    sendQ: 0,
    local: '10.9.0.21:973',
    peer,
    ...more,
  });
  const value = clientOf({
    sockets: [
      socket('10.9.0.1:2049', { sendQ: 216 }),
      socket('10.9.0.1:2049', { state: 'TIME-WAIT' }),
      socket('10.9.0.7:40000', { local: '10.9.0.21:2049' }),
    ],
    tasks: { '10.9.0.1': 2, '10.9.0.2': 0, '/var/run/rpcbind.sock': 1 },
  });
  const made = new Nfs(['n1']).client('n1', value, value);
  const lines = (nfs.detail?.({ kind: 'host', id: 'n1' }, made.judgement()) ?? []).flatMap((block) =>
    block.type === 'text' && ['nfs-sockets', 'nfs-tasks'].includes(block.id)
      ? block.lines.map(({ text }) => text)
      : [],
  );
  expect(lines).toEqual(['10.9.0.21:973 to 10.9.0.1:2049: ESTAB, 216 bytes not acknowledged', '10.9.0.1: 2']);
});

it('a mount without counters is not known, unless a call says that its server answers', () => {
  const signs = (made: Nfs): unknown[] =>
    nfs
      .view(made.judgement())
      .blocks.flatMap((block) => (block.type === 'table' && block.id === 'mounts' ? block.rows : []))
      .map(({ sign }) => sign);
  const value = clientOf({ mounts: [mountOf({ transports: [] })], unread: { stats: 'denied' } });
  expect(signs(new Nfs(['n1']).client('n1', value, value))).toEqual(['unknown']);
  const counted = clientOf({ mounts: [mountOf({})] });
  expect(signs(new Nfs(['n1']).client('n1', counted, counted))).toEqual(['fine']);
  expect(signs(new Nfs(['n1']).client('n1', value, value).calls('n1', [call('nfs', 'ready')]))).toEqual([
    'fine',
  ]);
});
