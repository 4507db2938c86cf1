import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SiteTransports } from '../../src/transport/pool.ts';
import { Lab, PATIENT, Sshd, appears, brief, haveSshd, text } from './sshd.ts';

describe.skipIf(!haveSshd())('ssh2 transport on a real sshd', () => {
  let lab: Lab;
  let sshd: Sshd;
  let pool: SiteTransports;
  beforeAll(async () => {
    lab = new Lab();
    sshd = await Sshd.start(lab);
    lab.host('n1', sshd.port, { known: sshd.hostKey });
  });
  afterEach(() => pool.close());
  afterAll(() => lab.end());

  const open = () => {
    pool = lab.transports();
    return pool.transportTo('n1');
  };
  const sessions = () => sshd.log().match(/Starting session: command/g)?.length ?? 0;

  it('runs many requests over one connection and one shell', async () => {
    const host = open();
    expect(host.connection().state).toBe('idle');
    const before = sessions();
    const scripts = ['echo a', 'echo b; echo e >&2; exit 3', 'printf c', 'head -c 300 /dev/zero', ''];
    const answers = await Promise.all(scripts.map((script) => host.run({ script, deadlineMs: 5000 })));
    expect(answers.map(brief)).toEqual([
      { code: 0, out: 'a\n', err: '' },
      { code: 3, out: 'b\n', err: 'e\n' },
      { code: 0, out: 'c', err: '' },
      { code: 0, out: '\0'.repeat(300), err: '' },
      { code: 0, out: '', err: '' },
    ]);
    expect(host.connection()).toMatchObject({ kind: 'ssh2', state: 'up', host: 'n1', badges: [] });
    expect([...pool.connections().keys()]).toEqual(['n1']);
    expect(sessions() - before).toBe(1);
    expect(sshd.children()).toHaveLength(1);
  });

  it('gives fresh requests a channel of their own, with standard input', async () => {
    const host = open();
    const before = sessions();
    const slow = host.run({ script: 'sleep 0.5; echo slow', deadlineMs: 5000 });
    const fresh = await host.run({
      script: 'cat; echo done',
      stdin: "it's\n",
      deadlineMs: 5000,
      fresh: true,
    });
    expect(brief(fresh)).toEqual({ code: 0, out: "it's\ndone\n", err: '' });
    expect(brief(await slow).out).toBe('slow\n');
    expect(sessions() - before).toBe(2);
    expect(sshd.children()).toHaveLength(1);
  });

  it('keeps the first megabyte of 100 and stays usable', async () => {
    const host = open();
    await host.run({ script: 'true', deadlineMs: 5000 });
    const before = process.memoryUsage().arrayBuffers;
    const answer = await host.run({ script: 'head -c 100000000 /dev/zero', deadlineMs: 20_000 });
    expect(answer).toMatchObject({ truncated: true, lost: false, timedOut: false });
    expect(answer.stdout.length).toBe(1_000_000);
    expect(answer.stdoutBytes).toBeGreaterThan(10_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(90_000_000);
    expect(brief(await host.run({ script: 'echo next', deadlineMs: 5000 })).out).toBe('next\n');
    expect(sshd.children()).toHaveLength(1);
  });

  it('counts what it cuts when it is not too much', async () => {
    const answer = await open().run({ script: 'seq 100000; echo end >&2', deadlineMs: 9000, maxBytes: 20 });
    expect(brief(answer)).toEqual({
      code: 0,
      out: '1\n2\n3\n4\n5\n6\n7\n8\n9\n10',
      err: 'end\n',
      truncated: true,
    });
    expect(answer.stdoutBytes).toBe(588_895);
  });

  it('ends a command that hangs, there and here, and goes on', async () => {
    const host = open();
    const hung = host.run({ script: 'echo $$; sleep 100', deadlineMs: 1000 });
    const queued = host.run({ script: 'echo queued', deadlineMs: 5000 });
    const answer = await hung;
    expect(answer).toMatchObject({ exitCode: 124, timedOut: true, lost: false });
    expect(() => process.kill(Number(text(answer.stdout)), 0)).toThrow('ESRCH');
    expect(brief(await queued)).toEqual({ code: 0, out: 'queued\n', err: '' });
    expect(host.connection().badges).toEqual([]);
  });

  it('gives up on a server that stops answering, and counts the command as abandoned', async () => {
    const host = open();
    await host.run({ script: 'true', deadlineMs: 9000 });
    const children = sshd.children();
    for (const pid of children) process.kill(pid, 'SIGSTOP');
    try {
      const answer = await host.run({ script: 'echo never', deadlineMs: 1000 });
      expect(answer).toMatchObject({ timedOut: true, lost: false, cancelled: false });
      expect(answer.exitCode).toBeUndefined();
      expect(host.connection().badges).toEqual(['abandoned commands']);
    } finally {
      for (const pid of children) process.kill(pid, 'SIGCONT');
    }
  });

  it('says lost when the server dies under a request, and comes back', async () => {
    const host = open();
    const mark = join(lab.dir, 'lost');
    const lost = host.run({ script: `echo begun; : >${mark}; sleep 9`, deadlineMs: 15_000 });
    await appears(mark);
    sshd.killConnections();
    expect(brief(await lost)).toEqual({ code: undefined, out: 'begun\n', err: '', lost: true });
    await expect.poll(() => host.connection().state, PATIENT).toBe('down');
    expect(host.connection().failure).toMatchObject({ kind: 'unreachable' });
    expect(host.connection().failure?.message).toMatch(/^n1: connection lost.*; it is tried again$/);
    await sleep(1100);
    expect(brief(await host.run({ script: 'echo back', deadlineMs: 5000 })).out).toBe('back\n');
    expect(host.connection().state).toBe('up');
    expect(host.connection().failure).toBeUndefined();
  });

  it('cancels: before sending nothing can have happened, after it may have', async () => {
    const host = open();
    const early = new AbortController();
    early.abort();
    expect(brief(await host.run({ script: 'true', deadlineMs: 1000 }, early.signal))).toEqual({
      code: undefined,
      out: '',
      err: '',
      cancelled: true,
    });
    const late = new AbortController();
    const mark = join(lab.dir, 'cancelled');
    const answer = host.run({ script: `echo a; : >${mark}; sleep 9`, deadlineMs: 15_000 }, late.signal);
    await appears(mark);
    late.abort();
    expect(brief(await answer)).toEqual({
      code: undefined,
      out: 'a\n',
      err: '',
      cancelled: true,
      lost: true,
    });
    const queued = new AbortController();
    const first = host.run({ script: 'sleep 0.3', deadlineMs: 3000 });
    const second = host.run({ script: 'echo no', deadlineMs: 3000 }, queued.signal);
    queued.abort();
    expect(brief(await second)).toMatchObject({ cancelled: true });
    expect(brief(await first).code).toBe(0);
  });

  it('refuses a script it can not frame, without sending anything', async () => {
    const answer = await open().run({ script: 'a\0b', deadlineMs: 1000 });
    expect(answer.notConnected).toMatchObject({
      kind: 'other',
      message: 'n1: the script holds a NUL byte; nothing was sent',
    });
  });

  it('takes all connections for dead on reset, and makes new ones', async () => {
    const host = open();
    const mark = join(lab.dir, 'running');
    const running = host.run({ script: `: >${mark}; sleep 9`, deadlineMs: 15_000 });
    await appears(mark);
    pool.reset();
    expect(brief(await running)).toMatchObject({ lost: true });
    expect(host.connection().state).toBe('idle');
    expect(brief(await host.run({ script: 'echo new', deadlineMs: 5000 })).out).toBe('new\n');
  });

  it('reads past the noise of start-up files, and says when they are slow', async () => {
    if (!userInfo().shell?.endsWith('bash')) return console.warn('skipped: the login shell is not bash');
    writeFileSync(join(sshd.home, '.bashrc'), 'echo welcome; echo oops >&2; sleep 1.6\n');
    try {
      const host = open();
      expect(brief(await host.run({ script: 'echo a', deadlineMs: 1000 }))).toEqual({
        code: 0,
        out: 'a\n',
        err: '',
      });
      expect(host.connection().badges).toEqual(['slow shell', 'noisy shell']);
    } finally {
      writeFileSync(join(sshd.home, '.bashrc'), '');
    }
  });
});

describe.skipIf(!haveSshd())('a server with its own ideas', () => {
  let lab: Lab;
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(() => lab.end());
  const serve = async (name: string, ...settings: string[]) => {
    const sshd = await Sshd.start(lab, { settings });
    lab.host(name, sshd.port, { known: sshd.hostKey });
    return { sshd, host: lab.transports().transportTo(name) };
  };

  it('that allows two sessions makes requests wait, not fail', async () => {
    const { host } = await serve('two', 'MaxSessions 2');
    const all = Array.from({ length: 6 }, (_, n) =>
      host.run({ script: `sleep 0.2; echo ${n}`, deadlineMs: 5000, fresh: n > 0 }),
    );
    expect((await Promise.all(all)).map((answer) => brief(answer).out)).toEqual(
      Array.from({ length: 6 }, (_, n) => `${n}\n`),
    );
    expect(host.connection().badges).toEqual(['server refuses more sessions']);
  });

  it('that allows one session is asked one thing at a time', async () => {
    const { host } = await serve('one', 'MaxSessions 1');
    await host.run({ script: 'true', deadlineMs: 5000 });
    const all = Array.from({ length: 4 }, (_, n) =>
      host.run({ script: `echo ${n}`, deadlineMs: 5000, fresh: n % 2 === 0 }),
    );
    expect((await Promise.all(all)).map((answer) => brief(answer).out)).toEqual(['0\n', '1\n', '2\n', '3\n']);
  });

  it('that allows none says so', async () => {
    const { host } = await serve('none', 'MaxSessions 0');
    const answer = await host.run({ script: 'true', deadlineMs: 1000 });
    expect(answer.notConnected).toMatchObject({
      kind: 'sessions',
      message: 'none: server refuses more sessions; raise MaxSessions in its sshd_config',
    });
    expect(host.connection().state).toBe('down');
  });

  it('that runs something else in place of the shell says what', async () => {
    const { host } = await serve('forced', `ForceCommand echo "This account is closed."; exit 9`);
    const answer = await host.run({ script: 'true', deadlineMs: 1000 });
    expect(answer.notConnected).toMatchObject({
      kind: 'other',
      message:
        'forced: the login shell ended at once with exit code 9 after printing "This account is closed."; see that this login may run sh',
    });
  });
});
