import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lab, Sshd, brief, haveSshd } from './sshd.ts';

describe.skipIf(!haveSshd())('ssh2 transport against a real sshd', () => {
  let lab: Lab;
  let sshd: Sshd;
  beforeAll(async () => {
    lab = new Lab();
    sshd = await Sshd.start(lab);
    lab.host('n1', sshd.port, { known: sshd.hostKey });
  });
  afterAll(() => lab.end());

  it('runs several requests over one connection', async () => {
    const pool = lab.transports();
    const host = pool.to('n1');
    expect(host.connection().state).toBe('idle');
    const answers = await Promise.all(
      ['echo a', 'echo b; echo e >&2; exit 3', 'printf c'].map((script) =>
        host.run({ script, deadlineMs: 5000 }),
      ),
    );
    expect(answers.map(brief)).toEqual([
      { code: 0, out: 'a\n', err: '' },
      { code: 3, out: 'b\n', err: 'e\n' },
      { code: 0, out: 'c', err: '' },
    ]);
    expect(host.connection()).toMatchObject({ kind: 'ssh2', state: 'up', host: 'n1', badges: [] });
    expect(sshd.children()).toHaveLength(1);
  });
});
