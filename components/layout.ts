/** A place on the screen, in cells. */
export interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Lines that what is shown would take, rules included. */
export interface Needs {
  findings: number;
  panes: readonly number[];
}

/** How the board is laid out at a size. What is shown moves edges only by whole steps, so that a row more or less moves nothing. */
export type BoardLayout =
  | { kind: 'tooSmall' }
  | { kind: 'grid'; findings: Rect; panes: readonly Rect[] }
  | { kind: 'tabs'; findings: Rect; tabs: Rect; pane: Rect };

export const LEAST = { columns: 80, rows: 24 };
const ROOMY = { columns: 160, rows: 45 };
const GAP = 2;

/** Edges move by so many lines at once. */
const STEP = 4;
/** A pane keeps this many lines whatever the others need. */
const LEAST_PANE = 6;

const inSteps = (lines: number): number => Math.ceil(lines / STEP) * STEP;

/** The strip takes the first line and the keys the last. */
export const boardLayout = (
  columns: number,
  rows: number,
  { findings: wanted, panes }: Needs,
): BoardLayout => {
  if (columns < LEAST.columns || rows < LEAST.rows) return { kind: 'tooSmall' };
  const isGrid = columns >= ROOMY.columns && rows >= ROOMY.rows;
  const across = isGrid ? acrossOf(panes.length, columns) : 1;
  const needs = isGrid
    ? linesOf(panes, across).map((line) => Math.max(LEAST_PANE, inSteps(Math.max(...line))))
    : [inSteps(Math.max(LEAST_PANE, ...panes)) + 1];
  const taken = panes.length === 0 ? 0 : needs.reduce((sum, need) => sum + need, 0);
  const height = findingsHeight(rows, wanted, taken, isGrid);
  const findings: Rect = { left: 0, top: 1, width: columns, height };
  const top = 1 + height;
  const below: Rect = { left: 0, top, width: columns, height: rows - 1 - top };
  if (isGrid) return { kind: 'grid', findings, panes: gridOf(panes.length, across, needs, below) };
  return {
    kind: 'tabs',
    findings,
    tabs: { ...below, height: 1 },
    pane: { ...below, top: top + 1, height: below.height - 1 },
  };
};

/**
 * A part of the screen (at most 13 lines of a large one), and more where the findings need it and the panes leave it, up to three
 * quarters; where there are no panes, all of it.
 */
const findingsHeight = (rows: number, wanted: number, panes: number, isGrid: boolean): number => {
  // The line of tabs stays, empty.
  if (panes === 0) return isGrid ? rows - 2 : rows - 3;
  const base = isGrid ? Math.min(13, Math.floor(rows / 4)) : Math.max(9, Math.floor((rows * 2) / 5));
  const spare = Math.min(rows - 2 - panes, Math.floor((rows * 3) / 4)) - base;
  return base + Math.max(0, Math.min(spare, inSteps(wanted - base)));
};

const acrossOf = (panes: number, columns: number): number =>
  panes === 1 ? 1 : columns >= 240 && panes > 4 ? 3 : 2;

const linesOf = <T>(panes: readonly T[], across: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(panes.length / across) }, (_, line) =>
    panes.slice(line * across, (line + 1) * across),
  );

/** Heights of the grid's lines: alike, but what one does not need goes to those that do. */
const shareHeight = (needs: readonly number[], height: number): readonly number[] => {
  const each = Math.floor(height / needs.length);
  const spare = needs.reduce((sum, need) => sum + Math.max(0, each - need), 0);
  const short = needs.reduce((sum, need) => sum + Math.max(0, need - each), 0);
  const moved = Math.min(spare, short);
  const heights = needs.map((need) =>
    need >= each
      ? each + (short === 0 ? 0 : Math.floor(((need - each) * moved) / short))
      : each - Math.floor(((each - need) * moved) / spare),
  );
  const left = height - heights.reduce((sum, one) => sum + one, 0);
  return heights.map((one, line) => (line === heights.length - 1 ? one + left : one));
};

const gridOf = (panes: number, across: number, needs: readonly number[], area: Rect): readonly Rect[] => {
  if (panes <= 0) return [];
  const heights = shareHeight(needs, area.height);
  return Array.from({ length: panes }, (_, index) => {
    const line = Math.floor(index / across);
    const inLine = line === heights.length - 1 ? panes - line * across : across;
    const width = Math.floor((area.width - GAP * (inLine - 1)) / inLine);
    const column = index % across;
    const left = column * (width + GAP);
    return {
      left: area.left + left,
      top: area.top + heights.slice(0, line).reduce((sum, one) => sum + one, 0),
      width: column === inLine - 1 ? area.width - left : width,
      height: heights[line] ?? 0,
    };
  });
};

export interface ZoomLayout {
  table: Rect;
  detail: Rect;
  beside: boolean;
}

/**
 * A zoomed pane: the table, and its row's detail at the right when there is room, else below. `lines`: what the table would take with
 * its rule; below a short one the detail gets the rest.
 */
export const zoomLayout = (columns: number, rows: number, lines: number): ZoomLayout => {
  const height = rows - 2;
  if (columns >= 140) {
    const width = Math.floor(columns * 0.62);
    return {
      table: { left: 0, top: 1, width, height },
      detail: { left: width + GAP, top: 1, width: columns - width - GAP, height },
      beside: true,
    };
  }
  const upper = Math.max(LEAST_PANE, Math.min(Math.ceil(height * 0.6), inSteps(lines)));
  return {
    table: { left: 0, top: 1, width: columns, height: upper },
    detail: { left: 0, top: 1 + upper, width: columns, height: height - upper },
    beside: false,
  };
};
