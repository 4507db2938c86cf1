import { appendFileSync, writeFileSync } from 'node:fs';
import { sha256 } from '../../src/audit/audit-line.ts';
import { fileDamages } from './damage-files.ts';
import { lineDamages } from './damage-lines.ts';
import { type Damage, text, linesOf, put, head, rechain, times } from './damage-log.ts';

/** Every change to what log and head hold that is tried, of a log of `lines` lines. */
export const contentDamages = (lines: number): readonly Damage[] => [
  ...lineDamages(lines),
  ...fileDamages,
  {
    name: 'a line of nonsense at the end',
    says: /is not a whole record/,
    change: (file) => appendFileSync(file, 'nonsense\n'),
  },
  {
    name: 'an empty line at the end',
    says: /is not a whole record/,
    change: (file) => appendFileSync(file, '\n'),
  },
  {
    name: 'the last line twice',
    says: /there twice/,
    change: (file) => put(file, [...linesOf(file), linesOf(file).at(-1) ?? '']),
  },
  {
    name: 'the whole log twice',
    says: /there twice/,
    change: (file) => put(file, [...linesOf(file), ...linesOf(file)]),
  },
  {
    name: 'another log in its place',
    says: /head|names/,
    change: (file) => {
      rechain(file, 0);
      put(file, linesOf(file).slice(0, 3));
    },
  },
  {
    name: 'chained anew, and the first line of the head with it',
    says: /was replaced|names/,
    change: (file) =>
      writeFileSync(head(file), text(head(file)).split('\n').with(0, rechain(file, 0).trim()).join('\n')),
  },
  ...times(lines, (at) => ({
    name: `chained anew from line ${at + 1} on, the old head`,
    says: /not the last line that the head names/,
    change: (file) => void rechain(file, at),
  })),
  ...times(3, (at) => ({
    name: `an older head, ${at + 2} records back`,
    says: /head names record/,
    change: (file) => {
      const line = linesOf(file)[lines - at - 3] ?? '';
      const point = text(head(file)).split('\n')[1];
      writeFileSync(head(file), `${String(lines - at - 2).padStart(12, '0')} ${sha256(line)}\n${point}\n`);
    },
  })),
];
