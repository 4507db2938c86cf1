import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spawn } from '@lydell/node-pty';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type DemoSite } from '../../src/demo/site.ts';
import type { SimulatedCall, Simulator } from '../../src/model/simulator.ts';
import { encode, newNonce, PRELUDE } from '../../src/transport/frame.ts';

const run = promisify(execFile);

const off = new Set<string>();

const simulator: Simulator = {
  system: 'toy',
  hosts: [
    { name: 'ctl1', roles: ['slurm-controller'] },
    ...Array.from({ length: 4 }, (_, index) => ({
      name: `node${index + 1}`,
      roles: ['compute'],
      location: { rack: index < 2 ? 'r1' : 'r2' },
    })),
  ],
  settings: { level: 3 },
  incidents: [{ name: 'lost', text: 'a host is lost' }],
  start: () => void off.add('node4'),
  poweredOff: () => [...off],
  call: ({ argv, host, stdin, env }: SimulatedCall) => {
    const [name, ...rest] = argv;
    if (name === 'where')
      return { stdout: `${host} ${rest.join(',')} ${env?.['A'] ?? ''}${stdin}\n`, exitCode: 3 };
    if (name === 'both') return { stdout: Buffer.alloc(20_000_000, 'o'), stderr: 'e'.repeat(100_000) };
    if (name === 'hang') return { delayMs: Number.POSITIVE_INFINITY };
    if (name === 'change') return { mutated: true };
    return undefined;
  },
};

/** Sends a text to `exec sh` on a host; gives both streams and the exit code when the channel closes. */
const shell = async (site: DemoSite, host: string, input: string, command = 'exec sh') => {
  const config = readFileSync(join(site.folder, 'ssh_config'), 'utf8');
  const port = Number(new RegExp(`Host ${host}\\n  Port (\\d+)`).exec(config)?.[1]);
  const client = new ssh2.Client();
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  client.connect({
    sock: socket,
    username: 'demo',
    privateKey: readFileSync(join(site.folder, 'id_ecdsa'), 'utf8'),
  });
  try {
    return await new Promise<{ out: Buffer; err: string; code: number | undefined }>((resolve, reject) => {
      client.on('error', reject);
      client.on('close', () => reject(new Error('the connection closed')));
      client.on('ready', () =>
        client.exec(command, (error, channel) => {
          if (error) return reject(error);
          const out: Buffer[] = [];
          let err = '';
          let code: number | undefined;
          channel.on('data', (data: Buffer) => out.push(data));
          channel.stderr.on('data', (data: Buffer) => (err += data.toString()));
          channel.on('exit', (value: number) => (code = value));
          channel.on('close', () => resolve({ out: Buffer.concat(out), err, code }));
          channel.end(input);
        }),
      );
    });
  } finally {
    client.destroy();
  }
};

describe('the demo site', () => {
  let site: DemoSite;
  beforeAll(async () => {
    site = await startSite([simulator], 'quiet');
  });
  afterAll(() => site.close());

  it('writes a private folder and a site file with folded hosts', () => {
    expect(statSync(site.folder).mode & 0o777).toBe(0o700);
    expect(statSync(site.siteFile).mode & 0o777).toBe(0o600);
    const text = readFileSync(site.siteFile, 'utf8');
    expect(text).toContain('{"names":"node[1-2]","roles":["compute"],"location":{"rack":"r1"}}');
    expect(text).toContain('shared: {"host":"admin1","dir":"/var/lib/faultline"}');
    expect(text).toContain('toy: {"level":3}');
  });

  it('answers framed requests one after the other, with exact bytes', async () => {
    const first = newNonce();
    const second = newNonce();
    const answer = await shell(
      site,
      'node2',
      PRELUDE +
        encode(`A=1 where 'a b'; echo "rc $?" >&2; exit 7`, 8, first) +
        encode('cat', 8, second, 'the input'),
    );
    expect(answer.out.toString()).toBe(
      `${first}\nnode2 a b 1\n\n${first} 7\n${second}\nthe input\n${second} 0\n`,
    );
    expect(answer.err).toBe(`${first}\nrc 3\n\n${first}\n${second}\n\n${second}\n`);
  });

  it('gives 20 MB on one stream and 100 kB on the other', async () => {
    const nonce = newNonce();
    const answer = await shell(site, 'node1', PRELUDE + encode('both', 30, nonce));
    expect(answer.out.length).toBe(20_000_000 + 2 * nonce.length + 5);
    expect(answer.err.length).toBe(100_000 + 2 * nonce.length + 3);
  });

  it('kills a command that hangs at the limit of its request', async () => {
    const nonce = newNonce();
    const answer = await shell(site, 'node1', PRELUDE + encode('echo begun; hang; echo never', 1, nonce));
    expect(answer.out.toString()).toBe(`${nonce}\nbegun\n\n${nonce} 124\n`);
  });

  it('runs scripts that come without a frame, and single commands', async () => {
    expect(await shell(site, 'node1', 'where x\nexit 5\necho never\n', 'exec sh -s')).toMatchObject({
      code: 5,
    });
    expect((await shell(site, 'node1', 'for i in 1 2; do\necho $i\ndone\nnosuch')).code).toBe(127);
    const command = await shell(site, 'ctl1', '', 'where am I');
    expect([command.out.toString(), command.code]).toEqual(['ctl1 am,I \n', 3]);
  });

  it('keeps files of its own on the shared host, and a log of what changed', async () => {
    await shell(site, 'admin1', 'mkdir /var/lib/faultline/lock && echo me > /var/lib/faultline/lock/owner\n');
    const read = await shell(
      site,
      'admin1',
      'cat /var/lib/faultline/lock/owner; mkdir /var/lib/faultline/lock\n',
    );
    expect([read.out.toString(), read.code]).toEqual(['me\n', 1]);
    expect(existsSync('/var/lib/faultline/lock')).toBe(false);
    await shell(site, 'node1', 'change it\nwhere\n');
    const calls = site.calls().filter((call) => call.host === 'node1');
    expect(calls.slice(-2).map(({ argv, mutated }) => [argv.join(' '), mutated])).toEqual([
      ['change it', true],
      ['where', false],
    ]);
  });

  it('is reached by OpenSSH with its host key checked; a changed key is refused', async () => {
    const ssh = (...words: string[]) => run('ssh', ['-F', join(site.folder, 'ssh_config'), ...words]);
    const answer = await ssh('node3', 'hostname; id -un');
    expect(answer.stdout).toBe('node3\ndemo\n');
    await site.fault('node3', 'newKey');
    await expect(ssh('node3', 'hostname')).rejects.toThrow(/REMOTE HOST IDENTIFICATION HAS CHANGED/);
  });

  it('has an uptime that counts', async () => {
    const up = async (): Promise<number> =>
      Number((await shell(site, 'node1', 'cat /proc/uptime\n')).out.toString().split(' ')[0]);
    const before = await up();
    expect(before).toBeGreaterThan(86_400);
    await expect.poll(up).toBeGreaterThan(before);
  });

  it('gives a person a prompt', async () => {
    const pty = spawn('ssh', ['-tt', '-F', join(site.folder, 'ssh_config'), 'node1'], { cols: 80, rows: 24 });
    let text = '';
    pty.onData((data) => (text += data));
    const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    await expect.poll(() => text, { timeout: 10_000 }).toMatch(/demo@node1:\/root\$ $/);
    pty.write('where is thatt\u007F\r');
    await expect.poll(() => text, { timeout: 10_000 }).toContain('node1 is,that');
    pty.write('hang\r');
    await expect.poll(() => text, { timeout: 10_000 }).toMatch(/hang\r\n$/);
    pty.write('\u0003');
    await expect.poll(() => text, { timeout: 10_000 }).toMatch(/\^C\r\ndemo@node1:\/root\$ $/);
    pty.write('exit 4\r');
    expect(await ended).toBe(4);
  });

  it('lets nobody in without the key', async () => {
    await site.fault('node2', 'refuses');
    await expect(shell(site, 'node2', 'hostname\n')).rejects.toThrow(/authentication/);
    await site.fault('node2', 'fine');
    expect((await shell(site, 'node2', 'hostname\n')).out.toString()).toBe('node2\n');
  });

  it('can be noisy, frozen and without power', async () => {
    await site.fault('node2', 'noisy');
    expect((await shell(site, 'node2', 'hostname\n')).out.toString()).toMatch(/^\*\*\* node2[^]*\nnode2\n$/);
    await site.fault('node2', 'frozen');
    const waiting = shell(site, 'node2', 'hostname\n');
    const early = await Promise.race([
      waiting.then(() => 'answered'),
      new Promise((r) => setTimeout(r, 200, 'silent')),
    ]);
    expect(early).toBe('silent');
    await site.fault('node2', 'fine');
    expect((await waiting).out.toString()).toBe('node2\n');
    await site.fault('node2', 'off');
    await expect(shell(site, 'node2', 'hostname\n')).rejects.toThrow(/ECONNRESET|closed/);
    await site.fault('node2', 'fine');
    expect((await shell(site, 'node2', 'hostname\n')).out.toString()).toBe('node2\n');
  });

  it('takes power away where an incident says so', async () => {
    expect((await shell(site, 'node4', 'hostname\n')).out.toString()).toBe('node4\n');
    site.start('lost');
    await expect
      .poll(
        () =>
          shell(site, 'node4', 'hostname\n').then(
            () => 'up',
            () => 'down',
          ),
        { timeout: 5000 },
      )
      .toBe('down');
  });
});

describe('closing the demo site', () => {
  it('removes its folder', async () => {
    const site = await startSite([simulator], 'quiet');
    expect(existsSync(site.siteFile)).toBe(true);
    await site.close();
    expect(existsSync(site.folder)).toBe(false);
  });
});
