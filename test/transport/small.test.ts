import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { algorithmsFor } from '../../src/transport/algorithms.ts';
import { backoff } from '../../src/transport/backoff.ts';
import { chooseCredentials } from '../../src/transport/credentials.ts';
import { failure } from '../../src/transport/failure.ts';
import { HostState } from '../../src/transport/host-state.ts';
import { Places } from '../../src/transport/places.ts';
import { movableClock } from './sshd.ts';

describe('back-off', () => {
  it('doubles to a minute with jitter', () => {
    const delays = [1, 2, 3, 7, 50].map((n) => [backoff('unreachable', n, 0), backoff('unreachable', n, 1)]);
    expect(delays).toEqual([
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [30_000, 60_000],
      [30_000, 60_000],
    ]);
  });
  it('is long where a server counts tries', () => {
    expect([1, 2, 3, 9].map((n) => backoff('auth', n, 0) / 60_000)).toEqual([1, 5, 30, 30]);
  });
});

describe('the state of a connection', () => {
  const start = () => {
    const clock = movableClock();
    let now = 1000;
    const log: string[] = [];
    const state = new HostState(
      'n1',
      'ssh2',
      { ...clock, now: () => now++ },
      (line) => log.push(line),
      () => 1,
    );
    return { clock, log, state };
  };
  const why = failure('unreachable', 'n1', 'gone', 'wait');

  it('is down since it went down, not since the last try, with one log line per change', () => {
    const { clock, log, state } = start();
    state.connecting();
    expect(state.view().state).toBe('connecting');
    state.up();
    state.down(why);
    const { since } = state.view();
    expect(state.blocked).toBe(why);
    clock.skip(1000);
    expect(state.blocked).toBeUndefined();
    state.connecting();
    expect(state.view()).toMatchObject({ state: 'connecting', since, failure: why });
    state.down(why);
    expect(state.view()).toMatchObject({ state: 'down', since });
    clock.skip(1500);
    expect(state.blocked).toBe(why);
    state.up();
    expect(state.view()).toEqual({ host: 'n1', kind: 'ssh2', state: 'up', since: since + 1, badges: [] });
    expect(log).toEqual([
      'connection to n1 is up, dropped 0 times so far',
      'connection to n1 is down (n1: gone; wait), dropped 1 times so far',
      'connection to n1 is up, dropped 1 times so far',
    ]);
  });

  it('after a suspend is tried again at once, unless our key was refused', () => {
    const { state } = start();
    state.down(why);
    state.reset();
    expect(state.blocked).toBeUndefined();
    state.down(failure('auth', 'n1', 'no', 'ask'));
    state.reset();
    expect(state.blocked?.kind).toBe('auth');
    state.retry();
    expect(state.blocked).toBeUndefined();
  });
});

describe('places', () => {
  it('are never taken by more than the limit, and all get one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (limit, leave) => {
          const places = new Places(limit);
          let now = 0;
          let most = 0;
          const visit = async (leaves: boolean) => {
            const controller = new AbortController();
            const taking = places.take(controller.signal);
            if (leaves) controller.abort();
            const free = await taking.catch(() => undefined);
            if (!free) return;
            now += 1;
            most = Math.max(most, now);
            await Promise.resolve();
            now -= 1;
            free();
            free();
          };
          await Promise.all(leave.map(visit));
          expect(most).toBeLessThanOrEqual(limit);
          expect(places.taken).toBe(0);
        },
      ),
    );
  });
  it('follow a limit that changes', async () => {
    const places = new Places(1);
    const free = await places.take();
    let second = false;
    const waiting = places.take().then(() => {
      second = true;
    });
    await Promise.resolve();
    expect(second).toBe(false);
    places.limit = 2;
    await waiting;
    expect(places.taken).toBe(2);
    free();
  });
});

describe('what is offered', () => {
  const all = { kex: [], cipher: [], hmac: [], serverHostKey: [] };
  it('has no group exchange and no SHA-1, unless the host is legacy', () => {
    const modern = JSON.stringify(algorithmsFor(all, false));
    expect(modern).not.toMatch(/group-exchange|sha1|cbc|"ssh-rsa"|chacha/);
    const legacy = JSON.stringify(algorithmsFor(all, true));
    expect(legacy).toMatch(/group14-sha1.*cbc.*hmac-sha1.*"ssh-rsa"/);
    expect(legacy).not.toContain('group-exchange');
  });
  it('keeps to what the operator allows', () => {
    expect(algorithmsFor({ ...all, cipher: ['aes256-ctr', 'x'] }, false)).toMatchObject({
      algorithms: { cipher: ['aes256-ctr'] },
    });
    expect(algorithmsFor({ ...all, hmac: ['umac-64@openssh.com'] }, false)).toEqual({ none: 'hmac' });
  });
});

describe('credentials', () => {
  const blob = (name: string) => Buffer.from(name);
  const key = (name: string, type = 'ssh-ed25519') => ({ type, blob: blob(name) });
  const file = (name: string, more: { encrypted?: boolean; type?: string; text?: boolean } = {}) => ({
    path: `/${name}`,
    ...key(name, more.type),
    encrypted: more.encrypted ?? false,
    ...(more.text !== false && !more.encrypted && { text: blob(`secret ${name}`) }),
  });
  const shown = (found: Parameters<typeof chooseCredentials>[1], identitiesOnly = false) =>
    chooseCredentials({ identitiesOnly }, found).credentials.map((one) =>
      one.by === 'file' ? `file ${one.path}` : `agent ${one.blob.toString()}`,
    );

  it('come in the order of OpenSSH, each once', () => {
    const identities = [file('a'), file('b'), file('a'), file('c', { encrypted: true })];
    expect(shown({ identities, agent: [key('x'), key('c'), key('b')] })).toEqual([
      'agent b',
      'agent c',
      'agent x',
      'file /a',
    ]);
  });
  it('leave out what else the agent holds with IdentitiesOnly', () => {
    expect(shown({ identities: [file('a', { text: false })], agent: [key('x'), key('a')] }, true)).toEqual([
      'agent a',
    ]);
  });
  it('do without an agent', () => {
    expect(shown({ identities: [file('a')], agent: 'gone' })).toEqual(['file /a']);
    expect(shown({ identities: [], agent: undefined })).toEqual([]);
  });
  it('are no more than a server takes', () => {
    const agent = Array.from({ length: 20 }, (_, n) => key(`k${n}`));
    expect(shown({ identities: [], agent })).toHaveLength(6);
  });
  it('name what only OpenSSH can use', () => {
    const chosen = chooseCredentials(
      { identitiesOnly: false },
      {
        identities: [file('f', { type: 'sk-ssh-ed25519@openssh.com', text: false })],
        agent: [key('c', 'ssh-ed25519-cert-v01@openssh.com'), key('p')],
      },
    );
    expect(chosen.credentials).toHaveLength(1);
    expect(chosen.beyond).toEqual(['ssh-ed25519-cert-v01@openssh.com', 'sk-ssh-ed25519@openssh.com']);
  });
});
