import type { PaneHead } from '../src/model/wire.ts';
import { makeSafe } from '../src/text/safe.ts';
import { wrap } from '../src/text/width.ts';
import { count } from '../src/text/units.ts';
import { columnWidth } from './blocks/table.ts';
import { FINDINGS } from './findings.ts';
import { memoPerObject } from './keep.ts';
import type { Item, List, Window } from './list.ts';
import { safeWidth } from './paint.ts';

/** How the lines below a pane's rule are shared out. Depends on the rows, never on the cursor: nothing jumps under it. */
export interface Body {
  /** Lines of the window of rows. */
  rows: number;
  /** One for what is below the window, where not all rows fit. */
  edge: 0 | 1;
  /** For the whole text of the selected finding. */
  whole: number;
}

/** Rows that stay visible above a whole text. */
const LEAST_ROWS = 4;
const MOST_WHOLE = 4;

/** What the whole text of a finding is: its summary and what has no column here. */
export const wholeText = (item: Extract<Item, { type: 'row' }>, width: number): string => {
  const { cells } = item.row;
  const hurt = cells['hurt']?.text ?? '';
  const isShown = hurt === '' || safeWidth(hurt) <= columnWidth(item.block, width, 'hurt');
  return `${makeSafe(cells['summary']?.text ?? '').trim()}${isShown ? '' : ` · hurts ${makeSafe(hurt)}`}`;
};

const wholeLines = (item: Extract<Item, { type: 'row' }>, width: number): number => {
  const text = wholeText(item, width);
  const isCut = safeWidth(item.row.cells['summary']?.text ?? '') > columnWidth(item.block, width, 'summary');
  const isLonger = safeWidth(text) > safeWidth((item.row.cells['summary']?.text ?? '').trim());
  return isCut || isLonger ? wrap(text, width - 4).length : 0;
};

/** The most that any row of a list needs below it. */
const wholeHeight = memoPerObject(
  ({ items }: List, width: number): number =>
    items.reduce((most, item) => (item.type === 'row' ? Math.max(most, wholeLines(item, width)) : most), 0),
  (_, width) => width,
);

export const bodyOf = ({
  head,
  list,
  width,
  height,
  zoomed,
  problems,
}: {
  head: PaneHead;
  list: List;
  width: number;
  height: number;
  zoomed: boolean;
  problems: number;
}): Body => {
  const room = Math.max(0, height - 1 - problems);
  const wanted = head.id === FINDINGS && !zoomed ? Math.min(MOST_WHOLE, wholeHeight(list, width)) : 0;
  const whole = Math.max(0, Math.min(wanted, room - LEAST_ROWS));
  const left = room - whole;
  const edge = list.items.length > left && left >= LEAST_ROWS ? 1 : 0;
  return { rows: left - edge, edge, whole };
};

/** Rows outside the window. */
export interface Hidden {
  rows: number;
  critical: number;
  warning: number;
  /** The first of the worst of them. */
  first?: Item | undefined;
}

const signAt = (item: Item | undefined): 'critical' | 'warning' | undefined => {
  const signs =
    item?.type === 'row'
      ? [item.row.dim ? undefined : item.row.sign]
      : item?.type === 'gridRow'
        ? item.row.cells.map(({ sign }) => sign)
        : [];
  return signs.includes('critical') ? 'critical' : signs.includes('warning') ? 'warning' : undefined;
};

/** Sums up to each stop: a window over 10,000 rows asks two of them. */
const tallyOf = memoPerObject(({ items, stops }: List) => {
  const critical = [0];
  const warning = [0];
  for (const [at, stop] of stops.entries()) {
    const sign = signAt(items[stop]);
    critical.push((critical[at] ?? 0) + Number(sign === 'critical'));
    warning.push((warning[at] ?? 0) + Number(sign === 'warning'));
  }
  return { critical, warning };
});

const countBetween = (list: List, from: number, to: number): Hidden => {
  const { critical, warning } = tallyOf(list);
  const countInside = (sums: readonly number[]): number => (sums[to] ?? 0) - (sums[from] ?? 0);
  const worst = countInside(critical) > 0 ? 'critical' : countInside(warning) > 0 ? 'warning' : undefined;
  const stop = list.stops.slice(from, to).find((at) => signAt(list.items[at]) === worst);
  return {
    rows: Math.max(0, to - from),
    critical: countInside(critical),
    warning: countInside(warning),
    first: stop === undefined ? undefined : list.items[stop],
  };
};

/** The number of stops before an item. */
const stopsBefore = ({ stops }: List, item: number): number => {
  let [low, high] = [0, stops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle] ?? 0) < item) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What a window leaves out above and below. */
export const countHidden = (list: List, window: Window): { above: Hidden; below: Hidden } => {
  const first = window.sticky ? window.top + 1 : window.top;
  const above = stopsBefore(list, first);
  const below = stopsBefore(list, first + window.items.length);
  return { above: countBetween(list, 0, above), below: countBetween(list, below, list.stops.length) };
};

/** `3 critical, 2 warnings, 5 more above`; empty where nothing is hidden. */
export const hiddenText = ({ rows, critical, warning }: Hidden, where: 'above' | 'below'): string => {
  if (rows === 0) return '';
  const rest = rows - critical - warning;
  const parts = [
    critical > 0 ? `${critical} critical` : '',
    warning > 0 ? count(warning, 'warning') : '',
    rest > 0 ? `${rest} ${critical + warning > 0 ? 'more' : rest === 1 ? 'row' : 'rows'}` : '',
  ];
  return `${where === 'above' ? '↑' : '↓'} ${parts.filter(Boolean).join(', ')} ${where}`;
};
