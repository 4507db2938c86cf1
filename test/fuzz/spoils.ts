import { payloads } from './payloads.ts';

/** A number below `below`. */
export type Random = (below: number) => number;

const pick = <T>(random: Random, of: readonly T[]): T | undefined => of[random(of.length)];

const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random(256)));

/** Places of words in a text: what may be a name, a state, a figure. */
const wordsIn = (text: string): { at: number; length: number }[] =>
  [...text.matchAll(/[\w.:/-]+/g)].map(({ index, 0: word }) => ({ at: index, length: word.length }));

const inWord = (random: Random, text: string, change: (word: string) => string): string => {
  const word = pick(random, wordsIn(text));
  if (!word) return change(text);
  const [before, inside] = [text.slice(0, word.at), text.slice(word.at, word.at + word.length)];
  return `${before}${change(inside)}${text.slice(word.at + word.length)}`;
};

const lines = (text: string): string[] => text.split('\n');

/** Ways to spoil an answer, by name. */
export const spoils: Readonly<Record<string, (text: string, random: Random) => string | Buffer>> = {
  'random bytes': (_, random) => randomBytes(random, 1 + random(4000)),
  'random bytes behind it': (text, random) => Buffer.concat([Buffer.from(text), randomBytes(random, 300)]),
  'bytes flipped': (text, random) => {
    const bytes = Buffer.from(text);
    for (let count = 0; count < 1 + random(8) && bytes.length > 0; count++)
      bytes[random(bytes.length)] = random(256);
    return bytes;
  },
  cut: (text, random) => text.slice(0, random(text.length + 1)),
  'head lost': (text, random) => text.slice(random(text.length + 1)),
  'lines doubled': (text, random) => {
    const all = lines(text);
    all.splice(random(all.length), 0, ...all.slice(0, random(all.length)));
    return all.join('\n');
  },
  'a line lost': (text, random) =>
    lines(text)
      .toSpliced(random(lines(text).length), 1)
      .join('\n'),
  'lines in another order': (text, random) =>
    lines(text)
      .toSorted(() => random(3) - 1)
      .join('\n'),
  'a payload in a word': (text, random) => inWord(random, text, (word) => `${word}${pick(random, payloads)}`),
  'a payload for a word': (text, random) => inWord(random, text, () => pick(random, payloads) ?? ''),
  'payloads in many words': (text, random) =>
    Array.from({ length: 12 }).reduce<string>(
      (said) => inWord(random, said, (word) => `${pick(random, payloads)}${word}`),
      text,
    ),
  'a long word': (text, random) => inWord(random, text, (word) => word.repeat(1 + random(3000))),
  'a long line': (text, random) => `${text}${'a'.repeat(random(200_000))}!\n`,
  'brackets without end': (_, random) => '[{"a":'.repeat(1 + random(4000)),
  'elements without end': (text) => `${text.slice(0, text.length / 2)}${'<a>'.repeat(2000)}`,
  'a banner first': (text, random) => `*** ${pick(random, payloads)} ***\n${text}`,
  nothing: () => '',
};
