import { describe, expect, it } from 'vitest';
import type { ClientReading } from '../../probes/nfs/readings.ts';
import { clientOf, mountOf, Nfs, outstanding, waiter } from './make.ts';

const connected = (connects: number, more: object = {}): ClientReading =>
  clientOf({
    mounts: [
      mountOf({ transports: [{ proto: 'tcp', srcPort: 965, sends: 28, recvs: 28, connects }], ...more }),
    ],
  });

describe('a client that connects anew again and again', () => {
  it('is a notice on it where others keep their connection, and on the server where none does', () => {
    const one = new Nfs(['n1', 'n2'])
      .client('n1', connected(4), connected(9))
      .client('n2', connected(2), connected(2));
    expect(one.findings()).toMatchObject([
      {
        kind: 'reconnects',
        severity: 'notice',
        subject: { id: 'n1' },
        summary: 'nfs1: n1 reconnected 5 times since the reading before',
      },
    ]);
    const all = new Nfs(['n1', 'n2'])
      .client('n1', connected(4), connected(9))
      .client('n2', connected(2), connected(6));
    expect(all.findings()).toMatchObject([{ kind: 'reconnects', subject: { id: 'nfs1' } }]);
  });

  it('counts a connection that several mounts share once', () => {
    const twice = (connects: number): ClientReading => ({
      ...connected(connects),
      mounts: ['/home', '/soft'].flatMap((mount) => connected(connects, { mount }).mounts),
    });
    expect(new Nfs(['n1']).client('n1', twice(1), twice(3)).kinds()).toEqual([]);
  });

  it.each([
    ['once or twice, after it was idle', connected(4), connected(6)],
    ['where the mount was made anew', connected(40), connected(1)],
    ['where the mount was not there before', clientOf({ mounts: [] }), connected(7)],
    ['where no count is told', clientOf(), clientOf()],
  ])('nothing: %s', (_what, before, now) =>
    expect(new Nfs(['n1']).client('n1', before, now).kinds()).toEqual([]),
  );
});

describe('what the connection says of a server that hangs', () => {
  const night = (state: string, sendQ: number, peer = '10.9.0.1:2049'): readonly string[] => {
    const reading = (sends: number): ClientReading =>
      clientOf({
        mounts: [mountOf(outstanding(sends, 28))],
        waiting: { all: 1, nfs: [waiter(7)] },
        sockets: [{ state, recvQ: 0, sendQ, local: '10.9.1.1:683', peer }],
      });
    const [found] = new Nfs(['n1']).client('n1', reading(30), reading(34)).findings();
    return found?.evidence.map(({ text }) => text) ?? [];
  };

  it.each([
    ['ESTAB', 1320, '1,320 bytes to 10.9.0.1:2049 are not acknowledged: its host or the way to it'],
    [
      'ESTAB',
      0,
      'the host of 10.9.0.1:2049 acknowledges all that is sent: it is NFS there that does not answer',
    ],
    ['SYN-SENT', 1, 'no connection to 10.9.0.1:2049: nothing answers the first packet'],
  ])('%s with %s bytes', (state, sendQ, text) => expect(night(state, sendQ)).toContain(text));

  it.each([
    ['ESTAB', 1320, '10.9.0.7:2049'],
    ['CLOSE-WAIT', 0, '10.9.0.1:2049'],
  ])('nothing of another server, or of a connection that ends: %s', (state, sendQ, peer) =>
    expect(night(state, sendQ, peer)).toHaveLength(1),
  );
});
