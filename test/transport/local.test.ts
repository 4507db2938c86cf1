import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lab, brief } from './sshd.ts';

describe('local transport', () => {
  let lab: Lab;
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(() => lab.end());

  it('runs requests here, in a clean environment', async () => {
    const host = lab.transports({ kinds: { here: 'local' } }).transportTo('here');
    const answer = await host.run({ script: 'echo $0 $LC_ALL $PATH; echo e >&2; exit 4', deadlineMs: 9000 });
    expect(brief(answer)).toEqual({ code: 4, out: 'sh C /usr/sbin:/usr/bin:/sbin:/bin\n', err: 'e\n' });
    const fresh = await host.run({ script: 'cat', stdin: 'x', fresh: true, deadlineMs: 9000 });
    expect(brief(fresh)).toEqual({ code: 0, out: 'x', err: '' });
    expect(host.connection()).toMatchObject({ kind: 'local', state: 'up' });
    await host.close();
    expect(brief(await host.run({ script: 'echo again', deadlineMs: 9000 })).out).toBe('again\n');
  });

  it('says so when there is no sh', async () => {
    const host = lab.transports({ kinds: { here: 'local' }, env: { PATH: '/nowhere' } }).transportTo('here');
    const answer = await host.run({ script: 'true', deadlineMs: 9000 });
    expect(answer.notConnected?.message).toMatch(/^here: sh did not start \(.*ENOENT.*\); see PATH$/);
  });
});
