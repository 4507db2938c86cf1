import type { LogEntry } from '../../../src/model/run.ts';
import { subjectKey, type Subject } from '../../../src/model/subject.ts';
import { toastError, type Context } from '../../context.ts';
import { keyFor } from '../../keys.ts';
import { chosenRows, subjectsOf, type Focused } from '../../state.ts';
import { makeForm, requestPlan } from '../menu/plan.ts';

/** Runs older than this are undone from the audit log only, ms. */
const DAY = 86_400_000;

/** `u`: asks for the plan that undoes a run, of these subjects or of all of it. The dialog and the guards are those of every action. */
export const planUndo = (context: Context, entry: LogEntry, subjects: readonly Subject[] = []): void => {
  const { run, title, undoable } = entry;
  if (run === undefined || undoable.length === 0) {
    context.toast(`${title}: ${whyNone(entry)}`, 'warning');
    return;
  }
  const isAll = subjects.length === 0 || subjects.length === undoable.length;
  const wanted = { action: `undo:${run}`, subjects: isAll ? [] : subjects, set: {} };
  const waiting = makeForm(`Undo: ${title}`, wanted, []);
  context.push(waiting);
  requestPlan(context, waiting, wanted);
};

const whyNone = ({ run, undone, open, underWay, outcome, undoText }: LogEntry): string => {
  if (run === undefined) return 'this entry is no run: there is nothing to undo';
  if (underWay) return 'this run is under way: it can be undone when it has ended';
  if (undone === 'whole') return 'undone already';
  if (open || outcome === 'unknown') return 'the outcome of this run is not known yet: it is read first';
  if (outcome === 'failed')
    return 'this run failed and has no undo: open it to see what was sent and how it ended';
  return outcome === 'done'
    ? `no undo: ${(undoText ?? 'none is recorded').replace(/^none: /, '')}`
    : `this run changed nothing (${outcome ?? 'no outcome'})`;
};

/** `u` on a row: the newest run of the last day that changed what the row is about. */
export const undoRow = (context: Context, at: Focused): void => {
  if (context.ports.readOnly) {
    context.toast('this console is read-only: nothing can be undone here', 'warning');
    return;
  }
  const subjects = chosenRows(at).rows.flatMap((row) => [
    ...subjectsOf(row),
    ...(row.subject ? [row.subject] : []),
    ...('beside' in row && row.beside ? row.beside : []),
  ]);
  const wanted = new Set(subjects.map(subjectKey));
  const isWanted = (subject: Subject): boolean => wanted.has(subjectKey(subject));
  const since = context.ports.clock.now() - DAY;
  context.ports.mirror.request('audit', { since }).then(
    ({ entries }) => {
      const found = entries.find(({ undoable }) => undoable.some(isWanted));
      if (found) planUndo(context, found, found.undoable.filter(isWanted));
      else
        context.toast(
          `no run of the last 24 h changed this row and can be undone: ${keyFor(context.keys('board'), 'audit')} lists all runs`,
          'warning',
        );
    },
    toastError(context, 'the audit log was not read'),
  );
};
