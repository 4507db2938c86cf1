import { describe, expect, it } from 'vitest';
import { start } from '../helpers/judging.ts';
import type { ClientMount } from '../../probes/nfs/readings.ts';
import { clientOf, mountOf, Nfs, outstanding, serverOf } from './make.ts';

const moving = [clientOf(), clientOf({ mounts: [mountOf(outstanding(60, 60))] })] as const;

describe('notices', () => {
  const only = (host: string, value: ReturnType<typeof clientOf>): readonly string[] =>
    new Nfs([host]).client(host, value, value).kinds();

  it.each([
    ['soft and writable', { failMode: 'soft' as const }, ['options']],
    ['soft and read-only', { failMode: 'soft' as const, readOnly: true }, []],
    ['UDP', { proto: 'udp' }, ['options']],
    ['a short timeout', { timeo: 50 }, ['options']],
    ['the default timeout', { timeo: 600 }, []],
    ['noac', { noac: true }, ['options']],
  ])('on options: %s', (_what, more, kinds) =>
    expect(only('n1', clientOf({ mounts: [mountOf(more)] }))).toEqual(kinds),
  );

  it('on a file system that is in no mount table, and none where each is', () => {
    const volumes = [{ dev: '0:32', addr: '10.9.0.1', vers: '3' }];
    expect(only('n1', clientOf({ volumes }))).toEqual([]);
    expect(only('n1', clientOf({ volumes, mounts: [] }))).toEqual(['invisible-mount']);
  });

  it('on a node unlike its peers, where there are enough of them', () => {
    const hosts = Array.from({ length: 6 }, (_none, at) => `n${at + 1}`);
    const made = new Nfs(hosts);
    for (const host of hosts)
      made.client(host, clientOf(), clientOf({ mounts: [mountOf(host === 'n6' ? { vers: '4.0' } : {})] }));
    expect(made.findings()).toMatchObject([
      {
        kind: 'odd-mount',
        summary: 'nfs1:/export/home on n6: vers=4.0, elsewhere vers=3 (5 nodes)',
      },
    ]);
    const two = new Nfs(['n1', 'n2'])
      .client('n1', ...moving)
      .client('n2', clientOf(), clientOf({ mounts: [mountOf({ vers: '4.0' })] }));
    expect(two.kinds()).toEqual([]);
  });

  it('on clients that no longer renew their lease', () => {
    const value = serverOf({
      leaseS: 15,
      clients: [
        { name: 'Linux NFSv4.2 n1', status: 'courtesy', renewS: 34 },
        { name: 'n2', status: 'confirmed', renewS: 4 },
      ],
    });
    expect(new Nfs([]).server('nfs1', value).findings()).toMatchObject([
      {
        kind: 'client-silent',
        summary: 'nfs1: 1 client no longer renew the lease: Linux NFSv4.2 n1',
      },
    ]);
  });

  it('on parts that were not read, once for all hosts', () => {
    const blind = clientOf({
      unread: {
        sockets: 'sh: ss: not found',
        kernel: 'dmesg: read kernel buffer failed: Operation not permitted',
      },
    });
    const made = new Nfs(['n1', 'n2']).client('n1', blind, blind).client('n2', blind, blind);
    expect(made.findings()).toMatchObject([{ kind: 'part-unread', members: [{ id: 'n1' }, { id: 'n2' }] }]);
  });
});

describe('kernel lines', () => {
  const line = (kind: string, more: object) => ({ kind, text: kind, at: start - 60_000, ...more });

  it('tell of locks that were lost and of exports that were replaced', () => {
    const lines = [
      line('lostLocks', { server: 'nfs1', count: 2 }),
      line('fileidChanged', { server: 'nfs1' }),
    ];
    const value = clientOf({ lines });
    expect(new Nfs(['n1']).client('n1', value, value).kinds()).toEqual(['locks-lost', 'stale']);
  });

  it('of a stale mount are silent once it was mounted anew, and not while its age is not known', () => {
    const at = start - 600_000;
    const lines = [{ ...line('fileidChanged', { server: 'nfs1' }), at }];
    const kinds = (...mounts: ClientMount[]) => {
      const value = clientOf({ lines, mounts });
      return new Nfs(['n1']).client('n1', value, value).kinds();
    };
    expect(kinds(mountOf({ ageS: 300 }))).toEqual([]);
    expect(kinds(mountOf({ ageS: 300 }), mountOf({ server: 'nfs2', ageS: 9000 }))).toEqual([]);
    expect(kinds(mountOf({ ageS: 300 }), mountOf({ mount: '/x', ageS: 9000 }))).toEqual(['stale']);
    expect(kinds(mountOf())).toEqual(['stale']);
    expect(kinds()).toEqual(['stale']);
  });

  it('are silent when they are older than a day or of another kind', () => {
    const lines = [
      { ...line('lostLocks', { count: 1 }), at: start - 2 * 86_400_000 },
      line('ok', {}),
      line('grace', {}),
    ];
    const value = clientOf({ lines });
    expect(new Nfs(['n1']).client('n1', value, value).kinds()).toEqual([]);
  });
});
