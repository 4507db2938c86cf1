import type { Cell, GridBlock, Heat, Trend } from '../../src/model/view.ts';

/** Heights of a course; `src/text/width.ts` knows them as one column each, and `components/paint.ts` their likeness in ASCII. */
export const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The course of an hour, one column for every five minutes: where nobody looked there is nothing, which is not nought (`▁`). */
export const trendText = (trend: Trend | undefined): string =>
  trend === undefined || trend.every((height) => height === null)
    ? ''
    : trend.map((height) => (height === null ? ' ' : (heights[height] ?? '█'))).join('');

/** Columns of a bar. */
const BAR = 8;

/** A share of a whole: `███░░░░░`. What is not quite nothing or not quite all is not drawn as that. */
const barText = (share: number): string => {
  const exact = Math.max(0, Math.min(1, share)) * BAR;
  const full = exact <= 0 ? 0 : exact >= BAR ? BAR : Math.max(1, Math.min(BAR - 1, Math.round(exact)));
  return '█'.repeat(full) + '░'.repeat(BAR - full);
};

const shades: Readonly<Record<Heat, string>> = { 0: '··', 1: '░░', 2: '▒▒', 3: '▓▓', 4: '██' };

/** The shade of a cell of a heat map: a better cell is lighter, with or without colour. */
const heatText = (heat: Heat): string => shades[heat];

/** What stands before a cell's text. The text says the same: a picture is never the only place of a fact. */
export const pictureOf = ({ trend, share, heat }: Cell): string =>
  [trendText(trend), share === undefined ? '' : barText(share), heat === undefined ? '' : heatText(heat)]
    .filter(Boolean)
    .join(' ');

const heats: readonly Heat[] = [0, 1, 2, 3, 4];

/** What the shades of a grid mean: `·· 90 % and more   ░░ 75 %`. */
export const scaleText = (scale: GridBlock['scale']): string =>
  scale === undefined ? '' : heats.map((heat) => `${heatText(heat)} ${scale[heat]}`).join('   ');
