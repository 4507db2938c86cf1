import { describe, expect, it } from 'vitest';
import type { Call, ClientReading, ServerReading } from '../../probes/nfs/readings.ts';
import { explainLack } from '../../src/collect/dependencies.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { call, clientOf, mountOf, Nfs, outstanding, serverOf, waiter } from './make.ts';

type Socket = NonNullable<ClientReading['sockets']>[number];

const socket = (more: Partial<Socket> = {}): Socket => ({
  state: 'ESTAB',
  recvQ: 0,
  sendQ: 1_448_712,
  local: '10.9.1.1:683',
  peer: '10.9.0.1:2049',
  timer: 'on',
  retransmits: 9,
  ...more,
});

const stuck = (sends: number, sockets: readonly Socket[] = [socket()]): ClientReading =>
  clientOf({
    mounts: [mountOf(outstanding(sends, 28))],
    waiting: { all: 1, nfs: [waiter(7)] },
    sockets: [...sockets],
  });

/** n1 hangs, n2 does not; this is what n1 calls and its sockets are like. */
const hung = (sockets: readonly Socket[], calls: readonly Call[] = [call('nfs', 'ready')]): FindingDraft => {
  const [found] = new Nfs(['n1', 'n2'])
    .client('n1', stuck(30, sockets), stuck(34, sockets))
    .client('n2', clientOf(), clientOf())
    .calls('n1', calls)
    .findings();
  if (found?.kind !== 'mount-hung') throw new Error(`not hung: ${found?.kind}`);
  return found;
};

describe('a client whose packets are lost on the way', () => {
  it('is what hangs, not a disk of the server', () => {
    const found = hung([socket()]);
    expect(String(found.summary)).toBe(
      'nfs1 hangs on n1 of 2 clients: calls are answered, packets are lost on the way; 1 process waits',
    );
    expect(found.suspects).toEqual([
      { subject: { kind: 'host', id: 'n1' }, cause: 'link', confidence: 'medium' },
    ]);
    expect(found.evidence.map(({ text }) => String(text))).toContain(
      '1,448,712 bytes to 10.9.0.1:2049 are not acknowledged, sent again 9 times: its host or the way to it',
    );
  });

  it.each([
    ['the window of the server is full', [socket({ timer: 'persist', retransmits: undefined })]],
    ['one segment was sent again once', [socket({ retransmits: 1 })]],
    ['all is acknowledged', [socket({ sendQ: 0 })]],
    ['it is the connection to another server', [socket({ peer: '10.9.0.7:2049' })]],
  ])('is not said where %s', (_what, sockets) =>
    expect(String(hung(sockets as readonly Socket[]).summary)).toContain('a disk or one export hangs'),
  );

  it('is not said where calls are not answered either', () =>
    expect(String(hung([socket()], [call('nfs', 'timedOut')]).summary)).not.toContain('lost on the way'));
});

describe('a hang whose threads wait for a disk', () => {
  const waiting: ServerReading = serverOf({
    workers: { all: 8, waiting: 8, wchans: ['txg_wait_synced'] },
    sockets: { all: 3, queued: 3 },
  });
  const lackOf = (server: ServerReading | undefined, calls: readonly Call[]) => {
    const site = new Nfs(['n1']).client('n1', stuck(30, []), stuck(34, [])).calls('n1', calls);
    const [found] = (server ? site.server('nfs1', server) : site).findings();
    return found?.lacks?.[0];
  };
  const lost = [{ what: 'data' as const, of: [{ kind: 'host' as const, id: 'nfs1' }] }];

  it('is explained by an array of the server that is lost', () => {
    const lack = lackOf(waiting, [call('nfs', 'timedOut')]);
    expect(lack && explainLack(lost, lack, {})).toMatchObject({ words: 'it is about nfs1' });
  });

  it('is not explained by one of another server, nor a stopped nfsd by any', () => {
    const other = [{ what: 'data' as const, of: [{ kind: 'host' as const, id: 'nfs2' }] }];
    const lack = lackOf(waiting, [call('nfs', 'timedOut')]);
    expect(lack && explainLack(other, lack, {})).toBeUndefined();
    expect(lackOf(serverOf({ threads: 0 }), [call('nfs', 'refused')])).toBeUndefined();
  });
});

describe('a version of NFS that a server no longer has', () => {
  const v4 = (host: Nfs): Nfs =>
    host.client(
      'n1',
      clientOf({ mounts: [mountOf({ vers: '4.1', mount: '/data' })] }),
      clientOf({ mounts: [mountOf({ vers: '4.1', mount: '/data' })], waiting: { all: 2, nfs: [] } }),
    );

  it('is why its mounts never go on', () => {
    const [found] = v4(new Nfs(['n1']))
      .calls('n1', [call('nfs', 'mismatch', { version: 4, text: 'low version = 3, high version = 3' })])
      .findings();
    expect(found).toMatchObject({
      kind: 'version-off',
      severity: 'critical',
      summary: 'nfs1 no longer serves NFSv4: /data on n1',
    });
  });

  it.each([
    ['it answers', [call('nfs', 'ready', { version: 4 })]],
    ['it lacks another version than what is mounted', [call('nfs', 'mismatch', { version: 3 })]],
    ['it gave no answer', [call('nfs', 'timedOut', { version: 4 })]],
    ['another program lacks its version', [call('mountd', 'mismatch', { version: 4 })]],
  ])('is not told where %s', (_what, calls) =>
    expect(
      v4(new Nfs(['n1']))
        .calls('n1', calls)
        .kinds(),
    ).not.toContain('version-off'),
  );

  it('is not told where two callers are answered differently', () => {
    const mount = clientOf({ mounts: [mountOf({ vers: '4.1' })] });
    const site = new Nfs(['n1', 'n2'])
      .client('n1', mount, mount)
      .client('n2', mount, mount)
      .calls('n1', [call('nfs', 'mismatch', { version: 4 })])
      .calls('n2', [call('nfs', 'ready', { version: 4 })]);
    expect(site.kinds()).not.toContain('version-off');
  });
});
