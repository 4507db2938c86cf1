import type { PaneHead } from '../src/model/wire.ts';
import { age, clock } from '../src/text/ages.ts';
import { groupThousands } from '../src/text/units.ts';
import { cutStart } from '../src/text/width.ts';
import type { Console } from './console.ts';
import { hintsOf, keyFor, type Key, type PageKind } from './keys.ts';
import { blank, cell, joinPieces, paint, safeWidth, type Painted } from './paint.ts';
import type { State } from './state.ts';
import { severities, signOf, styleOf, type Style, type Theme } from './theme.ts';
import type { Pager } from './overlays.ts';
import { areaOf, placeOf } from './ui.ts';

type Piece = readonly [text: string, style: Style];

const widthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, [text]) => sum + safeWidth(text), 0);

/** Groups of pieces side by side, as many whole ones as have room; then blanks. */
const lineOf = (theme: Theme, groups: readonly (readonly Piece[])[], columns: number): Painted => {
  const parts: Painted[] = [];
  let room = columns;
  for (const pieces of groups) {
    const wide = widthOf(pieces);
    if (wide > room) continue;
    parts.push(...pieces.map(([text, style]) => paint(theme, text, style)));
    room -= wide;
  }
  return joinPieces(...parts, blank(room));
};

/** Pieces that must give way when the strip is narrow come last in each half. */
const stripPieces = (
  { data, ui }: State,
  siteName: string,
  readOnly: boolean,
  keys: readonly Key[],
): readonly Piece[] => {
  const { strip, collector } = data;
  const { acked = 0, others = [], badges = [] } = strip ?? {};
  const counts = severities.flatMap((severity): readonly Piece[] => {
    const number = strip?.counts[severity] ?? 0;
    const style = number === 0 ? 'dim' : styleOf(severity);
    return strip ? [[`   ${signOf(severity)} ${groupThousands(number)}`, style]] : [];
  });
  const pieces: readonly (Piece | false | undefined)[] = [
    [' faultline', 'dim'],
    [`  ${strip?.site ?? siteName}`, 'bold'],
    (readOnly || strip?.readOnly) && ['  read-only', 'accent'],
    ...counts,
    acked > 0 && [`   ${groupThousands(acked)} acked`, 'dim'],
    others.length > 0 && [`   with ${others.join(', ')}`, 'dim'],
    collector.state === 'stopped' && [
      `   ✖ collector stopped: ${collector.text}; ${keyFor(keys, 'restart')} starts it again`,
      'critical',
    ],
    collector.state === 'starting' && [`   ${collector.text}`, 'dim'],
    ui.paused && [
      `   drawing paused since ${clock(ui.paused.at)}: ${keyFor(keys, 'pause')} goes on`,
      'warning',
    ],
    ...badges.map((badge): Piece => [`   ${badge}`, 'warning']),
  ];
  return pieces.filter((piece) => piece !== false && piece !== undefined);
};

/** The first line of the board: site, counts, what is off, the age of the oldest reading, the clock. */
export const stripLine = (
  { ports, keys }: Pick<Console, 'ports' | 'keys'>,
  state: State,
  siteName: string,
): Painted => {
  const { theme, readOnly } = ports;
  const { size, now, data } = state;
  const oldest = data.strip?.oldestAt;
  const right: readonly Piece[] = [
    oldest === undefined ? ['  no reading yet ', 'dim'] : [`  oldest reading ${age(now - oldest)} `, 'plain'],
    // Beats every second: the proof that the screen is alive.
    [Math.floor(now / 1000) % 2 === 0 ? ' ● ' : ' ○ ', 'accent'],
    [`${clock(now)} `, 'bold'],
  ];
  let room = size.columns - widthOf(right);
  const left = stripPieces(state, siteName, readOnly, keys('board')).map(([text, style]) => {
    const wide = Math.max(0, Math.min(room, safeWidth(text)));
    room -= wide;
    return cell(theme, text, wide, style);
  });
  return joinPieces(...left, blank(room), ...right.map(([text, style]) => paint(theme, text, style)));
};

/** One line with the panes of a small screen by their numbers; the one shown is in brackets, trouble in the others has its sign; absent ones are left out. */
export const tabsLine = (
  theme: Theme,
  heads: readonly PaneHead[],
  shown: string | undefined,
  columns: number,
): Painted =>
  lineOf(
    theme,
    tabsOf(heads, shown).map(({ pieces }) => pieces),
    columns,
  );

const tabsOf = (
  heads: readonly PaneHead[],
  shown: string | undefined,
): readonly { id: string; pieces: readonly Piece[] }[] =>
  heads.flatMap(({ id, sign, title, absent }, index) => {
    if (absent) return [];
    const isShown = id === shown;
    const pieces: readonly Piece[] = [
      [`${isShown ? '[' : ' '}${index + 1} ${title}`, isShown ? 'accent' : 'plain'],
      [sign === 'fine' ? '' : ` ${signOf(sign)}`, styleOf(sign)],
      [isShown ? '] ' : '  ', 'plain'],
    ];
    return [{ id, pieces }];
  });

/** The pane whose tab is drawn in a column of that line. */
export const findTab = (
  heads: readonly PaneHead[],
  shown: string | undefined,
  columns: number,
  column: number,
): string | undefined => {
  let left = 0;
  for (const { id, pieces } of tabsOf(heads, shown)) {
    const wide = widthOf(pieces);
    if (left + wide > columns) continue;
    if (column >= left && column < left + wide) return id;
    left += wide;
  }
  return undefined;
};

/** The last line: the text being typed, what was just done, else the keys of this place (made from the tables of keys). */
export const bottomLine = ({ ports, keys }: Pick<Console, 'ports' | 'keys'>, state: State): Painted => {
  const { theme, readOnly } = ports;
  const { ui, size } = state;
  const top = ui.overlays.at(-1);
  const pager = top?.kind === 'pager' ? top : undefined;
  const page = pager ?? (top?.kind === 'log' ? top : undefined);
  if (page?.typing) return typedLine(theme, `/${page.search}`, 'Enter search  Esc close', size.columns);
  const place = placeOf(ui);
  if (place === 'filter') {
    const help = 'Enter keep  Esc clear   words must all be there, !word must not';
    return typedLine(theme, `/${areaOf(ui, ui.focus).filter}`, help, size.columns);
  }
  if (ui.toast) return cell(theme, ` ${ui.toast.text}`, size.columns, ui.toast.style);
  // Boxes name their keys themselves.
  if (top && !page && top.kind !== 'palette') return blank(size.columns);
  const hints = hintsOf(keys(place), readOnly, pager && pageKind(pager));
  const pieces = hints.map(([key, text]): readonly Piece[] => [
    [' ', 'plain'],
    [key, 'accent'],
    [` ${text}`, 'dim'],
    ['  ', 'plain'],
  ]);
  return lineOf(theme, pieces, size.columns);
};

/** Whose keys a page has. */
const pageKind = ({ host, content }: Pager): PageKind | 'other' => {
  if (host !== undefined) return 'host';
  return content.type === 'entry' || content.type === 'evidence' ? content.type : 'other';
};

const typedLine = (theme: Theme, typed: string, help: string, columns: number): Painted => {
  const text = ` ${cutStart(`${typed}_`, columns - 1)}`;
  const wide = Math.min(columns, safeWidth(text));
  return joinPieces(cell(theme, text, wide, 'accent'), cell(theme, `   ${help}`, columns - wide, 'dim'));
};
