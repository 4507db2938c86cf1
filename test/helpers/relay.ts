import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A TCP relay on loopback in front of a server: what a bad link does, without root. */
export interface Relay {
  port: number;
  /** From now on every piece waits so long, each way, ms. Order is kept. */
  delayMs: number;
  /** The client's connection is reset when so many pieces have come from the server. */
  cutAfter: number;
  close(): void;
}

/** Relays to a port of this machine. */
export const startRelay = async (to: number): Promise<Relay> => {
  const open = new Set<Socket>();
  const pump = (from: Socket, into: Socket, onPiece: () => boolean): void => {
    from.on('data', (piece: Buffer) => {
      if (onPiece()) setTimeout(() => into.writable && into.write(piece), relay.delayMs);
    });
    from.on('end', () => setTimeout(() => into.end(), relay.delayMs));
    from.on('error', () => into.destroy());
  };
  const server = createServer((client) => {
    const far = connect(to, '127.0.0.1');
    for (const one of [client, far]) {
      one.setNoDelay(true);
      open.add(one);
      one.on('close', () => open.delete(one));
    }
    let pieces = 0;
    pump(client, far, () => true);
    pump(far, client, () => {
      pieces += 1;
      if (pieces <= relay.cutAfter) return true;
      client.resetAndDestroy();
      far.destroy();
      return false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    cutAfter: Infinity,
    close: () => {
      for (const one of open) one.destroy();
      server.close();
    },
  };
  return relay;
};
