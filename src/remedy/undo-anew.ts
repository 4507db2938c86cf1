import type { Action, Danger, Refusal, Reread } from '../model/action.ts';
import type { Judgement } from '../model/system.ts';
import type { LoggedAction } from '../audit/logged-actions.ts';
import { makeSafe } from '../text/safe.ts';
import { commandOf, hashOf, linesOf, type Command } from './commands.ts';
import { higherDanger, raiseDanger } from './danger.ts';
import { guard, refuse } from './guards.ts';
import { findAction } from './make-plan.ts';
import { type EngineParts, contextOf } from './parts.ts';
import type { PreparedTarget } from './prepared.ts';
import { inverse, revive, type Memory, type Revived } from './revive.ts';
import { checkTargets } from './targets.ts';

/** The undo of one target of a run, made by this version from values: nothing of it is a command that was logged. */
export interface Anew {
  action: Action;
  target: PreparedTarget;
  danger: Danger;
  /** For the card: what stands for values that were not recorded, and how the commands differ from those logged. */
  because: readonly string[];
}

/**
 * What is read before an undo is made: what its action looks at; where that can't be told yet, what the run looked at, as far as it
 * is of the action's own system: a probe that only the log names is asked of nobody.
 */
export const readsBeforeUndo = (
  parts: EngineParts,
  one: LoggedAction,
  all: readonly LoggedAction[],
  memory: Memory,
): readonly Reread[] => {
  const revived = revive(parts, one, all, memory, parts.reader.judgement());
  if (revived.ok)
    return [...revived.verify.reads, ...(revived.undoGuards ?? []).flatMap(({ reads }) => reads)];
  const own = parts.actionSets.find(({ actions }) => actions.some(({ id }) => id === one.action))?.system;
  return one.detail.verify.reads.filter(({ probe }) => own !== undefined && probe.startsWith(`${own}.`));
};

/**
 * Makes the undo of a target anew: by its action, on a target that the site knows (guard 5), from what the run recorded. Where it is
 * not byte for byte what was logged, the card shows both and the class is one higher. Refused, with what was logged as text to be
 * considered by hand, where the action is gone or can't make it now. Throws NotShowable.
 */
export const makeAnew = (
  parts: EngineParts,
  one: LoggedAction,
  all: readonly LoggedAction[],
  memory: Memory,
  live: Judgement,
): Anew | Refusal => {
  const { subject, detail, intent } = one;
  const action = findAction(parts, one.action);
  if (action === undefined) return byHand(one, `this version has no action ${makeSafe(one.action, 60)}`);
  const { undoOf } = action;
  if (undoOf === undefined) return byHand(one, `${action.id} has no undo in this version`);
  if (intent.target !== subject.id)
    return byHand(one, `its record is of ${makeSafe(intent.target ?? '?', 80)}`);
  const wrong = checkTargets([subject], action.subject, parts.site);
  if (wrong) return { ...wrong, reason: `${wrong.reason}; ${loggedText(one)}` };
  const revived = revive(parts, one, all, memory, live);
  if (!revived.ok) return byHand(one, revived.reason);
  const makeUndo = (judgement: Judgement): ReturnType<typeof undoOf> =>
    undoOf(subject, detail.was, contextOf(parts, judgement));
  const back = makeUndo(live);
  if ('refused' in back) return byHand(one, back.reason);
  const steps = back.steps.map(commandOf);
  if (steps.length === 0) return byHand(one, 'none of its values can be set again');
  const differs = differenceOf(one, steps);
  const danger = higherDanger(action.danger, detail.danger);
  return {
    action,
    danger: differs.length > 0 ? raiseDanger(danger) : danger,
    because: [...(back.because ?? []), ...differs].map((line) => `${makeSafe(subject.id)}: ${line}`),
    target: {
      subject,
      steps,
      undo: null,
      guards: [stillSo(one, revived), ...(revived.undoGuards ?? [])],
      whyAlreadyDone: () => undefined,
      verify: inverse(revived.verify),
      // What the log names besides can only hold up, never free.
      lockGroups: [...new Set([...revived.lockGroups, ...detail.lockGroups])],
      ...(detail.plan !== undefined && { takesBack: detail.plan }),
      whyStale: (now) => {
        const again = makeUndo(now);
        if ('refused' in again) return again.reason;
        return hashOf(again.steps.map(commandOf)) === hashOf(steps)
          ? undefined
          : 'the readings have changed: the plan would hold other commands now';
      },
    },
  };
};

/** The guard of every undo: the target still reads as its run left it. */
const stillSo = (
  one: LoggedAction,
  { verify }: Extract<Revived, { ok: true }>,
): PreparedTarget['guards'][number] => ({
  id: guard.stale,
  text: `still so: ${verify.text}`,
  reads: verify.reads,
  ownRow: true,
  absolute: true,
  check: (live) => {
    const { state, text } = verify.check(live);
    return state === 'yes'
      ? { ok: true, text }
      : { ok: false, text: `${one.subject.id} is no longer as the run left it: ${text}` };
  },
});

const showCommands = (commands: readonly Command[]): string[] =>
  commands.flatMap(linesOf).map(({ host, line, stdin }) => `${host}: ${stdin ? '< ' : ''}${line}`);

/** Nothing when the bytes are the same; else who planned them, and the lines that only one of the two has. */
const differenceOf = ({ detail, intent }: LoggedAction, made: readonly Command[]): string[] => {
  const old = detail.undo ?? [];
  if (hashOf(old) === hashOf(made)) return [];
  const [was, is] = [showCommands(old), showCommands(made)];
  return [
    `the undo made now differs from the one that version ${makeSafe(intent.console.version, 30)} wrote down: only the lines under "new" are sent`,
    ...was.filter((line) => !is.includes(line)).map((line) => `old ${makeSafe(line, 500)}`),
    ...is.filter((line) => !was.includes(line)).map((line) => `new ${makeSafe(line, 500)}`),
  ];
};

const loggedText = ({ detail }: LoggedAction): string =>
  `to be done by hand if you want it, as it was logged: ${makeSafe(showCommands(detail.undo ?? []).join('; '), 2_000)}`;

const byHand = (one: LoggedAction, reason: string): Refusal =>
  refuse(
    guard.unknown,
    `the undo on ${makeSafe(one.subject.id, 80)} can't be made: ${reason}; ${loggedText(one)}`,
  );
