import { count } from '../src/text/units.ts';
import { cellText } from './blocks/table.ts';
import { copyText, copyTicket } from './copy.ts';
import { toastError, type Context } from './context.ts';
import { openAck, openNote } from './dialogs/annotation.ts';
import { askToLeave } from './dialogs/leave.ts';
import { openMenu, readByAction } from './dialogs/menu/ask.ts';
import { openPalette } from './open-palette.ts';
import { openShell } from './dialogs/shell.ts';
import { FINDINGS } from './findings.ts';
import { openHelp } from './help.ts';
import { boardKeys, zoomKeys } from './key-tables.ts';
import { keyFor, handleMoves, runKey, type DoesOf, type Handlers } from './keys.ts';
import { closeFold, moveTo, nextBlock, openFold, pageOf, pageTo } from './move.ts';
import { openAudit } from './dialogs/log/log.ts';
import { undoRow } from './dialogs/log/undo.ts';
import { openChanged, openDetail, watchPane } from './open.ts';
import { openEvidence } from './open-evidence.ts';
import { nextSort } from './rows.ts';
import { focusedPane, headNumbered, shownHeads, shownTab, type Focused } from './state.ts';
import type { Token } from './tokens.ts';
import { changeArea, type Ui } from './ui.ts';

/** Keys of the board and of a zoomed pane. */
export const pressBoard = (context: Context, { name }: Token): void => {
  const at = focusedPane(context.state(), context.lists);
  if (context.state().ui.zoom) runKey(zoomKeys, handlers, name, context, at, name);
  else runKey(boardKeys, handlers, name, context, at, name);
};

type Handler = (context: Context, at: Focused | undefined, key: string) => void;

/** For keys about the row under the cursor, or the pane it is in. */
const onRow =
  (handle: (context: Context, at: Focused) => void): Handler =>
  (context, at) => {
    if (at) handle(context, at);
  };

const setArea = (context: Context, at: Focused, change: Parameters<typeof changeArea>[2]): void =>
  context.change((ui) => changeArea(ui, at.head.id, change));

const positions = {
  up: (at: Focused) => at.position - 1,
  down: (at: Focused) => at.position + 1,
  first: () => 0,
  last: (at: Focused) => at.list.stops.length - 1,
};

const handlers: Handlers<DoesOf<typeof boardKeys | typeof zoomKeys>, Parameters<Handler>> = {
  ...handleMoves((move, context, at) => {
    if (!at) return;
    if (move === 'pageUp') setArea(context, at, pageTo(at, at.position - pageOf(at)));
    else if (move === 'pageDown') setArea(context, at, pageTo(at, at.position + pageOf(at)));
    else setArea(context, at, moveTo(at, positions[move](at)));
  }),
  nextBlock: onRow((context, at) => setArea(context, at, moveTo(at, nextBlock(at)))),
  actions: openMenu,
  evidence: onRow(openEvidence),
  acknowledge: onRow(openAck),
  note: onRow(openNote),
  ticket: onRow(copyTicket),
  shell: onRow(openShell),
  undo: onRow(undoRow),
  filter: onRow((context) => context.change((ui) => ({ ...ui, typingFilter: true }))),
  sort: onRow(sortByNext),
  reverse: onRow((context, at) => {
    if (at.area.sort) setArea(context, at, { sort: { ...at.area.sort, down: !at.area.sort.down } });
    else context.toast(`not sorted: press ${keyFor(context.keys('board'), 'sort')} first`);
  }),
  mark: onRow((context, at) => {
    if (!at.item) return;
    const marks = new Set(at.area.marks);
    if (!marks.delete(at.item.key)) marks.add(at.item.key);
    setArea(context, at, { marks, ...moveTo(at, at.position + 1) });
  }),
  watch: onRow((context, at) => {
    if (at.head.id === FINDINGS)
      context.toast('the findings can not be watched: go to a pane first', 'warning');
    else watchPane(context, at.head.id, at.head.title);
  }),
  read: onRow(readAgain),
  copy: onRow((context, at) => {
    if (at.item) copyText(context, `row ${at.item.row.key}`, rowText(at, context.state().now));
  }),
  pane: (context, _, key) => {
    const head = headNumbered(context.state().data, Number(key));
    if (head) context.change((ui) => focusPane(ui, head.id));
    else context.toast(`there is no pane ${key}`);
  },
  findings: (context) => context.change((ui) => focusPane(ui, FINDINGS)),
  next: (context) => step(context, 1),
  previous: (context) => step(context, -1),
  right: (context, at) => fold(context, at, 'open', 1),
  left: (context, at) => fold(context, at, 'close', -1),
  open: (context, at) => {
    const fold = at && at.item?.row.subject === undefined ? (openFold(at) ?? closeFold(at)) : undefined;
    if (!context.state().ui.zoom) context.change((ui) => ({ ...ui, zoom: true }));
    // A row that only folds others has no detail of its own.
    else if (at && fold) setArea(context, at, fold);
    else if (at) openDetail(context, at);
  },
  back: (context, at) => {
    if (at && at.area.marks.size > 0) setArea(context, at, { marks: new Set() });
    else if (context.state().ui.zoom)
      context.change(({ detail: _detail, ...ui }) => ({ ...ui, zoom: false }));
    else if (at && at.area.filter !== '') setArea(context, at, { filter: '' });
  },
  pause: (context) => {
    const { live, now } = context.state();
    context.change(({ paused, ...ui }) => (paused ? ui : { ...ui, paused: { data: live, at: now } }));
  },
  palette: openPalette,
  audit: openAudit,
  changed: (context) => openChanged(context),
  help: openHelp,
  quit: askToLeave,
  restart: (context) => {
    if (context.state().live.collector.state === 'stopped') context.ports.restart();
    else context.toast('the collector is running');
  },
};

/** By the next column of the table under the cursor, then in no order. */
function sortByNext(context: Context, at: Focused): void {
  const block = at.item?.block;
  if (block?.type !== 'table') return;
  const sort = nextSort(at.area.sort, block.id, block.columns);
  context.change((ui) => {
    const { sort: _, ...area } = at.area;
    return { ...ui, areas: { ...ui.areas, [at.head.id]: sort ? { ...area, sort } : area } };
  });
  const column = block.columns.find((column) => column.id === sort?.column);
  context.toast(column ? `sorted by ${column.title}` : 'in the order of the pane');
}

function readAgain(context: Context, at: Focused): void {
  if (readByAction(context, at)) return;
  const args = at.head.id === FINDINGS ? {} : { pane: at.head.id };
  context.ports.mirror
    .request('read', args)
    .then(
      ({ asked }) => context.toast(`asked ${count(asked, 'source')} again`),
      toastError(context, 'the pane was not read again'),
    );
}

/** The row as the screen shows it, cells two blanks apart. */
const rowText = (at: Focused, now: number): string => {
  const { item } = at;
  if (!item) return '';
  if (item.type === 'gridRow')
    return [item.row.title, ...item.row.cells.map((cell) => cellText(cell, now))].join('  ');
  return item.block.columns
    .map((column) => item.row.cells[column.id])
    .flatMap((cell) => (cell ? [cellText(cell, now, item.row.sign)] : []))
    .filter(Boolean)
    .join('  ');
};

/** Opens or closes what the row folds; where it folds nothing the board goes to the pane beside. */
const fold = (context: Context, at: Focused | undefined, how: 'open' | 'close', by: 1 | -1): void => {
  const change = at && (how === 'open' ? openFold(at) : closeFold(at));
  if (at && change) setArea(context, at, change);
  else if (!context.state().ui.zoom) step(context, by);
};

export const focusPane = (ui: Ui, pane: string): Ui => ({
  ...ui,
  focus: pane,
  ...(pane !== FINDINGS && { tab: pane }),
});

/** Findings and panes in a ring. */
const step = (context: Context, by: 1 | -1): void => {
  const { ui, data } = context.state();
  const ring = [FINDINGS, ...shownHeads(data).map((head) => head.id)];
  const next = ring[(ring.indexOf(ui.focus) + by + ring.length) % ring.length] ?? FINDINGS;
  context.change((old) => ({
    ...focusPane(old, next),
    tab: next === FINDINGS ? (shownTab(ui, data) ?? FINDINGS) : next,
  }));
};
