import { KEEP } from './hold-control.ts';
import { leftMs, showHeld, NO_WATCH, waitForUndo, waitHeld, type Held } from './hold-wait.ts';
import { holdEntry } from './records.ts';
import { record, type TargetEnd } from './run-context.ts';
import { sendSteps } from './send-steps.ts';
import { readUndoFailure, verifyOne, type Verdict } from './verify-sent.ts';

const holderText = ({ hold }: Held): string =>
  hold.by === 'device' ? 'the device' : `the timer on ${hold.arm[0]?.host ?? 'the undo host'}`;

const isSo = ({ outcome }: Verdict): boolean => outcome === 'done' || outcome === 'nothing';

/** The change stands and its undo is armed: what the operator says now, or the end of time, decides. */
export const awaitHoldEnd = async (held: Held): Promise<TargetEnd> => {
  let watch = NO_WATCH;
  for (;;) {
    const waited = await waitHeld(held, watch);
    watch = waited.watch;
    showHeld(held, stateOf[waited.wish], watch);
    if (waited.wish === 'restore') return restoreNow(held, 'the operator restores it');
    if (waited.wish === 'leave') return leave(held);
    if (waited.wish === 'over') return whenOver(held, 'not kept');
    const kept = await keep(held);
    if (kept !== undefined) return kept;
  }
};

const stateOf = { keep: 'keeping', restore: 'restoring', leave: 'ending', over: 'ending' } as const;

/** Undefined: nothing was sent, it waits on. */
const keep = async (held: Held): Promise<TargetEnd | undefined> => {
  const { context, target, hold } = held;
  const show = (text: string): void => context.show(target, 'held', text);
  if (!(await record(context, holdEntry(context, target, 'keep', { typed: KEEP })))) {
    show('not kept: the audit log cannot be written, so nothing is sent');
    return undefined;
  }
  show('keeping it');
  const sent = await sendSteps(hold.keep, context.parts.transports);
  if (sent.state === 'notSent') {
    show(`not kept, nothing was sent: ${sent.text}`);
    return undefined;
  }
  const verdict = await verifyOne(context.parts, hold.kept, sent);
  await record(context, holdEntry(context, target, 'kept', { text: verdict.text }, sent));
  if (isSo(verdict)) return { outcome: 'done', text: `kept: ${verdict.text}` };
  show(`not seen to be kept (${verdict.text}); waiting whether it is undone`);
  if ((await waitForUndo(held, NO_WATCH)) === 'leave') return leave(held);
  const restored = await verifyOne(context.parts, hold.restored);
  if (isSo(restored))
    return { outcome: 'undone', text: `the change could not be kept and was restored: ${restored.text}` };
  const again = await verifyOne(context.parts, hold.kept);
  if (isSo(again)) return { outcome: 'done', text: `kept: ${again.text}` };
  return {
    outcome: 'unknown',
    text: `not known whether kept (${again.text}) or restored (${restored.text})`,
  };
};

/** Undoes it now; should that not be seen, what was armed is still to come. */
export const restoreNow = async (held: Held, why: string): Promise<TargetEnd> => {
  const { context, target, hold } = held;
  const show = (text: string): void => context.show(target, 'reading back', `${why}: ${text}`);
  showHeld(held, 'restoring', NO_WATCH);
  if (!(await record(context, holdEntry(context, target, 'restore', { why })))) {
    show(`the audit log cannot be written, so nothing is sent; ${holderText(held)} does it`);
    return whenOver(held, why);
  }
  show('restoring');
  const sent = await sendSteps(hold.restore, context.parts.transports);
  const verdict = sent.state === 'notSent' ? undefined : await verifyOne(context.parts, hold.restored, sent);
  const restored = verdict !== undefined && isSo(verdict);
  const text = verdict?.text ?? sent.text;
  await record(context, holdEntry(context, target, 'restored', { text, seen: restored }, sent));
  if (!restored) {
    show(`not seen to be restored (${text}); ${holderText(held)} does it`);
    return whenOver(held, why, sent.state === 'notSent');
  }
  return { outcome: 'undone', text: `${why}: ${text}${await disarm(held)}` };
};

/** A timer that has nothing left to undo is taken away; one that stays does no harm. Gives what to add to the text. */
export const disarm = async (held: Held): Promise<string> => {
  const { context, target, hold } = held;
  if (hold.by === 'device' || leftMs(held) <= 0) return '';
  const sent = await sendSteps(hold.keep, context.parts.transports);
  await record(context, holdEntry(context, target, 'disarmed', {}, sent));
  if (sent.state === 'accepted') return '';
  return `; ${holderText(held)} could not be disarmed (${sent.text}) and may still restore it once more`;
};

/**
 * The time is over: what was armed has restored it. Should it not have, it is restored from here, unless that was sent before
 * (guard 11).
 */
const whenOver = async (held: Held, why: string, mayRestore = true): Promise<TargetEnd> => {
  const { context, target, hold } = held;
  if ((await waitForUndo(held, NO_WATCH)) === 'leave') return leave(held);
  context.show(target, 'reading back', `${why}: reading whether ${holderText(held)} has restored it`);
  const by = await verifyOne(context.parts, hold.restored);
  if (isSo(by)) return { outcome: 'undone', text: `${why}: ${holderText(held)} has restored it: ${by.text}` };
  const undoFailure = await readUndoFailure(context.parts, hold.failure);
  const not = `${holderText(held)} is not seen to have restored it (${by.text}${undoFailure})`;
  if (!mayRestore) return { outcome: 'unknown', text: `${why}: ${not}, nor what was sent from here` };
  if (!(await record(context, holdEntry(context, target, 'restore', { why: not }))))
    return { outcome: 'unknown', text: `${why}: ${not}; nothing more is sent without an audit log` };
  const sent = await sendSteps(hold.restore, context.parts.transports);
  const now = await verifyOne(context.parts, hold.restored, sent);
  await record(context, holdEntry(context, target, 'restored', { text: now.text, seen: isSo(now) }, sent));
  if (isSo(now)) return { outcome: 'undone', text: `${why}: ${not}; restored from here: ${now.text}` };
  return { outcome: 'unknown', text: `${why}: ${not}, nor could it be from here: ${now.text}` };
};

/** The console goes; the next one reads what came of it. */
const leave = (held: Held): TargetEnd => ({
  outcome: 'unknown',
  left: true,
  text: `the console ended while the change was held: ${holderText(held)} restores it within ${Math.ceil(leftMs(held) / 1000)} s`,
});
