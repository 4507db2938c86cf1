import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Lab, PATIENT, Sshd, appears, brief, haveSshd } from './sshd.ts';

const hello = { script: 'echo hello', deadlineMs: 5000 };

describe.skipIf(!haveSshd())('behind jump hosts', () => {
  let lab: Lab;
  let gate: Sshd;
  let inner: Sshd;
  let target: Sshd;
  beforeAll(async () => {
    lab = new Lab();
    [gate, inner, target] = await Promise.all([Sshd.start(lab), Sshd.start(lab), Sshd.start(lab)]);
    lab.host('gate', gate.port, { known: gate.hostKey });
    lab.host('inner', inner.port, { known: inner.hostKey });
    for (const n of [1, 2])
      lab.host(`n${n}`, target.port, { lines: ['ProxyJump gate'], known: target.hostKey });
    lab.host('far', target.port, { lines: ['ProxyJump gate,inner'] });
  });
  afterAll(() => lab.end());

  /** Connections are counted: those of the test before must be gone, which the servers learn a moment later. */
  const pools: ReturnType<Lab['transports']>[] = [];
  const transports = (): ReturnType<Lab['transports']> => {
    const pool = lab.transports();
    pools.push(pool);
    return pool;
  };
  const served = (): readonly number[] => [gate, inner, target].map((one) => one.children().length);
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
    await expect.poll(served, PATIENT).toEqual([0, 0, 0]);
  });

  it('targets share one connection to the jump host', async () => {
    const pool = transports();
    const answers = await Promise.all(['n1', 'n2'].map((name) => pool.transportTo(name).run(hello)));
    expect(answers.map((answer) => brief(answer).out)).toEqual(['hello\n', 'hello\n']);
    expect(served()).toEqual([1, 0, 2]);
  });

  it('several hops are travelled in order', async () => {
    const pool = transports();
    expect(brief(await pool.transportTo('far').run(hello)).out).toBe('hello\n');
    expect(served()).toEqual([1, 1, 1]);
    await pool.close();
    expect(pool.connections().get('far')?.state).toBe('idle');
  });

  it('a lost jump host loses what runs behind it, and both come back', async () => {
    const pool = transports();
    const host = pool.transportTo('n1');
    await host.run(hello);
    const mark = join(lab.dir, 'running');
    const running = host.run({ script: `: >${mark}; sleep 9`, deadlineMs: 15_000 });
    await appears(mark);
    gate.killConnections();
    expect(brief(await running)).toMatchObject({ lost: true });
    pool.retry('n1');
    expect(brief(await host.run(hello)).out).toBe('hello\n');
  });

  it('each hop is verified, and blamed by name', async () => {
    const stranger = await Sshd.start(lab);
    lab.host('stranger', stranger.port);
    lab.host('n3', target.port, { lines: ['ProxyJump stranger'] });
    const failure = (await transports().transportTo('n3').run(hello)).notConnected;
    expect(failure?.kind).toBe('hostKeyUnknown');
    expect(failure?.message).toMatch(/^n3: behind jump host stranger: host key unknown: .*; compare it/);
    expect(stranger.log()).not.toContain('Accepted');
  });

  it('a target the jump host can not reach is unreachable', async () => {
    lab.host('n4', 1, { lines: ['ProxyJump gate'] });
    expect((await transports().transportTo('n4').run(hello)).notConnected).toMatchObject({
      kind: 'unreachable',
      message:
        "n4: its jump host gate can't reach 127.0.0.1 port 1; is it up, and does the jump host allow forwarding?",
    });
  });

  it('a jump through itself is left out', async () => {
    lab.host('loop', target.port, { lines: ['ProxyJump loop'] });
    expect(brief(await transports().transportTo('loop').run(hello)).out).toBe('hello\n');
  });
});
