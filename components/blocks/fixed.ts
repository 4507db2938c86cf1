import type { Block, ChartBlock, FactsBlock, TextBlock } from '../../src/model/view.ts';
import { groupThousands } from '../../src/text/units.ts';
import { makeSafe } from '../../src/text/safe.ts';
import { wrap } from '../../src/text/width.ts';
import { blank, cell, joinPieces, safeWidth, type Painted } from '../paint.ts';
import { signOf, styleOf, type Theme } from '../theme.ts';
import { cableLines } from './cable.ts';
import { heights } from './picture.ts';
import { cellText } from './table.ts';

/** Facts, text, charts and cables as lines of exactly `width`; tables and grids give none here. */
export const fixedLines = (theme: Theme, block: Block, width: number, now: number): readonly Painted[] => {
  if (width < 4) return [];
  if (block.type === 'facts') return factLines(theme, block, width, now);
  if (block.type === 'text') return textLines(theme, block, width, now);
  if (block.type === 'chart') return chartLines(theme, block, width);
  if (block.type === 'cable') return cableLines(theme, block, width, now);
  return [];
};

const factLines = (theme: Theme, block: FactsBlock, width: number, now: number): readonly Painted[] => {
  const names = Math.min(20, Math.max(0, ...block.facts.map((fact) => safeWidth(fact.name))));
  const room = Math.max(1, width - names - 3);
  return block.facts.flatMap((fact) => {
    const source = fact.source === undefined ? '' : `  (${fact.source})`;
    const lines = wrap(makeSafe(`${cellText(fact.cell, now)}${source}`), room);
    return lines.map((text, index) =>
      joinPieces(
        blank(1),
        cell(theme, index === 0 ? fact.name : '', names, 'dim'),
        blank(2),
        cell(theme, text, room, styleOf(fact.cell.sign)),
      ),
    );
  });
};

const textLines = (theme: Theme, block: TextBlock, width: number, now: number): readonly Painted[] =>
  block.lines.flatMap((line) => {
    const sign = line.sign ? `${signOf(line.sign)} ` : '';
    const { sign: _, ...unsigned } = line;
    return wrap(makeSafe(`${sign}${cellText(unsigned, now)}`), width - 1).map((text) =>
      joinPieces(blank(1), cell(theme, text, width - 1, styleOf(line.sign))),
    );
  });

/** `1,205 frames/s`, `9.41 Gbit/s`: as many digits as a person reads. */
const figureOf = (value: number | undefined, unit: string): string =>
  value === undefined
    ? ''
    : ` ${value >= 100 ? groupThousands(Math.round(value)) : Math.round(value * 100) / 100} ${unit}`;

/** What usually lies between two values of a series, ms; the least of all series. */
const usualGap = (series: ChartBlock['series']): number => {
  const gaps = series.flatMap(({ points }) => {
    const own = points.slice(1).map((point, index) => point.at - (points[index]?.at ?? 0));
    return own.toSorted((a, b) => a - b)[Math.floor(own.length / 2)] ?? [];
  });
  return Math.max(1, Math.min(...gaps));
};

/** One line per series: its name, its course as bars no wider apart than values come (gaps stay empty), its last value. */
const chartLines = (theme: Theme, block: ChartBlock, width: number): readonly Painted[] => {
  const names = Math.min(20, Math.max(0, ...block.series.map((series) => safeWidth(series.name))));
  const points = block.series.flatMap((series) => series.points);
  if (points.length === 0) return [cell(theme, ' no values yet', width, 'dim')];
  const figures = block.series.map((series) => figureOf(series.points.at(-1)?.value, block.unit));
  const most = Math.max(...points.map((point) => point.value), Number.MIN_VALUE);
  const from = Math.min(...points.map((point) => point.at));
  const span = Math.max(1, Math.max(...points.map((point) => point.at)) - from);
  const room = Math.max(1, width - names - 2 - Math.max(...figures.map(safeWidth)));
  const bars = Math.min(room, Math.round(span / usualGap(block.series)) + 1);
  return block.series.map((series, index) => {
    const slots: (number | undefined)[] = Array.from({ length: bars });
    for (const point of series.points) {
      const slot = Math.min(bars - 1, Math.floor(((point.at - from) / span) * bars));
      slots[slot] = Math.max(slots[slot] ?? 0, point.value);
    }
    const course = slots
      .map((value) => (value === undefined ? ' ' : (heights[Math.round((value / most) * 7)] ?? '█')))
      .join('');
    return joinPieces(
      blank(1),
      cell(theme, series.name, names, 'dim'),
      blank(1),
      cell(theme, course, bars, 'accent'),
      cell(theme, figures[index] ?? '', Math.max(0, width - names - 2 - bars)),
    );
  });
};
