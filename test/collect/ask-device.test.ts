import { describe, expect, it } from 'vitest';
import type { DeviceRequest, RawAnswer } from '../../src/model/answer.ts';
import { askOnce } from '../../src/collect/ask.ts';
import { createSlot } from '../../src/collect/slot.ts';
import { createStore } from '../../src/collect/store.ts';
import { createFakeClock } from './helpers/fake-clock.ts';
import { answerOf, broken, host, probeOf } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const dialect = { prompt: '#', pagerOff: [], errors: [] };
const probe = probeOf('sys.a', {
  ask: () => ({ lines: ['show interfaces'], dialect, headed: true, maxBytes: 5000, deadlineMs: 700 }),
});

const asked = async (answer: RawAnswer | undefined) => {
  const requests: DeviceRequest[] = [];
  const clock = createFakeClock();
  const site = siteOf([host('sw1')]);
  const slot = createSlot(probe, host('sw1'), 1000);
  const store = createStore(clock);
  store.add(slot);
  const transports = {
    transportTo: () => ({
      kind: 'ssh2' as const,
      run: () => Promise.reject(new Error('it has no shell')),
      ...(answer && {
        type: async (request: DeviceRequest) => {
          requests.push(request);
          return answer;
        },
      }),
      connection: () => ({ host: 'sw1', kind: 'ssh2' as const, state: 'up' as const, since: 0, badges: [] }),
      close: async () => undefined,
    }),
    connections: () => new Map(),
    close: async () => undefined,
  };
  const parts = { site, transports, store, clock, parseElsewhere: () => Promise.reject(new Error('small')) };
  return { requests, result: await askOnce(slot, parts, new AbortController().signal) };
};

describe('a probe that asks lines', () => {
  it('is typed on the command line of the device', async () => {
    const { requests, result } = await asked(answerOf('Te 0/0 is up'));
    expect(requests).toEqual([
      { lines: ['show interfaces'], dialect, deadlineMs: 700, maxBytes: 5000, headed: true },
    ]);
    expect(result).toMatchObject({
      interpreted: { ok: true, value: 'Te 0/0 is up' },
      record: { command: 'show interfaces' },
    });
  });

  it('leaves nothing hanging there when it took too long', async () => {
    const { result } = await asked(broken({ timedOut: true }));
    expect(result).toMatchObject({ hung: false, interpreted: { ok: false, failure: { kind: 'timeout' } } });
    expect(result.interpreted).toMatchObject({
      failure: { message: expect.stringContaining('show interfaces') },
    });
  });

  it('says so where there is no way to type', async () => {
    const { result } = await asked(undefined);
    expect(result.interpreted).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('no device shell') },
    });
  });
});
