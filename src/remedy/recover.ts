import type { Outcome, Verification } from '../model/action.ts';
import type { Hold } from '../model/hold.ts';
import { thrownText } from '../text/thrown.ts';
import type { AuditEntry } from './audit-log.ts';
import { subjectKey } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { firstMissing, readLive, type Live, withoutSamples } from './live.ts';
import type { LoggedAction } from '../audit/logged-actions.ts';
import type { EngineParts } from './parts.ts';
import { readUndoFailure, verifyOne } from './verify-sent.ts';
import { revive, type Memory } from './revive.ts';

/** What is true of a target whose outcome was not known. */
export interface Recovered {
  outcome: Extract<Outcome, 'done' | 'undone' | 'failed' | 'unknown'>;
  text: string;
  /** It was read and is not so, and may still come: the last word if it stays so for as long, ms. */
  settlesInMs?: number;
  /** It can be read, and what was done can't be told from it: nothing waits for that any more. */
  closed?: true;
}

/** Since when a target reads as not so, monotonic ms, by `settlingKey`: each reading that fails begins it anew. */
export type SettlingSince = Map<string, number>;

export const settlingKey = ({ run, subject }: Pick<LoggedAction, 'run' | 'subject'>): string =>
  `${run} ${subjectKey(subject)}`;

/** Readings of "not so" in a row for so long are the last word, where an action says nothing else. */
const SETTLES_MS = 30_000;

/** An action that cannot say any more what it did is asked again for this long. */
const CLOSES_MS = 10 * 60_000;

const READ_LIMIT_MS = 60_000;

/** An intent of another machine's console is left alone for this long after it must have ended. */
const ELSEWHERE_MS = 60_000;

/** Whether the run that wrote this still goes on somewhere, so that nobody else may speak for it. */
export const isInProgress = (
  parts: EngineParts,
  one: LoggedAction,
  ownRuns: ReadonlySet<string>,
): boolean => {
  const { console } = one.intent;
  if (console.pid === parts.console.pid && console.stamp === parts.console.stamp) return ownRuns.has(one.run);
  const state = parts.liveness(one.intent);
  if (state === 'dead' || one.outcome !== undefined) return false;
  if (state === 'alive') return true;
  const over = Date.parse(one.intent.at) + one.detail.boundMs + one.detail.verify.deadlineMs + ELSEWHERE_MS;
  return parts.clock.now() < over;
};

/**
 * How long its commands, and the undo that was armed for it, may still go on on their hosts at most, ms; 0 when they must have
 * ended.
 */
export const longestRunMs = (
  { clock }: Pick<EngineParts, 'clock'>,
  { intent, detail, held }: LoggedAction,
): number => {
  const { boundMs, hold } = detail;
  // A device is armed by the change itself: when that was read back it had begun to count.
  const armed = hold?.by === 'timer' ? held.armed : held.changed;
  const over =
    armed === undefined || hold === undefined ? Date.parse(intent.at) + boundMs : armed + hold.seconds * 1000;
  return Math.max(0, Math.min(boundMs, over - clock.now()));
};

/**
 * Guards 10 and 15: reads the machine again and says what is true. Waits first until the commands, which a remote `timeout` bounds,
 * must have ended: before that no reading is the last word. As it was wanted is proof at once; not so is the last word only when it
 * stays so while whoever may still carry it out is seen to answer (`Settling`): a daemon that hung does what waited for it later.
 */
export const lookAgain = async (
  parts: EngineParts,
  one: LoggedAction,
  all: readonly LoggedAction[],
  { memory, since, asReadSince }: Looking,
): Promise<Recovered> => {
  const { verify } = one.detail;
  const left = longestRunMs(parts, one);
  if (left > 0) await parts.clock.sleep(left);
  const key = settlingKey(one);
  const unread = (text: string): Recovered => {
    if (asReadSince === undefined) since.delete(key);
    return { outcome: 'unknown', text };
  };
  const began = parts.clock.mono();
  const live =
    asReadSince === undefined
      ? await readLive(parts, verify.reads, { limitMs: READ_LIMIT_MS })
      : asRead(parts, verify.reads, asReadSince);
  if (!live.ok) return unread(`it can't be read now: ${live.missing}`);
  try {
    const revived = revive(parts, one, all, memory, live.judgement);
    if (!revived.ok) return recoverWithoutWords(parts, one, revived.reason);
    if (revived.hold) return await lookAtHeld(parts, one, revived.hold, revived.verify);
    const seen = revived.verify.check(live.judgement);
    if (seen.state === 'yes') return { outcome: 'done', text: `read again: ${seen.text}` };
    if (seen.state === 'unread') return unread(`it is not known now: ${seen.text}`);
    if (asReadSince !== undefined) return { outcome: 'unknown', text: `it is not so now: ${seen.text}` };
    const pending = await pendingOf(parts, revived.verify);
    if (pending !== undefined) return unread(`it is not so now (${seen.text}), and ${pending}`);
    const first = since.get(key) ?? began;
    since.set(key, first);
    // From reading to reading: one that took long is not two.
    const leftMs = first + (revived.verify.settles?.ms ?? SETTLES_MS) - began;
    if (leftMs <= 0) return { outcome: 'failed', text: `read again, it is not so: ${seen.text}` };
    const text = `it is not so now (${seen.text}), and may still come; it is looked at again for ${age(leftMs)}`;
    return { outcome: 'unknown', text, settlesInMs: leftMs };
  } catch (error) {
    return unread(`it could not be judged: ${thrownText(error)}`);
  }
};

/** What a look works with. */
interface Looking {
  memory: Memory;
  since: SettlingSince;
  /** Nothing is asked: what was read since this monotonic moment must do. */
  asReadSince?: number;
}

const asRead = ({ reader }: EngineParts, reads: Verification['reads'], mono: number): Live => {
  const judgement = withoutSamples(reader.judgement());
  const missing = firstMissing(judgement, reads, mono);
  return missing === undefined ? { ok: true, judgement } : { ok: false, judgement, missing };
};

/** Who may still carry it out and is not seen to answer, by a reading begun now; undefined: nobody is known to be silent. */
const pendingOf = async (parts: EngineParts, { settles }: Verification): Promise<string | undefined> => {
  if (settles?.whyPending === undefined) return undefined;
  const live = await readLive(parts, settles.reads ?? [], { limitMs: READ_LIMIT_MS });
  return live.ok ? settles.whyPending(live.judgement) : live.missing;
};

/** The action has no words any more for what it did. That is no proof of anything, and no reason to close the subject for good. */
const recoverWithoutWords = ({ clock }: EngineParts, { intent }: LoggedAction, reason: string): Recovered => {
  const text = `whether it took effect is not known from the present readings: ${reason}`;
  return clock.now() - Date.parse(intent.at) < CLOSES_MS
    ? { outcome: 'unknown', text }
    : { outcome: 'unknown', text: `${text}; nothing waits for it any more: check it by hand`, closed: true };
};

/**
 * The time of the armed undo is over. A timer needs a moment to log in and restore, so `restored` is waited for; what was asked
 * to be kept is kept when it reads so.
 */
const lookAtHeld = async (
  parts: EngineParts,
  one: LoggedAction,
  hold: Pick<Hold, 'kept' | 'restored' | 'failure'>,
  verify: Verification,
): Promise<Recovered> => {
  if (one.held.keep !== undefined) {
    const kept = await verifyOne(parts, { ...hold.kept, deadlineMs: 1_000 });
    if (kept.outcome === 'done') return { outcome: 'done', text: `read again: kept: ${kept.text}` };
  }
  const restored = await verifyOne(parts, hold.restored);
  if (restored.outcome === 'done')
    return { outcome: 'undone', text: `read again: ${howRestored(one)}: ${restored.text}` };
  if (restored.outcome === 'unknown')
    return {
      outcome: 'unknown',
      text: `it can't be read now: ${restored.text}${await readUndoFailure(parts, hold.failure)}`,
    };
  const still = await verifyOne(parts, { ...verify, deadlineMs: 1_000 });
  const text = `read again: it was not restored: ${still.text}${await readUndoFailure(parts, hold.failure)}`;
  return { outcome: still.outcome === 'unknown' ? 'unknown' : 'failed', text };
};

/**
 * What the log proves of a held change that reads as before. A timer's arming and the change are written down before the change is sent,
 * and what the change did right after it was read back. What is missing proves nothing where the log was damaged, and the change is not
 * written in logs of older versions.
 */
const howRestored = ({ held, detail: { hold }, gaps }: LoggedAction): string => {
  if (held.changed !== undefined) return 'it was restored';
  if (!gaps && held.change === undefined) {
    if (hold?.by === 'timer' && held.armed === undefined)
      return 'it was never changed: its console ended before the undo was seen to be armed';
    if (hold?.writesChange) return 'it was never changed: its console ended before the change was sent';
  }
  return 'it is as before; the log does not say whether it was changed and restored, or never changed';
};

/** Whether it stands, so that an undo makes sense: done, or held and not restored by what was to restore it. */
export const isLeft = ({ detail }: LoggedAction, outcome: Outcome): boolean =>
  outcome === 'done' || (outcome === 'failed' && detail.hold !== undefined);

export const recoveredEntry = (one: LoggedAction, { outcome, text, closed }: Recovered): AuditEntry => ({
  kind: 'recovered',
  run: one.run,
  action: one.action,
  target: one.subject.id,
  outcome,
  detail: {
    subject: one.subject,
    text,
    was: one.outcome ?? 'no result was written: the console ended before it could',
    ...(closed && { closed }),
    undo: isLeft(one, outcome) && one.detail.undo !== null ? `undo:${one.run}` : null,
  },
});
