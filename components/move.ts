import { areaOf, changeArea, type Area, type Ui } from './ui.ts';
import { itemAt, windowOf, type Lists } from './list.ts';
import { focusedPane, type Focused, type State } from './state.ts';
import { FINDINGS } from './findings.ts';

/**
 * The area after the cursor went to a position. At an edge the window moves by a quarter of its height: moving it by one
 * line with every key would send the whole window again each time.
 */
export const moveTo = (at: Focused, wanted: number): Partial<Area> => {
  const { list, area, bodyHeight } = at;
  const position = Math.max(0, Math.min(list.stops.length - 1, wanted));
  const item = itemAt(list, position);
  if (!item) return {};
  const line = list.stops[position] ?? 0;
  const { top, sticky } = windowOf(list, at.position, area.offset, bodyHeight);
  const first = sticky ? top + 1 : top;
  const spare = Math.floor(bodyHeight / 4);
  let next = top;
  if (line < first) next = Math.max(0, line - 1 - spare);
  if (line >= top + bodyHeight) next = line - bodyHeight + 1 + spare;
  if (position === 0 && line < bodyHeight) next = 0;
  return { cursor: item.key, position, offset: Math.max(0, line - next) };
};

/** A page on: the cursor stays where it is in the window. */
export const pageTo = (at: Focused, wanted: number): Partial<Area> => {
  const { list, area, bodyHeight } = at;
  const position = Math.max(0, Math.min(list.stops.length - 1, wanted));
  const item = itemAt(list, position);
  if (!item) return {};
  const { top } = windowOf(list, at.position, area.offset, bodyHeight);
  return { cursor: item.key, position, offset: Math.max(0, (list.stops[at.position] ?? 0) - top) };
};

/** Lines that a page key moves by. */
export const pageOf = (at: Focused): number => Math.max(1, at.bodyHeight - 2);

/** The first row of the next table or grid below the one with the cursor, round the end. */
export const nextBlock = (at: Focused): number => {
  const own = at.item?.block.id;
  const positions = at.list.stops.map((_, position) => position);
  const after = positions.find(
    (position) => position > at.position && itemAt(at.list, position)?.block.id !== own,
  );
  return after ?? 0;
};

/** The area with the rows below that of the cursor shown; undefined when it folds none, or they are shown already. */
export const openFold = (at: Focused): Partial<Area> | undefined => {
  const key = at.item?.row.key;
  const { open = new Set<string>() } = at.area;
  if (key === undefined || open.has(key) || !at.list.over.has(key)) return undefined;
  return { open: new Set([...open, key]) };
};

/** The area with them folded again; from one of those rows the cursor goes to the row above them. Undefined: nothing is open there. */
export const closeFold = (at: Focused): Partial<Area> | undefined => {
  const row = at.item?.type === 'row' ? at.item.row : undefined;
  const { open = new Set<string>() } = at.area;
  const key = row && (open.has(row.key) ? row.key : row.under);
  if (key === undefined || !open.has(key)) return undefined;
  const left = new Set([...open].filter((other) => other !== key));
  const position = at.list.stops.findIndex((_, index) => itemAt(at.list, index)?.row.key === key);
  return { ...(position >= 0 && key !== row?.key && moveTo(at, position)), open: left };
};

/**
 * After new data: a finding that was acknowledged from here has sunk, and the cursor is on what took its place. Only then, and only once:
 * else the cursor goes by identity, so that nothing changes under a hand that is about to act.
 */
export const keepPlace = (before: State, after: State, lists: Lists): Ui => {
  const area = areaOf(after.ui, FINDINGS);
  const { leaving, ...rest } = area;
  if (leaving === undefined) return after.ui;
  const isAcked = after.data.findings?.find(({ id }) => `${FINDINGS}/${id}` === leaving)?.acked !== undefined;
  const was = focusedPane({ ...before, ui: { ...before.ui, focus: FINDINGS } }, lists);
  if (!isAcked || !was) return after.ui;
  const settled: Ui = { ...after.ui, areas: { ...after.ui.areas, [FINDINGS]: rest } };
  // The cursor went elsewhere meanwhile: it stays there.
  if (was.item?.key !== leaving) return settled;
  const now = focusedPane({ ...after, ui: { ...settled, focus: FINDINGS } }, lists);
  return now
    ? changeArea(settled, FINDINGS, moveTo({ ...now, position: was.position }, was.position))
    : settled;
};
