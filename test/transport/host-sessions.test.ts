import { describe, expect, it } from 'vitest';
import { childWire } from '../../src/transport/child-wire.ts';
import { failure } from '../../src/transport/failure.ts';
import { HostSessions, type Opener } from '../../src/transport/host-sessions.ts';
import { HostState } from '../../src/transport/host-state.ts';
import { brief, clock, quickClock } from './sshd.ts';

const shell = (...argv: [string, ...string[]]): Opener => {
  return async () => ({ wire: childWire(argv, { PATH: process.env['PATH'] }, () => undefined) });
};
const sessions = (open: Opener, time = clock) => {
  const state = new HostState('n1', 'local', time, () => {});
  return { state, host: new HostSessions(state, time, open) };
};
const hello = { script: 'echo hello', deadlineMs: 9000 };

describe('the sessions of a host', () => {
  it('are four at a time, whatever is asked', async () => {
    let now = 0;
    let most = 0;
    const { host } = sessions(async () => {
      now += 1;
      most = Math.max(most, now);
      const wire = childWire(['sh'], { PATH: process.env['PATH'] }, () => undefined);
      return {
        wire: {
          ...wire,
          listen: (on) =>
            wire.listen({
              ...on,
              onClosed: (end) => {
                now -= 1;
                on.onClosed(end);
              },
            }),
        },
      };
    });
    const all = Array.from({ length: 10 }, () => host.run({ ...hello, fresh: true }));
    expect((await Promise.all(all)).every(({ exitCode }) => exitCode === 0)).toBe(true);
    expect(most).toBe(4);
    host.drop();
  });

  it('that never start say so, and are counted', async () => {
    const { host, state } = sessions(shell('sh', '-c', 'echo starting; exec sleep 100'), quickClock);
    const answer = await host.run(hello);
    expect(answer.notConnected).toMatchObject({
      kind: 'timeout',
      message:
        'n1: timed out after 8 s: the login shell did not start after printing "starting"; look at its start-up files and its home directory',
    });
    expect(host.abandoned).toBe(1);
    expect(state.view()).toMatchObject({ state: 'down', badges: ['abandoned commands'] });
    expect((await host.run(hello)).notConnected).toBe(answer.notConnected);
  });

  it('that lack a command of the frame say which', async () => {
    const { host } = sessions(shell('sh', '-c', "sed -u 's/timeout -k/no-such-tool -k/' | sh"));
    const answer = await host.run(hello);
    expect(answer.notConnected?.message).toMatch(
      /^n1: its sh can't run a framed request after printing ".*no-such-tool.*not found"; install coreutils there$/,
    );
  });

  it('that can not be opened pass the reason on, and are not tried during the back-off', async () => {
    const why = failure('unreachable', 'n1', 'gone', 'wait');
    let tries = 0;
    const { host, state } = sessions(async () => {
      tries += 1;
      return { failure: state.noteDown(why) };
    });
    expect((await host.run(hello)).notConnected).toBe(why);
    expect((await host.run({ ...hello, fresh: true })).notConnected).toBe(why);
    expect(tries).toBe(1);
  });

  it('are given up by who cancels while they start, and used by the next', async () => {
    const { host } = sessions(shell('sh', '-c', 'sleep 0.3; exec sh'));
    const impatient = new AbortController();
    const first = host.run(hello, impatient.signal);
    const second = host.run(hello);
    impatient.abort();
    expect(brief(await first)).toEqual({ code: undefined, out: '', err: '', cancelled: true });
    expect(brief(await second).out).toBe('hello\n');
    host.drop();
  });
});
