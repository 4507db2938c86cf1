import type { RankedFinding } from '../../src/model/finding.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Jotted } from '../../src/model/wire.ts';
import { textOf } from '../../src/model/words.ts';
import { clockTime } from '../../src/text/ages.ts';
import { count } from '../../src/text/units.ts';
import { errorText, isOpen, patch, type Context } from '../context.ts';
import { FINDINGS } from '../findings.ts';
import { chosenRows, findingOf, subjectsOf, type Focused } from '../state.ts';
import type { Annotation } from '../overlays.ts';
import { areaOf, changeArea } from '../ui.ts';
import type { Dialog } from './dialog.ts';
import { fieldsDialog } from './fields.ts';

/** The finding a row is about: itself, or the worst one on the row's subject. */
export const findingAt = (context: Context, at: Focused): RankedFinding | undefined => {
  const { data } = context.state();
  if (at.head.id === FINDINGS) return findingOf(data, at);
  const subject = at.item?.row.subject;
  if (!subject) return undefined;
  const isIt = (other: { kind: string; id: string }): boolean =>
    other.kind === subject.kind && other.id === subject.id;
  return (data.findings ?? []).find(
    (other) => other.system === at.head.id && (isIt(other.subject) || (other.members ?? []).some(isIt)),
  );
};

const refuseReadOnly = (context: Context, what: string): boolean => {
  if (context.ports.readOnly)
    context.toast(`this console is read-only: nothing can be ${what} here`, 'warning');
  return context.ports.readOnly;
};

const lastsField = { name: 'lasts', label: 'for how long: 30min, 4h, 2d', required: true } as const;

/** Opens the dialog, with a first value of how long it lasts. */
const open = (
  context: Context,
  annotation: Pick<Annotation, 'title' | 'about' | 'what' | 'fields'>,
  lasts?: string,
): void =>
  context.push({
    kind: 'annotation',
    ...annotation,
    values: lasts === undefined ? {} : { lasts },
    field: 0,
  });

/** `A`: acknowledges the finding under the cursor; one that is acknowledged is taken back. */
export const openAck = (context: Context, at: Focused): void => {
  if (refuseReadOnly(context, 'acknowledged')) return;
  const finding = findingAt(context, at);
  if (!finding) {
    context.toast('there is no finding on this row to acknowledge', 'warning');
    return;
  }
  const { acked, id } = finding;
  const summary = textOf(finding.summary);
  if (acked) {
    const until = clockTime(acked.until, context.state().now);
    open(context, {
      title: 'Take the acknowledgement back',
      about: [summary, `acknowledged by ${acked.who} until ${until}: ${acked.text}`],
      what: { name: 'unack', finding: id },
      fields: [],
    });
    return;
  }
  const annotation = {
    title: 'Acknowledge',
    about: [summary, 'The finding comes back when it gets worse, covers more than now, or the time is up.'],
    what: { name: 'ack', finding: id } as const,
    fields: [{ name: 'text', label: 'why it may wait', required: true }, lastsField],
  };
  open(context, annotation, '4h');
};

const describe = ([first, ...more]: readonly Subject[]): string =>
  first && more.length === 0 ? `on ${first.kind} ${first.id}` : `on ${count(more.length + 1, 'subject')}`;

/** `:planned`: planned work on the marked rows, else on the row under the cursor; where some goes on already, its end. */
export const openPlanned = (context: Context, at: Focused): void => {
  if (refuseReadOnly(context, 'planned')) return;
  const { rows, marked } = chosenRows(at);
  const subjects = rows.flatMap(subjectsOf);
  if (subjects.length === 0) {
    context.toast('no work can be planned on this row', 'warning');
    return;
  }
  if (!marked && findingAt(context, at)?.plannedUntil !== undefined) {
    open(context, {
      title: 'End the planned work',
      about: [describe(subjects), 'Findings count in full again.'],
      what: { name: 'windowEnd', subjects },
      fields: [],
    });
    return;
  }
  const annotation = {
    title: 'Planned work',
    about: [describe(subjects), 'Findings on it are notices until the work ends.'],
    what: { name: 'window', subjects } as const,
    fields: [{ name: 'text', label: 'what is being done', required: true }, lastsField],
  };
  open(context, annotation, '2h');
};

/** `N`: a note on the marked rows, else on the row under the cursor. */
export const openNote = (context: Context, at: Focused): void => {
  if (refuseReadOnly(context, 'noted')) return;
  const { rows, marked } = chosenRows(at);
  // A group gets one note: a hundred lines of the same would be no help.
  const subjects = rows.flatMap((row) => (marked ? subjectsOf(row) : (row.subject ?? [])));
  if (subjects.length === 0) {
    context.toast('this row takes no notes', 'warning');
    return;
  }
  open(context, {
    title: 'Note',
    about: [describe(subjects)],
    what: { name: 'note', subjects },
    fields: [
      { name: 'text', label: 'the note', required: true },
      {
        name: 'part',
        label: 'a repair? cleaned, reseated, optic (far optic), fibre, linecard, other',
        required: false,
      },
    ],
  });
};

const send = (context: Context, { what, values }: Annotation): Promise<Jotted> => {
  const { mirror } = context.ports;
  const text = values['text'] ?? '';
  if ('finding' in what) {
    const { finding } = what;
    if (what.name === 'unack') return mirror.request('unack', { finding });
    return mirror.request('ack', { finding, text, lasts: values['lasts'] ?? '' });
  }
  const { subjects } = what;
  if (what.name === 'windowEnd') return mirror.request('windowEnd', { subjects });
  if (what.name === 'window')
    return mirror.request('window', { subjects, text, lasts: values['lasts'] ?? '' });
  const part = (values['part'] ?? '').trim();
  return mirror.request('note', { subjects, text, ...(part !== '' && { part }) });
};

/** The finding will sink below those that nobody knows of: the cursor is to stay where it is. */
const setLeaving = (context: Context, leaving: string): void =>
  context.change((ui) => changeArea(ui, FINDINGS, { leaving: `${FINDINGS}/${leaving}` }));

const forgetLeaving = (context: Context): void =>
  context.change((ui) => {
    const { leaving: _, ...area } = areaOf(ui, FINDINGS);
    return { ...ui, areas: { ...ui.areas, [FINDINGS]: area } };
  });

/** What was typed stays in the dialog until it is kept somewhere. */
const showAnswer = (context: Context, annotation: Annotation, kept: Jotted): void => {
  if ('refused' in kept) {
    if (annotation.what.name === 'ack') forgetLeaving(context);
    if (isOpen(context, annotation)) {
      const { busy: _, ...idle } = annotation;
      context.replace(annotation, { ...idle, complaint: kept.refused });
    } else context.toast(kept.refused, 'critical');
    return;
  }
  context.replace(annotation, undefined);
  if (kept.kept === 'shared') context.toast('written to the shared folder');
  else if (kept.problem === undefined) context.toast('kept on this machine: there is no shared folder');
  else context.toast(`kept on this machine until the shared folder is back: ${kept.problem}`, 'warning');
};

export const annotationDialog: Dialog<Annotation> = fieldsDialog(
  { text: 'next field, then write it', hint: 'next, then write it' },
  (context, annotation) => {
    const busy = patch(context, annotation, { busy: 'writing' });
    const { what } = annotation;
    if (what.name === 'ack') setLeaving(context, what.finding);
    send(context, busy).then(
      (kept) => showAnswer(context, busy, kept),
      (error: unknown) => showAnswer(context, busy, { refused: `not written: ${errorText(error)}` }),
    );
  },
);
