import type { HoldView } from '../model/run.ts';
import { makeSafe } from '../text/safe.ts';
import { readLive } from './live.ts';
import type { PreparedHold, PreparedTarget } from './prepared.ts';
import { type HoldWish, KEEP } from './hold-control.ts';
import type { RunContext } from './run-context.ts';

/** A change that stands while its armed undo waits. */
export interface Held {
  context: RunContext;
  target: PreparedTarget;
  hold: PreparedHold;
  /** When the armed undo comes at the earliest: our count began before its own did. */
  ends: { mono: number; wall: number };
}

const WATCH_EVERY_MS = 5_000;
const WATCH_LIMIT_MS = 20_000;

/** Ms until the undo comes. A machine that slept knows it by the wall clock, one whose wall clock was set by the other. */
export const leftMs = ({ context, ends }: Pick<Held, 'context' | 'ends'>): number =>
  Math.max(0, Math.min(ends.mono - context.parts.clock.mono(), ends.wall - context.parts.clock.now()));

type Watch = Pick<HoldView, 'watched' | 'good' | 'watches' | 'goodInARow'>;

export const NO_WATCH: Watch = { watched: [], watches: 0, goodInARow: 0 };

/** The hold as the screen shows it. */
export const showHeld = (held: Held, state: HoldView['state'], watch: Watch): void =>
  held.context.showHold({
    target: makeSafe(held.target.subject.id),
    by: held.hold.by,
    state,
    secondsLeft: Math.ceil(leftMs(held) / 1000),
    text: makeSafe(held.hold.text),
    typed: KEEP,
    ...watch,
  });

/**
 * Counts down and watches until the operator says what is wanted, or until the time is over. Reads only: nothing here changes
 * anything, and doing nothing lets the armed undo come.
 */
export const waitHeld = async (
  held: Held,
  watch: Watch,
): Promise<{ wish: HoldWish | 'over'; watch: Watch }> => {
  const { context } = held;
  const { clock } = context.parts;
  let now = watch;
  let nextAt = clock.mono();
  let reading = false;
  const over = new AbortController();
  const look = async (): Promise<void> => {
    reading = true;
    const seen = await watchOnce(held, now);
    reading = false;
    nextAt = clock.mono() + WATCH_EVERY_MS;
    if (over.signal.aborted) return;
    now = seen;
    showHeld(held, 'waiting', now);
  };
  const end = (wish: HoldWish | 'over'): { wish: HoldWish | 'over'; watch: Watch } => {
    over.abort();
    context.control.state = 'busy';
    return { wish, watch: now };
  };
  context.control.secondsLeft = () => Math.ceil(leftMs(held) / 1000);
  context.control.state = 'waiting';
  for (;;) {
    const wish = context.control.take();
    if (wish !== undefined) return end(wish);
    const left = leftMs(held);
    if (left <= 0) return end('over');
    if (!reading && clock.mono() >= nextAt) void look();
    showHeld(held, 'waiting', now);
    await clock.sleep(Math.min(1_000, left), context.control.signal());
  }
};

/** One reading of what is watched; what can't be read or judged is not good. Never throws. */
const watchOnce = async ({ context, hold }: Held, last: Watch): Promise<Watch> => {
  const watches = last.watches + 1;
  const watchFailed = (text: string, watched = last.watched): Watch => ({
    watched,
    watches,
    good: { ok: false, text: makeSafe(text, 300) },
    goodInARow: 0,
  });
  try {
    const live = await readLive(context.parts, hold.watch, { limitMs: WATCH_LIMIT_MS });
    if (!live.ok) return watchFailed(`the change can't be watched: ${live.missing}`);
    const watched = hold.watching(live.judgement).map((line) => makeSafe(line, 300));
    const good = hold.checkKeeping(live.judgement);
    if (!good.ok) return watchFailed(good.text, watched);
    return {
      watched,
      watches,
      good: { ok: true, text: makeSafe(good.text, 300) },
      goodInARow: last.goodInARow + 1,
    };
  } catch (error) {
    return watchFailed(`it could not be judged: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** Until the armed undo must have come, or until the console leaves. */
export const waitForUndo = async (held: Held, watch: Watch): Promise<'over' | 'leave'> => {
  const { control, parts } = held.context;
  for (;;) {
    if (control.take() === 'leave') return 'leave';
    const left = leftMs(held);
    if (left <= 0) return 'over';
    showHeld(held, 'ending', watch);
    await parts.clock.sleep(Math.min(1_000, left), control.signal());
  }
};
