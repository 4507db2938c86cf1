import { age, clock } from '../src/text/ages.ts';
import { grouped } from '../src/text/units.ts';
import { blank, cell, joined, paint, safeWidth, type Painted } from './paint.ts';
import type { State } from './state.ts';
import { severities, signOf, styleOf, type Style, type Theme } from './theme.ts';

interface Piece {
  text: string;
  style: Style;
}

const painted = (theme: Theme, pieces: readonly Piece[]): Painted =>
  joined(...pieces.map((piece) => paint(theme, piece.text, piece.style)));

const widthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + safeWidth(piece.text), 0);

/** Pieces that must give way when the strip is narrow come last in each half. */
const leftPieces = (state: State, siteName: string, readOnly: boolean): readonly Piece[] => {
  const { strip, collector } = state.data;
  const counts = severities.flatMap((severity): readonly Piece[] => {
    const number = strip?.counts[severity] ?? 0;
    const style = number === 0 ? 'dim' : styleOf(severity);
    return strip ? [{ text: `   ${signOf(severity)} ${grouped(number)}`, style }] : [];
  });
  const acked = strip?.acked ?? 0;
  const others = strip?.others ?? [];
  const told: readonly Piece[] = [
    ...(acked > 0 ? [{ text: `   ${grouped(acked)} acked`, style: 'dim' as const }] : []),
    ...(others.length > 0 ? [{ text: `   with ${others.join(', ')}`, style: 'dim' as const }] : []),
  ];
  const stopped: readonly Piece[] =
    collector.state === 'stopped'
      ? [{ text: `   ✖ collector stopped: ${collector.text}; R starts it again`, style: 'critical' }]
      : collector.state === 'starting'
        ? [{ text: `   ${collector.text}`, style: 'dim' }]
        : [];
  const paused: readonly Piece[] = state.ui.paused
    ? [{ text: `   drawing paused since ${clock(state.ui.paused.at)}: p goes on`, style: 'warning' }]
    : [];
  return [
    { text: ' faultline', style: 'dim' },
    { text: `  ${strip?.site ?? siteName}`, style: 'bold' },
    ...(readOnly || strip?.readOnly ? [{ text: '  read-only', style: 'accent' as const }] : []),
    ...counts,
    ...told,
    ...stopped,
    ...paused,
    ...(strip?.badges ?? []).map((badge) => ({ text: `   ${badge}`, style: 'warning' as const })),
  ];
};

/** Beats every second: the proof that the screen is alive. */
const clockPieces = (now: number): readonly Piece[] => [
  { text: Math.floor(now / 1000) % 2 === 0 ? ' ● ' : ' ○ ', style: 'accent' },
  { text: `${clock(now)} `, style: 'bold' },
];

/** The first line of the board: site, counts, what is off, the age of the oldest reading, the clock. */
export const stripLine = (theme: Theme, state: State, siteName: string, readOnly: boolean): Painted => {
  const { columns } = state.size;
  const oldest = state.data.strip?.oldestAt;
  const reading: Piece =
    oldest === undefined
      ? { text: '  no reading yet ', style: 'dim' }
      : { text: `  oldest reading ${age(state.now - oldest)} `, style: 'plain' };
  const right = [reading, ...clockPieces(state.now)];
  const room = columns - widthOf(right);
  const left = leftPieces(state, siteName, readOnly);
  const kept: Painted[] = [];
  let used = 0;
  for (const piece of left) {
    const wide = safeWidth(piece.text);
    if (used >= room) break;
    kept.push(
      used + wide <= room
        ? paint(theme, piece.text, piece.style)
        : cell(theme, piece.text, room - used, piece.style),
    );
    used = Math.min(room, used + wide);
  }
  return joined(...kept, blank(room - used), painted(theme, right));
};
