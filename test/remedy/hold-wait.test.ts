import { describe, expect, it } from 'vitest';
import type { HoldView } from '../../src/model/run.ts';
import { createHoldControl } from '../../src/remedy/hold-control.ts';
import { leftMs, NO_WATCH, waitForUndo, waitHeld, type Held } from '../../src/remedy/hold-wait.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';

/**
 * A held change of ten seconds, in time that goes on by what is slept. `at`: what happens when so many ms have passed; `read`: how a
 * reading of what is watched goes.
 */
const holding = (at: Record<number, () => void> = {}, read: () => Promise<void> = async () => undefined) => {
  const control = createHoldControl();
  const shown: HoldView[] = [];
  const slept: number[] = [];
  const time = { mono: 0, wall: 0 };
  let reads = 0;
  const good = { ok: true, text: 'the link is up' };
  const clock = {
    now: () => time.wall,
    mono: () => time.mono,
    sleep: async (ms: number) => {
      // The limit of a reading never comes.
      if (ms > 1_000) return new Promise<void>(() => undefined);
      // What was begun beside it gets on meanwhile.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      if (control.signal().aborted) return;
      slept.push(ms);
      time.mono += ms;
      time.wall += ms;
      at[time.mono]?.();
    },
  };
  const reader = {
    judgement: () => judgementOf({ readings: new Sources(), site: siteOf([]), mono: time.mono }),
    touches: () => 'nothing' as const,
    readNow: async () => {
      reads += 1;
      await read();
    },
  };
  const held = {
    context: {
      parts: { clock, reader },
      control,
      showHold: (view: HoldView) => shown.push(view),
    },
    target: { subject: { kind: 'port', id: 'core3:te1/1' } },
    hold: {
      by: 'device',
      text: 'core3 restores it',
      watch: [] as { probe: string; host: string }[],
      watching: () => ['te1/2 is up'],
      checkKeeping: () => good,
    },
    ends: { mono: 10_000, wall: 10_000 },
  };
  return {
    control,
    shown,
    slept,
    time,
    good,
    raw: held,
    held: held as unknown as Held,
    reads: () => reads,
    last: () => shown.at(-1),
  };
};

const ONE = [{ probe: 'switch.ports', host: 'core3' }];

describe('the time that a held change has', () => {
  it('is by whichever clock says less: one stands still in sleep, the other can be set; and never below none', () => {
    const { held, time } = holding();
    time.mono = 4_000;
    expect(leftMs(held)).toBe(6_000);
    time.wall = 7_000;
    expect(leftMs(held)).toBe(3_000);
    time.wall = 11_000;
    expect(leftMs(held)).toBe(0);
  });

  it('is counted down each second until it is over, and what is watched is looked at every five', async () => {
    const { held, shown, slept, control, last } = holding();
    const waited = await waitHeld(held, NO_WATCH);
    expect(waited.wish).toBe('over');
    expect(waited.watch).toEqual({
      watched: ['te1/2 is up'],
      watches: 2,
      good: { ok: true, text: 'the link is up' },
      goodInARow: 2,
    });
    expect(slept).toEqual(Array.from({ length: 10 }, () => 1_000));
    expect(shown[0]).toEqual({
      target: 'core3:te1/1',
      by: 'device',
      state: 'waiting',
      secondsLeft: 10,
      text: 'core3 restores it',
      typed: 'keep',
      ...NO_WATCH,
    });
    expect(shown.every(({ state }) => state === 'waiting')).toBe(true);
    expect(last()?.secondsLeft).toBe(1);
    expect(control.state).toBe('busy');
  });

  it('is told in whole seconds, begun ones counted, and the last sleep is no longer than what is left', async () => {
    const { held, time, slept, shown } = holding();
    time.mono = 8_500;
    await waitHeld(held, NO_WATCH);
    expect(slept).toEqual([1_000, 500]);
    expect(shown.map(({ secondsLeft }) => secondsLeft)).toEqual(expect.arrayContaining([2, 1]));
    expect(shown.some(({ secondsLeft }) => secondsLeft > 2)).toBe(false);
  });

  it('is rounded up to seconds, and the last millisecond of it is waited for', async () => {
    const { held, time, shown, slept } = holding();
    time.mono = 8_999;
    await waitHeld(held, NO_WATCH);
    expect(shown[0]?.secondsLeft).toBe(2);
    expect(slept).toEqual([1_000, 1]);
    expect(held.context.control.secondsLeft()).toBe(0);
    time.mono = 8_999;
    expect(held.context.control.secondsLeft()).toBe(2);
    expect(await waitForUndo(held, NO_WATCH)).toBe('over');
    expect(slept).toEqual([1_000, 1, 1_000, 1]);
  });

  it('ends with the wish of the operator, who can have it as long as it waits', async () => {
    const states: unknown[] = [];
    const { held, control, time } = holding({
      2_000: () => {
        states.push(control.state, control.secondsLeft());
        control.wish('restore');
      },
    });
    expect((await waitHeld(held, NO_WATCH)).wish).toBe('restore');
    expect(states).toEqual(['waiting', 8]);
    expect(time.mono).toBe(2_000);
  });
});

describe('what is watched while a change is held', () => {
  it('is not good where its reading fails, and counts anew from there', async () => {
    const { held, raw } = holding();
    raw.hold.watch = ONE;
    const before = { watched: ['old'], watches: 3, goodInARow: 3 };
    expect((await waitHeld(held, before)).watch).toMatchObject({
      watched: ['old'],
      watches: 5,
      good: {
        ok: false,
        text: expect.stringMatching(/^the change can't be watched: core3 gave no fresh answer/),
      },
      goodInARow: 0,
    });
  });

  it('is shown where it is read and judged bad, and said so where it cannot be judged', async () => {
    const bad = holding();
    Object.assign(bad.good, { ok: false, text: 'te1/2 is down' });
    expect((await waitHeld(bad.held, { ...NO_WATCH, goodInARow: 2 })).watch).toMatchObject({
      watched: ['te1/2 is up'],
      good: { ok: false, text: 'te1/2 is down' },
      goodInARow: 0,
    });
    const thrown = holding();
    thrown.raw.hold.watching = () => {
      throw new Error('a defect');
    };
    expect((await waitHeld(thrown.held, NO_WATCH)).watch).toMatchObject({
      watched: [],
      good: { ok: false, text: 'it could not be judged: a defect' },
    });
  });

  it('is looked at at once, and again five seconds after each look', async () => {
    const seen: number[] = [];
    const { held, raw, time } = holding();
    raw.ends = { mono: 11_000, wall: 11_000 };
    raw.hold.watching = () => {
      seen.push(time.mono);
      return [];
    };
    await waitHeld(held, NO_WATCH);
    expect(seen).toEqual([0, 5_000, 10_000]);
  });

  it('is asked by one question at a time, and an answer after the end changes nothing on the screen', async () => {
    let answer = (): void => undefined;
    const slow = holding({}, () => new Promise((resolve) => (answer = resolve)));
    slow.raw.hold.watch = ONE;
    const waited = await waitHeld(slow.held, NO_WATCH);
    expect([waited.wish, waited.watch, slow.reads()]).toEqual(['over', NO_WATCH, 1]);
    const shown = slow.shown.length;
    answer();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(slow.shown).toHaveLength(shown);
  });
});

describe('waiting for an armed undo', () => {
  it('until it must have come; a wish other than to leave changes nothing any more', async () => {
    const { held, slept, last } = holding({
      3_000: () => held.context.control.wish('keep'),
    });
    expect(await waitForUndo(held, NO_WATCH)).toBe('over');
    expect(last()).toMatchObject({ state: 'ending', secondsLeft: 1 });
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
    expect(Math.max(...slept)).toBe(1_000);
  });

  it('or until the console leaves', async () => {
    const { held, time } = holding({ 3_000: () => held.context.control.wish('leave') });
    expect(await waitForUndo(held, NO_WATCH)).toBe('leave');
    expect(time.mono).toBe(3_000);
  });
});
