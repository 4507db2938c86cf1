import { describe, expect, it } from 'vitest';
import { failure } from '../../src/transport/failure.ts';
import { HostState } from '../../src/transport/host-state.ts';
import { movableClock } from './sshd.ts';

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
    state.noteConnecting();
    expect(state.view().state).toBe('connecting');
    state.noteUp();
    state.noteDown(why);
    const { since } = state.view();
    expect(state.blocked).toBe(why);
    clock.skip(1000);
    expect(state.blocked).toBeUndefined();
    state.noteConnecting();
    expect(state.view()).toMatchObject({ state: 'connecting', since, failure: why });
    state.noteDown(why);
    expect(state.view()).toMatchObject({ state: 'down', since });
    clock.skip(1500);
    expect(state.blocked).toBe(why);
    state.noteUp();
    expect(state.view()).toEqual({ host: 'n1', kind: 'ssh2', state: 'up', since: since + 1, badges: [] });
    expect(log).toEqual([
      'connection to n1 is up',
      'connection to n1 is down (n1: gone; wait), dropped once so far',
      'connection to n1 is up, dropped once so far',
    ]);
  });

  it('after a suspend is tried again at once, unless our key was refused', () => {
    const { state } = start();
    state.noteDown(why);
    state.reset();
    expect(state.blocked).toBeUndefined();
    state.noteDown(failure('auth', 'n1', 'no', 'ask'));
    state.reset();
    expect(state.blocked?.kind).toBe('auth');
    state.retry();
    expect(state.blocked).toBeUndefined();
  });
});
