import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLab, type OpenLab } from './open.ts';
import { killSshd, putBackHostKey, setNoisy, signalSshd, startSshd, swapHostKey } from './sshd.ts';

/** Faults of a connection on real sshd: each fault has its text, and the other hosts stay as they were. */
describe('faults of one host', () => {
  let lab: OpenLab;
  beforeAll(async () => {
    lab = await openLab();
  });
  afterAll(() => lab.close());

  /** What doctor says of one host and of another one. */
  const doctor = async (host: string): Promise<{ of: string; other: string }> => {
    const { stdout } = await lab.program('doctor', '--json');
    const { hosts } = JSON.parse(stdout) as { hosts: { host: string }[] };
    const text = (name: string): string => JSON.stringify(hosts.find((one) => one.host === name));
    return { of: text(host), other: text('node1') };
  };

  /** Slurm's own figures must not suffer from a compute node's fault. */
  const restIsLive = async (): Promise<void> => {
    const { document } = await lab.status();
    expect(document.readings.find(({ probe }) => probe === 'slurm.nodes')).toMatchObject({ state: 'fresh' });
    expect(document.findings.filter(({ severity }) => severity === 'critical')).toEqual([]);
  };

  it('sshd stopped: refused, and named', async () => {
    await killSshd(lab.folder, 'node5');
    const { of, other } = await doctor('node5');
    expect(of).toMatch(/refused|no ssh|not reach/i);
    expect(other).not.toMatch(/refused/i);
    await restIsLive();
    await startSshd(lab.folder, 'node5');
  });

  it('another host key: blocked, with both fingerprints and the line of known_hosts', async () => {
    await swapHostKey(lab.folder, lab.state, 'node6');
    const { of } = await doctor('node6');
    expect(of.match(/SHA256:[A-Za-z0-9+/]{43}/g)?.length).toBeGreaterThanOrEqual(2);
    expect(of).toMatch(/known_hosts:\d+/);
    const act = await lab.program('act', 'slurm.check', 'node6', '--confirm', 'y');
    expect(act.code, act.stdout + act.stderr).not.toBe(0);
    await restIsLive();
    await putBackHostKey(lab.folder, lab.state, 'node6');
  });

  it('a noisy shell on the controller changes no reading', async () => {
    await setNoisy(lab.folder, lab.state, 'ctl1', true);
    const { code, document } = await lab.status();
    expect(document.readings.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(code).toBe(0);
    await setNoisy(lab.folder, lab.state, 'ctl1', false);
  });

  it('an sshd that hangs costs its own host a time-out and nobody else', async () => {
    signalSshd(lab.folder, 'node7', 'SIGSTOP');
    const { of, other } = await doctor('node7');
    expect(of).toMatch(/banner|within|timed out/i);
    expect(other).not.toMatch(/banner|timed out/i);
    await restIsLive();
    signalSshd(lab.folder, 'node7', 'SIGCONT');
  });

  it('a site with no host that can be reached says so', async () => {
    for (const host of ['ctl1', 'node1', 'node2', 'node3', 'node4', 'node5', 'node6', 'node7', 'node8']) {
      await killSshd(lab.folder, host);
    }
    const { code, document } = await lab.status();
    expect([2, 3]).toContain(code);
    expect(document.readings.filter(({ state }) => state === 'fresh')).toEqual([]);
  });
});
