import { count } from '../../../src/text/units.ts';
import { errorText, isOpen, patch, type Context } from '../../context.ts';
import {
  defineKeys,
  handleMoves,
  runKey,
  moveTop,
  type DoesOf,
  type Handlers,
  type Move,
} from '../../keys.ts';
import { cell, joinPieces, safeWidth, type Painted } from '../../paint.ts';
import type { Theme } from '../../theme.ts';
import { editText, type Token } from '../../tokens.ts';
import type { Confirm } from '../../overlays.ts';
import { changeArea } from '../../ui.ts';
import { type Dialog, type Press, drawBox, hintLine } from '../dialog.ts';
import { dropPlan, refusalNotice } from '../menu/plan.ts';
import { runBox } from '../run/run.ts';
import { confirmBody, type Body } from './body.ts';

/** Keys that arrive sooner after opening were meant for what was there before. */
const DEAF_MS = 300;
/** More characters in one chunk than a slow line gathers are a paste. */
const TYPED_AT_ONCE = 3;

const keys = defineKeys([
  { keys: ['Esc', 'n', 'q'], does: 'cancel', text: 'cancel', hint: 'cancel', shown: 'Esc' },
  { keys: ['Enter'], does: 'enter', text: 'cancel, or confirm a text that was typed in full' },
  { keys: ['y'], does: 'confirm', text: 'confirm a reversible action' },
  {
    keys: ['d', 'Tab'],
    does: 'whole',
    text: 'every byte, guard and script of it, and back; Tab also where d is typed',
    hint: 'all of it',
  },
  { keys: ['Up'], does: 'up', text: 'scroll up' },
  { keys: ['Down'], does: 'down', text: 'scroll down', hint: 'scroll' },
  { keys: ['PgUp'], does: 'pageUp', text: 'a page up' },
  { keys: ['PgDn'], does: 'pageDown', text: 'a page down' },
  { keys: ['Home'], does: 'first', text: 'to the start' },
  { keys: ['End'], does: 'last', text: 'to the end' },
]);

const ignorePaste = (context: Context, confirm: Confirm): void =>
  void patch(context, confirm, { complaint: 'pastes are ignored here: type it' });

const bodyOf = (
  { ports: { theme, clock }, state }: Pick<Context, 'ports' | 'state'>,
  confirm: Confirm,
): Body => confirmBody(theme, confirm, state().size, clock.now());

/** Whether all that changes something was on the screen. */
const isSeen = (context: Pick<Context, 'ports' | 'state'>, confirm: Confirm): boolean =>
  confirm.seenEnd || bodyOf(context, confirm.whole ? { ...confirm, whole: false, top: 0 } : confirm).atEnd;

const scroll = (move: Move, context: Context, confirm: Confirm): void => {
  const { length, height, top: before } = bodyOf(context, confirm);
  const top = moveTop(move, before, length, height);
  patch(context, confirm, { top, seenEnd: isSeen(context, confirm) || top >= length - height });
};

const toggleWhole = (context: Context, confirm: Confirm): void =>
  void patch(context, confirm, { whole: !confirm.whole, top: 0, seenEnd: isSeen(context, confirm) });

const reversible: Handlers<DoesOf<typeof keys>, [Context, Confirm, Token, Press]> = {
  ...handleMoves(scroll),
  cancel: (context, confirm) => cancelConfirm(context, confirm),
  enter: (context, confirm, _, { held }) => {
    if (!held) cancelConfirm(context, confirm);
    else patch(context, confirm, { complaint: 'a held key does nothing here: let go, then Enter once' });
  },
  whole: toggleWhole,
  confirm: (context, confirm, { alone }, { held }) => {
    if (alone && !held) send(context, confirm, confirm.card.confirmText);
    else
      patch(context, confirm, {
        complaint: held
          ? 'a held key confirms nothing: let go, then y once'
          : 'y came with other keys: press y alone',
      });
  },
};

/** Arrows and pages scroll; letters belong to the text. */
const typed: typeof reversible = {
  ...reversible,
  cancel: (context, confirm, token, press) =>
    token.name === 'Esc' ? cancelConfirm(context, confirm) : write(context, confirm, token, press),
  confirm: (context, confirm, token, press) => write(context, confirm, token, press),
  whole: (context, confirm, token, press) => {
    const isText = token.name === 'd' && (confirm.typed !== '' || confirm.card.confirmText.startsWith('d'));
    if (isText) write(context, confirm, token, press);
    else toggleWhole(context, confirm);
  },
  enter: (context, confirm, { alone }, { held, chunk }) => {
    const { card, typed: text } = confirm;
    if (chunk > TYPED_AT_ONCE) ignorePaste(context, confirm);
    else if (held || !alone) return;
    else if (text === '') cancelConfirm(context, confirm);
    else if (text === card.confirmText) send(context, confirm, text);
    else patch(context, confirm, { complaint: `that is not "${card.confirmText}"; Esc cancels` });
  },
};

const write = (context: Context, confirm: Confirm, token: Token, { chunk }: Press): void => {
  const text = editText(confirm.typed, token);
  if (chunk > TYPED_AT_ONCE) ignorePaste(context, confirm);
  else if (text !== undefined) patch(context, confirm, { typed: text });
};

const cancelConfirm = (context: Context, confirm: Confirm, why?: string): void => {
  context.replace(confirm, undefined);
  dropPlan(context, confirm.card.id);
  context.toast(why ?? 'cancelled: nothing was sent to any host');
};

const send = (context: Context, confirm: Confirm, text: string): void => {
  const stop = findObstacle(context, confirm);
  if (stop !== undefined) {
    patch(context, confirm, { complaint: stop });
    return;
  }
  const sending = patch(context, confirm, { sending: true });
  // "cancelled: nothing was sent" of a plan before would stand below this one's result.
  context.change((ui) => {
    const { toast, ...rest } = ui;
    return toast ? rest : ui;
  });
  context.ports.mirror.request('confirm', { plan: confirm.card.id, typed: text }).then(
    (answer) => {
      if ('refused' in answer) {
        context.replace(sending, refusalNotice(answer.refused, 'Nothing was sent to any host.'));
        return;
      }
      context.replace(sending, runBox(answer.run, confirm.card.title));
      context.change((ui) => changeArea(ui, ui.focus, { marks: new Set() }));
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

/** After a resize all that changes something must be on the screen again; where there is no room for a plan it is cancelled. */
export const resizeConfirm = (context: Context, confirm: Confirm): void => {
  if (confirm.sending) return;
  const { size } = context.state();
  if (size.columns < 80 || size.rows < 24)
    cancelConfirm(context, confirm, 'cancelled: the dialog no longer fits the window');
  else patch(context, confirm, { seenEnd: false, top: 0 });
};

/** What still stands between the operator and the confirmation; undefined: nothing. */
const findObstacle = (context: Pick<Context, 'ports' | 'state'>, confirm: Confirm): string | undefined => {
  if (confirm.blocked !== undefined) return 'the plan cannot be confirmed now: see above';
  if (!isSeen(context, confirm)) return 'read to the end first: ↓ or PgDn';
  const wait = confirm.openedAt + confirm.card.armedAfterMs - context.ports.clock.mono();
  return wait > 0 ? `armed in ${Math.ceil(wait / 1000)} s` : undefined;
};

const askLine = (theme: Theme, confirm: Confirm, stop: string | undefined, width: number): Painted => {
  const { card } = confirm;
  if (confirm.sending) return cell(theme, 'confirmed: starting the run ...', width, 'bold');
  if (card.danger === 'reversible') {
    const [only, more] = card.targets;
    const what = only && !more ? only.id : 'them';
    const hint = stop === undefined ? (['y', `${card.verb} ${what}`] as const) : (['-', stop] as const);
    return hintLine(theme, [['[ Cancel ]', ''], hint, ['d', confirm.whole ? 'back' : 'all of it']], width);
  }
  const ask = `type "${card.confirmText}" and Enter: `;
  const asked = Math.min(width, safeWidth(ask));
  return joinPieces(cell(theme, ask, asked), cell(theme, `${confirm.typed}_`, width - asked, 'accent'));
};

/** Guard 8: Cancel is the default; pastes, held keys and early keys do nothing. */
export const confirmDialog: Dialog<Confirm> = {
  keys,
  press: (context, confirm, token, press) => {
    if (confirm.sending) return;
    if (context.ports.clock.mono() - confirm.openedAt < DEAF_MS) {
      patch(context, confirm, {
        complaint: 'too soon: the plan has only just appeared; press the key again',
      });
      return;
    }
    const { complaint: _, ...now } = confirm;
    context.replace(confirm, now);
    const isReversible = now.card.danger === 'reversible';
    const known = runKey(keys, isReversible ? reversible : typed, token.name, context, now, token, press);
    if (!known && !isReversible) write(context, now, token, press);
  },
  paste: ignorePaste,
  draw: (scene, confirm) => {
    const { theme } = scene.ports;
    const { size } = scene.state();
    const { card, complaint } = confirm;
    const { lines, length, top, height, width } = bodyOf(scene, confirm);
    const stop = findObstacle(scene, confirm);
    const hidden = length - top - height;
    const what = confirm.whole ? 'more line' : 'more command line';
    const more = hidden > 0 ? `${count(hidden, what)}: ↓ ` : '';
    const rule = `${more}${'─'.repeat(Math.max(0, width - safeWidth(more)))}`;
    // What is typed has its line for itself; where a key confirms, what stops it stands in the place of the key.
    const isTyped = card.danger !== 'reversible';
    const warned = complaint ?? (isTyped ? stop : undefined);
    const all = isTyped ? `Tab ${confirm.whole ? 'goes back' : 'shows all of it'}; ` : '';
    return drawBox(
      theme,
      card.title,
      [
        ...lines,
        cell(theme, rule, width, hidden > 0 ? 'warning' : 'dim'),
        askLine(theme, confirm, stop, width),
        cell(
          theme,
          warned ?? `${all}Esc cancels; pastes and held keys do nothing here`,
          width,
          warned === undefined ? 'dim' : 'warning',
        ),
      ],
      width,
      size,
    );
  },
};
