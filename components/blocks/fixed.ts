import type { Block, ChartBlock, FactsBlock, TextBlock } from '../../src/model/view.ts';
import { visible } from '../../src/text/safe.ts';
import { wrap } from '../../src/text/width.ts';
import { blank, cell, joined, safeWidth, type Painted } from '../paint.ts';
import { signOf, styleOf, type Theme } from '../theme.ts';
import { cellText } from './table.ts';

/** Facts, text and charts as lines of exactly `width`; tables and grids give none here. */
export const fixedLines = (theme: Theme, block: Block, width: number, now: number): readonly Painted[] => {
  if (width < 4) return [];
  if (block.type === 'facts') return factLines(theme, block, width, now);
  if (block.type === 'text') return textLines(theme, block, width, now);
  if (block.type === 'chart') return chartLines(theme, block, width, now);
  return [];
};

const factLines = (theme: Theme, block: FactsBlock, width: number, now: number): readonly Painted[] => {
  const names = Math.min(20, Math.max(0, ...block.facts.map((fact) => safeWidth(fact.name))));
  const room = Math.max(1, width - names - 3);
  return block.facts.flatMap((fact) => {
    const source = fact.source === undefined ? '' : `  (${fact.source})`;
    const lines = wrap(visible(`${cellText(fact.cell, now)}${source}`), room);
    return lines.map((text, index) =>
      joined(
        blank(1),
        cell(theme, index === 0 ? fact.name : '', names, 'dim'),
        blank(2),
        cell(theme, text, room, styleOf(fact.cell.sign)),
      ),
    );
  });
};

const textLines = (theme: Theme, block: TextBlock, width: number, now: number): readonly Painted[] =>
  block.lines.flatMap((one) => {
    const sign = one.sign ? `${signOf(one.sign)} ` : '';
    const { sign: _, ...unsigned } = one;
    return wrap(visible(`${sign}${cellText(unsigned, now)}`), width - 1).map((text) =>
      joined(blank(1), cell(theme, text, width - 1, styleOf(one.sign))),
    );
  });

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** One line per series: its name, its course as bars over the whole width (gaps stay empty), its last value. */
const chartLines = (theme: Theme, block: ChartBlock, width: number, _now: number): readonly Painted[] => {
  const names = Math.min(20, Math.max(0, ...block.series.map((one) => safeWidth(one.name))));
  const points = block.series.flatMap((one) => one.points);
  if (points.length === 0) return [cell(theme, ' no values yet', width, 'dim')];
  const most = Math.max(...points.map((point) => point.value), Number.MIN_VALUE);
  const from = Math.min(...points.map((point) => point.at));
  const span = Math.max(1, Math.max(...points.map((point) => point.at)) - from);
  const room = Math.max(1, width - names - 16);
  return block.series.map((one) => {
    const slots: (number | undefined)[] = Array.from({ length: room });
    for (const point of one.points) {
      const slot = Math.min(room - 1, Math.floor(((point.at - from) / span) * room));
      slots[slot] = Math.max(slots[slot] ?? 0, point.value);
    }
    const course = slots
      .map((value) => (value === undefined ? ' ' : (bars[Math.round((value / most) * 7)] ?? '█')))
      .join('');
    const last = one.points.at(-1);
    const figure = last === undefined ? '' : `${Math.round(last.value * 100) / 100} ${block.unit}`;
    return joined(
      blank(1),
      cell(theme, one.name, names, 'dim'),
      blank(1),
      cell(theme, course, room, 'accent'),
      cell(theme, ` ${figure}`, Math.max(0, width - names - 2 - room)),
    );
  });
};
