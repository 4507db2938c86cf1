import { describe, expect, it } from 'vitest';
import type { ClientReading, ServerReading } from '../../probes/nfs/readings.ts';
import { clientOf, mountOf, Nfs, serverOf } from './make.ts';

const exported = (...options: readonly (readonly string[])[]): ServerReading =>
  serverOf({
    exports: options.map((one, at) => ({
      path: '/export/home',
      client: at === 0 ? '*' : '10.0.0.0/8',
      options: [...one],
    })),
  });

const mounted = (errors: Readonly<Record<string, number>>, more: object = {}): ClientReading =>
  clientOf({
    mounts: [
      mountOf({
        ops: Object.entries(errors).map(([op, count]) => ({
          op,
          ops: 1000,
          timeouts: 0,
          queueMs: 0n,
          rttMs: 0n,
          executeMs: 0n,
          errors: count,
        })),
        ...more,
      }),
    ],
  });

const told = (server: ServerReading, before: ClientReading, now: ClientReading) =>
  new Nfs(['n1'])
    .client('n1', before, now)
    .server('nfs1', server)
    .findings()
    .filter(({ kind }) => kind === 'export-read-only');

describe('an export that is read-only below mounts that are written', () => {
  it('is told once writes fail there', () => {
    expect(
      told(exported(['ro', 'sync']), mounted({ WRITE: 7 }), mounted({ WRITE: 19, CREATE: 3 })),
    ).toMatchObject([
      {
        severity: 'warning',
        subject: { id: 'nfs1' },
        summary: 'nfs1:/export/home is exported read-only, writes fail on n1',
      },
    ]);
  });

  it.each([
    [
      'nothing fails: software, mounted with the options of everything else',
      exported(['ro']),
      mounted({ WRITE: 7 }),
      mounted({ WRITE: 7 }),
    ],
    [
      'it is mounted read-only',
      exported(['ro']),
      mounted({ WRITE: 7 }),
      mounted({ WRITE: 9 }, { readOnly: true }),
    ],
    [
      'it is writable, and writes fail for another reason',
      exported(['rw']),
      mounted({ WRITE: 7 }),
      mounted({ WRITE: 9 }),
    ],
    [
      'one of two entries may let the client write',
      exported(['ro'], ['rw']),
      mounted({ WRITE: 7 }),
      mounted({ WRITE: 9 }),
    ],
    ['only reading fails', exported(['ro']), mounted({ GETATTR: 7 }), mounted({ GETATTR: 9 })],
  ])('is not told where %s', (_what, server, before, now) => expect(told(server, before, now)).toEqual([]));
});

describe('rpc.mountd of a server', () => {
  const answered = (state: 'ready' | 'refused' | 'other'): ServerReading => {
    const server = serverOf();
    return {
      ...server,
      calls: server.calls.map((one) => (one.what === 'mountd' ? { ...one, state } : one)),
    };
  };
  const kinds = (server: ServerReading, vers: string): readonly string[] => {
    const mount = clientOf({ mounts: [mountOf({ vers })] });
    return new Nfs(['n1']).client('n1', mount, mount).server('nfs1', server).kinds();
  };

  it('is missed by new mounts of NFSv3, while what is mounted goes on', () =>
    expect(kinds(answered('refused'), '3')).toEqual(['mountd-dead']));

  it('is not missed where it answers, where that is not known, or where all mount by NFSv4', () => {
    expect(kinds(answered('ready'), '3')).toEqual([]);
    expect(kinds(answered('other'), '3')).toEqual([]);
    expect(kinds(answered('refused'), '4.2')).toEqual([]);
  });
});
