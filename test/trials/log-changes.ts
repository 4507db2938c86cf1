import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lab/processes.ts';
import type { Chance } from './random.ts';

/** A state folder that somebody changes behind the program's back. */
interface Place {
  state: string;
  /** The same folder some records ago. */
  older: string;
  chance: Chance;
}

const logOf = ({ state }: Place): string => join(state, 'audit.jsonl');
const headOf = ({ state }: Place): string => join(state, 'audit.jsonl.head');

const lines = (place: Place): string[] => readFileSync(logOf(place), 'utf8').trimEnd().split('\n');

const write = (place: Place, all: readonly string[]): void =>
  writeFileSync(logOf(place), all.map((line) => `${line}\n`).join(''));

const anyLine = (place: Place): number => place.chance.whole(0, lines(place).length - 1);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One bit of the file other than one that only changes the case of a hash digit. */
const flip = (path: string, chance: Chance): void => {
  const bytes = readFileSync(path);
  const at = chance.whole(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.whole(0, 7));
  writeFileSync(path, bytes);
};

/** Every record again with right hashes from a changed one on: what somebody does who knows how the log is made. */
const rechain = (place: Place, change: (text: string) => string): void => {
  let before = '0'.repeat(64);
  const made = lines(place).map((line) => {
    const body = `${change(line)
      .replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${before}"`)
      .replace(/,"hash":"[0-9a-f]{64}"\}$/, '')}}`;
    const whole = `${body.slice(0, -1)},"hash":"${sha256(body)}"}`;
    before = sha256(whole);
    return whole;
  });
  write(place, made);
  const head = readFileSync(headOf(place), 'utf8');
  writeFileSync(headOf(place), head.replace(/[0-9a-f]{64}/, before));
};

const back = (place: Place, name: string): void =>
  void run('cp', ['-p', join(place.older, name), join(place.state, name)]);

/** What is done to it. What a person can do with an editor, a disk that fails, and a folder that is somebody else's. */
export const CHANGES: Readonly<Record<string, (place: Place) => void>> = {
  'a bit of the log flipped': (place) => flip(logOf(place), place.chance),
  'the log deleted': (place) => rmSync(logOf(place)),
  'the log emptied': (place) => truncateSync(logOf(place)),
  'the head deleted': (place) => rmSync(headOf(place)),
  'the tail cut and the head deleted': (place) => {
    write(place, lines(place).slice(0, -1));
    rmSync(headOf(place));
  },
  'the folder read-only': () => undefined,
  'a line removed': (place) => write(place, lines(place).toSpliced(anyLine(place), 1)),
  'the last line removed': (place) => write(place, lines(place).slice(0, -1)),
  'the last line cut short': (place) =>
    truncateSync(logOf(place), readFileSync(logOf(place)).length - place.chance.whole(2, 200)),
  'two lines swapped': (place) => {
    const all = lines(place);
    const at = place.chance.whole(0, all.length - 2);
    const [one = '', two = ''] = all.slice(at, at + 2);
    write(place, all.toSpliced(at, 2, two, one));
  },
  'a line doubled': (place) => {
    const all = lines(place);
    const at = anyLine(place);
    write(place, all.toSpliced(at, 0, all[at] ?? ''));
  },
  'a bit of the head flipped': (place) => flip(headOf(place), place.chance),
  'the head emptied': (place) => truncateSync(headOf(place)),
  'the head of before': (place) => back(place, 'audit.jsonl.head'),
  'the log of before': (place) => back(place, 'audit.jsonl'),
  'log and head of before': (place) => {
    back(place, 'audit.jsonl');
    back(place, 'audit.jsonl.head');
  },
  'log and head deleted': (place) => {
    rmSync(logOf(place));
    rmSync(headOf(place));
  },
  'the folder deleted': (place) => rmSync(place.state, { recursive: true }),
  'the folder moved away, an empty one in its place': (place) => {
    renameSync(place.state, `${place.state}.away`);
    mkdirSync(place.state, { mode: 0o700 });
  },
  'a folder in the place of the log': (place) => {
    rmSync(logOf(place));
    mkdirSync(logOf(place));
  },
  'a pipe in the place of the log': (place) => {
    rmSync(logOf(place));
    run('mkfifo', [logOf(place)]);
  },
  'garbage appended': (place) => write(place, [...lines(place), 'not a record']),
  'a blank line put in': (place) => write(place, lines(place).toSpliced(anyLine(place), 0, '')),
  'an outcome forged and all hashes made anew': (place) =>
    rechain(place, (line) => line.replace('"outcome":"done"', '"outcome":"failed"')),
};
