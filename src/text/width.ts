import stringWidth from 'string-width';

const ascii = /^[\x20-\x7e]*$/;

/** Columns of a text on a terminal. */
export const width = (text: string): number => (ascii.test(text) ? text.length : stringWidth(text));

/** Cut to at most `columns`, with `…` where something was left out. */
export const cut = (text: string, columns: number): string => {
  if (columns <= 0) return '';
  if (width(text) <= columns) return text;
  if (columns === 1) return '…';
  if (ascii.test(text)) return `${text.slice(0, columns - 1)}…`;
  let used = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = width(segment);
    if (used + next > columns - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
};

/** Exactly `columns` wide: cut or padded. */
export const fit = (text: string, columns: number, align: 'left' | 'right' = 'left'): string => {
  const short = cut(text, columns);
  const blanks = ' '.repeat(Math.max(0, columns - width(short)));
  return align === 'left' ? short + blanks : blanks + short;
};

/** Words broken into lines of at most `columns`; longer words are broken too. */
export const wrap = (text: string, columns: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    const joined = line === '' ? rest : `${line} ${rest}`;
    if (width(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    for (let head = broken(rest, columns); head !== ''; head = broken(rest, columns)) {
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = rest;
  }
  lines.push(line);
  return lines;
};

/** The first part of a word that is too long for a line; empty when it fits or can't be broken. */
const broken = (word: string, columns: number): string =>
  width(word) > columns && columns > 1 ? cut(word, columns).slice(0, -1) : '';
