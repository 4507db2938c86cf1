import { errorText, isOpen, patch, type Context } from '../context.ts';
import { lookup } from '../keys.ts';
import type { Token } from '../tokens.ts';
import { withArea, type Confirm } from '../ui.ts';
import { confirmBody, obstacle } from './confirm-view.ts';
import { dropPlan, refusal } from './menu.ts';
import { edited } from './text-field.ts';

/** Keys that arrive sooner after opening were meant for what was there before. */
const DEAF_MS = 300;
/** More characters in one chunk than a slow line gathers are a paste. */
const TYPED_AT_ONCE = 3;

/** How a key came: held down (seen a moment ago), and with how many others in one chunk. */
export interface Press {
  held: boolean;
  chunk: number;
}

/** Guard 8: Cancel is the default; pastes, held keys and early keys do nothing. */
export const pressConfirm = (
  context: Context,
  confirm: Confirm,
  token: Token,
  { held, chunk }: Press,
): void => {
  if (confirm.sending || context.ports.clock.mono() - confirm.openedAt < DEAF_MS) return;
  const { complaint: _, ...now } = confirm;
  context.replace(confirm, now);
  if (scroll(context, now, lookup('confirm', token.name))) return;
  if (confirm.card.danger === 'reversible') answerReversible(context, now, token, held);
  else answerTyped(context, now, token, held, chunk);
};

const answerReversible = (context: Context, confirm: Confirm, token: Token, held: boolean): void => {
  const does = lookup('confirm', token.name);
  if (does === 'cancel' || (does === 'enter' && !held)) cancelConfirm(context, confirm);
  else if (does === 'confirm' && token.alone && !held) send(context, confirm, confirm.card.confirmText);
};

const answerTyped = (
  context: Context,
  confirm: Confirm,
  token: Token,
  held: boolean,
  chunk: number,
): void => {
  if (token.name === 'Esc') {
    cancelConfirm(context, confirm);
    return;
  }
  if (chunk > TYPED_AT_ONCE) {
    patch(context, confirm, { complaint: 'pastes are ignored here: type it' });
    return;
  }
  if (token.name === 'Enter') {
    if (held || !token.alone) return;
    if (confirm.typed === '') cancelConfirm(context, confirm);
    else if (confirm.typed === confirm.card.confirmText) send(context, confirm, confirm.typed);
    else patch(context, confirm, { complaint: `that is not "${confirm.card.confirmText}"; Esc cancels` });
    return;
  }
  const typed = edited(confirm.typed, token);
  if (typed !== undefined) patch(context, confirm, { typed });
};

/** Arrows and pages scroll; letters may belong to the text. */
const scroll = (context: Context, confirm: Confirm, does: string | undefined): boolean => {
  const { size } = context.state();
  const body = confirmBody(context.ports.theme, confirm, size);
  const last = body.lines.length - body.height;
  const tops: Readonly<Record<string, number>> = {
    up: body.top - 1,
    down: body.top + 1,
    pageUp: body.top - body.height,
    pageDown: body.top + body.height,
    first: 0,
    last,
  };
  const wanted = does === undefined ? undefined : tops[does];
  if (wanted === undefined) return false;
  const top = Math.max(0, Math.min(last, wanted));
  patch(context, confirm, { top, seenEnd: confirm.seenEnd || top >= last });
  return true;
};

const cancelConfirm = (context: Context, confirm: Confirm, why?: string): void => {
  context.replace(confirm, undefined);
  dropPlan(context, confirm.card.id);
  context.toast(why ?? 'cancelled: nothing was sent to any host');
};

const send = (context: Context, confirm: Confirm, typed: string): void => {
  const stop = obstacle(context.ports.theme, confirm, context.state().size, context.ports.clock.mono());
  if (stop !== undefined) {
    patch(context, confirm, { complaint: stop });
    return;
  }
  const sending = patch(context, confirm, { sending: true });
  context.ports.mirror.request('confirm', { plan: confirm.card.id, typed }).then(
    (answer) => {
      if ('refused' in answer) {
        context.replace(sending, refusal(answer.refused, 'Nothing was sent to any host.'));
        return;
      }
      const run = { kind: 'run' as const, run: answer.run, title: confirm.card.title };
      context.replace(sending, { ...run, top: 0, output: false, stopping: false });
      context.change((ui) => withArea(ui, ui.focus, { marks: new Set() }));
    },
    (error: unknown) => {
      if (!isOpen(context, sending)) return;
      context.replace(sending, {
        kind: 'notice',
        title: 'Not known whether it was started',
        lines: [
          `The collector did not answer the confirmation: ${errorText(error)}.`,
          'The audit log (L) says whether the run began: an intent without a result means that it did and that its outcome is not known.',
        ],
        style: 'critical',
      });
    },
  );
};

/** After a resize: a dialog that was whole and is cut off now is cancelled; one that scrolls must be read again. */
export const resizedConfirm = (
  context: Context,
  confirm: Confirm,
  before: { columns: number; rows: number },
): void => {
  if (confirm.sending) return;
  const { size } = context.state();
  const { theme } = context.ports;
  const small = size.columns < 80 || size.rows < 24;
  const fitted = confirmBody(theme, confirm, before).fits;
  const fits = confirmBody(theme, confirm, size).fits;
  if (small || (fitted && !fits))
    cancelConfirm(context, confirm, 'cancelled: the dialog no longer fits the window');
  else if (!fits) patch(context, confirm, { seenEnd: false, top: 0 });
};

/** Plans are void after their time: the readings they rest on are too old. */
export const expireConfirm = (context: Context, confirm: Confirm): void => {
  const { mono } = context.ports.clock;
  if (confirm.sending || mono() - confirm.openedAt < confirm.card.expiresInMs) return;
  context.replace(confirm, {
    kind: 'notice',
    title: 'The plan expired',
    lines: [
      'It was not confirmed in time, so the readings it rests on are too old.',
      'Nothing was sent to any host. Open the actions again for a new plan.',
    ],
    style: 'warning',
  });
  dropPlan(context, confirm.card.id);
};
