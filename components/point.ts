import { focusPane, pressBoard } from './board-keys.ts';
import type { Context } from './context.ts';
import { dialogOf } from './dialogs/table.ts';
import { FINDINGS } from './findings.ts';
import { windowOf } from './list.ts';
import type { MouseEvent } from './mouse.ts';
import { moveTo } from './move.ts';
import { findTab } from './edge-lines.ts';
import { boardOf, focusedPane, problemLines, rectOf, shownHeads, shownTab, type Focused } from './state.ts';
import { changeArea } from './ui.ts';

/** Rows that one step of the wheel moves by. */
const STEP = 3;

/** A second click on the same row within this time opens it. */
const TWICE_MS = 500;

/** The row that was clicked last, and when (monotonic ms). */
export interface LastClick {
  row?: string;
  at: number;
}

/**
 * What a hand does with the mouse: a click selects, a second one opens what Enter opens, the wheel moves. Over a dialog the wheel is the
 * arrow keys and a click does nothing, so that nothing is ever confirmed by a mouse. Gives the click for the next one to be held against.
 */
export const pointAt = (context: Context, event: MouseEvent, last: LastClick): LastClick => {
  const { ui } = context.state();
  const top = ui.overlays.at(-1);
  const none = { at: -Infinity };
  if (event.what !== 'click') {
    const name = event.what === 'wheelUp' ? 'Up' : 'Down';
    const token = { name, alone: true, repeat: true };
    if (top) dialogOf(top).press(context, top, token, { held: true, chunk: 1 });
    else wheel(context, event);
    return none;
  }
  if (top || ui.typingFilter) return none;
  if (clickTab(context, event)) return none;
  const at = paneAt(context, event);
  if (!at) return none;
  const row = rowAt(context, at, event.line);
  context.change((old) => {
    const focused = old.zoom ? old : focusPane(old, at.head.id);
    return row === undefined ? focused : changeArea(focused, at.head.id, moveTo(at, row));
  });
  if (row === undefined) return none;
  const { mono } = context.ports.clock;
  const key = `${at.head.id} ${at.list.stops[row]}`;
  if (key !== last.row || mono() - last.at > TWICE_MS) return { row: key, at: mono() };
  pressBoard(context, { name: 'Enter', alone: true, repeat: false });
  return none;
};

/** The pane that is drawn at a cell, as it would be with the focus. */
const paneAt = (context: Context, { column, line }: MouseEvent): Focused | undefined => {
  const state = context.state();
  const isIn = (pane: string): boolean => {
    const rect = rectOf(state, pane);
    return (
      rect !== undefined &&
      column >= rect.left &&
      column < rect.left + rect.width &&
      line >= rect.top &&
      line < rect.top + rect.height
    );
  };
  const id = [FINDINGS, ...shownHeads(state.data).map((head) => head.id)].find(isIn);
  return id === undefined
    ? undefined
    : focusedPane({ ...state, ui: { ...state.ui, focus: id } }, context.lists);
};

/** The position of the row that is drawn in a line of the screen; undefined: a head, a title, nothing. */
const rowAt = (context: Context, at: Focused, line: number): number | undefined => {
  const { rect, list, area, position, bodyHeight, head } = at;
  const index = line - rect.top - 1 - problemLines(context.state(), head).length;
  const { top, sticky } = windowOf(list, position, area.offset, bodyHeight);
  if (index < (sticky ? 1 : 0) || index >= bodyHeight) return undefined;
  const row = list.stops.indexOf(top + index);
  return row < 0 ? undefined : row;
};

/** The rows of the pane under the pointer; the focus stays where it is. */
const wheel = (context: Context, event: MouseEvent): void => {
  const at = paneAt(context, event);
  if (!at) return;
  const by = event.what === 'wheelUp' ? -STEP : STEP;
  context.change((ui) => changeArea(ui, at.head.id, moveTo(at, at.position + by)));
};

const clickTab = (context: Context, { column, line }: MouseEvent): boolean => {
  const state = context.state();
  const layout = boardOf(state);
  if (state.ui.zoom || layout.kind !== 'tabs' || line !== layout.tabs.top) return false;
  const { data, ui, size } = state;
  const tab = findTab(data.heads, shownTab(ui, data), size.columns, column);
  if (tab !== undefined) context.change((old) => focusPane(old, tab));
  return tab !== undefined;
};
