import type { Row } from '../src/model/view.ts';

const haystacks = new WeakMap<object, string>();

/** Everything a filter may find in a row, lower case: cells, further words, subject and members. */
const haystack = (row: Row): string => {
  const known = haystacks.get(row);
  if (known !== undefined) return known;
  const words = [
    ...Object.values(row.cells).map((cell) => cell.text),
    row.search ?? '',
    row.subject?.id ?? '',
    ...(row.members ?? []).map((member) => member.id),
  ];
  const made = words.join('\n').toLowerCase();
  haystacks.set(row, made);
  return made;
};

/** Words that must all be there; `!word` must not. Upper and lower case are the same. */
export const matcher = (filter: string): ((row: Row) => boolean) | undefined => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '!');
  if (words.length === 0) return undefined;
  return (row) => {
    const text = haystack(row);
    return words.every((word) =>
      word.startsWith('!') ? !text.includes(word.slice(1)) : text.includes(word),
    );
  };
};
