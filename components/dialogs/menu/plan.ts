import type { MenuEntry, Requests } from '../../../src/model/wire.ts';
import { errorText, isOpen, patch, type Context } from '../../context.ts';
import type { Form, Menu, Notice, Wanted } from '../../overlays.ts';
import type { Dialog } from '../dialog.ts';
import { fieldsDialog } from '../fields.ts';

/** In place of a dialog whose request was not answered. */
export const showFailure = (context: Context, overlay: Menu | Form, error: unknown): void => {
  if (!isOpen(context, overlay)) return;
  context.replace(overlay, {
    kind: 'notice',
    title: 'No answer from the collector',
    lines: [errorText(error), 'Nothing was sent to any host.'],
    style: 'warning',
  });
};

/** Asks for the plan; the dialog opens with its answer. Nothing runs by this. */
export const requestPlan = (context: Context, from: Menu | Form, wanted: Wanted): void => {
  const busy = patch<Menu | Form>(context, from, { busy: 'planning' });
  context.ports.mirror.request('plan', wanted).then(
    (answer) => showPlan(context, busy, wanted, answer),
    (error: unknown) => showFailure(context, busy, error),
  );
};

const showPlan = (
  context: Context,
  from: Menu | Form,
  wanted: Wanted,
  answer: Requests['plan']['out'],
): void => {
  if (!isOpen(context, from)) {
    if ('card' in answer) dropPlan(context, answer.card.id);
    return;
  }
  if ('refused' in answer) {
    context.replace(
      from,
      refusalNotice(answer.refused, 'The plan was refused. Nothing was sent to any host.'),
    );
    return;
  }
  const mono = context.ports.clock.mono();
  context.replace(from, {
    kind: 'confirm',
    card: answer.card,
    wanted,
    openedAt: mono,
    askedAt: mono,
    asking: false,
    typed: '',
    whole: false,
    top: 0,
    seenEnd: false,
    sending: false,
  });
};

/** Which guard it was stands in the audit log. */
export const refusalNotice = ({ reason }: { reason: string }, what: string): Notice => ({
  kind: 'notice',
  title: 'Refused',
  lines: [reason, '', what],
  style: 'warning',
});

/** The worker forgets a plan that nobody will confirm; should that fail, it expires by itself. */
export const dropPlan = (context: Context, plan: string): void => {
  context.ports.mirror.request('drop', { plan }).catch(() => undefined);
};

/** The options of an action that are still open. */
export const makeForm = (title: string, wanted: Wanted, prompts: MenuEntry['prompts']): Form => ({
  kind: 'form',
  title,
  wanted,
  fields: prompts,
  values: Object.fromEntries(prompts.map(({ name, initial }) => [name, initial ?? ''])),
  field: 0,
});

export const formDialog: Dialog<Form> = fieldsDialog(
  { text: 'next field, then plan it', hint: 'next' },
  (context, form) => {
    const given = Object.entries(form.values).filter(([, value]) => value.trim() !== '');
    requestPlan(context, form, {
      ...form.wanted,
      set: { ...form.wanted.set, ...Object.fromEntries(given) },
    });
  },
);
