import type { HoldView } from '../../model/run.ts';
import type { Engine } from '../../remedy/engine.ts';
import { KEEP } from '../../remedy/hold-control.ts';
import { line, type Io } from '../io.ts';
import type { ActOptions } from '../options.ts';

/** So many readings of what is watched, begun after the change was verified, must speak for keeping it. */
const WATCHES = 2;

/** With less time than this nothing is waited for any more: it is restored in order, not by the timer. */
const LAST_S = 15;

type Wish = { keep: true } | { restore: string };

/**
 * What `act` does with a held change now: nobody is there to type, so `--keep-if-verified` keeps what has been watched and is
 * good, and everything else is restored. Undefined: watch on.
 */
export const wishOf = (hold: HoldView, keepIfVerified: boolean): Wish | undefined => {
  if (hold.state !== 'waiting') return undefined;
  if (!keepIfVerified)
    return hold.watches >= WATCHES || hold.secondsLeft <= LAST_S
      ? { restore: 'without --keep-if-verified a held change is only tried' }
      : undefined;
  if (hold.goodInARow >= WATCHES) return { keep: true };
  if (hold.secondsLeft > LAST_S) return undefined;
  return { restore: hold.good?.text ?? 'the held change could not be watched' };
};

/** Follows the hold of a run: prints what is watched as it changes, and says once what is wished. */
export const followHold = (
  engine: Pick<Engine, 'keep' | 'restore'>,
  options: Pick<ActOptions, 'keepIfVerified' | 'json'>,
  io: Io,
  run: string,
): ((hold: HoldView | undefined) => void) => {
  let watches = 0;
  let wished = false;
  const say = (text: string): void => {
    if (!options.json) line(io.stdout, text);
  };
  return (hold) => {
    if (hold === undefined) return;
    if (hold.watches > watches) {
      watches = hold.watches;
      const judged =
        hold.good === undefined ? [] : [`${hold.good.ok ? 'good' : 'not good'}: ${hold.good.text}`];
      for (const text of [...hold.watched, ...judged])
        say(`${hold.target}  held, ${hold.secondsLeft} s left  ${text}`);
    }
    const wish = wished ? undefined : wishOf(hold, options.keepIfVerified);
    if (wish === undefined) return;
    wished = true;
    say(`${hold.target}  ${'keep' in wish ? 'keeping it' : `restoring it: ${wish.restore}`}`);
    void ('keep' in wish ? engine.keep(run, KEEP) : engine.restore(run));
  };
};
