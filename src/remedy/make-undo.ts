import type { Refusal, Reread } from '../model/action.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { makeSafe } from '../text/safe.ts';
import { checkGuard, guard, refuse } from './guards.ts';
import { hashOf } from './commands.ts';
import { armedAfterMs, confirmTextOf, higherDanger, nameOf } from './danger.ts';
import { type Live, readGently, readLive, withoutSamples } from './live.ts';
import { type LoggedAction, isUndoable } from '../audit/logged-actions.ts';
import type { EngineParts } from './parts.ts';
import type { Prepared, PreparedTarget } from './prepared.ts';
import type { Memory } from './revive.ts';
import { makeAnew, readsBeforeUndo, type Anew } from './undo-anew.ts';

/**
 * The undo of a run as a plan of its own, of these subjects or of all of the run, last target first: each made anew from what its
 * intent recorded, only while the target still reads as the run left it, verified by it no longer doing so.
 */
export const makeUndo = async (
  parts: EngineParts,
  run: string,
  subjects: readonly Subject[],
  all: readonly LoggedAction[],
  memory: Memory,
  gently: boolean,
): Promise<Prepared | Refusal> => {
  const chosen = new Set(subjects.map(subjectKey));
  const ofRun = all.filter((one) => one.run === run);
  const items = ofRun
    .filter((one) => isUndoable(one) && (chosen.size === 0 || chosen.has(subjectKey(one.subject))))
    .toReversed();
  const first = items[0];
  if (first === undefined) return refuse(guard.targets, whyNothing(run, ofRun));
  if (ofRun.some(({ action }) => action !== first.action))
    return refuse(guard.audit, `run ${run} has several actions in the audit log: the log was changed`);
  const reads = items.flatMap((one) => readsBeforeUndo(parts, one, all, memory));
  const live = await readFor(parts, reads, gently);
  if (!live.ok) return refuse(guard.stale, live.missing);
  const made: Anew[] = [];
  for (const one of items) {
    const anew = makeAnew(parts, one, all, memory, live.judgement);
    if ('refused' in anew) return anew;
    const [stands] = anew.target.guards;
    const left = stands && checkGuard(stands, live.judgement);
    if (left && !left.ok) return refuse(guard.stale, left.text);
    made.push(anew);
  }
  const targets = made.map(({ target }) => target);
  const wrong = await ownGuards(parts, targets, gently);
  if (wrong) return wrong;
  const danger = made.map((one) => one.danger).reduce(higherDanger);
  const gone = targets.map(({ subject }) => subject);
  return {
    id: `p-${parts.makeId()}`,
    action: `undo:${run}`,
    title: `Undo: ${made[0]?.action.title ?? ''} ${nameOf(gone)}`,
    verb: 'undo',
    danger,
    targets,
    leftOut: [],
    users: 'for them it is again as before the run',
    because: [
      `run ${run} by ${first.intent.operator} at ${first.intent.at} did it`,
      ...made.flatMap(({ because }) => because),
    ],
    afterwards: targets[0]?.verify.text ?? '',
    undoText: 'none: run the action again',
    parameters: {},
    exceeded: [],
    hash: hashOf(targets.flatMap(({ steps }) => steps)),
    undoes: run,
    confirmText: confirmTextOf(danger, 'undo', gone),
    armedAfterMs: armedAfterMs(danger),
    madeAt: { mono: parts.clock.mono(), wall: parts.clock.now() },
    shownAt: parts.clock.mono(),
  };
};

const READ_LIMIT_MS = 30_000;

/** Gently: what is not of now speaks by the guards that look at it. */
const readFor = async (parts: EngineParts, reads: readonly Reread[], gently: boolean): Promise<Live> => {
  if (!gently) return readLive(parts, reads, { limitMs: READ_LIMIT_MS });
  await readGently(parts, reads, READ_LIMIT_MS);
  return { ok: true, judgement: withoutSamples(parts.reader.judgement()) };
};

/** What the action itself wants before its undo: read now, and once more before a byte is sent. */
const ownGuards = async (
  parts: EngineParts,
  targets: readonly PreparedTarget[],
  gently: boolean,
): Promise<Refusal | undefined> => {
  const own = targets.flatMap(({ guards }) => guards.slice(1));
  const { judgement } = await readFor(
    parts,
    own.flatMap((one) => one.reads),
    gently,
  );
  for (const one of own) {
    const result = checkGuard(one, judgement);
    if (!result.ok) return refuse(one.id, result.text);
  }
  return undefined;
};

const whyNothing = (run: string, ofRun: readonly LoggedAction[]): string => {
  if (ofRun.length === 0) return `there is no run ${makeSafe(run, 60)} in the audit log`;
  if (ofRun.every(({ undone }) => undone)) return `run ${run} was undone already`;
  const none = ofRun.find(({ detail }) => detail.undo === null);
  return none ? `run ${run} can't be undone: ${none.detail.undoText}` : `run ${run} has nothing to undo`;
};
