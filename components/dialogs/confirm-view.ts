import { age } from '../../src/text/ages.ts';
import { count } from '../../src/text/units.ts';
import { visible } from '../../src/text/safe.ts';
import { wrap } from '../../src/text/width.ts';
import type { PlanCard } from '../../src/model/run.ts';
import { blank, cell, joined, safeWidth, type Painted } from '../paint.ts';
import type { Size } from '../state.ts';
import type { Style, Theme } from '../theme.ts';
import type { Confirm } from '../ui.ts';
import { changeLines, commandLines } from './command-lines.ts';
import { foldGuards } from './fold-guards.ts';
import { boxed, hintLine, innerWidth, type Cover } from './box.ts';

const LABEL = 12;
/** Frame, rule above the foot, and the foot's two lines. */
const AROUND = 5;
/** From this size on something of the board is left around it; on less, all of the screen shows the plan. */
const ROOMY = { columns: 100, rows: 30 };
const BOARD = 2;
const SIDES = 4;
/** In front of commands, which else have the whole width: every line that they do not take need not be scrolled to. */
const INDENT = 2;

const dangerStyle: Record<PlanCard['danger'], Style> = {
  reversible: 'plain',
  service: 'warning',
  access: 'critical',
};

/** A label and its text over as many lines as it takes. */
const entry = (
  theme: Theme,
  label: string,
  texts: readonly string[],
  width: number,
  style: Style = 'plain',
) =>
  texts.flatMap((text, which) =>
    wrap(visible(text), width - LABEL).map((line, index) =>
      joined(
        cell(theme, which === 0 && index === 0 ? label : '', LABEL, 'dim'),
        cell(theme, line, width - LABEL, style),
      ),
    ),
  );

/** What guard 9 does: how long it is held, and the commands that keep or restore it. */
const heldLines = (theme: Theme, { hold, undo }: PlanCard, width: number): readonly Painted[] =>
  hold === undefined
    ? []
    : [
        ...entry(
          theme,
          'held',
          // How it is undone may stand in the line above already.
          [
            `if not kept within ${hold.seconds} s it is undone${undo.includes(hold.text) ? '' : `: ${hold.text}`}`,
          ],
          width,
          'warning',
        ),
        ...entry(
          theme,
          'to keep',
          hold.keep.map(({ host, line }) => `${host}: ${line}`),
          width,
        ),
        ...entry(
          theme,
          'to restore',
          hold.restore.map(({ host, line }) => `${host}: ${line}`),
          width,
        ),
      ];

/** Commands one below the other over the whole width. */
const commandEntry = (theme: Theme, lines: readonly string[], width: number): readonly Painted[] =>
  lines.flatMap((text) =>
    wrap(visible(text), width - INDENT).map((line) =>
      joined(blank(INDENT), cell(theme, line, width - INDENT)),
    ),
  );

/** The whole plan, as long as it is: every command, byte for byte as it will be sent. */
const planLines = (theme: Theme, card: PlanCard, width: number): readonly Painted[] => {
  const { all, lines } = commandLines(card);
  const change = changeLines(card);
  const isAll = change.length >= lines.length;
  const more = isAll ? [] : [`(${count(all, 'command')}, one by one: all below)`];
  const head = visible(`site ${card.site} · ${card.where} · `);
  return [
    joined(
      cell(theme, head, Math.min(width, safeWidth(head))),
      cell(theme, card.danger, Math.max(0, width - safeWidth(head)), dangerStyle[card.danger]),
    ),
    blank(width),
    ...entry(
      theme,
      'will run',
      lines.length === 0 ? [card.measures ?? 'nothing'] : [...change, ...more],
      width,
    ),
    ...entry(theme, 'because', card.because, width),
    ...entry(
      theme,
      'left out',
      card.leftOut.map((one) => `${one.id}: ${one.reason}`),
      width,
      'warning',
    ),
    ...entry(theme, 'checked', foldGuards(card), width),
    ...entry(
      theme,
      'not checked',
      foldGuards({ guards: card.unchecked ?? [], targets: card.targets }),
      width,
      'warning',
    ),
    ...entry(theme, 'afterwards', [card.afterwards], width),
    ...entry(theme, 'undo', [card.undo], width),
    ...heldLines(theme, card, width),
    ...(isAll
      ? []
      : [
          blank(width),
          ...entry(theme, `all ${all}`, ['one by one, in this order'], width),
          ...commandEntry(theme, lines, width),
        ]),
    ...wrap(`hash  ${card.hash}`, width).map((line) => cell(theme, line, width, 'dim')),
  ];
};

/** How much of the plan the dialog shows at a size. */
export const confirmBody = (theme: Theme, confirm: Confirm, size: Size) => {
  const width = size.columns < ROOMY.columns ? size.columns - SIDES : innerWidth(size);
  const lines = planLines(theme, confirm.card, width);
  const around = size.rows < ROOMY.rows ? AROUND : AROUND + BOARD;
  const height = Math.max(1, Math.min(lines.length, size.rows - around));
  const top = Math.max(0, Math.min(confirm.top, lines.length - height));
  return { width, lines, height, top, fits: lines.length <= height, atEnd: top + height >= lines.length };
};

/** What still stands between the operator and the confirmation; undefined: nothing. */
export const obstacle = (theme: Theme, confirm: Confirm, size: Size, mono: number): string | undefined => {
  const body = confirmBody(theme, confirm, size);
  if (!confirm.seenEnd && !body.atEnd) return 'read to the end first: ↓ or PgDn';
  const wait = confirm.openedAt + confirm.card.armedAfterMs - mono;
  return wait > 0 ? `armed in ${Math.ceil(wait / 1000)} s` : undefined;
};

export const confirmCover = (theme: Theme, confirm: Confirm, size: Size, mono: number): Cover => {
  const { card } = confirm;
  const body = confirmBody(theme, confirm, size);
  const left = Math.max(0, card.expiresInMs - (mono - confirm.openedAt));
  const stop = obstacle(theme, confirm, size, mono);
  const hidden = body.lines.length - body.top - body.height;
  const more = hidden > 0 ? `${count(hidden, 'more line')} below ` : '';
  // What is typed has its line for itself; where a key confirms, what stops it stands in the place of the key.
  const warned = card.danger === 'reversible' ? confirm.complaint : (confirm.complaint ?? stop);
  const lines = [
    ...body.lines.slice(body.top, body.top + body.height),
    cell(
      theme,
      `${more}${'─'.repeat(Math.max(0, body.width - safeWidth(more)))}`,
      body.width,
      hidden > 0 ? 'warning' : 'dim',
    ),
    askLine(theme, confirm, stop, body.width),
    cell(
      theme,
      confirm.complaint ?? `valid for ${age(left)}; ${warned ?? 'pastes and held keys do nothing here'}`,
      body.width,
      warned === undefined ? 'dim' : 'warning',
    ),
  ];
  return boxed(theme, card.title, lines, body.width, size);
};

const askLine = (theme: Theme, confirm: Confirm, stop: string | undefined, width: number): Painted => {
  const { card } = confirm;
  if (confirm.sending) return cell(theme, 'confirmed: handing it over ...', width, 'bold');
  if (card.danger === 'reversible') {
    const hints: (readonly [string, string])[] = [['[ Cancel ]', '']];
    return joined(
      hintLine(theme, [...hints, stop === undefined ? ['y', `${card.verb} them`] : ['-', stop]], width),
    );
  }
  const ask = `type "${card.confirmText}" and Enter: `;
  const asked = Math.min(width, safeWidth(ask));
  return joined(cell(theme, ask, asked), cell(theme, `${confirm.typed}_`, width - asked, 'accent'));
};
