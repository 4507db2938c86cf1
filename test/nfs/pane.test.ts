import { expect, it } from 'vitest';
import { nfs } from '../../probes/nfs/index.ts';
import { call, clientOf, mountOf, Nfs, outstanding, waiter } from './make.ts';

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
  expect({ sign, wall }).toEqual({ sign: 'critical', wall: 'hangs on 1' });
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

it('clients depend on their servers for data', () => {
  const made = new Nfs(['n1']).client('n1', ...moving);
  expect(nfs.facts(made.judgement())).toEqual([
    {
      name: 'depends',
      subject: { kind: 'host', id: 'n1' },
      value: { on: { kind: 'host', id: 'nfs1' }, carries: 'data' },
    },
  ]);
});
