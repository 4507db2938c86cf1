import type { Area } from './area.ts';
import { itemAt, windowOf } from './list.ts';
import type { Focused } from './state.ts';

/** The area after the cursor went to a position: the window moves only as far as it must. */
export const moveTo = (at: Focused, wanted: number): Partial<Area> => {
  const { list, area, bodyHeight } = at;
  const position = Math.max(0, Math.min(list.stops.length - 1, wanted));
  const item = itemAt(list, position);
  if (!item) return {};
  const line = list.stops[position] ?? 0;
  const { top, sticky } = windowOf(list, at.position, area.offset, bodyHeight);
  const first = sticky ? top + 1 : top;
  let next = top;
  if (line < first) next = Math.max(0, line - 1);
  if (line >= top + bodyHeight) next = line - bodyHeight + 1;
  if (position === 0 && line < bodyHeight) next = 0;
  return { cursor: item.key, position, offset: line - next };
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
