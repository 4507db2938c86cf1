import { patch, errorText, type Context } from '../../context.ts';
import {
  defineKeys,
  moveKeys,
  handleMoves,
  runKey,
  type DoesOf,
  type Handlers,
  type Move,
} from '../../keys.ts';
import { newPager } from '../../open.ts';
import type { Size } from '../../state.ts';
import { editText, type Token } from '../../tokens.ts';
import type { LogBox } from '../../overlays.ts';
import type { Dialog } from '../dialog.ts';
import { drawLog, entryKey, entryText, LOG_FRAME } from './draw.ts';
import { planUndo } from './undo.ts';

const keys = defineKeys([
  ...moveKeys,
  { keys: ['Enter'], does: 'open', text: 'what the run did, target by target', hint: 'open' },
  { keys: ['d'], does: 'raw', text: 'its records as written', hint: 'records' },
  { keys: ['u'], does: 'undo', text: 'plan its undo; nothing runs yet', hint: 'undo' },
  { keys: ['/'], does: 'search', text: 'search', hint: 'search' },
  { keys: ['n'], does: 'nextHit', text: 'next entry found' },
  { keys: ['N'], does: 'previousHit', text: 'entry found before' },
  { keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close', shown: 'Esc' },
]);

/** `L`: the audit log, a line for each run. */
export const openAudit = (context: Context): void => {
  if (context.ports.readOnly) {
    context.toast('read-only: "faultline audit" shows the audit log', 'warning');
    return;
  }
  const { runs } = context.state().live;
  const opened: LogBox = { kind: 'log', search: '', typing: false, runs };
  context.push(opened);
  ask(context);
};

const boxOf = (context: Context): LogBox | undefined =>
  context.state().ui.overlays.find((overlay) => overlay.kind === 'log');

const ask = (context: Context): void => {
  context.ports.mirror.request('audit', {}).then(
    (log) => {
      const box = boxOf(context);
      if (box === undefined) return;
      const { error: _, ...rest } = box;
      context.replace(box, { ...rest, log });
    },
    (error: unknown) => {
      const box = boxOf(context);
      if (box) patch(context, box, { error: errorText(error) });
    },
  );
};

/** Read again when a run began, moved or ended since. */
export const refreshLog = (context: Context): void => {
  const box = boxOf(context);
  const { runs } = context.state().live;
  if (box === undefined || box.runs === runs) return;
  patch(context, box, { runs });
  ask(context);
};

const entriesOf = ({ log }: LogBox) => log?.entries ?? [];

const placeOf = (box: LogBox): number =>
  Math.max(
    0,
    entriesOf(box).findIndex((entry) => entryKey(entry) === box.cursor),
  );

const currentEntry = (box: LogBox) => entriesOf(box)[placeOf(box)];

const goTo = (context: Context, box: LogBox, at: number): void => {
  const entries = entriesOf(box);
  const entry = entries[Math.max(0, Math.min(entries.length - 1, at))];
  if (entry) patch(context, box, { cursor: entryKey(entry) });
};

const move = (what: Move, context: Context, box: LogBox): void => {
  const at = placeOf(box);
  const page = pageOf(context.state().size);
  const wanted = {
    up: at - 1,
    down: at + 1,
    pageUp: at - page,
    pageDown: at + page,
    first: 0,
    last: Infinity,
  };
  goTo(context, box, wanted[what]);
};

const pageOf = ({ rows }: Size): number => Math.max(1, rows - LOG_FRAME);

const openEntry = (context: Context, box: LogBox, raw: boolean): void => {
  const entry = currentEntry(box);
  if (entry) context.push(newPager(entry.run ?? entry.title, { type: 'entry', entry, raw }));
};

/** Goes on from an entry in one direction, round the end. */
const find = (context: Context, box: LogBox, from: number, step: 1 | -1): void => {
  const entries = entriesOf(box);
  const wanted = box.search.toLowerCase();
  if (wanted === '') return;
  const order = entries.map(
    (_, count) => (((from + count * step) % entries.length) + entries.length) % entries.length,
  );
  const at = order.find((index) => {
    const entry = entries[index];
    return entry !== undefined && entryText(entry).toLowerCase().includes(wanted);
  });
  if (at === undefined) context.toast(`"${box.search}" is not in the log`, 'warning');
  else goTo(context, box, at);
};

const handlers: Handlers<DoesOf<typeof keys>, [Context, LogBox]> = {
  ...handleMoves(move),
  open: (context, box) => openEntry(context, box, false),
  raw: (context, box) => openEntry(context, box, true),
  undo: (context, box) => {
    const entry = currentEntry(box);
    if (entry) planUndo(context, entry);
  },
  search: (context, box) => patch(context, box, { typing: true, search: '' }),
  nextHit: (context, box) => find(context, box, placeOf(box) + 1, 1),
  previousHit: (context, box) => find(context, box, placeOf(box) - 1, -1),
  cancel: (context, box) => context.replace(box, undefined),
};

const pressSearch = (context: Context, box: LogBox, token: Token): void => {
  if (token.name === 'Esc') patch(context, box, { typing: false, search: '' });
  else if (token.name === 'Enter') find(context, patch(context, box, { typing: false }), placeOf(box), 1);
  else {
    const search = editText(box.search, token);
    if (search !== undefined) patch(context, box, { search });
  }
};

export const logDialog: Dialog<LogBox> = {
  keys,
  press: (context, box, token) => {
    if (box.typing) pressSearch(context, box, token);
    else runKey(keys, handlers, token.name, context, box);
  },
  paste: (context, box, text) => {
    if (box.typing) patch(context, box, { search: `${box.search}${text.replace(/\s+/g, ' ')}` });
  },
  draw: (scene, box) => drawLog(scene, box, placeOf(box)),
};
