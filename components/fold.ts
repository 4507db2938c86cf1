import type { Area } from './area.ts';
import { itemAt } from './list.ts';
import { moveTo } from './move.ts';
import type { Focused } from './state.ts';

/** The area with the rows below that of the cursor shown; undefined when it folds none, or they are shown already. */
export const opened = (at: Focused): Partial<Area> | undefined => {
  const key = at.item?.row.key;
  const { open = new Set<string>() } = at.area;
  if (key === undefined || open.has(key) || !at.list.over.has(key)) return undefined;
  return { open: new Set([...open, key]) };
};

/** The area with them folded again; from one of those rows the cursor goes to the row above them. Undefined: nothing is open there. */
export const closed = (at: Focused): Partial<Area> | undefined => {
  const row = at.item?.type === 'row' ? at.item.row : undefined;
  const { open = new Set<string>() } = at.area;
  const key = row && (open.has(row.key) ? row.key : row.under);
  if (key === undefined || !open.has(key)) return undefined;
  const left = new Set([...open].filter((one) => one !== key));
  const position = at.list.stops.findIndex((_, index) => itemAt(at.list, index)?.row.key === key);
  return { ...(position >= 0 && key !== row?.key && moveTo(at, position)), open: left };
};
