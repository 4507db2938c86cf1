import type { Refusal } from '../model/action.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { visible } from '../text/safe.ts';
import { hashOf, showable, type Command } from './commands.ts';
import { armedAfterMs, confirmTextOf } from './danger.ts';
import { guard, refuse } from './guards.ts';
import { readLive } from './live.ts';
import type { Told } from '../audit/told.ts';
import { isUndoable } from './open-items.ts';
import type { EngineParts } from './parts.ts';
import type { Prepared, PreparedTarget } from './prepared.ts';
import { inverse, revive, type Memory, type Revived } from './revive.ts';

/**
 * The undo of a run as a plan of its own: the undo commands that its intents wrote down, last target first, each only while
 * the target still reads as the run left it, verified by it no longer doing so. Of these subjects, or of all of the run.
 */
export const makeUndo = async (
  parts: EngineParts,
  run: string,
  subjects: readonly Subject[],
  all: readonly Told[],
  memory: Memory,
): Promise<Prepared | Refusal> => {
  const chosen = new Set(subjects.map(subjectKey));
  const ofRun = all.filter((one) => one.run === run);
  const items = ofRun
    .filter((one) => isUndoable(one) && (chosen.size === 0 || chosen.has(subjectKey(one.subject))))
    .toReversed();
  const first = items[0];
  if (first === undefined) return refuse(guard.targets, whyNothing(run, ofRun));
  const live = await readLive(
    parts,
    items.flatMap(({ detail }) => detail.verify.reads),
    { limitMs: 30_000 },
  );
  if (!live.ok) return refuse(guard.stale, live.missing);
  const targets: PreparedTarget[] = [];
  for (const one of items) {
    const revived = revive(parts, one, all, memory, live.judgement);
    if (!revived.ok) return refuse(guard.unknown, byHand(one, revived.reason));
    const target = undoTarget(one, revived);
    const left = target.guards[0]?.check(live.judgement);
    if (left && !left.ok) return refuse(guard.stale, left.text);
    targets.push(target);
  }
  const wrong = await ownGuards(parts, targets);
  if (wrong) return wrong;
  const { danger, title } = first.detail;
  const gone = targets.map(({ subject }) => subject);
  return {
    id: `p-${parts.newId()}`,
    action: `undo:${run}`,
    title: `Undo: ${title}`,
    verb: 'undo',
    danger,
    targets,
    leftOut: [],
    because: [`run ${run} by ${first.intent.operator} at ${first.intent.at} did it`],
    afterwards: targets[0]?.verify.text ?? '',
    undoText: 'none of its own: run the action again',
    parameters: {},
    exceeded: [],
    hash: hashOf(targets.flatMap(({ steps }) => steps)),
    undoes: run,
    confirmText: confirmTextOf(danger, 'undo', gone),
    armedAfterMs: armedAfterMs(danger),
    madeAt: { mono: parts.clock.mono(), wall: parts.clock.now() },
  };
};

/** What the action itself wants before its undo: read now, and once more before a byte is sent. */
const ownGuards = async (
  parts: EngineParts,
  targets: readonly PreparedTarget[],
): Promise<Refusal | undefined> => {
  const own = targets.flatMap(({ guards }) => guards.slice(1));
  const reads = own.flatMap((one) => one.reads);
  if (reads.length > 0) await readLive(parts, reads, { limitMs: 30_000 });
  const judgement = parts.reader.judgement();
  for (const one of own) {
    const result = one.check(judgement);
    if (!result.ok) return refuse(one.id, result.text);
  }
  return undefined;
};

const undoTarget = (
  one: Told,
  { verify, undoGuards = [], undo = [] }: Pick<Revived & { ok: true }, 'verify' | 'undoGuards' | 'undo'>,
): PreparedTarget => ({
  subject: one.subject,
  steps: (one.detail.undo ?? []).map((command, at) =>
    showable({ ...command, ...wordsOf(command, undo[at]) }),
  ),
  undo: null,
  guards: [
    {
      id: guard.stale,
      text: `still so: ${verify.text}`,
      reads: verify.reads,
      absolute: true,
      check: (live) => {
        const { state, text } = verify.check(live);
        return state === 'yes'
          ? { ok: true, text }
          : { ok: false, text: `${one.subject.id} is no longer as the run left it: ${text}` };
      },
    },
    ...undoGuards,
  ],
  already: () => undefined,
  verify: inverse(verify),
  lockGroups: one.detail.lockGroups,
  stale: () => undefined,
});

/** The log holds no tables of words: those of the same command as it is made now. */
const wordsOf = ({ host }: { host: string }, made: Command | undefined): Pick<Command, 'refusals'> =>
  made?.host === host && made.refusals ? { refusals: made.refusals } : {};

const whyNothing = (run: string, ofRun: readonly Told[]): string => {
  if (ofRun.length === 0) return `there is no run ${visible(run, 60)} in the audit log`;
  if (ofRun.every(({ undone }) => undone)) return `run ${run} was undone already`;
  const none = ofRun.find(({ detail }) => detail.undo === null);
  return none ? `run ${run} can't be undone: ${none.detail.undoText}` : `run ${run} has nothing to undo`;
};

const byHand = (one: Told, reason: string): string =>
  `the undo on ${one.subject.id} could not be verified (${reason}); by hand: ${(one.detail.undo ?? [])
    .map(({ host, script }) => `on ${host}: ${script}`)
    .join('; ')}`;
