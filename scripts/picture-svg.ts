import type { Run } from '../test/e2e/driver.ts';

const CELL = { width: 8.4, height: 17, font: 14 };
const EDGE = 14;
const colours = ['#15181d', '#f0616d', '#7fc98a', '#e6b450', '#6aa5e8', '#c792ea', '#5fc7d4', '#d7dae0'];
const paper = '#15181d';
const ink = '#c9ced6';

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const roundText = (value: number): string => String(Math.round(value * 10) / 10);

/** Cells, as the columns here are: nothing on these screens is wide. */
const cells = (text: string): number => Array.from(text).length;

/** Words that stand close together; wider gaps are places, not characters. */
const pieces = (run: Run): readonly { column: number; text: string }[] =>
  [...run.text.matchAll(/\S+(?: \S+)*/g)].map((match) => ({
    column: run.column + cells(run.text.slice(0, match.index)),
    text: match[0],
  }));

/** Each piece is stretched to its cells, so that columns stand in line whatever the font of the reader. */
const textsOf = (run: Run, line: number): readonly string[] =>
  pieces(run).map(({ column, text }) => {
    const x = roundText(EDGE + column * CELL.width);
    const y = roundText(EDGE + (line + 0.8) * CELL.height);
    const wide = roundText(cells(text) * CELL.width);
    const fill = run.colour === undefined ? ink : (colours[run.colour % 8] ?? ink);
    const looks = `${run.bold ? ' font-weight="bold"' : ''}${run.dim ? ' opacity="0.55"' : ''}`;
    return `<text x="${x}" y="${y}" textLength="${wide}" lengthAdjust="spacingAndGlyphs" fill="${fill}"${looks}>${escapeText(text)}</text>`;
  });

/** A screen as SVG. Nothing in it is drawn by hand. */
export const svgOf = (lines: readonly (readonly Run[])[], columns: number, title: string): string => {
  const width = roundText(columns * CELL.width + 2 * EDGE);
  const height = roundText(lines.length * CELL.height + 2 * EDGE);
  const texts = lines.flatMap((runs, line) => runs.flatMap((run) => textsOf(run, line)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<title>${escapeText(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paper}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${CELL.font}">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};
