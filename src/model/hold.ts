import type { GuardResult, Reread, Step, Verification } from './action.ts';
import type { Judgement } from './system.ts';

/**
 * Confirmed or undone (guard 9): an undo is armed and proven before a change that can cut us off, what the change does is
 * watched, and unless the operator types `keep` it is undone. Never a reload timer.
 *
 * `timer`: `arm` proves that the undo host's account sees the port and may undo the change, by carrying out the undo's own commands
 * while they change nothing, and exits other than 0 when not; its last step starts a detached timer there that outlives every connection (`systemd-run --on-active=`, or `setsid` and `sleep`; a
 * constant script, every value quoted). `keep` disarms that timer and does nothing else: it is also sent after a `restore` and
 * when the change was not made, though never when the arming said no: that timer is not ours. `device`: the change itself (`commit confirmed`, `commit timer`) arms it, `arm`
 * is empty, and `keep` confirms it.
 */
export interface Hold {
  by: 'timer' | 'device';
  /** How long the undo waits, from the moment at which it is armed. At least 30. */
  seconds: number;
  /** One line for the card: `a timer on admin1 restores te3/46 after 120 s`. */
  text: string;
  arm: readonly Step[];
  /** By a reading begun after the arming: before the change for `timer`, after it for `device`. */
  armed: Verification;
  keep: readonly Step[];
  /** By a reading begun after `keep`: nothing will undo it any more, and it is still as wanted. */
  kept: Verification;
  /** Puts it back now. Must do no harm when the timer or the device has restored it already. */
  restore: readonly Step[];
  restored: Verification;
  /**
   * What was armed tells of its own failure, where it can: said beside a change that is not seen to be restored. Asked for its words
   * only: that nobody answers proves nothing.
   */
  failure?: { reads: readonly Reread[]; explain(live: Judgement): string | undefined };
  /** Asked again every few seconds during the hold. */
  watch: readonly Reread[];
  /** Lines shown during the hold: errors at both ends, the matrix. */
  watching(live: Judgement): readonly string[];
  /** Whether what is watched speaks for keeping: `act --keep-if-verified` keeps only then. */
  checkKeeping(live: Judgement): GuardResult;
}
