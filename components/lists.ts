import type { PaneHead } from '../src/model/wire.ts';
import type { Area } from './ui.ts';
import { fixedLines } from './blocks/fixed.ts';
import { makeList, type List } from './list.ts';
import { tableKey, type Table } from './mirror.ts';
import type { Theme } from './theme.ts';

export type Lists = (
  head: PaneHead,
  tables: ReadonlyMap<string, Table>,
  area: Pick<Area, 'filter' | 'sort' | 'open'>,
  width: number,
) => List;

/** Lists of panes, made again only when rows, filter, sort order or width changed: a key must not sort 10,000 rows. */
export const createLists = (theme: Theme, now: () => number): Lists => {
  const made = new Map<string, { restsOn: readonly unknown[]; list: List }>();
  return (head, tables, area, width) => {
    const own = head.blocks.map((block) => tables.get(tableKey(head.id, block.id)));
    const restsOn = [head, area.filter, area.sort, area.open, width, ...own];
    const known = made.get(head.id);
    if (known && restsOn.every((value, index) => value === known.restsOn[index])) return known.list;
    const list = makeList(head, tables, area, (block) => fixedLines(theme, block, width, now()).length);
    made.set(head.id, { restsOn, list });
    return list;
  };
};
