import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lab, freePort, quickClock } from './sshd.ts';

/** Servers that are not what they should be; waits are a tenth of their length here, the texts say the real one. */
describe('a host that', () => {
  let lab: Lab;
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(() => lab.end());

  const serve = async (name: string, greet: (socket: Socket) => void): Promise<number> => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => {});
      greet(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    lab.onEnd(() => {
      for (const socket of open) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    lab.host(name, port);
    return port;
  };
  const ask = async (name: string) => {
    const answer = await lab
      .transports({ clock: quickClock })
      .transportTo(name)
      .run({ script: 'true', deadlineMs: 1000 });
    return answer.notConnected;
  };

  it('accepts and is silent has no SSH banner', async () => {
    const port = await serve('silent', () => {});
    expect(await ask('silent')).toMatchObject({
      kind: 'noBanner',
      message: `silent: no SSH banner within 8 s (127.0.0.1 port ${port}); the machine accepts connections but sshd does not answer: look at its console`,
    });
  });

  it('accepts and hangs up has no SSH banner', async () => {
    const port = await serve('closer', (socket) => socket.end());
    expect(await ask('closer')).toMatchObject({
      kind: 'noBanner',
      message: `closer: no SSH banner (127.0.0.1 port ${port} closed the connection); look at the log of its sshd`,
    });
  });

  it('streams junk is not an SSH server, and does not fill our memory', async () => {
    let sent = 0;
    await serve('junk', (socket) => {
      const more = (): void => {
        if (!socket.writable) return;
        sent += 65_536;
        socket.write('x'.repeat(65_536), more);
      };
      more();
    });
    const failure = await ask('junk');
    expect(failure?.kind).toBe('notSsh');
    expect(failure?.message).toMatch(
      /^junk: not an SSH server \(127\.0\.0\.1 port \d+ says "x+"\); check HostName/,
    );
    expect(sent).toBeLessThan(30_000_000);
  });

  it('speaks something else is not an SSH server, and its words are made harmless', async () => {
    await serve('web', (socket) => socket.end('HTTP/1.1 400 Bad \x1b]0;x\x07Request\r\n\r\n'));
    expect((await ask('web'))?.message).toContain('says "HTTP/1.1 400 Bad ^[]0;x^GRequest"');
  });

  it('has too many connections says so', async () => {
    await serve('full', (socket) => socket.end('Exceeded MaxStartups\r\n'));
    expect((await ask('full'))?.message).toBe(
      'full: the server takes no more connections ("Exceeded MaxStartups"); see MaxStartups and PerSourcePenalties in its sshd_config',
    );
  });

  it('greets and then hangs timed out', async () => {
    await serve('half', (socket) => socket.write('SSH-2.0-half\r\n'));
    expect(await ask('half')).toMatchObject({
      kind: 'timeout',
      message: 'half: timed out after 8 s during the key exchange; look at its load and its log',
    });
  });

  it('refuses connections is unreachable, and is left alone for a moment', async () => {
    const port = await freePort();
    lab.host('closed', port);
    const host = lab.transports().transportTo('closed');
    const request = { script: 'true', deadlineMs: 1000 };
    const first = await host.run(request);
    expect(first.notConnected).toMatchObject({
      kind: 'unreachable',
      message: `closed: connection refused (127.0.0.1 port ${port}); is it up, and is sshd running?`,
      untouched: true,
    });
    expect((await host.run(request)).notConnected).toBe(first.notConnected);
    expect(lab.log.filter((line) => line.includes('to closed is down'))).toHaveLength(1);
  });

  it('has a name nobody knows is a matter of DNS', async () => {
    lab.host('nameless', 22, { lines: ['HostName no-such-host.invalid'] });
    const failure = await ask('nameless');
    expect(failure?.kind).toBe('dns');
    expect(failure?.message).toMatch(
      /^nameless: the name no-such-host\.invalid is not known \(\w+\); check HostName/,
    );
  });

  it('ssh itself refuses is a matter of configuration', async () => {
    const failure = await ask('-oops');
    expect(failure).toMatchObject({
      kind: 'config',
      message: '-oops: not a host name; see ProxyJump in your ssh configuration',
    });
  });
});
