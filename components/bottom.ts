import { hintsOf } from './keys.ts';
import { blank, cell, joined, paint, safeWidth, type Painted } from './paint.ts';
import type { State } from './state.ts';
import type { Theme } from './theme.ts';
import { areaOf, placeOf } from './ui.ts';

/** The last line: what was just done, the text being typed, else the keys of this place (made from the bindings). */
export const bottomLine = (theme: Theme, state: State, readOnly: boolean): Painted => {
  const { ui, size } = state;
  const top = ui.overlays.at(-1);
  if (top?.kind === 'pager' && top.typing)
    return typedLine(theme, `/${top.search}`, 'Enter search  Esc close', size.columns);
  if (ui.toast) return cell(theme, ` ${ui.toast.text}`, size.columns, ui.toast.style);
  if (placeOf(ui) === 'filter') {
    return typedLine(
      theme,
      `/${areaOf(ui, ui.focus).filter}`,
      'Enter keep  Esc clear   words must all be there, !word must not',
      size.columns,
    );
  }
  // Boxes name their keys themselves.
  const ofHost = top?.kind === 'pager' && top.host !== undefined;
  const hints =
    top && top.kind !== 'pager' && top.kind !== 'palette' ? [] : hintsOf(placeOf(ui), readOnly, ofHost);
  const parts: Painted[] = [];
  let used = 0;
  for (const { key, text } of hints) {
    const wide = safeWidth(key) + safeWidth(text) + 4;
    if (used + wide > size.columns) break;
    parts.push(blank(1), paint(theme, key, 'accent'), paint(theme, ` ${text}`, 'dim'), blank(2));
    used += wide;
  }
  return joined(...parts, blank(size.columns - used));
};

const typedLine = (theme: Theme, text: string, help: string, columns: number): Painted => {
  const shown = ` ${text}_`;
  const room = Math.max(0, columns - safeWidth(shown) - 3);
  return joined(
    cell(theme, shown, Math.min(columns, safeWidth(shown)), 'accent'),
    cell(theme, `   ${help}`, room + Math.min(3, columns - safeWidth(shown)), 'dim'),
  );
};
