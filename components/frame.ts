import { signOf, styleOf, type Style, type Theme } from './theme.ts';
import { blank, cell, joinPieces, paint, safeWidth, type Painted } from './paint.ts';
import type { Sign } from '../src/model/subject.ts';
import { cut } from '../src/text/width.ts';
import { makeSafe } from '../src/text/safe.ts';

/**
 * The one rule above a pane: `─ 1 Slurm ───────── 200 nodes · 4 s ─`. Short of room, the text at the right is cut
 * but for its tail (the age), then the title.
 */
export const ruleLine = (
  theme: Theme,
  title: string,
  right: { text: string; tail?: string; style: Style },
  width: number,
  focused: boolean,
  sign?: Sign,
): Painted => {
  if (width < 8) return cell(theme, title, width, focused ? 'accent' : 'plain');
  const mark = sign === undefined || sign === 'fine' ? '' : `${signOf(sign)} `;
  const name = cut(makeSafe(title), width - 6 - mark.length);
  const used = 2 + mark.length + safeWidth(name) + 1;
  const room = width - used - 3;
  const text = rightText(right, room);
  const dashes = width - used - safeWidth(text) - 1;
  return joinPieces(
    paint(theme, '─ ', 'dim'),
    paint(theme, mark, styleOf(sign)),
    paint(theme, name, focused ? 'accent' : 'bold'),
    blank(1),
    paint(theme, '─'.repeat(Math.max(0, dashes)), 'dim'),
    paint(theme, text, right.style),
    paint(theme, '─', 'dim'),
  );
};

const rightText = ({ text, tail = '' }: { text: string; tail?: string }, room: number): string => {
  const end = makeSafe(tail);
  const space = room - 2 - safeWidth(end);
  if (space < 4) return end !== '' && space >= 0 ? ` ${end} ` : '';
  const joint = text !== '' && end !== '' ? ' · ' : '';
  const shown = `${cut(makeSafe(text), space - joint.length)}${joint}${end}`;
  return shown === '' ? '' : ` ${shown} `;
};

/** Exactly `height` lines of `width`: missing ones blank, surplus ones left out. */
export const fillLines = (lines: readonly Painted[], width: number, height: number): readonly Painted[] => {
  const kept = lines.slice(0, Math.max(0, height));
  return [...kept, ...Array.from({ length: Math.max(0, height - kept.length) }, () => blank(width))];
};
