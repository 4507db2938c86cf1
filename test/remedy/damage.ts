import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeLine, encodeLine, FIRST } from '../../src/audit/audit-line.ts';
import { sha256 } from '../../src/audit/sha256.ts';

/** One change to the log `file` (with its head beside it) that somebody or something made. */
export interface Damage {
  name: string;
  /** What the refusal must name. */
  says: RegExp;
  /** Sealing does not help: the place itself must be put right, and this does it. */
  mend?(file: string): void;
  change(file: string): void;
  /** Only root can do it; `disk`: with a file system of its own mounted over the folder above the log's. */
  needs?: 'root' | 'disk';
}

const text = (file: string): string => readFileSync(file, 'latin1');
const linesOf = (file: string): string[] => text(file).split('\n').slice(0, -1);
const put = (file: string, lines: readonly string[]): void =>
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''), 'latin1');
const head = (file: string): string => `${file}.head`;

/** So that a failure can be looked at again: the same numbers every time (a linear congruence). */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const flip = (file: string, random: (below: number) => number): void => {
  const bytes = readFileSync(file);
  const at = random(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
  writeFileSync(file, bytes);
};

/** The log written anew with another content in one record, every hash right again. */
const rechain = (file: string, at: number): string => {
  let prev = FIRST;
  const lines = linesOf(file).map((line, index) => {
    const record = decodeLine(line);
    if (typeof record === 'string') throw new Error(record);
    const { hash: _, ...content } = record;
    const detail = index === at ? { ...content.detail, text: 'nothing happened' } : content.detail;
    const made = encodeLine({ ...content, prev, detail });
    prev = sha256(made);
    return made;
  });
  put(file, lines);
  return `${String(lines.length).padStart(12, '0')} ${prev}\n`;
};

const HEAD_GONE = /the head file beside the log is missing/;
const GONE =
  /the log is gone|the log is empty|the log and its head are gone|the log is (?:empty|gone|missing)/;

const times = (count: number, make: (at: number) => Damage): Damage[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Every change to what log and head hold that is tried, of a log of `lines` lines. */
export const contentDamages = (lines: number): readonly Damage[] => [
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
  { name: 'emptied', says: GONE, change: (file) => truncateSync(file) },
  {
    name: 'emptied with its head',
    says: GONE,
    change: (file) => {
      truncateSync(file);
      truncateSync(head(file));
    },
  },
  { name: 'deleted', says: GONE, change: (file) => rmSync(file) },
  {
    name: 'deleted, its head emptied',
    says: GONE,
    change: (file) => {
      rmSync(file);
      truncateSync(head(file));
    },
  },
  {
    name: 'deleted with its head',
    says: GONE,
    change: (file) => {
      rmSync(file);
      rmSync(head(file));
    },
  },
  {
    name: 'everything called audit deleted',
    says: GONE,
    change: (file) => {
      for (const one of [file, head(file), `${file}.lock`]) rmSync(one, { force: true });
    },
  },
  { name: 'the head deleted', says: HEAD_GONE, change: (file) => rmSync(head(file)) },
  {
    name: 'the head emptied',
    says: /head file beside the log is empty/,
    change: (file) => truncateSync(head(file)),
  },
  {
    name: 'the head overwritten with nonsense',
    says: /is not one/,
    change: (file) => writeFileSync(head(file), 'x\n'),
  },
  {
    name: 'the head without its second line',
    says: /lost its second line/,
    change: (file) => writeFileSync(head(file), `${text(head(file)).split('\n')[0]}\n`),
  },
  {
    name: 'the head a folder',
    says: /is a folder/,
    change: (file) => {
      rmSync(head(file));
      mkdirSync(head(file));
    },
  },
  {
    name: 'the head a pipe',
    says: /not a regular file/,
    change: (file) => {
      rmSync(head(file));
      execFileSync('mkfifo', [head(file)]);
    },
  },
  {
    name: 'a pipe in place of the log',
    says: /not a regular file/,
    change: (file) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    },
  },
  {
    name: 'a folder in place of the log',
    says: /is a folder/,
    change: (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  },
  {
    name: 'a link to /dev/null in place of the log',
    says: /not a regular file/,
    change: (file) => {
      rmSync(file);
      symlinkSync('/dev/null', file);
    },
  },
  {
    name: 'a link to nowhere in place of the log',
    says: GONE,
    change: (file) => {
      rmSync(file);
      symlinkSync(join(dirname(file), 'nowhere'), file);
    },
  },
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
