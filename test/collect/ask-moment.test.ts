import { expect, it } from 'vitest';
import { askOnce } from '../../src/collect/ask.ts';
import { createSlot } from '../../src/collect/slot.ts';
import { createStore } from '../../src/collect/store.ts';
import { createFakeClock } from './helpers/fake-clock.ts';
import { answerOf, host, probeOf } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

/** For how long before the end of its answer a probe is told that it was asked, ms. */
const toldMs = async (logInMs: number, durationMs: number): Promise<number> => {
  const clock = createFakeClock();
  let askedAt = 0;
  const probe = probeOf('sys.a', {
    read: (_answer, _host, { now }) => {
      askedAt = now;
      return { value: '' };
    },
  });
  const slot = createSlot(probe, host('h1'), 1000);
  const store = createStore(clock);
  store.add(slot);
  const transports = {
    transportTo: () => ({
      kind: 'ssh2' as const,
      run: async () => {
        await clock.sleep(logInMs + durationMs);
        return answerOf('x', { durationMs });
      },
      connection: () => ({ host: 'h1', kind: 'ssh2' as const, state: 'up' as const, since: 0, badges: [] }),
      close: async () => undefined,
    }),
    connections: () => new Map(),
    close: async () => undefined,
  };
  const parts = {
    site: siteOf([host('h1')]),
    transports,
    store,
    clock,
    parseElsewhere: () => Promise.reject(new Error('small')),
  };
  const asked = askOnce(slot, parts, new AbortController().signal);
  await clock.advance(logInMs + durationMs);
  const { at } = await asked;
  return at - askedAt;
};

it('a clock is compared with the moment of the question, not with that before a slow log-in', async () => {
  expect(await toldMs(9_000, 40)).toBe(40);
  expect(await toldMs(0, 40)).toBe(40);
});
