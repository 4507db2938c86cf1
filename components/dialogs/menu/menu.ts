import { patch, type Context } from '../../context.ts';
import { copyFinding } from '../../copy.ts';
import { defineKeys, runKey } from '../../keys.ts';
import type { Menu } from '../../overlays.ts';
import type { Dialog } from '../dialog.ts';
import { drawMenu } from './draw.ts';
import { bestRemedy, FOLD, linesOf, requestOf } from './items.ts';
import { makeForm, requestPlan } from './plan.ts';

/** Sooner after the choice moved by itself, Enter was meant for what was chosen before. */
const MOVED_MS = 500;

const menuKeys = defineKeys([
  { keys: ['Up', 'k'], does: 'up', text: 'action above' },
  { keys: ['Down', 'j'], does: 'down', text: 'action below' },
  {
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    does: 'nth',
    text: 'select the action with this number; Enter plans it',
    shown: '1-9',
    hint: 'choose',
  },
  { keys: ['Home', 'g'], does: 'first', text: 'first action', hint: 'first' },
  { keys: ['End', 'G'], does: 'last', text: 'last action', hint: 'last' },
  { keys: ['Enter'], does: 'open', text: 'plan it; nothing runs yet', hint: 'plan it' },
  { keys: ['o'], does: 'options', text: 'set its options first', hint: 'options' },
  {
    keys: ['Right', 'l', '+'],
    does: 'unfold',
    text: 'show the other actions on this subject',
    hint: 'other actions',
  },
  { keys: ['Left', 'h', '-'], does: 'fold', text: 'hide the other actions' },
  { keys: ['Y'], does: 'ticket', text: 'copy the finding with its evidence for the ticket', hint: 'ticket' },
  { keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close' },
]);

const choose = (context: Context, menu: Menu, withOptions: boolean): void => {
  const line = linesOf(menu).lines.find(({ key }) => key === menu.cursor);
  if (line === undefined) {
    context.toast('no action is selected: ↓ selects one', 'warning');
    return;
  }
  const { item } = line;
  if (item === undefined) {
    setFold(context, menu, !menu.unfolded);
    return;
  }
  if (menu.movedAt !== undefined && context.ports.clock.mono() - menu.movedAt < MOVED_MS) {
    context.toast(`${item.title} was selected a moment ago: press Enter once more`, 'warning');
    return;
  }
  if (!item.available) {
    context.toast(`not available: ${item.text}`, 'warning');
    return;
  }
  const wanted = requestOf(menu, item);
  const open = item.prompts.filter((prompt) => wanted.set[prompt.name] === undefined);
  const asks = open.some((prompt) => prompt.required) || (withOptions && open.length > 0);
  if (!asks) requestPlan(context, menu, wanted);
  else context.replace(menu, makeForm(item.title, wanted, open));
};

/** Folded, the choice must not stay on a line that is hidden. */
const setFold = (context: Context, menu: Menu, unfolded: boolean): void => {
  const folded = { ...menu, unfolded };
  const isThere = linesOf(folded).lines.some(({ key }) => key === menu.cursor);
  patch(context, menu, { unfolded, touched: true, ...(!isThere && { cursor: FOLD }) });
};

/** The ticket is the finding's, also when there is nothing to choose. */
const copyFor = (context: Context, menu: Menu): void => {
  const finding = context.state().data.findings?.find(({ id }) => menu.findings.includes(id));
  if (finding) copyFinding(context, finding);
  else context.toast('a ticket is copied from a finding: this row has none', 'warning');
};

/** By places; with nothing chosen the first step is onto the first line. */
const moveTo = (context: Context, menu: Menu, place: (at: number, last: number) => number): void => {
  const { lines } = linesOf(menu);
  const last = lines.length - 1;
  const at = lines.findIndex(({ key }) => key === menu.cursor);
  const key = lines[Math.max(0, Math.min(last, place(at, last)))]?.key;
  // What a key has chosen was not chosen by itself.
  if (key !== undefined) patch(context, menu, { cursor: key, touched: true, movedAt: -Infinity });
};

export const menuDialog: Dialog<Menu> = {
  keys: menuKeys,
  press: (context, menu, { name }) => {
    const idle = menu.busy === undefined && (menu.entries?.length ?? 0) > 0;
    const move = (place: (at: number, last: number) => number): void => {
      if (idle) moveTo(context, menu, place);
    };
    const handlers = {
      cancel: () => context.replace(menu, undefined),
      up: () => move((at) => at - 1),
      down: () => move((at) => at + 1),
      first: () => move(() => 0),
      last: () => move((_, last) => last),
      nth: () => move(() => Number(name) - 1),
      open: () => idle && choose(context, menu, false),
      options: () => idle && choose(context, menu, true),
      unfold: () => idle && setFold(context, menu, true),
      fold: () => idle && setFold(context, menu, false),
      ticket: () => copyFor(context, menu),
    };
    runKey(menuKeys, handlers, name);
  },
  draw: (scene, menu) => {
    const best = bestRemedy(menu);
    return drawMenu(scene, menu, best === undefined);
  },
};
