import { connect, createServer, type Server, type Socket } from 'node:net';

/** How a way breaks: closed at both ends; silent and open; closed at the far end and open at the near one, as after a firewall forgot it. */
export const BREAKS = ['cut', 'stalled', 'half-open'] as const;
export type Break = (typeof BREAKS)[number];

export interface Fault {
  how: Break;
  /** Breaks when so many bytes went this way. */
  way: 'up' | 'down';
  bytes: number;
  /** New connections find no way either, until `heal`. */
  stays: boolean;
}

/** A way to a host that can break at any byte. */
export class Relay {
  readonly port: number;
  readonly carried = { up: 0, down: 0 };
  broken = false;
  private readonly server: Server;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private fault: Fault | undefined;

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
  }

  static open(to: { host: string; port: number }): Promise<Relay> {
    return new Promise((resolve, reject) => {
      const server = createServer({ allowHalfOpen: true });
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: 0 }, () => {
        const address = server.address();
        if (address === null || typeof address === 'string') throw new Error('the relay has no port');
        const relay = new Relay(server, address.port);
        server.on('connection', (near) => relay.carry(near, connect({ ...to, allowHalfOpen: true })));
        resolve(relay);
      });
    });
  }

  /** Counts from nought again; with a fault, breaks there. */
  arm(fault?: Fault): void {
    this.heal();
    this.carried.up = 0;
    this.carried.down = 0;
    this.fault = fault;
    this.broken = false;
  }

  /** New connections get through; what was broken stays so, but for what hung, which ends. */
  heal(): void {
    this.fault = undefined;
    for (const pair of this.pairs) for (const end of pair) end.destroy();
    this.pairs.clear();
  }

  /** Breaks now, wherever the bytes are. */
  breakNow(how: Break, stays: boolean): void {
    this.fault = { how, way: 'up', bytes: this.carried.up, stays };
    this.breakAll();
  }

  close(): void {
    this.heal();
    this.server.close();
  }

  private carry(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    for (const end of pair) end.setNoDelay(true).on('error', () => undefined);
    if (this.broken && this.fault?.stays) {
      if (this.fault.how === 'cut') for (const end of pair) end.destroy();
      else far.destroy();
      return;
    }
    this.pairs.add(pair);
    this.pipe('up', near, far);
    this.pipe('down', far, near);
    for (const end of pair) end.on('close', () => this.pairs.delete(pair));
  }

  private pipe(way: 'up' | 'down', from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      const { fault } = this;
      const room =
        fault && !this.broken && fault.way === way ? fault.bytes - this.carried[way] : bytes.length;
      const part = bytes.subarray(0, Math.max(0, room));
      this.carried[way] += part.length;
      if (part.length > 0 && to.writable) to.write(part);
      if (part.length < bytes.length) this.breakAll();
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
  }

  private breakAll(): void {
    this.broken = true;
    for (const [near, far] of this.pairs) {
      if (this.fault?.how === 'cut') {
        near.resetAndDestroy();
        far.resetAndDestroy();
      } else {
        for (const end of [near, far]) end.removeAllListeners('data').removeAllListeners('end').pause();
        near.removeAllListeners('close');
        far.removeAllListeners('close');
        if (this.fault?.how === 'half-open') far.resetAndDestroy();
      }
    }
    if (this.fault?.how === 'cut') this.pairs.clear();
  }
}
