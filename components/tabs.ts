import type { PaneHead } from '../src/model/wire.ts';
import { blank, cell, joined, paint, safeWidth, type Painted } from './paint.ts';
import { signOf, styleOf, type Theme } from './theme.ts';

/** One line with the panes of a small screen; the one shown is in brackets, trouble in the others has its sign. */
export const tabsLine = (
  theme: Theme,
  heads: readonly PaneHead[],
  shown: string | undefined,
  columns: number,
): Painted => {
  const parts: Painted[] = [];
  let used = 0;
  heads.forEach((head, index) => {
    const mark = head.sign === 'fine' ? '' : ` ${signOf(head.sign)}`;
    const name = head.id === shown ? `[${index + 1} ${head.title}` : ` ${index + 1} ${head.title}`;
    const end = head.id === shown ? ']' : ' ';
    const wide = safeWidth(name) + safeWidth(mark) + 2;
    if (used + wide > columns) return;
    parts.push(
      paint(theme, name, head.id === shown ? 'accent' : 'plain'),
      paint(theme, mark, styleOf(head.sign)),
      cell(theme, end, 2),
    );
    used += wide;
  });
  return joined(...parts, blank(columns - used));
};
