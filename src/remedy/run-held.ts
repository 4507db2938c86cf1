import type { Outcome } from '../model/action.ts';
import type { GuardNote } from './check-target.ts';
import { guard } from './guards.ts';
import { awaitHoldEnd, disarm, restoreNow } from './hold-end.ts';
import { leftMs, type Held } from './hold-wait.ts';
import type { PreparedHold, PreparedTarget } from './prepared.ts';
import { holdEntry, intentEntry, refusedEntry, resultEntry } from './records.ts';
import {
  findLastProblem,
  lostLock,
  record,
  stateOf,
  type RunContext,
  type TargetEnd,
} from './run-context.ts';
import { nothingSent, outputOf, sendSteps, type Sent } from './send-steps.ts';
import { tellShared } from './tell-shared.ts';
import { verifyOne } from './verify-sent.ts';

/**
 * Guard 9: intent on disk, undo armed and proven, then the change, verified, and held: kept only by being told so. Whatever is
 * not as it must be on the way puts it back. The caller has checked the guards a moment ago.
 */
export const runHeld = async (
  context: RunContext,
  target: PreparedTarget,
  hold: PreparedHold,
  notes: readonly GuardNote[],
): Promise<TargetEnd> => {
  const { parts, plan, run, confirmed } = context;
  const endRefused = async (id: string, text: string): Promise<TargetEnd> => {
    const about = { run, action: plan.action, target: target.subject.id };
    await record(context, refusedEntry(about, { guard: id, reason: text }, { subject: target.subject }));
    return finish(context, target, { outcome: 'refused', text });
  };
  const wrong = findLastProblem(context);
  if (wrong) return endRefused(wrong.guard, wrong.text);
  const intent = await parts.audit.append(intentEntry(run, plan, target, confirmed, notes));
  if (!intent.ok)
    return finish(context, target, {
      outcome: 'refused',
      text: `${intent.reason}; nothing was sent`,
    });
  const held: Held = { context, target, hold, ends: endsOf(context, hold) };
  const stop = async (id: string, why: string, armed: boolean): Promise<TargetEnd> => {
    const text = `${why}; nothing was changed${armed ? await disarm(held) : ''}`;
    await record(context, resultEntry(run, plan, target, 'refused', { text, guard: id }));
    return finish(context, target, { outcome: 'refused', text });
  };
  const gone = await lostLock(context, target.lockGroups);
  if (gone) return stop(gone.guard, gone.text, false);
  const unarmed = await arm(held);
  if (unarmed !== undefined) return stop(guard.armed, unarmed.why, unarmed.ours);
  await tellShared(context, target);
  const lost = await lostLock(context, target.lockGroups);
  if (lost) {
    await tellShared(context, target, true);
    return stop(lost.guard, lost.text, true);
  }
  const { sent, end } = await change(held);
  const came = end.outcome !== 'undone' && end.outcome !== 'nothing' && sent.state !== 'notSent';
  if (!came) await tellShared(context, target, true);
  await record(context, resultEntry(run, plan, target, end.outcome, end, sent));
  return finish(context, target, end, sent);
};

const endsOf = ({ parts: { clock } }: RunContext, { seconds }: PreparedHold): Held['ends'] => ({
  mono: clock.mono() + seconds * 1000,
  wall: clock.now() + seconds * 1000,
});

const finish = (context: RunContext, target: PreparedTarget, end: TargetEnd, sent?: Sent): TargetEnd => {
  context.control.state = 'none';
  context.showHold(undefined);
  context.show(target, stateOf[end.outcome], end.text, sent && { output: outputOf(sent.results) });
  return end;
};

/**
 * Arms a timer and proves it; gives why there is no undo. A device arms with the change itself. `ours`: a timer was started and is
 * to be disarmed. One that could not be started may be there all the same, from somebody who holds another change: it is left
 * alone, and should it be ours it restores what was never changed.
 */
const arm = async (held: Held): Promise<{ why: string; ours: boolean } | undefined> => {
  const { context, target, hold } = held;
  if (hold.by === 'device') return undefined;
  context.show(target, 'sent', `arming: ${hold.text}`);
  const sent = await sendSteps(hold.arm, context.parts.transports);
  if (sent.state !== 'accepted') return { why: `the undo could not be armed: ${sent.text}`, ours: false };
  const proof = await verifyOne(context.parts, hold.armed, sent);
  const written = await record(context, holdEntry(context, target, 'armed', { text: proof.text }, sent));
  if (proof.outcome !== 'done') return { why: `the undo is not seen to be armed: ${proof.text}`, ours: true };
  if (!written) return { why: 'the audit log cannot be written', ours: true };
  if (leftMs(held) < (hold.seconds * 1000) / 2)
    return { why: 'arming took so long that too little time is left for the change', ours: true };
  const late = findLastProblem(context);
  return late && { why: late.text, ours: true };
};

const change = async (held: Held): Promise<{ sent: Sent; end: TargetEnd }> => {
  const { context, target, hold } = held;
  const { parts } = context;
  if (hold.by === 'device') held.ends = endsOf(context, hold);
  // Written first: a log without it proves that nothing was sent.
  const isWritten = await record(context, holdEntry(context, target, 'change'));
  context.show(target, 'sent', 'sending');
  const sent = isWritten
    ? await sendSteps(target.steps, parts.transports)
    : nothingSent('the audit log cannot be written');
  const is = async (outcome: Outcome, text: string): Promise<{ sent: Sent; end: TargetEnd }> => ({
    sent,
    end: { outcome, text: text + (await disarm(held)) },
  });
  if (sent.state === 'notSent') return is('failed', `not sent, nothing was changed: ${sent.text}`);
  context.show(target, 'reading back', sent.state === 'accepted' ? 'reading back' : sent.text);
  const verdict = await verifyOne(parts, target.verify, sent);
  await record(context, holdEntry(context, target, 'changed', { text: verdict.text }, sent));
  // Somebody else has done it meanwhile: it is not ours to undo.
  if (verdict.outcome === 'nothing') return is('nothing', verdict.text);
  if (verdict.outcome !== 'done')
    return { sent, end: await restoreNow(held, `not verified: ${verdict.text}`) };
  if (hold.by === 'device') {
    const proof = await verifyOne(parts, hold.armed);
    await record(context, holdEntry(context, target, 'armed', { text: proof.text }));
    if (proof.outcome !== 'done')
      return {
        sent,
        end: await restoreNow(held, `the device is not seen to undo it by itself: ${proof.text}`),
      };
  }
  context.show(target, 'held', verdict.text);
  return { sent, end: await awaitHoldEnd(held) };
};
