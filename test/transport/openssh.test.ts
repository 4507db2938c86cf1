import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeOpenSsh } from '../../src/transport/openssh-failure.ts';
import { Lab, PATIENT, Sshd, appears, brief, freePort, haveSshd, keygen, publicKey } from './sshd.ts';

const hello = { script: 'echo hello', deadlineMs: 5000 };

describe.skipIf(!haveSshd())('openssh transport', () => {
  let lab: Lab;
  let sshd: Sshd;
  beforeAll(async () => {
    lab = new Lab();
    sshd = await Sshd.start(lab);
    lab.host('n1', sshd.port, { known: sshd.hostKey });
  });
  afterAll(() => lab.end());
  const kinds = new Proxy({}, { get: () => 'openssh' as const });
  const open = (name = 'n1') => lab.transports({ kinds }).transportTo(name);

  it('runs requests over one master, shared and fresh', async () => {
    const pool = lab.transports({ kinds });
    const host = pool.transportTo('n1');
    expect(brief(await host.run({ script: 'printf a; echo e >&2; exit 3', deadlineMs: 5000 }))).toEqual({
      code: 3,
      out: 'a',
      err: 'e\n',
    });
    const fresh = await host.run({ script: 'cat', stdin: 'in', deadlineMs: 5000, fresh: true });
    expect(brief(fresh)).toEqual({ code: 0, out: 'in', err: '' });
    expect(host.connection()).toMatchObject({ kind: 'openssh', state: 'up', badges: [] });
    expect(sshd.children()).toHaveLength(1);
    await pool.close();
    await expect.poll(() => sshd.children(), PATIENT).toHaveLength(0);
  });

  it('cuts, limits and loses like the other', async () => {
    const host = open();
    const cut = await host.run({ script: 'seq 100000', deadlineMs: 5000, maxBytes: 10 });
    expect(brief(cut)).toEqual({ code: 0, out: '1\n2\n3\n4\n5\n', err: '', truncated: true });
    expect(await host.run({ script: 'sleep 100', deadlineMs: 1000 })).toMatchObject({
      exitCode: 124,
      timedOut: true,
    });
    const mark = join(lab.dir, 'lost');
    const lost = host.run({ script: `echo a; : >${mark}; sleep 9`, deadlineMs: 15_000 });
    await appears(mark);
    sshd.killConnections();
    expect(brief(await lost)).toMatchObject({
      out: 'a\n',
      lost: true,
    });
    await expect.poll(() => host.connection().state, PATIENT).toBe('down');
    expect(host.connection().failure?.message).toBe('n1: connection lost; it is tried again');
  });

  it('says why it can not connect', async () => {
    const other = keygen(join(lab.dir, 'other'));
    lab.host('stranger', sshd.port, { lines: [`UserKnownHostsFile ${join(lab.dir, 'none')}`] });
    lab.host('changed', sshd.port, { lines: [`UserKnownHostsFile ${join(lab.dir, 'wrong')}`] });
    writeFileSync(join(lab.dir, 'wrong'), `[127.0.0.1]:${sshd.port} ${publicKey(other)}\n`);
    lab.host('revoked', sshd.port, { lines: [`UserKnownHostsFile ${join(lab.dir, 'gone')}`] });
    writeFileSync(join(lab.dir, 'gone'), `@revoked * ${publicKey(sshd.hostKey)}\n`);
    lab.host('listed', sshd.port, { lines: [`RevokedHostKeys ${sshd.hostKey}.pub`] });
    lab.host('unlisted', sshd.port, { lines: [`RevokedHostKeys ${join(lab.dir, 'no-list')}`] });
    lab.host('refused', sshd.port, { identity: other });
    const open644 = join(lab.dir, 'open644');
    copyFileSync(lab.key, open644);
    chmodSync(open644, 0o644);
    lab.host('exposed', sshd.port, { identity: open644 });
    lab.host('closed', await freePort());
    lab.host('nameless', 22, { lines: ['HostName no-such-host.invalid'] });
    const why = async (name: string) => (await open(name).run(hello)).notConnected;
    expect(await why('stranger')).toMatchObject({
      kind: 'hostKeyUnknown',
      message: `stranger: host key unknown: no ED25519 key is on record for [127.0.0.1]:${sshd.port}; compare it with the host's own, then log in once with: ssh stranger`,
    });
    const changed = await why('changed');
    expect(changed?.kind).toBe('hostKeyChanged');
    expect(changed?.message).toMatch(
      /it shows SHA256:\S{43}, another is on record at \S+wrong:1; find out why/,
    );
    expect((await why('revoked'))?.kind).toBe('hostKeyRevoked');
    const listed = await why('listed');
    expect(listed?.kind).toBe('hostKeyRevoked');
    expect(listed?.message).toMatch(
      /host key revoked: it shows ED25519 SHA256:\S{43}, revoked in \S+\.pub; do not log in/,
    );
    expect(await why('unlisted')).toMatchObject({
      kind: 'other',
      message: expect.stringMatching(
        /whether its host key is revoked could not be read \(\S+no-list: No such file/,
      ),
    });
    expect(await why('exposed')).toMatchObject({
      kind: 'auth',
      message: `exposed: the key ${open644} is open to others (mode 0644) and is not used; run: chmod 600 ${open644}; when others may have read it, make a new one`,
    });
    expect(await why('refused')).toMatchObject({
      kind: 'auth',
      message:
        'refused: permission denied (the server takes publickey); see what is asked for with: ssh -v refused',
    });
    expect((await why('closed'))?.message).toBe('closed: connection refused; is it up, and is sshd running?');
    expect((await why('nameless'))?.kind).toBe('dns');
  });

  it('knows a server that is none', async () => {
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    lab.onEnd(() => web.close());
    await expect.poll(() => web.listening, PATIENT).toBe(true);
    const address = web.address();
    lab.host('web', typeof address === 'object' && address ? address.port : 0);
    const failure = (await open('web').run(hello)).notConnected;
    expect(failure?.message).toMatch(/^web: (not an SSH server|no SSH banner|connection)/);
  });
});

describe.skipIf(!haveSshd())('what our own client can not do goes to OpenSSH by itself', () => {
  let lab: Lab;
  let authority: string;
  beforeAll(() => {
    lab = new Lab();
    authority = keygen(join(lab.dir, 'ca'));
  });
  afterAll(() => lab.end());

  const reached = async (name: string) => {
    const host = lab.transports().transportTo(name);
    const answer = await host.run(hello);
    expect(brief(answer)).toEqual({ code: 0, out: 'hello\n', err: '' });
    expect(brief(await host.run(hello)).out).toBe('hello\n');
    expect(host.connection()).toMatchObject({ kind: 'openssh', state: 'up', badges: ['through OpenSSH'] });
  };

  it('user certificates', async () => {
    const sshd = await Sshd.start(lab, {
      settings: [`TrustedUserCAKeys ${authority}.pub`, 'AuthorizedKeysFile none'],
    });
    const key = keygen(join(lab.dir, 'certified'));
    const user = process.env['USER'] ?? 'root';
    execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'test', '-n', `${user},root`, `${key}.pub`]);
    lab.host('cert', sshd.port, { identity: key, known: sshd.hostKey });
    await reached('cert');
  });

  it('host certificates', async () => {
    const key = keygen(join(lab.dir, 'hostkey'));
    execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'h', '-h', '-n', '127.0.0.1', `${key}.pub`]);
    const sshd = await Sshd.start(lab, { hostKeys: [key], settings: [`HostCertificate ${key}-cert.pub`] });
    lab.host('vouched', sshd.port);
    writeFileSync(
      lab.knownHosts,
      `${readFileSync(lab.knownHosts, 'utf8')}@cert-authority [127.0.0.1]:${sshd.port} ${publicKey(authority)}\n`,
    );
    await reached('vouched');
  });

  it('a ProxyCommand', async () => {
    const sshd = await Sshd.start(lab);
    lab.host('proxied', sshd.port, {
      known: sshd.hostKey,
      lines: [
        `ProxyCommand ${process.execPath} -e "const s=require('net').connect(%p,'%h');process.stdin.pipe(s);s.pipe(process.stdout)"`,
      ],
    });
    await reached('proxied');
  });

  it('key exchanges we leave out', async () => {
    const sshd = await Sshd.start(lab, { settings: ['KexAlgorithms diffie-hellman-group-exchange-sha256'] });
    lab.host('gex', sshd.port, { known: sshd.hostKey });
    await reached('gex');
  });

  it('a configuration that allows none of our ciphers', async () => {
    const sshd = await Sshd.start(lab);
    lab.host('chacha', sshd.port, { known: sshd.hostKey, lines: ['Ciphers chacha20-poly1305@openssh.com'] });
    await reached('chacha');
  });
});

describe('what ssh says', () => {
  const said = (stderr: string, exitCode = 255) =>
    judgeOpenSsh('n1', { exitCode, stderr, answered: false })?.kind;

  it.each([
    ['ssh: Could not resolve hostname x: Name or service not known', 'dns'],
    ['ssh: connect to host x port 22: Connection timed out', 'timeout'],
    ['Connection timed out during banner exchange', 'noBanner'],
    ['kex_exchange_identification: banner line contains invalid characters', 'notSsh'],
    ['ssh: connect to host x port 22: No route to host', 'unreachable'],
    ['kex_exchange_identification: read: Connection reset by peer', 'unreachable'],
    ['root@x: Permission denied (publickey,password).', 'auth'],
    ['Received disconnect from 1.2.3.4 port 22:2: Too many authentication failures', 'auth'],
    ['mux_client_request_session: session request failed: Session open refused by peer', 'sessions'],
    ['something new', 'other'],
  ])('%s', (stderr, kind) => {
    expect(said(stderr)).toBe(kind);
  });

  it('is not taken for ours when the remote shell says it', () => {
    expect(said('mount: Permission denied', 1)).toBeUndefined();
    const lost = { stderr: 'mount: Permission denied', exitCode: 255, answered: true };
    expect(judgeOpenSsh('n1', lost)?.message).toBe('n1: connection lost; it is tried again');
    expect(judgeOpenSsh('n1', { stderr: '', exitCode: 0, answered: false })).toBeUndefined();
  });
});
