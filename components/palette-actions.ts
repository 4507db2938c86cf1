import { subjectKey, type Subject } from '../src/model/subject.ts';
import type { Row } from '../src/model/view.ts';
import type { ActionName } from '../src/model/wire.ts';
import { nearestWord } from '../src/text/nearest.ts';
import { compareByName } from '../src/text/nodeset.ts';
import { isSet, NotYetKnown } from '../src/text/set-arithmetic.ts';
import { toastError, type Completion, type Context } from './context.ts';
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

/** `@slurm:batch`, where the site file may not name it. */
const OF_SOURCE = /@[A-Za-z0-9_.-]+:/;

type Names = { names: readonly string[] } | { why: string } | 'asked';

/** What a target stands for, or why that is not known; `asked`: only the thread that reads knows. */
const namesIn = ({ ports }: Pick<Context, 'ports'>, target: string): Names => {
  if (!isSet(target)) return { names: [target] };
  try {
    return { names: ports.expand(target) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error instanceof NotYetKnown || OF_SOURCE.test(target) ? 'asked' : { why: error.message };
  }
};

/** What is wrong with the names of a target; undefined: nothing. */
const complaintOf = (
  { state }: Pick<Context, 'state'>,
  { kind }: ActionName,
  target: string,
  found: Exclude<Names, 'asked'>,
): string | undefined => {
  if ('why' in found) return found.why;
  if (found.names.length === 0) return `"${target}" stands for no ${kind}`;
  const shown = subjectsShown(state().data, kind).map(({ id }) => id);
  const all = new Set(shown);
  const unknown = found.names.find((id) => !all.has(id));
  if (unknown === undefined) return undefined;
  const near = nearestWord(unknown, shown);
  return `no ${kind} "${unknown}" on this console${near === undefined ? '' : `; did you mean "${near}"?`}`;
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
  const found = namesIn(context, target);
  return found === 'asked' ? undefined : complaintOf(context, action, target, found);
};

export const runAction = (context: Context, word: string, known: KnownNames): void => {
  const { name, target } = split(word);
  const action = findAction(known, name);
  if (action === undefined) return;
  if (target === '') {
    openMenuOf(context, subjectsChosen(context, action), action);
    return;
  }
  const open = (found: Exclude<Names, 'asked'>): void => {
    const complaint = complaintOf(context, action, target, found);
    if (complaint !== undefined) context.toast(complaint, 'warning');
    else if ('names' in found)
      openMenuOf(
        context,
        found.names.map((id): Subject => ({ kind: action.kind, id })),
        action,
      );
  };
  const found = namesIn(context, target);
  if (found === 'asked')
    context.ports.mirror
      .request('expand', { set: target })
      .then(open, toastError(context, `${target} is not known`));
  else open(found);
};
