import { subjectKey, type Subject } from '../src/model/subject.ts';
import type { Row } from '../src/model/view.ts';
import type { ActionName } from '../src/model/wire.ts';
import { nearestWord } from '../src/text/nearest.ts';
import { compareByName } from '../src/text/nodeset.ts';
import { isSet, NotYetKnown } from '../src/text/set-arithmetic.ts';
import type { Completion, Context } from './context.ts';
import { openMenuOf } from './dialogs/menu/ask.ts';
import type { Data } from './mirror.ts';
import type { KnownNames } from './overlays.ts';
import { chosenRows, focusedPane, subjectsOf } from './state.ts';

/** `:action NAME TARGET`: the menu of a target with that action chosen. Nothing runs by it. */

const split = (word: string): { name: string; target: string } => {
  const [name = '', ...rest] = word.split(' ');
  return { name, target: rest.join(' ') };
};

/** All subjects of a kind that this console shows, by name. */
const subjectsShown = ({ heads, tables, findings = [] }: Data, kind: Subject['kind']): readonly Subject[] => {
  const rows: readonly Pick<Row, 'subject' | 'members'>[] = [
    ...[...tables.values()].flatMap((table) => [...table.rows.values()]),
    ...heads
      .flatMap(({ blocks }) => blocks)
      .flatMap((block): readonly Pick<Row, 'subject' | 'members'>[] =>
        block.type === 'table' || block.type === 'grid' ? block.rows : [],
      ),
    ...findings,
  ];
  // The subject of a group is no name that anything can be done to: its members are.
  const all = rows.flatMap((row) => subjectsOf(row)).filter((subject) => subject.kind === kind);
  return [...new Map(all.map((subject) => [subjectKey(subject), subject])).values()].toSorted((a, b) =>
    compareByName(a.id, b.id),
  );
};

/** The subjects of the marked rows, else of the row under the cursor, where the action is done to such. */
const subjectsChosen = (
  { state, lists }: Pick<Context, 'state' | 'lists'>,
  { kind }: ActionName,
): readonly Subject[] => {
  const at = focusedPane(state(), lists);
  const subjects = at ? chosenRows(at).rows.flatMap((row) => subjectsOf(row)) : [];
  return subjects.every((subject) => subject.kind === kind) ? subjects : [];
};

const findAction = ({ actions = [] }: KnownNames, name: string): ActionName | undefined =>
  actions.find(({ action }) => action === name);

export const completeAction = (
  { state }: Pick<Context, 'state'>,
  known: KnownNames,
  word: string,
): readonly Completion[] => {
  const { name, target } = split(word);
  const action = findAction(known, name);
  if (action === undefined || (target === '' && !word.includes(' ') && hasLonger(known, name)))
    return (known.actions ?? []).map(({ action: id, title }) => ({ word: id, note: title }));
  return [
    { word: name, note: `${action.title}: the row or the marked rows` },
    ...subjectsShown(state().data, action.kind).map(({ id }) => ({ word: `${name} ${id}` })),
  ];
};

const hasLonger = ({ actions = [] }: KnownNames, name: string): boolean =>
  actions.some(({ action }) => action !== name && action.startsWith(name));

/** What a target stands for, or why that is not known. */
const namesIn = ({ ports }: Pick<Context, 'ports'>, target: string): readonly string[] | string => {
  if (!isSet(target)) return [target];
  try {
    return ports.expand(target);
  } catch (error) {
    // What is read stays with the thread that reads.
    if (error instanceof NotYetKnown) return `${error.message}: name the nodes here, or use faultline act`;
    if (error instanceof RangeError) return error.message;
    throw error;
  }
};

const needsTarget = ({ action, kind }: ActionName): string =>
  `${action} needs a ${kind}: name it, or choose its row first`;

export const checkAction = (context: Context, word: string, known: KnownNames): string | undefined => {
  const { name, target } = split(word);
  if (context.ports.readOnly) return 'this console is read-only: it has no actions';
  if (name === '') return ':action needs the name of an action';
  if (known.actions === undefined) return 'the names of the actions are not known yet: press Enter again';
  const action = findAction(known, name);
  if (action === undefined) {
    const near = nearestWord(
      name,
      known.actions.map((one) => one.action),
    );
    return `no action "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  }
  if (target === '') return subjectsChosen(context, action).length > 0 ? undefined : needsTarget(action);
  const shown = subjectsShown(context.state().data, action.kind).map(({ id }) => id);
  const names = namesIn(context, target);
  if (typeof names === 'string') return names;
  if (names.length === 0) return `"${target}" stands for no ${action.kind}`;
  const unknown = names.find((id) => !shown.includes(id));
  if (unknown === undefined) return undefined;
  const near = nearestWord(unknown, shown);
  return `no ${action.kind} "${unknown}" on this console${near === undefined ? '' : `; did you mean "${near}"?`}`;
};

export const runAction = (context: Context, word: string, known: KnownNames): void => {
  const { name, target } = split(word);
  const action = findAction(known, name);
  if (action === undefined) return;
  const names = target === '' ? [] : namesIn(context, target);
  if (typeof names === 'string') return;
  const subjects =
    target === '' ? subjectsChosen(context, action) : names.map((id): Subject => ({ kind: action.kind, id }));
  openMenuOf(context, subjects, action);
};
