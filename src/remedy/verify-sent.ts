import type { Outcome, Verification } from '../model/action.ts';
import type { Hold } from '../model/hold.ts';
import type { Judgement } from '../model/system.ts';
import { age } from '../text/ages.ts';
import { readLive, firstMissing } from './live.ts';
import type { EngineParts } from './parts.ts';
import type { PreparedTarget } from './prepared.ts';
import { isNothing, type Sent } from './send-steps.ts';

const LIMIT_MS = 10_000;

/**
 * What an armed undo tells of its own failure, to be put behind what was read; empty where it tells of none. Asked for its words only:
 * nobody waits long for them, and they decide nothing. Never throws.
 */
export const readUndoFailure = async (
  parts: Pick<EngineParts, 'reader' | 'clock'>,
  failure: Hold['failure'],
): Promise<string> => {
  if (failure === undefined) return '';
  const { judgement } = await readLive(parts, failure.reads, { limitMs: LIMIT_MS });
  try {
    const explanation = failure.explain(judgement);
    return explanation === undefined ? '' : `; its undo failed: ${explanation}`;
  } catch (error) {
    return `; what its undo reported could not be judged: ${error instanceof Error ? error.message : String(error)}`;
  }
};

export interface ToVerify<T = Pick<PreparedTarget, 'verify'>> {
  target: T;
  sent: Sent;
  /** Monotonic ms at which the last command had ended. */
  sentAt: number;
}

export interface Verdict {
  outcome: Extract<Outcome, 'done' | 'nothing' | 'failed' | 'unknown'>;
  /** What is true now. */
  text: string;
  /** Of `done`: what is begun and not over (`2 jobs still run`). */
  goesOn?: string;
  tookMs: number;
}

const PAUSES_MS = [250, 500, 1_000, 2_000];

/** What the last look may take beyond the deadline: a reading may look twice. */
const LAST_LOOK_MS = 5_000;

/** A command that is proven to have done nothing is looked at for this long: to say what is true now, not to wait for anything. */
const REJECTED_MS = 10_000;

/**
 * Guard 10: reads the machine, telling `waiting` how far it is, until each target is as it must be, surely is not, or its deadline
 * has passed. An exit code is evidence, not the outcome: `failed` needs a proof that a command did nothing, or a reading that says
 * it will not come. What cannot be read is `unknown`, and so is whatever does not show, be the command's end not known or its exit
 * code 0: it may still take effect.
 */
export const verifySent = async <T extends Pick<PreparedTarget, 'verify'>>(
  parts: Pick<EngineParts, 'reader' | 'clock'>,
  items: readonly ToVerify<T>[],
  settled: (item: ToVerify<T>, verdict: Verdict) => void,
  waiting: (item: ToVerify<T>, text: string) => void = () => undefined,
): Promise<void> => {
  const { clock } = parts;
  let pending = items.map((item) => ({ item, until: item.sentAt + deadlineOf(item) }));
  for (let round = 0; pending.length > 0; round++) {
    if (round > 0) await clock.sleep(pauseMs(round, pending, clock.mono()));
    const since = clock.mono();
    const limitMs = Math.max(LAST_LOOK_MS, ...pending.map(({ until }) => until - since));
    const { judgement } = await readLive(
      parts,
      pending.flatMap(({ item }) => item.target.verify.reads),
      { since, limitMs },
    );
    const now = clock.mono();
    pending = pending.filter(({ item, until }) => {
      const missing = firstMissing(judgement, item.target.verify.reads, since);
      const seen =
        missing === undefined ? lookAt(item, judgement) : { state: 'unread' as const, text: missing };
      const verdict = verdictOf(item, seen, now >= until);
      if (verdict === undefined) {
        if (seen.state === 'wait') waiting(item, seen.text);
        return true;
      }
      settled(item, { ...verdict, tookMs: Math.round(now - item.sentAt) });
      return false;
    });
  }
};

/** How long to wait before look number `round`: longer each time, as the slowest wants it, but not beyond the next deadline. */
const pauseMs = (
  round: number,
  pending: readonly { item: ToVerify; until: number }[],
  now: number,
): number => {
  const pause = Math.max(
    PAUSES_MS[round - 1] ?? 2_000,
    ...pending.map(({ item }) => item.target.verify.everyMs ?? 0),
  );
  const next = Math.min(...pending.map(({ until }) => until)) - now;
  return Math.max(1, Math.min(pause, next));
};

/** The same for one verification after the commands it judges; none were sent where something else is to have done it. */
export const verifyOne = async (
  parts: Pick<EngineParts, 'reader' | 'clock'>,
  verify: Verification,
  sent: Sent = { state: 'accepted', changed: true, text: '', results: [] },
): Promise<Verdict> => {
  const verdicts: Verdict[] = [];
  const item = { target: { verify }, sent, sentAt: parts.clock.mono() };
  await verifySent(parts, [item], (_, verdict) => void verdicts.push(verdict));
  return verdicts[0] ?? { outcome: 'unknown', text: 'its result was not looked at', tookMs: 0 };
};

const deadlineOf = ({ target, sent }: ToVerify): number =>
  sent.state === 'rejected' ? REJECTED_MS : target.verify.deadlineMs;

type Seen = ReturnType<Verification['check']>;

const lookAt = ({ target }: ToVerify, judgement: Judgement): Seen => {
  try {
    return target.verify.check(judgement);
  } catch (error) {
    return { state: 'unread', text: error instanceof Error ? error.message : String(error) };
  }
};

/** The verdict on what was seen; undefined: look again. */
const verdictOf = (
  { target, sent }: ToVerify,
  seen: Seen,
  over: boolean,
): Omit<Verdict, 'tookMs'> | undefined => {
  const unwritten = sent.unwritten === undefined ? '' : `not written down (${sent.unwritten}); `;
  const said = (sent.state === 'accepted' ? '' : `${sent.text}; `) + unwritten;
  const failed = (text: string): Omit<Verdict, 'tookMs'> => ({ outcome: 'failed', text: said + text });
  if (seen.state === 'yes') {
    const text = said + seen.text;
    if (isNothing(sent)) return { outcome: 'nothing', text };
    return { outcome: 'done', text, ...(seen.goesOn !== undefined && { goesOn: seen.goesOn }) };
  }
  if (seen.state === 'unread') {
    if (!over) return undefined;
    const text = `what is true now could not be read: ${seen.text}`;
    return isNothing(sent) ? failed(text) : { outcome: 'unknown', text: said + text };
  }
  // Nothing of ours is on its way, or nothing that could still come.
  if (isNothing(sent) || (sent.state === 'accepted' && seen.state === 'no')) return failed(seen.text);
  if (!over) return undefined;
  const within = `not so within ${age(target.verify.deadlineMs)}: ${seen.text}`;
  if (sent.results.length === 0) return failed(within);
  if (sent.state === 'rejected') return failed(`the steps before it were done: ${seen.text}`);
  return {
    outcome: 'unknown',
    text:
      sent.state === 'uncertain'
        ? `${said}the command may still take effect: ${seen.text}`
        : `${said}${within}; the command reported success, so the change may still come`,
  };
};
