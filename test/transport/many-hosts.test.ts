import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, type Server as NetServer, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RequestDecoder, encodeAnswer } from '../../src/transport/frame.ts';
import { Lab, PATIENT, brief, keygen } from './sshd.ts';

const portOf = (server: Pick<NetServer, 'address'>): number => (server.address() as AddressInfo).port;

/** One server for all hosts that repeats each script; `shaking` is called with each change of the handshakes under way. */
const echoServer = async (lab: Lab, hostKey: string, shaking: (now: number) => void): Promise<number> => {
  let now = 0;
  const server = new ssh2.Server({ hostKeys: [readFileSync(hostKey)] }, (client) => {
    shaking((now += 1));
    let busy = true;
    const shaken = () => {
      if (busy) shaking((now -= 1));
      busy = false;
    };
    client.on('error', () => {});
    client.on('close', shaken);
    // Slow to accept, so that greetings overlap.
    client.on('authentication', (context) => setTimeout(() => context.accept(), 300));
    client.on('ready', shaken);
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec) => {
        const channel = acceptExec();
        const decoder = new RequestDecoder();
        channel.on('data', (chunk: Buffer) => {
          for (const { nonce, script } of decoder.push(chunk)) {
            const answer = encodeAnswer(nonce, { stdout: script });
            channel.write(Buffer.from(answer.stdout), () => channel.stderr.write(Buffer.from(answer.stderr)));
          }
        });
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lab.onEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  lab.know(port, hostKey);
  return port;
};

describe('many hosts at once', () => {
  let lab: Lab;
  let port: number;
  let most = 0;
  beforeAll(async () => {
    lab = new Lab();
    const hostKey = keygen(join(lab.dir, 'host'), '-t', 'ecdsa');
    port = await echoServer(lab, hostKey, (now) => {
      most = Math.max(most, now);
    });
    lab.host('n*', port);
  });
  afterAll(() => lab.end());

  it('are greeted by 16 at a time', async () => {
    const pool = lab.transports();
    const names = Array.from({ length: 60 }, (_, n) => `n${n}`);
    const answers = await Promise.all(
      names.map((name) => pool.transportTo(name).run({ script: name, deadlineMs: 9000 })),
    );
    expect(answers.map((answer) => brief(answer).out)).toEqual(names);
    expect(most).toBeLessThanOrEqual(16);
    expect(most).toBeGreaterThan(8);
    await pool.close();
  });

  it('that accept and are silent do not hold up the others', async () => {
    const open: Socket[] = [];
    const silent = createServer((socket) => void open.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    lab.host('s*', portOf(silent));
    const pool = lab.transports();
    const stuck = Array.from({ length: 40 }, (_, n) =>
      pool.transportTo(`s${n}`).run({ script: 'x', deadlineMs: 1000 }),
    );
    await expect.poll(() => open.length, PATIENT).toBe(40);
    const good = await pool.transportTo('n1').run({ script: 'n1', deadlineMs: 9000 });
    expect(brief(good).out).toBe('n1');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(brief(await pool.transportTo('n2').run({ script: 'n2', deadlineMs: 9000 })).out).toBe('n2');
    for (const socket of open) socket.destroy();
    silent.close();
    expect((await Promise.all(stuck)).map(({ notConnected }) => notConnected?.kind)).toEqual(
      Array.from({ length: 40 }, () => 'noBanner'),
    );
    await pool.close();
  });
});
