import type { PaneHead } from '../src/model/wire.ts';
import type { Area, Sort } from './area.ts';
import { fixedLines } from './blocks/fixed.ts';
import { makeList, type List } from './list.ts';
import { tableKey, type Table } from './mirror.ts';
import type { Theme } from './theme.ts';

interface Made {
  head: PaneHead;
  tables: readonly (Table | undefined)[];
  filter: string;
  sort: Sort | undefined;
  open: Area['open'];
  width: number;
  list: List;
}

export type Lists = (
  head: PaneHead,
  tables: ReadonlyMap<string, Table>,
  area: Pick<Area, 'filter' | 'sort' | 'open'>,
  width: number,
) => List;

/** Lists of panes, made again only when rows, filter, sort order or width changed: a key must not sort 10,000 rows. */
export const createLists = (theme: Theme, now: () => number): Lists => {
  const made = new Map<string, Made>();
  return (head, tables, area, width) => {
    const own = head.blocks.map((block) => tables.get(tableKey(head.id, block.id)));
    const known = made.get(head.id);
    const same =
      known !== undefined &&
      known.head === head &&
      known.filter === area.filter &&
      known.sort === area.sort &&
      known.open === area.open &&
      known.width === width &&
      known.tables.every((table, index) => table === own[index]);
    if (same) return known.list;
    const height = (block: PaneHead['blocks'][number]): number =>
      fixedLines(theme, block, width, now()).length;
    const list = makeList(head, tables, area, height);
    made.set(head.id, {
      head,
      tables: own,
      filter: area.filter,
      sort: area.sort,
      open: area.open,
      width,
      list,
    });
    return list;
  };
};
