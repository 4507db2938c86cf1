import { count } from '../../../src/text/units.ts';
import { visible } from '../../../src/text/safe.ts';
import type { PlanCard } from '../../../src/model/run.ts';
import { blank, cell, joinPieces, paintWrapped, safeWidth, type Painted } from '../../paint.ts';
import type { Size } from '../../state.ts';
import type { Style, Theme } from '../../theme.ts';
import type { Confirm } from '../../ui.ts';
import { changeLines, commandLines } from './command-lines.ts';
import { foldGuards } from './fold-guards.ts';
import { innerWidth } from '../dialog.ts';

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
    paintWrapped(theme, text, width - LABEL, style).map((line, index) =>
      joinPieces(cell(theme, which === 0 && index === 0 ? label : '', LABEL, 'dim'), line),
    ),
  );

const commandTexts = (commands: NonNullable<PlanCard['hold']>['keep']): readonly string[] =>
  commands.map(({ host, line }) => `${host}: ${line}`);

/** The whole plan, as long as it is: every command, byte for byte as it will be sent. */
const planLines = (theme: Theme, card: PlanCard, width: number): readonly Painted[] => {
  const { all, lines } = commandLines(card);
  const change = changeLines(card);
  const isAll = change.length >= lines.length;
  const more = isAll ? [] : [`(${count(all, 'command')}, one by one: all below)`];
  const head = visible(`site ${card.site} · ${card.where} · `);
  const { hold, undo } = card;
  const add = (label: string, texts: readonly string[], style?: Style): readonly Painted[] =>
    entry(theme, label, texts, width, style);
  return [
    joinPieces(
      cell(theme, head, Math.min(width, safeWidth(head))),
      cell(theme, card.danger, Math.max(0, width - safeWidth(head)), dangerStyle[card.danger]),
    ),
    blank(width),
    ...add('will run', lines.length === 0 ? [card.measures ?? 'nothing'] : [...change, ...more]),
    ...add('because', card.because),
    ...add(
      'left out',
      card.leftOut.map(({ id, reason }) => `${id}: ${reason}`),
      'warning',
    ),
    ...add('checked', foldGuards(card)),
    ...add('not checked', foldGuards({ guards: card.unchecked ?? [], targets: card.targets }), 'warning'),
    ...add('afterwards', [card.afterwards]),
    ...add('undo', [undo]),
    // What guard 9 does: how long it is held, and the commands that keep or restore it.
    ...(hold === undefined
      ? []
      : [
          // How it is undone may stand in the line above already.
          ...add(
            'held',
            [
              `if not kept within ${hold.seconds} s it is undone${undo.includes(hold.text) ? '' : `: ${hold.text}`}`,
            ],
            'warning',
          ),
          ...add('to keep', commandTexts(hold.keep)),
          ...add('to restore', commandTexts(hold.restore)),
        ]),
    ...(isAll
      ? []
      : [
          blank(width),
          ...add(`all ${all}`, ['one by one, in this order']),
          // One below the other over the whole width.
          ...lines.flatMap((text) =>
            paintWrapped(theme, text, width - INDENT).map((line) => joinPieces(blank(INDENT), line)),
          ),
        ]),
    ...paintWrapped(theme, `hash  ${card.hash}`, width, 'dim'),
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
