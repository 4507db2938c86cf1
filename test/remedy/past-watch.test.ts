import { describe, expect, it, vi } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { RunView } from '../../src/model/run.ts';
import type { PreparedTarget } from '../../src/remedy/prepared.ts';
import { reads } from './look-desk.ts';
import { consoleOver, hold, intent } from './past-console.ts';
import { node } from './world.ts';

describe('recovery', () => {
  it('looks at all that is open, frees locks once, and publishes what was written', async () => {
    const batch = { lockGroups: ['batch', 'lag'] };
    const { past, publish, sweep, retry, written, records } = consoleOver([
      intent('r-1', 'n1', batch),
      intent('r-2', 'n2', batch),
    ]);
    expect((await past.recover()).map(({ id }) => id)).toEqual(['r-1', 'r-2']);
    expect(written()).toEqual(['n1 done', 'n2 done']);
    expect(sweep.mock.calls.map(([group]) => group)).toEqual(['batch', 'lag']);
    expect([publish, retry].map((one) => one.mock.calls.length)).toEqual([1, 1]);
    expect(await past.recover()).toEqual([]);
    expect(sweep).toHaveBeenCalledTimes(2);
    expect([publish, retry].map((one) => one.mock.calls.length)).toEqual([1, 2]);
    records.push(intent('r-3', 'n3'));
    await past.recover();
    expect(publish).toHaveBeenCalledTimes(2);
  });

  it('frees no lock, and publishes nothing, by a log that is not whole; that is logged once', async () => {
    const { past, now, log, publish, sweep, retry, written } = consoleOver([
      intent('r-1', 'n1', { lockGroups: ['batch'] }),
    ]);
    now.off = 'the audit log is damaged';
    await past.recover();
    await past.recover();
    expect(written()).toEqual(['n1 done']);
    expect(log.mock.calls).toEqual([['recovery: the audit log is damaged']]);
    expect([publish, sweep, retry].map((one) => one.mock.calls.length)).toEqual([0, 0, 0]);
    now.off = undefined;
    await past.recover();
    now.off = 'the audit log is damaged';
    await past.recover();
    expect(log).toHaveBeenCalledTimes(2);
    expect(sweep).toHaveBeenCalledTimes(1);
  });

  it('of what is in the way tells of that first, and of the rest takes only what was read anyway', async () => {
    const { past, written, slept } = consoleOver([
      intent('r-1', 'n1'),
      intent('r-2', 'n2'),
      intent('r-3', 'n3', { hold, boundMs: 7_200_000 }),
    ]);
    const tell = vi.fn();
    const views = await past.recover({ action: 'undo:r-2', subjects: [node('n3')], tell });
    expect(tell.mock.calls.map(([items]) => items.map(({ run }: LoggedAction) => run))).toEqual([['r-2']]);
    expect(views.map(({ id }) => id)).toEqual(['r-2']);
    // The other one reads as done by what was read since this console began.
    expect(written()).toEqual(['n2 done', 'n1 done']);
    expect(slept).toEqual([]);
    await past.recover({ action: 'fake.drain', subjects: [node('n9')], tell });
    expect(tell).toHaveBeenCalledTimes(1);
  });
});

it('locks are freed of the last 500 actions: what is older has none', async () => {
  const records = Array.from({ length: 502 }, (_, at) =>
    intent(`r-${at}`, 'n1', { commands: [], lockGroups: [`group-${at}`] }),
  );
  const { past, sweep } = consoleOver(records);
  await past.recover();
  const groups = sweep.mock.calls.map(([group]) => group);
  expect([groups.length, groups[0], groups.at(-1)]).toEqual([500, 'group-2', 'group-501']);
});

it('a held change whose time is over is looked at like any other that is in the way', async () => {
  const { past, written } = consoleOver([intent('r-1', 'n1', { hold: { ...hold, seconds: 60 } })]);
  await past.recover({ action: 'fake.drain', subjects: [node('n1')], tell: () => undefined });
  expect(written()).toEqual(['n1 done']);
});

describe('the console that watches what is not known', () => {
  /** A clock whose sleeps end when they are told to. */
  const watching = (verify: PreparedTarget['verify']) => {
    const made = consoleOver([intent('r-1', 'n1')], { verify });
    const sleeps: { ms: number; end: () => void }[] = [];
    Object.assign(made.parts.clock, {
      sleep: (ms: number, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          sleeps.push({ ms, end: resolve });
          signal.addEventListener('abort', () => resolve());
        }),
    });
    const next = async (count: number) => vi.waitFor(() => expect(sleeps).toHaveLength(count));
    return { ...made, sleeps, next };
  };

  it('looks again after 10 s, then half as often, once a minute at least; and stops', async () => {
    const { past, sleeps, next, listeners } = watching(reads('unread', 'no answer'));
    const stop = past.watch();
    for (let count = 1; count <= 5; count++) {
      await next(count);
      if (count < 5) sleeps.at(-1)?.end();
    }
    expect(sleeps.map(({ ms }) => ms)).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    stop();
    expect(listeners.size).toBe(0);
    await new Promise(setImmediate);
    expect(sleeps).toHaveLength(5);
  });

  it('begins with 10 s anew when a run of its own ends unknown', async () => {
    const { past, sleeps, next, listeners } = watching(reads('unread', 'no answer'));
    const stop = past.watch();
    await next(1);
    sleeps[0]?.end();
    await next(2);
    for (const listener of listeners) listener();
    await next(3);
    expect(sleeps.map(({ ms }) => ms)).toEqual([10_000, 20_000, 10_000]);
    stop();
  });

  it('looks every minute while nothing is open, and at once when a run of its own ends unknown', async () => {
    const { past, sleeps, next, listeners, views } = watching(reads('yes'));
    const stop = past.watch();
    await next(1);
    sleeps[0]?.end();
    await next(2);
    expect(sleeps.map(({ ms }) => ms)).toEqual([60_000, 60_000]);
    const changed = (state: RunView['state']) => {
      views.push({ id: 'r-7', title: '', state, startedAt: 0, targets: [] });
      for (const listener of listeners) listener();
    };
    changed('failed');
    await new Promise(setImmediate);
    expect(sleeps).toHaveLength(2);
    changed('unknown');
    await next(3);
    for (const listener of listeners) listener();
    await new Promise(setImmediate);
    expect(sleeps).toHaveLength(3);
    stop();
  });

  it('looks at once when the very first thing that it hears is a run that ended unknown', async () => {
    const { past, next, listeners, views, sleeps } = watching(reads('yes'));
    const stop = past.watch();
    await next(1);
    views.push({ id: 'r-7', title: '', state: 'unknown', startedAt: 0, targets: [] });
    for (const listener of listeners) listener();
    await next(2);
    expect(sleeps).toHaveLength(2);
    stop();
  });

  it('goes on after a log that cannot be read, and logs it', async () => {
    const { past, parts, log, next, sleeps } = watching(reads('yes'));
    vi.mocked(parts.audit.read).mockRejectedValueOnce(new Error('EIO'));
    const stop = past.watch();
    await next(1);
    expect(log.mock.calls).toEqual([['recovery: the audit log cannot be read']]);
    sleeps[0]?.end();
    await next(2);
    stop();
  });
});
