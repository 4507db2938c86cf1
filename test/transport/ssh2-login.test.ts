import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/transport/known-hosts.ts';
import { Lab, PATIENT, Sshd, brief, haveSshd, keygen, movableClock, publicKey } from './sshd.ts';

const blob = (file: string): Buffer => Buffer.from(publicKey(file).split(' ')[1] ?? '', 'base64');
const hello = { script: 'echo hello', deadlineMs: 5000 };

describe.skipIf(!haveSshd())('the host key', () => {
  let lab: Lab;
  let sshd: Sshd;
  let other: string;
  beforeAll(async () => {
    lab = new Lab();
    sshd = await Sshd.start(lab);
    other = keygen(join(lab.dir, 'other'));
    lab.host('n1', sshd.port);
  });
  afterAll(() => lab.end());
  const logins = () => sshd.log().match(/Accepted publickey/g)?.length ?? 0;

  it('unknown blocks the host until it is put on record', async () => {
    const clock = movableClock();
    const host = lab.transports({ clock }).transportTo('n1');
    const answer = await host.run(hello);
    expect(answer.notConnected).toMatchObject({
      kind: 'hostKeyUnknown',
      message: `n1: host key unknown: it shows ssh-ed25519 ${fingerprint(blob(sshd.hostKey))}, none is on record for [127.0.0.1]:${sshd.port} in ${lab.knownHosts}; compare it with the host's own, then log in once with: ssh n1`,
    });
    expect(host.connection()).toMatchObject({ state: 'down', failure: answer.notConnected });
    const connections = sshd.log().match(/Connection from/g)?.length;
    clock.skip(30_000);
    expect((await host.run(hello)).notConnected?.kind).toBe('hostKeyUnknown');
    expect(sshd.log().match(/Connection from/g)?.length).toBe(connections);
    lab.know(sshd.port, sshd.hostKey);
    clock.skip(30_000);
    expect(brief(await host.run(hello)).out).toBe('hello\n');
  });

  it('changed blocks it, with both fingerprints and the line', async () => {
    writeFileSync(lab.knownHosts, '# one\n');
    lab.know(sshd.port, other);
    const before = logins();
    const answer = await lab.transports().transportTo('n1').run(hello);
    expect(answer.notConnected).toMatchObject({
      kind: 'hostKeyChanged',
      message: `n1: host key changed: it shows ssh-ed25519 ${fingerprint(blob(sshd.hostKey))}, on record is ssh-ed25519 ${fingerprint(blob(other))} at ${lab.knownHosts}:2; find out why; only when it is right, mend that line`,
    });
    expect(logins()).toBe(before);
  });

  it('revoked blocks it', async () => {
    writeFileSync(lab.knownHosts, '');
    lab.know(sshd.port, sshd.hostKey);
    lab.know(sshd.port, sshd.hostKey, '@revoked ');
    const answer = await lab.transports().transportTo('n1').run(hello);
    expect(answer.notConnected?.kind).toBe('hostKeyRevoked');
    expect(answer.notConnected?.message).toContain(`${lab.knownHosts}:2; do not log in`);
  });

  it('can not be checked when the file can not be read', async () => {
    rmSync(lab.knownHosts);
    execFileSync('mkdir', [lab.knownHosts]);
    const answer = await lab.transports().transportTo('n1').run(hello);
    expect(answer.notConnected).toMatchObject({
      kind: 'hostKeyUnknown',
      message: `n1: its host key can't be checked: cannot read ${lab.knownHosts}; make that file readable`,
    });
    rmSync(lab.knownHosts, { recursive: true });
    writeFileSync(lab.knownHosts, '');
  });

  it('is asked for in the type that is on record', async () => {
    const rsa = keygen(join(lab.dir, 'rsa'), '-t', 'rsa', '-b', '2048');
    const both = await Sshd.start(lab, { hostKeys: [keygen(join(lab.dir, 'ed')), rsa] });
    lab.host('n2', both.port, { known: rsa });
    expect(brief(await lab.transports().transportTo('n2').run(hello)).out).toBe('hello\n');
  });
});

describe.skipIf(!haveSshd())('the log-in', () => {
  let lab: Lab;
  let sshd: Sshd;
  let wrong: string;
  let locked: string;
  let agent: { socket: string; pid: number };
  const user = userInfo().username;
  beforeAll(async () => {
    lab = new Lab();
    sshd = await Sshd.start(lab);
    wrong = keygen(join(lab.dir, 'wrong'));
    locked = join(lab.dir, 'locked');
    copyFileSync(lab.key, locked);
    chmodSync(locked, 0o600);
    execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'secret', '-f', locked]);
    const socket = join(lab.dir, 'agent');
    const started = execFileSync('ssh-agent', ['-a', socket], { encoding: 'utf8' });
    agent = { socket, pid: Number(/SSH_AGENT_PID=(\d+)/.exec(started)?.[1]) };
    lab.onEnd(() => process.kill(agent.pid));
  });
  afterAll(() => lab.end());
  const add = (file: string) =>
    execFileSync('ssh-add', ['-q', file], { env: { ...process.env, SSH_AUTH_SOCK: agent.socket } });
  const empty = () =>
    execFileSync('ssh-add', ['-q', '-D'], {
      env: { ...process.env, SSH_AUTH_SOCK: agent.socket },
      stdio: 'ignore',
    });
  /** A host of this sshd that is logged in to with this identity file. */
  const as = (name: string, identity: string, ...lines: string[]) => {
    lab.host(name, sshd.port, { lines, identity, known: sshd.hostKey });
    return name;
  };
  const refusals = () =>
    sshd.log().match(/Failed publickey|Connection closed by authenticating user/g)?.length ?? 0;

  it('leaves out a key that others can read, as OpenSSH does', async () => {
    const exposed = join(lab.dir, 'exposed');
    copyFileSync(lab.key, exposed);
    as('e1', exposed);
    for (const mode of [0o644, 0o640, 0o601]) {
      chmodSync(exposed, mode);
      expect((await lab.transports().transportTo('e1').run(hello)).notConnected).toMatchObject({
        kind: 'auth',
        message: `e1: the key ${exposed} is open to others (mode 0${mode.toString(8)}) and is not used; run: chmod 600 ${exposed}; when others may have read it, make a new one`,
      });
    }
    chmodSync(exposed, 0o400);
    expect(brief(await lab.transports().transportTo('e1').run(hello)).out).toBe('hello\n');
  });

  it('refused is tried once per credential, then left alone for 1, 5 and 30 minutes', async () => {
    const name = as('bad', wrong, 'IdentityAgent none');
    const clock = movableClock();
    const host = lab.transports({ clock }).transportTo(name);
    const answer = await host.run(hello);
    expect(answer.notConnected).toMatchObject({
      kind: 'auth',
      message: `bad: permission denied to ${user} (1 key tried, the server takes publickey); check User and IdentityFile in your ssh configuration and authorized_keys there`,
    });
    const connections = () => sshd.log().match(/Connection from/g)?.length ?? 0;
    expect(refusals()).toBeGreaterThan(0);
    for (const minutes of [1, 5, 30, 30]) {
      const tries = connections();
      clock.skip(minutes * 60_000 - 5000);
      expect((await host.run(hello)).notConnected).toEqual(answer.notConnected);
      await sleep(50);
      expect(connections(), `before ${minutes} min`).toBe(tries);
      clock.skip(5000);
      expect((await host.run(hello)).notConnected).toEqual(answer.notConnected);
      await expect.poll(connections, { ...PATIENT, message: `after ${minutes} min` }).toBe(tries + 1);
    }
    const tries = connections();
    host.retry();
    await host.run(hello);
    await expect.poll(connections, PATIENT).toBe(tries + 1);
  });

  it('with an encrypted key needs the agent', async () => {
    const name = as('locked', locked);
    const answer = await lab.transports().transportTo(name).run(hello);
    expect(answer.notConnected).toMatchObject({
      kind: 'agent',
      message: `locked: agent not available, and the key ${locked} is encrypted; start ssh-agent, then: ssh-add ${locked}`,
    });
    empty();
    const env = { SSH_AUTH_SOCK: agent.socket };
    expect((await lab.transports({ env }).transportTo(name).run(hello)).notConnected).toMatchObject({
      kind: 'agent',
      message: `locked: the key ${locked} is encrypted and not in the agent; run: ssh-add ${locked}`,
    });
    add(lab.key);
    expect(brief(await lab.transports({ env }).transportTo(name).run(hello)).out).toBe('hello\n');
    const gone = await lab
      .transports({ env: { SSH_AUTH_SOCK: '/no/agent' } })
      .transportTo(name)
      .run(hello);
    expect(gone.notConnected).toMatchObject({
      kind: 'agent',
      message: 'locked: agent not available (/no/agent); start ssh-agent and load the key with ssh-add',
    });
  });

  it('shows the server only the keys that IdentitiesOnly leaves', async () => {
    empty();
    for (const n of [1, 2, 3, 4, 5, 6, 7]) add(keygen(join(lab.dir, `noise${n}`)));
    add(lab.key);
    copyFileSync(`${lab.key}.pub`, join(lab.dir, 'only.pub'));
    const name = as('only', join(lab.dir, 'only.pub'));
    const before = refusals();
    const host = lab.transports({ env: { SSH_AUTH_SOCK: agent.socket } }).transportTo(name);
    expect(brief(await host.run(hello)).out).toBe('hello\n');
    expect(refusals()).toBe(before);
  });
});
