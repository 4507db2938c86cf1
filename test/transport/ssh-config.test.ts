import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SshConfig, readJump } from '../../src/transport/ssh-config.ts';
import { readFacts } from '../../src/transport/ssh-facts.ts';
import { emptyFolder } from '../helpers/folder.ts';

const root = emptyFolder('ssh-config');
const env = { HOME: '/home/op', USER: 'op', SSH_AUTH_SOCK: '/run/agent', FOO: '/run/foo' };

describe('what ssh -G prints is read', () => {
  it('with the tokens it leaves to us', () => {
    const printed = `host n1
user bob
hostname n1.example
port 2222
addressfamily inet6
identitiesonly yes
identityfile ~/.ssh/%r@%h
identityfile /keys/%n-%p-%u-%d-%%
certificatefile ~/.ssh/cert
hostkeyalias al-%h
userknownhostsfile /home/op/.ssh/known_hosts ~/other
globalknownhostsfile /etc/ssh/ssh_known_hosts none
proxyjump u@gw1:2222,gw2
gssapiauthentication yes
controlpath none
ciphers aes128-ctr,aes256-ctr
`;
    expect(readFacts('n1', printed, env)).toEqual({
      host: 'n1',
      hostname: 'n1.example',
      port: 2222,
      user: 'bob',
      family: 6,
      identityFiles: ['/home/op/.ssh/bob@n1.example', '/keys/n1-2222-op-/home/op-%'],
      certificateFiles: ['/home/op/.ssh/cert'],
      identitiesOnly: true,
      agent: '/run/agent',
      knownHostsFiles: ['/home/op/.ssh/known_hosts', '/home/op/other', '/etc/ssh/ssh_known_hosts'],
      hostKeyAlias: 'al-n1.example',
      jumps: ['u@gw1:2222', 'gw2'],
      gssapi: true,
      algorithms: { kex: [], cipher: ['aes128-ctr', 'aes256-ctr'], hmac: [], serverHostKey: [] },
      beyond: [],
    });
  });

  it.each([
    ['', '/run/agent'],
    ['identityagent none', undefined],
    ['identityagent SSH_AUTH_SOCK', '/run/agent'],
    ['identityagent $FOO', '/run/foo'],
    ['identityagent $BAR', undefined],
    ['identityagent ~/a', '/home/op/a'],
    ['identityagent /x', '/x'],
  ])('with the agent of "%s"', (line, socket) => {
    expect(readFacts('n1', `${line}\n`, env).agent).toBe(socket);
  });

  it('with what is beyond our own client', () => {
    const printed = 'proxycommand nc %h %p\nrevokedhostkeys /krl\nknownhostscommand none\n';
    expect(readFacts('n1', printed, env).beyond).toEqual(['ProxyCommand', 'RevokedHostKeys']);
  });
});

describe('a jump', () => {
  it.each([
    ['gw', 'gw', []],
    ['bob@gw:2222', 'gw', ['-l', 'bob', '-p', '2222']],
    ['ssh://bob@gw:22/', 'gw', ['-l', 'bob', '-p', '22']],
    ['[::1]:33', '::1', ['-p', '33']],
    ['fe80::1', 'fe80::1', []],
  ])('%s', (text, host, flags) => {
    expect(readJump(text)).toEqual({ host, flags });
  });
  it.each(['-oProxyCommand=x', '-l@gw', '', 'a b@', 'gw:x'])('"%s" is none', (text) => {
    expect(readJump(text)).toBeUndefined();
  });
});

describe('asking ssh -G', () => {
  let calls: string;
  let bin: string;
  /** Puts a script in the place of ssh. */
  const fake = (body: string) => {
    writeFileSync(join(bin, 'ssh'), `#!/bin/sh\necho call >> ${calls}\n${body}\n`);
    chmodSync(join(bin, 'ssh'), 0o755);
    return new SshConfig(undefined, { ...env, PATH: `${bin}${delimiter}${process.env['PATH']}` });
  };
  const asked = () => execFileSync('grep', ['-c', '', calls], { encoding: 'utf8' }).trim();
  beforeEach(() => {
    bin = emptyFolder('bin');
    calls = join(bin, 'calls');
  });

  it('uses the real one with the file given', async () => {
    const file = join(root, 'config');
    writeFileSync(file, 'Host n1\n  HostName 10.0.0.1\n  Port 99\n  User x\n');
    const config = new SshConfig(file, { ...env, PATH: process.env['PATH'] });
    expect(config.flags).toEqual(['-F', file]);
    expect(await config.readFacts('n1')).toMatchObject({
      facts: { hostname: '10.0.0.1', port: 99, user: 'x' },
    });
    expect(await config.readFacts('y@n1:7')).toMatchObject({ facts: { host: 'n1', port: 7, user: 'y' } });
  });

  it('happens once per host, at most four at a time', async () => {
    const config = fake(
      `mkdir ${bin}/run$$; ls -d ${bin}/run* | wc -l >> ${bin}/counts; sleep 0.1; rmdir ${bin}/run$$; echo "port 1"`,
    );
    const names = Array.from({ length: 9 }, (_, n) => `n${n}`);
    await Promise.all([...names, ...names].map((name) => config.readFacts(name)));
    expect(asked()).toBe('9');
    const counts = execFileSync('cat', [join(bin, 'counts')], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });

  it('that fails is a failure with the reason, and asked again', async () => {
    const config = fake('echo "config line 3: Bad option" >&2; exit 255');
    expect(await config.readFacts('n1')).toMatchObject({
      failure: { kind: 'config', message: 'n1: ssh -G failed (config line 3: Bad option); try: ssh -G n1' },
    });
    await config.readFacts('n1');
    expect(asked()).toBe('2');
  });

  it('that hangs on a dead resolver is given up after 3 s', async () => {
    expect(await fake('exec sleep 20').readFacts('n1')).toMatchObject({
      failure: { kind: 'config', message: 'n1: ssh -G timed out after 3 s; try: ssh -G n1' },
    });
  });

  it('without ssh says what to install', async () => {
    const config = new SshConfig(undefined, { PATH: '/nowhere' });
    expect(await config.readFacts('n1')).toMatchObject({
      failure: { kind: 'config', message: 'n1: ssh is not installed; install openssh-client' },
    });
  });
});
