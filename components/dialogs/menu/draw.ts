import { count } from '../../../src/text/units.ts';
import { wrap } from '../../../src/text/width.ts';
import { keyFor, type Key } from '../../keys.ts';
import { blank, cell, joinPieces, paintWrapped, safeWidth, type Painted } from '../../paint.ts';
import type { Style, Theme } from '../../theme.ts';
import type { Menu, MenuItem } from '../../overlays.ts';
import { type Cover, drawBox, fitKeys, innerWidth, keysLine, type Scene } from '../dialog.ts';
import { type Line, linesOf } from './items.ts';

const dangerStyles: Record<MenuItem['danger'], Style> = {
  reversible: 'dim',
  service: 'warning',
  access: 'critical',
};

/** Keys that are left out of the hints where they have no room, the first one first. */
const dispensable = ['first', 'last', 'options', 'nth'];

/** The keys that do something here now: with nothing chosen there is nothing to plan. */
const keysNow = (
  keys: readonly Key[],
  menu: Menu,
  { lines, others }: ReturnType<typeof linesOf>,
  alone: boolean,
): readonly Key[] => {
  const chosen = lines.find(({ key }) => key === menu.cursor);
  const item = chosen?.item;
  const does: Readonly<Record<string, boolean>> = {
    nth: lines.length > 1,
    first: lines.length > 1,
    last: lines.length > 1,
    open: item ? item.available : chosen !== undefined,
    options: item !== undefined && item.available && item.prompts.length > 0,
    unfold: others > 0 && !menu.unfolded,
    ticket: alone,
  };
  const fold = menu.unfolded ? 'hide them' : 'show them';
  return keys
    .filter((key) => does[key.does] ?? true)
    .map((key) => (key.does === 'open' && !item ? { ...key, hint: fold } : key));
};

/** The menu; `alone`: no remedy can be had, so what to do by hand stands first. */
export const drawMenu = (
  { ports: { theme }, state, keys: keysOf }: Pick<Scene, 'ports' | 'state' | 'keys'>,
  menu: Menu,
  alone: boolean,
): Cover => {
  const { size } = state();
  const width = innerWidth(size, 120);
  const { lines, others } = linesOf(menu);
  const shown = fitKeys(keysNow(keysOf('menu'), menu, { lines, others }, alone), dispensable, width);
  const elsewhere = `the evidence is under ${keyFor(keysOf('board'), 'evidence')}, ${keyFor(keysOf('menu'), 'ticket')} copies it for the ticket`;
  const head =
    menu.entries !== undefined && menu.findings.length > 0 && alone
      ? byHandLines(theme, menu, elsewhere, width)
      : [];
  const waiting = menu.entries === undefined ? 'asking what can be done ...' : 'no actions for this';
  const body =
    lines.length > 0
      ? actionLines(theme, menu, lines, others, width, size.rows - head.length)
      : [...(head.length > 0 && menu.entries ? [] : [cell(theme, waiting, width, 'dim')]), blank(width)];
  const said = menu.changed === undefined ? [] : paintWrapped(theme, menu.changed, width, 'warning');
  return drawBox(
    theme,
    menu.title,
    [...head, ...body, ...said, keysLine(theme, shown, width, menu.busy)],
    width,
    size,
  );
};

const byHandLines = (
  theme: Theme,
  { byHand, remedies }: Menu,
  elsewhere: string,
  width: number,
): readonly Painted[] => {
  const none =
    remedies.length > 0
      ? 'no remedy of this finding is available now'
      : `no remedy from this console: ${elsewhere}`;
  const [first, ...rest] = byHand.length > 0 ? [...byHand, none] : [none];
  return [
    ...paintWrapped(theme, first ?? none, width, 'bold'),
    ...rest.flatMap((line) => paintWrapped(theme, line, width)),
    blank(width),
  ];
};

const actionLines = (
  theme: Theme,
  menu: Menu,
  lines: readonly Line[],
  others: number,
  width: number,
  rows: number,
): readonly Painted[] => {
  const items = lines.flatMap(({ item }) => item ?? []);
  // Titles name what is acted on, to their ends: which of two ports it is may stand in the last letters.
  const titles = Math.min(Math.max(24, ...items.map(({ title }) => safeWidth(title))), width - 30);
  const room = width - titles - 16;
  // A reason that is cut is no reason, a title no choice: the chosen entry's stand below in full, in room that is kept for the longest.
  const whole = lines.map(({ item }) => [
    ...(item && safeWidth(item.title) > titles ? wrap(item.title, width - 2) : []),
    ...(item && safeWidth(item.text) > room ? wrap(item.text, width - 2) : []),
  ]);
  const below = Math.max(0, ...whole.map((texts) => texts.length));
  const most = Math.max(1, rows - 9 - below);
  const cursor = lines.findIndex(({ key }) => key === menu.cursor);
  const top = Math.max(0, Math.min(cursor - Math.floor(most / 2), lines.length - most));
  const drawn = lines.slice(top, top + most).map(({ item }, index) => {
    const isChosen = top + index === cursor;
    return item
      ? actionLine(theme, item, isChosen, { titles, room })
      : foldLine(theme, menu, others, isChosen, width);
  });
  const reason = Array.from({ length: below }, (_, at) =>
    cell(theme, `  ${whole[cursor]?.[at] ?? ''}`, width, 'dim'),
  );
  return [...drawn, blank(width), ...reason];
};

const actionLine = (
  theme: Theme,
  { available, title, text, danger }: MenuItem,
  isChosen: boolean,
  { titles, room }: { titles: number; room: number },
): Painted =>
  joinPieces(
    cell(theme, isChosen ? '> ' : available ? '  ' : '- ', 2, isChosen ? 'accent' : 'dim'),
    cell(theme, title, titles, available ? (isChosen ? 'bold' : 'plain') : 'dim'),
    blank(2),
    cell(theme, text, room, available ? 'plain' : 'dim'),
    cell(theme, available ? danger : '', 12, dangerStyles[danger], 'right'),
  );

const foldLine = (
  theme: Theme,
  { unfolded, subjects }: Menu,
  others: number,
  isChosen: boolean,
  width: number,
): Painted => {
  const [only, more] = subjects;
  const what = only && !more ? only.id : count(subjects.length, 'target');
  const text = `other actions on ${what}: ${others} ${unfolded ? '←' : '→'}`;
  return joinPieces(
    cell(theme, isChosen ? '> ' : '  ', 2, isChosen ? 'accent' : 'dim'),
    cell(theme, text, width - 2, isChosen ? 'bold' : 'dim'),
  );
};
