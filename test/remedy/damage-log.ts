import { readFileSync, writeFileSync } from 'node:fs';
import { decodeLine, encodeLine, FIRST_PREV, sha256 } from '../../src/audit/audit-line.ts';

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

export const text = (file: string): string => readFileSync(file, 'latin1');
export const linesOf = (file: string): string[] => text(file).split('\n').slice(0, -1);
export const put = (file: string, lines: readonly string[]): void =>
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''), 'latin1');
export const head = (file: string): string => `${file}.head`;

/** So that a failure can be looked at again: the same numbers every time (a linear congruence). */
export const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

export const flip = (file: string, random: (below: number) => number): void => {
  const bytes = readFileSync(file);
  const at = random(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
  writeFileSync(file, bytes);
};

/** The log written anew with another content in one record, every hash right again. */
export const rechain = (file: string, at: number): string => {
  let prev = FIRST_PREV;
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

export const HEAD_GONE = /the head file beside the log is missing/;
export const GONE =
  /the log is gone|the log is empty|the log and its head are gone|the log is (?:empty|gone|missing)/;

export const times = (count: number, make: (at: number) => Damage): Damage[] =>
  Array.from({ length: count }, (_, at) => make(at));
