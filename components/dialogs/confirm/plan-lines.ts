import { age } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { makeSafe } from '../../../src/text/safe.ts';
import type { PlanCard } from '../../../src/model/run.ts';
import { blank, cell, joinPieces, paintHanging, paintWrapped, safeWidth, type Painted } from '../../paint.ts';
import type { Style, Theme } from '../../theme.ts';
import { changeLines, commandLines } from './command-lines.ts';
import { foldGuards } from './fold-guards.ts';

const LABEL = 12;
/** In front of commands, which else have the whole width: every line that they do not take need not be scrolled to. */
const INDENT = 2;
/** So many of those that are left out stand on the first screen. */
const LEFT_OUT = 3;

const dangerStyle: Record<PlanCard['danger'], Style> = {
  reversible: 'plain',
  service: 'warning',
  access: 'critical',
};

/** A label and its texts, each over as many lines as it takes. */
export const entry = (
  theme: Theme,
  label: string,
  texts: readonly string[],
  width: number,
  style: Style = 'plain',
): readonly Painted[] =>
  texts.flatMap((text, which) =>
    paintWrapped(theme, text, width - LABEL, style).map((line, index) =>
      joinPieces(cell(theme, which === 0 && index === 0 ? label : '', LABEL, 'dim'), line),
    ),
  );

/** On what, as whom, how dangerous. */
export const headLine = (theme: Theme, card: PlanCard, width: number): Painted => {
  const head = makeSafe(`site ${card.site} · ${card.where} · `);
  return joinPieces(
    cell(theme, head, Math.min(width, safeWidth(head))),
    cell(theme, card.danger, Math.max(0, width - safeWidth(head)), dangerStyle[card.danger]),
  );
};

const wrapCommands = (theme: Theme, texts: readonly string[], width: number): readonly Painted[] =>
  texts.flatMap((text) => paintHanging(theme, text, width));

/** What changes something, byte for byte: all of it must have been on the screen. */
export const changesOf = (theme: Theme, card: PlanCard, width: number): readonly Painted[] => {
  const changes = changeLines(card);
  if (changes.length === 0) return entry(theme, 'will run', [card.measures ?? 'nothing'], width);
  return wrapCommands(theme, changes, width - LABEL).map((line, index) =>
    joinPieces(cell(theme, index === 0 ? 'will run' : '', LABEL, 'dim'), line),
  );
};

const heldText = ({ hold, undo }: PlanCard): readonly string[] =>
  hold === undefined
    ? []
    : // How it is undone may stand in the line above already.
      [
        `if not kept within ${hold.seconds} s it is undone${undo.includes(hold.text) ? '' : `: ${hold.text}`}`,
      ];

/** What stands beside the changes on the first screen; `now`: UTC ms. */
export const sideLines = (theme: Theme, card: PlanCard, width: number, now: number): readonly Painted[] => {
  const add = (label: string, texts: readonly string[], style?: Style): readonly Painted[] =>
    entry(theme, label, texts, width, style);
  const guards = foldGuards(card);
  const read = card.readAt === undefined ? '' : `, read ${age(Math.max(0, now - card.readAt))} ago`;
  const left = card.leftOut.map(({ id, reason }) => `${id}: ${reason}`);
  const more = left.length - LEFT_OUT;
  const isSaid = card.hold === undefined || card.undo.includes(card.hold.text);
  return [
    ...add('users', [card.users]),
    ...add('undo', [card.undo, ...(isSaid ? [] : heldText(card))], card.hold ? 'warning' : 'plain'),
    ...add(
      'not checked',
      foldGuards({ guards: card.unchecked ?? [], targets: card.targets }).map(({ text }) => text),
      'warning',
    ),
    ...add(
      'left out',
      [...left.slice(0, LEFT_OUT), ...(more > 0 ? [`and ${count(more, 'target')} more: d`] : [])],
      'warning',
    ),
    ...add('checked', [
      guards.length === 0
        ? 'no guards apply'
        : `${count(guards.length, 'guard')}: ${guards.length === 1 ? 'it holds' : 'all hold'}${read}`,
    ]),
  ];
};

export const reasonLines = (theme: Theme, card: PlanCard, width: number): readonly Painted[] =>
  entry(theme, 'because', card.because, width);

const commandTexts = (commands: NonNullable<PlanCard['hold']>['keep']): readonly string[] =>
  commands.map(({ host, line }) => `${host}: ${line}`);

/** The whole plan, as long as it is: every command, guard and byte (guard 2). */
export const planLines = (theme: Theme, card: PlanCard, width: number): readonly Painted[] => {
  const { all, lines } = commandLines(card);
  const { hold } = card;
  const isAll = changeLines(card).join('\n') === lines.join('\n');
  const add = (label: string, texts: readonly string[], style?: Style): readonly Painted[] =>
    entry(theme, label, texts, width, style);
  const numberedLines = (of: Parameters<typeof foldGuards>[0]): readonly string[] =>
    foldGuards(of).map(({ id, text }) => `${text}  (guard ${id})`);
  return [
    headLine(theme, card, width),
    blank(width),
    ...changesOf(theme, card, width),
    ...add('users', [card.users]),
    ...reasonLines(theme, card, width),
    ...add(
      'left out',
      card.leftOut.map(({ id, reason }) => `${id}: ${reason}`),
      'warning',
    ),
    ...add('checked', numberedLines(card)),
    ...add('not checked', numberedLines({ guards: card.unchecked ?? [], targets: card.targets }), 'warning'),
    ...add('afterwards', [card.afterwards]),
    ...add('undo', [card.undo]),
    // What guard 9 does: how long it is held, and the commands that keep or restore it.
    ...(hold === undefined
      ? []
      : [
          ...add('held', heldText(card), 'warning'),
          ...add('to keep', commandTexts(hold.keep)),
          ...add('to restore', commandTexts(hold.restore)),
        ]),
    ...(isAll
      ? []
      : [
          blank(width),
          ...add(`all ${all}`, ['one by one, in this order']),
          // One below the other over the whole width.
          ...wrapCommands(theme, lines, width - INDENT).map((line) => joinPieces(blank(INDENT), line)),
        ]),
    ...paintWrapped(theme, `hash  ${card.hash}`, width, 'dim'),
  ];
};
