import type { RankedFinding } from '../../src/model/finding.ts';
import type { Row } from '../../src/model/view.ts';
import type { Jotted } from '../../src/model/wire.ts';
import { moment } from '../../src/text/ages.ts';
import { count } from '../../src/text/units.ts';
import { errorText, isOpen, patch, type Context } from '../context.ts';
import { FINDINGS } from '../findings.ts';
import { lookup } from '../keys.ts';
import { findingOf, subjectsOf, type Focused } from '../state.ts';
import type { Token } from '../tokens.ts';
import type { Jot } from '../ui.ts';
import { edited } from './text-field.ts';

/** The finding a row is about: itself, or the worst one on the row's subject. */
export const findingAt = (context: Context, at: Focused): RankedFinding | undefined => {
  const { data } = context.state();
  if (at.head.id === FINDINGS) return findingOf(data, at);
  const subject = at.item?.row.subject;
  if (!subject) return undefined;
  const isIt = (one: { kind: string; id: string }): boolean =>
    one.kind === subject.kind && one.id === subject.id;
  return (data.findings ?? []).find(
    (one) => one.system === at.head.id && (isIt(one.subject) || (one.members ?? []).some(isIt)),
  );
};

const isReadOnly = (context: Context, what: string): boolean => {
  if (context.ports.readOnly)
    context.toast(`this console is read-only: nothing can be ${what} here`, 'warning');
  return context.ports.readOnly;
};

/** `A`: acknowledges the finding under the cursor; one that is acknowledged is taken back. */
export const openAck = (context: Context, at: Focused): void => {
  if (isReadOnly(context, 'acknowledged')) return;
  const finding = findingAt(context, at);
  if (!finding) {
    context.toast('there is no finding on this row to acknowledge', 'warning');
    return;
  }
  const { now } = context.state();
  const { acked, summary, id } = finding;
  context.push(
    acked
      ? {
          kind: 'jot',
          title: 'Take the acknowledgement back',
          about: [summary, `acknowledged by ${acked.who} until ${moment(acked.until, now)}: ${acked.text}`],
          what: { name: 'unack', finding: id },
          fields: [],
          values: {},
          field: 0,
        }
      : {
          kind: 'jot',
          title: 'Acknowledge',
          about: [summary, 'It comes back when it gets worse, is about more than now, or the time is up.'],
          what: { name: 'ack', finding: id },
          fields: [
            { name: 'text', label: 'why it may wait', required: true },
            { name: 'lasts', label: 'for how long: 30min, 4h, 2d', required: true },
          ],
          values: { lasts: '4h' },
          field: 0,
        },
  );
};

const markedRows = (at: Focused): readonly Row[] =>
  at.list.items.flatMap((item) => (item.type === 'row' && at.area.marks.has(item.key) ? [item.row] : []));

/** `:planned`: planned work on the marked rows, else on the row under the cursor; where some goes on already, its end. */
export const openPlanned = (context: Context, at: Focused): void => {
  if (isReadOnly(context, 'planned')) return;
  const marked = markedRows(at);
  const rows = marked.length > 0 ? marked : at.item ? [at.item.row] : [];
  const subjects = rows.flatMap(subjectsOf);
  const [first] = subjects;
  if (!first) {
    context.toast('this row is about nothing that work can be planned on', 'warning');
    return;
  }
  const on =
    subjects.length === 1 ? `on ${first.kind} ${first.id}` : `on ${count(subjects.length, 'subject')}`;
  const planned = marked.length === 0 && findingAt(context, at)?.plannedUntil !== undefined;
  context.push({
    kind: 'jot',
    title: planned ? 'End the planned work' : 'Planned work',
    about: [
      on,
      planned ? 'Findings count in full again.' : 'Findings on it are notices until the work ends.',
    ],
    what: { name: planned ? 'windowEnd' : 'window', subjects },
    fields: planned
      ? []
      : [
          { name: 'text', label: 'what is being done', required: true },
          { name: 'lasts', label: 'for how long: 30min, 4h, 2d', required: true },
        ],
    values: planned ? {} : { lasts: '2h' },
    field: 0,
  });
};

/** `N`: a note on the marked rows, else on the row under the cursor. */
export const openNote = (context: Context, at: Focused): void => {
  if (isReadOnly(context, 'noted')) return;
  const marked = markedRows(at);
  const rows = marked.length > 0 ? marked : at.item ? [at.item.row] : [];
  // A group is noted on as one: a hundred lines of the same would be no help.
  const subjects = marked.length > 0 ? rows.flatMap(subjectsOf) : rows.flatMap((row) => row.subject ?? []);
  const [first] = subjects;
  if (!first) {
    context.toast('this row is about nothing that a note can stand on', 'warning');
    return;
  }
  context.push({
    kind: 'jot',
    title: 'Note',
    about: [
      subjects.length === 1 ? `on ${first.kind} ${first.id}` : `on ${count(subjects.length, 'subject')}`,
    ],
    what: { name: 'note', subjects },
    fields: [
      { name: 'text', label: 'the note', required: true },
      {
        name: 'part',
        label: 'a repair? cleaned, reseated, optic (far optic), fibre, linecard, other',
        required: false,
      },
    ],
    values: {},
    field: 0,
  });
};

export const pressJot = (context: Context, jot: Jot, token: Token): void => {
  const does = lookup('jot', token.name);
  const last = jot.fields.length - 1;
  if (does === 'cancel') context.replace(jot, undefined);
  else if (jot.busy) return;
  else if (does === 'up') patch(context, jot, { field: Math.max(0, jot.field - 1) });
  else if (does === 'down') patch(context, jot, { field: Math.min(Math.max(0, last), jot.field + 1) });
  else if (does === 'open' && jot.field < last) patch(context, jot, { field: jot.field + 1 });
  else if (does === 'open') submit(context, jot);
  else {
    const field = jot.fields[jot.field];
    const value = edited(jot.values[field?.name ?? ''] ?? '', token);
    if (field && value !== undefined) write(context, jot, field.name, value);
  }
};

const write = (context: Context, jot: Jot, name: string, value: string): void => {
  const { complaint: _, ...rest } = jot;
  context.replace(jot, { ...rest, values: { ...jot.values, [name]: value } });
};

/** Nothing on a machine changes by what is pasted here; line breaks become blanks. */
export const pasteJot = (context: Context, jot: Jot, text: string): void => {
  const field = jot.fields[jot.field];
  if (field && !jot.busy)
    write(context, jot, field.name, `${jot.values[field.name] ?? ''}${text.replace(/\s+/g, ' ')}`);
};

const submit = (context: Context, jot: Jot): void => {
  const missing = jot.fields.findIndex(
    (field) => field.required && (jot.values[field.name] ?? '').trim() === '',
  );
  if (missing >= 0) {
    patch(context, jot, { field: missing, complaint: `${jot.fields[missing]?.label ?? ''}: required` });
    return;
  }
  const busy = patch(context, jot, { busy: true });
  ask(context, busy).then(
    (kept) => ended(context, busy, kept),
    (error: unknown) => ended(context, busy, { refused: `not written: ${errorText(error)}` }),
  );
};

const ask = (context: Context, { what, values }: Jot): Promise<Jotted> => {
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

/** What was typed stays in the dialog until it is kept somewhere. */
const ended = (context: Context, jot: Jot, kept: Jotted): void => {
  if ('refused' in kept) {
    if (isOpen(context, jot)) patch(context, jot, { busy: false, complaint: kept.refused });
    else context.toast(kept.refused, 'critical');
    return;
  }
  context.replace(jot, undefined);
  if (kept.kept === 'shared') context.toast('written to the shared folder');
  else if (kept.problem === undefined) context.toast('kept on this machine: there is no shared folder');
  else context.toast(`kept on this machine until the shared folder is back: ${kept.problem}`, 'warning');
};
