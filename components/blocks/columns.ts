import type { Column } from '../../src/model/view.ts';
import { safeWidth } from '../paint.ts';

/** A table's columns as they fit into a width. */
export interface Columns {
  /** Equal for equal layouts: part of the key under which drawn rows are kept. */
  key: string;
  list: readonly { column: Column; width: number }[];
}

const GAP = 2;

/** Columns with the highest `drop` go first until the rest fits; then `grow` shares what is left. */
export const layoutColumns = (columns: readonly Column[], width: number): Columns => {
  const kept = [...columns];
  const neededWidth = (): number => kept.reduce((sum, column) => sum + minimum(column) + GAP, -GAP);
  while (neededWidth() > width) {
    const worst = Math.max(0, ...kept.map((column) => column.drop ?? 0));
    if (worst === 0) break;
    kept.splice(
      kept.findLastIndex((column) => (column.drop ?? 0) === worst),
      1,
    );
  }
  let spare = Math.max(0, width - neededWidth());
  let shares = kept.reduce((sum, column) => sum + (column.grow ?? 0), 0);
  const list = kept.map((column) => {
    const grow = column.grow ?? 0;
    const share = grow === 0 || shares === 0 ? 0 : Math.floor((spare * grow) / shares);
    const extra = Math.max(0, Math.min(share, (column.most ?? Infinity) - minimum(column)));
    spare -= extra;
    shares -= grow;
    return { column, width: minimum(column) + extra };
  });
  return { key: list.map(({ column, width }) => `${column.id}:${width}`).join(), list };
};

const minimum = (column: Column): number => Math.max(column.min, safeWidth(column.title));
