import stringWidth from 'string-width';

/**
 * Printable ASCII and the signs that we draw with, each a column for itself whatever stands beside it: nearly every text. Measuring by
 * graphemes was a tenth of what an idle screen costs.
 */
const narrow = /^[\x20-\x7e·…→←↑↓⇄─│┌┐└┘▁-█░▒▓✓✖●○“”’]*$/;

/** Columns of a text on a terminal. */
export const width = (text: string): number => (narrow.test(text) ? text.length : stringWidth(text));

/** The longest beginning that fits into so many columns; characters that people see as one stay whole. */
const take = (text: string, columns: number): string => {
  if (narrow.test(text)) return text.slice(0, Math.max(0, columns));
  let used = 0;
  let end = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += width(segment);
    if (used > columns) break;
    end += segment.length;
  }
  return text.slice(0, end);
};

const graphemes = new Intl.Segmenter();

/** Cut to at most `columns`, with `…` where something was left out. */
export const cut = (text: string, columns: number): string => {
  if (columns <= 0) return '';
  return width(text) <= columns ? text : `${take(text, columns - 1)}…`;
};

/** The end of a text in at most `columns`, with `…` where something before it was left out. */
export const cutStart = (text: string, columns: number): string => {
  if (columns <= 0) return '';
  if (width(text) <= columns) return text;
  const parts = [...graphemes.segment(text)].map(({ segment }) => segment);
  let used = 1;
  let from = parts.length;
  while (from > 0) {
    used += width(parts[from - 1] ?? '');
    if (used > columns) break;
    from -= 1;
  }
  return `…${parts.slice(from).join('')}`;
};

/** Exactly `columns` wide: cut or padded. */
export const fitText = (text: string, columns: number, align: 'left' | 'right' = 'left'): string => {
  const short = cut(text, columns);
  const blanks = ' '.repeat(Math.max(0, columns - width(short)));
  return align === 'left' ? short + blanks : blanks + short;
};

/**
 * Words broken into lines of at most `columns` (at least one character each); longer words are broken too. `further`: columns of the
 * lines after the first.
 */
export const wrap = (text: string, columns: number, further = columns): string[] => {
  const lines: string[] = [];
  const room = (): number => (lines.length === 0 ? columns : further);
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const joined: string = line === undefined ? word : `${line} ${word}`;
    if (width(joined) <= room()) {
      line = joined;
      continue;
    }
    if (line !== undefined) lines.push(line);
    let rest = word;
    while (width(rest) > room()) {
      const head = take(rest, room()) || firstOf(rest);
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = rest;
  }
  return line === undefined ? lines : [...lines, line];
};

const firstOf = (text: string): string => [...graphemes.segment(text)][0]?.segment ?? text;
