/** A place on the screen, in cells. */
export interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** How the board is laid out at a size; depends on the size and the number of panes only, so nothing jumps. */
export type BoardLayout =
  | { kind: 'tooSmall' }
  | { kind: 'grid'; findings: Rect; panes: readonly Rect[] }
  | { kind: 'tabs'; findings: Rect; tabs: Rect; pane: Rect };

export const LEAST = { columns: 80, rows: 24 };
const ROOMY = { columns: 160, rows: 45 };
const GAP = 2;

/** The strip takes the first line and the keys the last. */
export const boardLayout = (columns: number, rows: number, panes: number): BoardLayout => {
  if (columns < LEAST.columns || rows < LEAST.rows) return { kind: 'tooSmall' };
  const findings: Rect = { left: 0, top: 1, width: columns, height: findingsHeight(rows) };
  const top = findings.top + findings.height;
  const height = rows - 1 - top;
  if (columns >= ROOMY.columns && rows >= ROOMY.rows) {
    return { kind: 'grid', findings, panes: gridOf(panes, { left: 0, top, width: columns, height }) };
  }
  return {
    kind: 'tabs',
    findings,
    tabs: { left: 0, top, width: columns, height: 1 },
    pane: { left: 0, top: top + 1, width: columns, height: height - 1 },
  };
};

/** A third of a small screen, a quarter of a large one, with the rule above; at most 12 findings at once. */
const findingsHeight = (rows: number): number => Math.min(13, Math.max(6, Math.floor(rows / 4)));

const gridOf = (panes: number, area: Rect): readonly Rect[] => {
  if (panes <= 0) return [];
  const across = panes === 1 ? 1 : area.width >= 240 && panes > 4 ? 3 : 2;
  const down = Math.ceil(panes / across);
  return Array.from({ length: panes }, (_, index) => {
    const line = Math.floor(index / across);
    const inLine = line === down - 1 ? panes - line * across : across;
    const width = Math.floor((area.width - GAP * (inLine - 1)) / inLine);
    const column = index % across;
    const left = column * (width + GAP);
    const top = Math.floor((area.height * line) / down);
    const bottom = Math.floor((area.height * (line + 1)) / down);
    return {
      left: area.left + left,
      top: area.top + top,
      width: column === inLine - 1 ? area.width - left : width,
      height: bottom - top,
    };
  });
};

/** A zoomed pane: the table, and its row's detail at the right when there is room, else below. */
export const zoomLayout = (columns: number, rows: number): { table: Rect; detail: Rect; beside: boolean } => {
  const height = rows - 2;
  if (columns >= 140) {
    const width = Math.floor(columns * 0.62);
    return {
      table: { left: 0, top: 1, width, height },
      detail: { left: width + GAP, top: 1, width: columns - width - GAP, height },
      beside: true,
    };
  }
  const upper = Math.max(6, Math.ceil(height * 0.6));
  return {
    table: { left: 0, top: 1, width: columns, height: upper },
    detail: { left: 0, top: 1 + upper, width: columns, height: height - upper },
    beside: false,
  };
};
