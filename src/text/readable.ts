import { clock } from './ages.ts';

/** JSON of more than this is broken at its objects only: to parse it takes too long, characters. */
const MOST_JSON = 4_000_000;

/** Words of a name whose value is an instant. */
const timeWord =
  /(?:time|date|start|end|since|until|boot|stamp|expires?|seen|updated?|changed|modified|_at)\w*["']?\s*(?:[:=]|\bis\b|$)/i;

/** Seconds or milliseconds since 1970, of the years 2001 to 2096. */
const instant = /^[\w .'"-]+[:=] {0,8}["']?([1-3]\d{9}(?:\d{3})?)(?:\.\d{1,9})?["']?,?$/;

/** Lines of an object that holds an instant, as Slurm writes one: `"number": 1764000000`. */
const numberLine = /^\s*"number"\s*:\s*(\d{10})\s*,?$/;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const dateText = (at: number): string => {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${clock(at)}`;
};

const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * An answer as people read it: JSON on one line is laid out, and behind an instant that is a number stands the local time. Nothing is
 * taken away; the lines of other texts are as they came.
 */
export const readableLines = (text: string): string[] => {
  const lines = text.replace(/\n$/, '').split('\n').flatMap(layOut);
  return lines.map((line, index) => withTime(line, index, lines));
};

const layOut = (line: string): readonly string[] => {
  const first = line.trimStart()[0];
  if (line.length < 80 || (first !== '{' && first !== '[')) return [line];
  if (line.length > MOST_JSON) return line.replace(/\},\s*\{/g, '},\n{').split('\n');
  try {
    return JSON.stringify(JSON.parse(line), undefined, 2).split('\n');
  } catch {
    return [line];
  }
};

const withTime = (line: string, index: number, lines: readonly string[]): string => {
  const found = instant.exec(line)?.[1];
  if (found === undefined) return line;
  const isTime = timeWord.test(line) || (numberLine.test(line) && timeWord.test(ownerOf(index, lines)));
  if (!isTime) return line;
  const value = Number(found);
  return `${line}   (${dateText(found.length > 10 ? value : value * 1000)})`;
};

/** The line that opens the object a line stands in, without its bracket. */
const ownerOf = (index: number, lines: readonly string[]): string => {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index - 1; at >= Math.max(0, index - 4); at--) {
    const line = lines[at] ?? '';
    if (indentOf(line) < indent) return line.replace(/[{[]\s*$/, '').trimEnd();
  }
  return '';
};
