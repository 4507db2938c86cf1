import type { Column, TableBlock } from '../src/model/view.ts';
import type { PaneHead } from '../src/model/wire.ts';
import { nearestWord } from '../src/text/nearest.ts';
import { memoPerObject } from './keep.ts';
import type { PaneSettings, Settings } from './settings.ts';
import type { Sort } from './ui.ts';

const isCalled =
  (name: string) =>
  ({ id, title }: Column): boolean =>
    [id, title].some((own) => own.toLowerCase() === name.toLowerCase());

const arrangeTable = (block: TableBlock, wanted: readonly string[]): TableBlock => {
  const columns = wanted.flatMap((name) => block.columns.find(isCalled(name)) ?? []);
  return columns.length === 0 ? block : { ...block, columns };
};

/** A pane with the columns that its operator wants. */
export const arrangePane = memoPerObject(
  (head: PaneHead, settings: Settings): PaneHead => {
    const columns = settings.panes[head.id]?.columns;
    if (columns === undefined) return head;
    const blocks = head.blocks.map((block) =>
      block.type === 'table' ? arrangeTable(block, columns) : block,
    );
    return { ...head, blocks };
  },
  (_, settings) => settings,
);

const tablesOf = ({ blocks }: PaneHead): readonly TableBlock[] =>
  blocks.filter((block) => block.type === 'table');

/** The order that a pane begins with, in the first table that has the column. */
export const firstSort = (head: PaneHead, { sort = '' }: PaneSettings): Sort | undefined => {
  const down = sort.startsWith('-');
  const found = tablesOf(head).flatMap(({ id, columns }) => {
    const column = columns.find(isCalled(down ? sort.slice(1) : sort));
    return column ? [{ block: id, column: column.id, down }] : [];
  });
  return found[0];
};

/** Columns that no table of the pane has, each with the nearest that there is; undefined: the pane has no table yet. */
export const columnProblems = (
  head: PaneHead,
  { columns = [], sort = '' }: PaneSettings,
): readonly string[] | undefined => {
  const known = tablesOf(head).flatMap((block) => block.columns);
  if (known.length === 0) return undefined;
  const missing = [...columns, sort.replace(/^-/, '')].filter(
    (name) => name !== '' && !known.some(isCalled(name)),
  );
  return missing.map((name) => {
    const near = nearestWord(
      name,
      known.flatMap(({ id, title }) => [id, title]),
    );
    return `${head.title} has no column "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  });
};
