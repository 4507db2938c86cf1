import { rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import {
  type Damage,
  text,
  linesOf,
  put,
  head,
  numbers,
  flip,
  HEAD_GONE,
  GONE,
  times,
} from './damage-log.ts';

/** Changes to single bits and lines of a log of `lines` lines. */
export const lineDamages = (lines: number): readonly Damage[] => [
  ...times(40, (at) => ({
    name: `one bit of the log, ${at}`,
    says: /line \d+ /,
    change: (file) => flip(file, numbers(at + 1)),
  })),
  {
    name: 'one bit of the log, its times put back',
    says: /line \d+ /,
    change: (file) => {
      const { atime, mtime } = statSync(file);
      flip(file, numbers(77));
      utimesSync(file, atime, mtime);
    },
  },
  ...times(10, (at) => ({
    name: `one bit of the head, ${at}`,
    says: /head|was replaced|records? (?:is|are) missing/,
    change: (file) => flip(head(file), numbers(at + 100)),
  })),
  ...times(lines, (at) => ({
    name: `line ${at + 1} deleted`,
    says: /missing|head|follow/,
    change: (file) => put(file, linesOf(file).toSpliced(at, 1)),
  })),
  ...times(lines - 1, (at) => ({
    name: `lines ${at + 1} and ${at + 2} swapped`,
    says: /line \d+/,
    change: (file) => {
      const all = linesOf(file);
      put(file, [...all.slice(0, at), ...all.slice(at, at + 2).toReversed(), ...all.slice(at + 2)]);
    },
  })),
  ...times(lines, (at) => ({
    name: `cut after line ${at}, the head removed`,
    says: at === 0 ? GONE : HEAD_GONE,
    change: (file) => {
      put(file, linesOf(file).slice(0, at));
      rmSync(head(file));
    },
  })),
  ...times(lines, (at) => ({
    name: `cut after line ${at}, the head left`,
    says: /names record/,
    change: (file) => put(file, linesOf(file).slice(0, at)),
  })),
  ...times(3, (at) => ({
    name: `cut in line ${lines - at}, the head left`,
    says: /cut short|names record/,
    change: (file) =>
      truncateSync(
        file,
        linesOf(file)
          .slice(0, lines - at)
          .join('\n').length - 20,
      ),
  })),
  {
    name: 'only the last line feed cut off',
    says: /cut short|names record/,
    change: (file) => truncateSync(file, text(file).length - 1),
  },
];
