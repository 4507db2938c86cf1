import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection, type ParsedKey } from 'ssh2';
import type { HostFault } from './messages.ts';
import { serveSession } from './session.ts';
import type { World } from './world.ts';

/** A key pair of the demo: the private part as ssh2 and OpenSSH read it, the public part as `TYPE BASE64`. */
export interface KeyPair {
  privateText: string;
  publicLine: string;
}

/** ECDSA P-256: ssh2's own ed25519 generation gives one key in 256 that it can't read back (decision record 0060). */
export const newKeyPair = (): KeyPair => {
  const pair = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
  return { privateText: pair.private, publicLine: pair.public.trim() };
};

/** The parsed public half. Throws when the text is no key. */
export const parsePublic = (publicLine: string): ParsedKey => {
  const key = ssh2.utils.parseKey(publicLine);
  if (key instanceof Error) throw key;
  return key;
};

/**
 * One simulated host's sshd: a port of its own on 127.0.0.1, its own host key. The SSH server behind the port is made
 * with the first connection, so that hundreds of hosts cost no more than their ports.
 */
export class HostServer {
  readonly name: string;
  key: KeyPair;
  port = 0;
  private readonly world: World;
  private readonly allowed: ParsedKey;
  private readonly listener: NetServer;
  private readonly sockets = new Set<Socket>();
  /** Connections accepted while frozen, which get no answer. */
  private readonly unanswered = new Set<Socket>();
  private server: ssh2.Server | undefined;
  private off = false;

  constructor(name: string, key: KeyPair, allowed: ParsedKey, world: World) {
    this.name = name;
    this.key = key;
    this.allowed = allowed;
    this.world = world;
    this.listener = createServer({ noDelay: true }, (socket) => this.onConnected(socket));
  }

  /** Opens the port. */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.listener.once('error', reject);
      this.listener.listen({ host: '127.0.0.1', port: this.port, backlog: 64 }, () => {
        this.listener.off('error', reject);
        this.port = (this.listener.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Connections drop; the port is closed. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.listener.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Power on or off. The port stays bound while the power is off, or another program could take it. */
  power(on: boolean): void {
    this.off = !on;
    if (this.off) for (const socket of this.sockets) socket.resetAndDestroy();
  }

  set(fault: HostFault): void {
    this.world.faults.set(this.name, fault);
    if (fault === 'newKey') {
      this.key = newKeyPair();
      this.server = undefined;
      for (const socket of this.sockets) socket.destroy();
    }
    for (const socket of this.sockets) {
      if (fault === 'frozen') socket.pause();
      else if (!this.unanswered.has(socket)) socket.resume();
    }
    if (fault !== 'frozen') for (const socket of this.unanswered) this.answer(socket);
    this.power(fault !== 'off');
  }

  private onConnected(socket: Socket): void {
    if (this.off) {
      socket.resetAndDestroy();
      return;
    }
    this.sockets.add(socket);
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.unanswered.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    if (this.world.faults.get(this.name) === 'frozen') this.unanswered.add(socket);
    else this.answer(socket);
  }

  private answer(socket: Socket): void {
    this.unanswered.delete(socket);
    this.server ??= this.makeServer();
    this.server.injectSocket(socket);
  }

  private makeServer(): ssh2.Server {
    return new ssh2.Server({ hostKeys: [this.key.privateText] }, (client) => {
      let user = '';
      client.on('error', () => undefined);
      client.on('authentication', (context) => {
        user = context.username;
        this.authenticate(context);
      });
      client.on('session', (accept) =>
        serveSession(accept(), {
          outside: this.world.outside(this.name, user),
          banner: () =>
            this.world.faults.get(this.name) === 'noisy' ? BANNER.replace('HOST', this.name) : '',
        }),
      );
      allowKeepAlive(client);
    });
  }

  private authenticate(context: AuthContext): void {
    const refuse = (): void => context.reject(['publickey']);
    if (context.method !== 'publickey' || this.world.faults.get(this.name) === 'refuses') return refuse();
    const known = this.allowed;
    if (context.key.algo !== known.type || !context.key.data.equals(known.getPublicSSH())) return refuse();
    if (context.signature) {
      const { blob, signature, hashAlgo } = context;
      if (!blob || known.verify(blob, signature, hashAlgo) !== true) return refuse();
    }
    context.accept();
  }
}

const BANNER = '*** HOST: authorised use only ***\nLoading modules: gcc/12 openmpi/4.1\n';

/** Global requests (keepalives) are answered with a refusal, as sshd does: the answer is what counts. */
const allowKeepAlive = (client: Connection): void => {
  client.on('request', (_accept, reject) => reject?.());
};
