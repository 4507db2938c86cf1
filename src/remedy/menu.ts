import type { Action, ParameterPrompt } from '../model/action.ts';
import type { MenuEntry } from '../model/wire.ts';
import { canBeTarget, subjectKey, type Subject, type SubjectKind } from '../model/subject.ts';
import { clockTime } from '../text/ages.ts';
import { isPlain, makeSafe } from '../text/safe.ts';
import { coolDown, type KnownPast, objectsOf, pastOf } from './cool-down.ts';
import { higherDanger, nameOf } from './danger.ts';
import { guard, numberOf } from './guards.ts';
import { type LoggedAction, isUndoable } from '../audit/logged-actions.ts';
import { offerOf } from './offer.ts';
import { findAction } from './make-plan.ts';
import { type EngineParts, contextOf } from './parts.ts';

/** Machines are everybody's: each system may do something on a node or host, whoever names it. Volumes, ports, OSTs have one owner. */
const common: ReadonlySet<SubjectKind> = new Set(['node', 'host', 'pair', 'site']);

/** A finding may be of nobody's own, as that a host can't be reached: then every action on the kind counts. */
const actionsOn = (
  { actionSets }: Pick<EngineParts, 'actionSets'>,
  subjects: readonly Subject[],
  kind: SubjectKind,
  system: string | undefined,
): readonly Action[] => {
  const isOwner = (one: { system: string }): boolean => one.system === system;
  const owned = !common.has(kind) && actionSets.some(isOwner);
  return (owned ? actionSets.filter(isOwner) : actionSets)
    .flatMap(({ actions }) => actions)
    .filter((action) => action.subject === kind && subjects.every((one) => action.appliesTo?.(one) ?? true));
};

/** Every action on this kind of subject, the unavailable ones with their reason, and the undo of the last run on them. */
export const menuOf = (
  parts: EngineParts,
  subjects: readonly Subject[],
  system: string | undefined,
  busy: string | undefined,
  told: readonly LoggedAction[],
  known: KnownPast,
): readonly MenuEntry[] => {
  const kind = subjects[0]?.kind;
  if (kind === undefined || subjects.some((one) => one.kind !== kind)) return [];
  const off = menuOff(parts, subjects) ?? busy;
  const all = { ...known, past: [...pastOf(told), ...known.past] };
  const context = contextOf(parts, parts.reader.judgement());
  const entries = actionsOn(parts, subjects, kind, system).map((action): MenuEntry => {
    const offer = offerOf(action, subjects, context);
    const no = offer.available ? off : offer.reason;
    const { id, title, danger } = action;
    const own = offer.available ? (offer.prompts ?? []) : [];
    const prompts = [...action.prompts, ...own, ...againPrompts(action, subjects, all, parts.clock.now())];
    const text = makeSafe(no ?? (offer.available ? offer.note : ''));
    return { action: id, title: makeSafe(title), danger, available: no === undefined, text, prompts };
  });
  const undo = undoEntry(parts, told, subjects);
  if (undo === undefined) return entries;
  return [
    ...entries,
    off === undefined || !undo.available ? undo : { ...undo, available: false, text: makeSafe(off) },
  ];
};

/** Guard 13: what was done a moment ago, or twice today, wants a reason to be done again. */
const againPrompts = (
  { verb, repeatable }: Action,
  subjects: readonly Subject[],
  { past, unclear }: KnownPast,
  now: number,
): readonly ParameterPrompt[] => {
  if (repeatable) return [];
  // What of a subject it is to be done to is chosen later: each thing that cools down is worth its line.
  const cooling = subjects.flatMap((one) =>
    objectsOf(past, verb, one).flatMap((object) => {
      const said = coolDown(past, verb, one, now, object);
      return said.ok ? [] : [{ ...said, object, id: one.id }];
    }),
  );
  const first = cooling[0];
  const name = `exceed${numberOf(guard.coolDown)}`;
  if (first === undefined)
    return unclear === undefined
      ? []
      : [
          {
            name,
            label: makeSafe(
              `Not known what colleagues did in the last 24 h (${unclear}). Why do it anyway?`,
              200,
            ),
            required: true,
          },
        ];
  const all = new Set(cooling.filter(({ object }) => object === undefined).map(({ id }) => id));
  const label = makeSafe(`${first.lately}. Why again?`, 200);
  return [{ name, label, required: all.size === subjects.length }];
};

/** Why nothing at all can be done on these subjects, whatever the action. */
const menuOff = ({ audit }: EngineParts, subjects: readonly Subject[]): string | undefined => {
  const odd = subjects.find(({ id }) => !canBeTarget(id));
  if (odd && !isPlain(odd.id)) return `the name of ${makeSafe(odd.id, 60)} holds characters that do not show`;
  if (odd) return `"${makeSafe(odd.id, 60)}" is not a name a command can safely hold`;
  const problem = audit.problem();
  return problem === undefined ? undefined : `actions off: ${problem}`;
};

/** The newest run of the last day that touched all these subjects and can be undone on them. */
const undoEntry = (
  parts: EngineParts,
  told: readonly LoggedAction[],
  subjects: readonly Subject[],
): MenuEntry | undefined => {
  const byRun = new Map<string, LoggedAction[]>();
  for (const one of told.filter(isUndoable)) byRun.set(one.run, [...(byRun.get(one.run) ?? []), one]);
  const keys = subjects.map(subjectKey);
  const newest = [...byRun.values()].findLast((of) => {
    const touched = new Set(of.map(({ subject }) => subjectKey(subject)));
    return keys.every((key) => touched.has(key));
  });
  const items = newest ?? [];
  const [found] = items;
  if (found === undefined) return undefined;
  const now = parts.clock.now();
  const at = Date.parse(found.intent.at);
  if (now - at > 86_400_000) return undefined;
  // The class and the words are the action's: what a log says of them decides nothing.
  const action = findAction(parts, found.action);
  const gone = action?.undoOf === undefined ? `this version can't undo ${found.action}` : undefined;
  return {
    action: `undo:${found.run}`,
    title: makeSafe(`undo "${action?.title ?? found.action} ${nameOf(items.map(({ subject }) => subject))}"`),
    danger: higherDanger(action?.danger ?? 'access', found.detail.danger),
    available: gone === undefined,
    // What was held and is still so was kept: nothing waits any more to undo it.
    text: makeSafe(
      gone ??
        `of ${clockTime(at, now)} by ${found.intent.operator}; ${found.detail.hold ? 'no timer undoes it any more' : found.detail.undoText}`,
    ),
    prompts: [],
  };
};
