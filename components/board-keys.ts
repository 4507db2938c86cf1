import { count } from '../src/text/units.ts';
import { cellText } from './blocks/table.ts';
import { errorText, type Context } from './context.ts';
import { openAck, openNote } from './dialogs/jot.ts';
import { openMenu, readByAction } from './dialogs/menu.ts';
import { copyText } from './dialogs/pager.ts';
import { FINDINGS } from './findings.ts';
import { closed, opened } from './fold.ts';
import { lookup } from './keys.ts';
import { moveTo, nextBlock, pageOf, pageTo } from './move.ts';
import { openAudit, openChanged, openDetail, openEvidence, openHelp, watchPane } from './open.ts';
import { copyTicket } from './out.ts';
import { openShell } from './shell.ts';
import { nextSort } from './sort.ts';
import { focused, shownTab, type Focused } from './state.ts';
import type { Token } from './tokens.ts';
import { withArea, type Ui } from './ui.ts';

/** Keys of the board and of a zoomed pane. */
export const pressBoard = (context: Context, token: Token): void => {
  const { ui } = context.state();
  const does = lookup(ui.zoom ? 'zoom' : 'board', token.name);
  if (does === undefined) return;
  const at = focused(context.state(), context.lists);
  if (at && pages[does]) setArea(context, at, pageTo(at, at.position + pages[does] * pageOf(at)));
  else if (at && moves[does]) setArea(context, at, moveTo(at, moves[does](at)));
  else if (at && rowKeys[does]) rowKeys[does](context, at);
  else paneKeys[does]?.(context, token, at);
};

const setArea = (context: Context, at: Focused, change: Parameters<typeof withArea>[2]): void =>
  context.change((ui) => withArea(ui, at.head.id, change));

const pages: Readonly<Record<string, number>> = { pageUp: -1, pageDown: 1 };

const moves: Readonly<Record<string, (at: Focused) => number>> = {
  up: (at) => at.position - 1,
  down: (at) => at.position + 1,
  first: () => 0,
  last: (at) => at.list.stops.length - 1,
  nextBlock,
};

/** Keys about the row under the cursor, or the pane it is in. */
const rowKeys: Readonly<Record<string, (context: Context, at: Focused) => void>> = {
  actions: (context) => openMenu(context),
  evidence: openEvidence,
  acknowledge: openAck,
  note: openNote,
  ticket: copyTicket,
  shell: openShell,
  filter: (context) => context.change((ui) => ({ ...ui, typingFilter: true })),
  sort: (context, at) => {
    const block = at.item?.block;
    if (block?.type !== 'table') return;
    const sort = nextSort(at.area.sort, block.id, block.columns);
    context.change((ui) => {
      const { sort: _, ...area } = at.area;
      return { ...ui, areas: { ...ui.areas, [at.head.id]: sort ? { ...area, sort } : area } };
    });
    const column = block.columns.find((one) => one.id === sort?.column);
    context.toast(column ? `sorted by ${column.title}` : 'in the order of the pane');
  },
  reverse: (context, at) => {
    if (at.area.sort) setArea(context, at, { sort: { ...at.area.sort, down: !at.area.sort.down } });
    else context.toast('not sorted: press s first');
  },
  mark: (context, at) => {
    if (!at.item) return;
    const marks = new Set(at.area.marks);
    if (!marks.delete(at.item.key)) marks.add(at.item.key);
    setArea(context, at, { marks, ...moveTo(at, at.position + 1) });
  },
  watch: (context, at) => {
    if (at.head.id === FINDINGS) context.toast('go to a pane to watch it', 'warning');
    else watchPane(context, at.head.id, at.head.title);
  },
  read: (context, at) => {
    if (readByAction(context, at)) return;
    const args = at.head.id === FINDINGS ? {} : { pane: at.head.id };
    context.ports.mirror.request('read', args).then(
      ({ asked }) => context.toast(`asked ${count(asked, 'source')} again`),
      (error: unknown) => context.toast(`not read again: ${errorText(error)}`, 'warning'),
    );
  },
  copy: (context, at) => {
    if (!at.item) return;
    copyText(context, `row ${at.item.row.key}`, rowText(at, context.state().now));
  },
};

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

type PaneKey = (context: Context, token: Token, at: Focused | undefined) => void;

const paneKeys: Readonly<Record<string, PaneKey>> = {
  pane: (context, token) => {
    const head = context.state().data.heads[Number(token.name) - 1];
    if (head) context.change((ui) => focusOn(ui, head.id));
    else context.toast(`there is no pane ${token.name}`);
  },
  findings: (context) => context.change((ui) => focusOn(ui, FINDINGS)),
  next: (context) => step(context, 1),
  previous: (context) => step(context, -1),
  right: (context, _, at) => fold(context, at, 'open', 1),
  left: (context, _, at) => fold(context, at, 'close', -1),
  open: (context, _, at) => {
    const fold = at && at.item?.row.subject === undefined ? (opened(at) ?? closed(at)) : undefined;
    if (!context.state().ui.zoom) context.change((ui) => ({ ...ui, zoom: true }));
    // A row that only folds others has no detail of its own.
    else if (at && fold) setArea(context, at, fold);
    else if (at) openDetail(context, at);
  },
  back: (context, _, at) => {
    if (at && at.area.marks.size > 0) setArea(context, at, { marks: new Set() });
    else if (context.state().ui.zoom)
      context.change(({ detail: _detail, ...ui }) => ({ ...ui, zoom: false }));
    else if (at && at.area.filter !== '') setArea(context, at, { filter: '' });
  },
  pause: (context) => {
    const { live, now } = context.state();
    context.change(({ paused, ...ui }) => (paused ? ui : { ...ui, paused: { data: live, at: now } }));
  },
  palette: (context) => context.push({ kind: 'palette', text: '' }),
  audit: openAudit,
  changed: (context) => openChanged(context),
  help: openHelp,
  restart: (context) => {
    if (context.state().live.collector.state === 'stopped') context.ports.restart();
    else context.toast('the collector is running');
  },
};

/** Opens or closes what the row folds; where it folds nothing the board goes to the pane beside. */
const fold = (context: Context, at: Focused | undefined, how: 'open' | 'close', by: 1 | -1): void => {
  const change = at && (how === 'open' ? opened(at) : closed(at));
  if (at && change) setArea(context, at, change);
  else if (!context.state().ui.zoom) step(context, by);
};

export const focusOn = (ui: Ui, pane: string): Ui => ({
  ...ui,
  focus: pane,
  ...(pane !== FINDINGS && { tab: pane }),
});

/** Findings and panes in a ring. */
const step = (context: Context, by: 1 | -1): void => {
  const { ui, data } = context.state();
  const ring = [FINDINGS, ...data.heads.map((head) => head.id)];
  const next = ring[(ring.indexOf(ui.focus) + by + ring.length) % ring.length] ?? FINDINGS;
  context.change((old) => ({
    ...focusOn(old, next),
    tab: next === FINDINGS ? (shownTab(ui, data) ?? FINDINGS) : next,
  }));
};
