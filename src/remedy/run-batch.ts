import type { Danger, Outcome } from '../model/action.ts';
import { checkTarget, readsBefore, type GuardNote } from './check-target.ts';
import { readLive } from './live.ts';
import type { PreparedTarget } from './prepared.ts';
import { intentEntry, refusedEntry, resultEntry } from './records.ts';
import {
  findLastProblem,
  lostLock,
  record,
  stateOf,
  type RunContext,
  type TargetEnd,
} from './run-context.ts';
import { runHeld } from './run-held.ts';
import { isNothing, outputOf, sendSteps, type Sent } from './send-steps.ts';
import { tellShared } from './tell-shared.ts';
import { verifySent, type ToVerify, type Verdict } from './verify-sent.ts';

/** Sets up to this size go strictly one by one. */
const SIZE = 25;

/**
 * Guard 7: one by one; a large set of a reversible action goes the first alone, then in batches of 25. What is in a batch is
 * still checked, sent and verified target by target; only the readings are shared.
 */
export const makeBatches = <T>(targets: readonly T[], danger: Danger): readonly (readonly T[])[] => {
  if (danger !== 'reversible' || targets.length <= SIZE) return targets.map((target) => [target]);
  const batches: (readonly T[])[] = [targets.slice(0, 1)];
  for (let at = 1; at < targets.length; at += SIZE) batches.push(targets.slice(at, at + SIZE));
  return batches;
};

const READ_LIMIT_MS = 120_000;

/** Going on after this end is safe. */
export const isGood = (end: TargetEnd | undefined): boolean =>
  end?.outcome === 'done' || end?.outcome === 'nothing';

/**
 * Checks, sends and verifies the targets of one batch (mostly one). Commands go out one after the other; the first target that
 * is refused or whose command does not exit 0 ends the sending. Targets without an end were not reached.
 */
export const runBatch = async (
  context: RunContext,
  batch: readonly PreparedTarget[],
): Promise<ReadonlyMap<PreparedTarget, TargetEnd>> => {
  const ends = new Map<PreparedTarget, TargetEnd>();
  const ready = await checkAll(context, batch, ends);
  const held = ready[0];
  if (held?.target.hold !== undefined) {
    // Held targets go one by one: a batch of them is never more than one.
    ends.set(held.target, await runHeld(context, held.target, held.target.hold, held.notes));
    return ends;
  }
  const sent = await sendAll(context, ready, ends);
  const recorded: Promise<void>[] = [];
  await verifySent(
    context.parts,
    sent,
    (item, verdict) => void recorded.push(finish(context, item, verdict, ends)),
    ({ target, sent: { state, text: said } }, text) =>
      context.show(target, 'reading back', state === 'accepted' ? text : `${said}; ${text}`),
  );
  await Promise.all(recorded);
  return ends;
};

type Ends = Map<PreparedTarget, TargetEnd>;

const checkAll = async (
  context: RunContext,
  batch: readonly PreparedTarget[],
  ends: Ends,
): Promise<{ target: PreparedTarget; notes: readonly GuardNote[] }[]> => {
  const { parts, plan, run } = context;
  for (const target of batch) context.show(target, 'checking', 'reading it again');
  const since = parts.clock.mono();
  const live = await readLive(parts, batch.flatMap(readsBefore), { since, limitMs: READ_LIMIT_MS });
  const ready: { target: PreparedTarget; notes: readonly GuardNote[] }[] = [];
  for (const target of batch) {
    const checked = checkTarget(plan, target, live, since);
    if (checked.state === 'go') {
      ready.push({ target, notes: checked.notes });
      context.show(target, 'checking', 'ok');
    } else if (checked.state === 'nothing') {
      await record(context, resultEntry(run, plan, target, 'nothing', checked));
      end(context, ends, target, 'nothing', checked.text);
    } else {
      await refuseTarget(context, ends, target, checked.guard, checked.text);
      break;
    }
  }
  return ready;
};

const sendAll = async (
  context: RunContext,
  ready: readonly { target: PreparedTarget; notes: readonly GuardNote[] }[],
  ends: Ends,
): Promise<ToVerify<PreparedTarget>[]> => {
  const { parts, plan, run, confirmed } = context;
  const sent: ToVerify<PreparedTarget>[] = [];
  for (const { target, notes } of ready) {
    const wrong = findLastProblem(context);
    if (wrong) {
      await refuseTarget(context, ends, target, wrong.guard, wrong.text);
      break;
    }
    const intent = await parts.audit.append(intentEntry(run, plan, target, confirmed, notes));
    if (!intent.ok) {
      end(context, ends, target, 'refused', `${intent.reason}; nothing was sent`);
      break;
    }
    await tellShared(context, target);
    const lost = await lostLock(context, target.lockGroups);
    if (lost) {
      const text = `${lost.text}; nothing was sent`;
      if (plan.undoes === undefined) await tellShared(context, target, true);
      await record(context, resultEntry(run, plan, target, 'refused', { text, guard: lost.guard }));
      end(context, ends, target, 'refused', text);
      break;
    }
    context.show(target, 'sent', 'sending');
    const outcome = await sendSteps(target.steps, parts.transports);
    context.show(target, 'sent', outcome.text);
    if (outcome.state === 'notSent') {
      const text = `not sent, nothing was changed: ${outcome.text}`;
      if (plan.undoes === undefined) await tellShared(context, target, true);
      await record(context, resultEntry(run, plan, target, 'failed', { text }, outcome));
      end(context, ends, target, 'failed', text);
      break;
    }
    context.show(target, 'reading back', outcome.state === 'accepted' ? 'reading back' : outcome.text);
    sent.push({ target, sent: outcome, sentAt: parts.clock.mono() });
    if (outcome.state !== 'accepted') break;
  }
  return sent;
};

const finish = async (
  context: RunContext,
  { target, sent }: { target: PreparedTarget; sent: Sent },
  verdict: Pick<Verdict, 'outcome' | 'text' | 'goesOn' | 'tookMs'>,
  ends: Ends,
): Promise<void> => {
  const { plan, run } = context;
  const came = verdict.outcome !== 'nothing' && (verdict.outcome !== 'failed' || !isNothing(sent));
  if (plan.undoes === undefined ? !came : verdict.outcome === 'done') await tellShared(context, target, true);
  const written = await record(context, resultEntry(run, plan, target, verdict.outcome, verdict, sent));
  const text = written ? verdict.text : `${verdict.text}; this result could not be written to the audit log`;
  const { outcome, goesOn } = verdict;
  ends.set(target, { outcome, text, ...(goesOn !== undefined && { goesOn }) });
  context.show(target, stateOf[verdict.outcome], text, {
    ms: verdict.tookMs,
    output: outputOf(sent.results),
  });
};

const refuseTarget = async (
  context: RunContext,
  ends: Ends,
  target: PreparedTarget,
  id: string,
  text: string,
): Promise<void> => {
  const about = { run: context.run, action: context.plan.action, target: target.subject.id };
  await record(context, refusedEntry(about, { guard: id, reason: text }, { subject: target.subject }));
  end(context, ends, target, 'refused', text);
};

const end = (
  context: RunContext,
  ends: Ends,
  target: PreparedTarget,
  outcome: Outcome,
  text: string,
): void => {
  ends.set(target, { outcome, text });
  context.show(target, stateOf[outcome], text);
};
