import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, messagesOf, wholeNumber, type ReportedError } from './words.ts';

export interface MdMember {
  name: string;
  /** The place in the device table, which is not the slot. */
  number: number;
  flags?: string[];
}

export interface MdArray {
  name: string;
  active: boolean;
  broken?: true;
  readOnly?: string;
  level?: string;
  disks: MdMember[];
  /** KiB */
  blocks?: number;
  metadata?: string;
  expected?: number;
  working?: number;
  /** By slot: `U` in sync, `_` not. */
  pattern?: string;
  bitmap?: true;
  /** RAID10: copies beside each other, and copies further down (far or offset). */
  nearCopies?: number;
  farCopies?: number;
  sync?: MdSync;
}

export type MdSync =
  | { action: string; pct: number; done: number; total: number; finishMin?: number; speedKBs?: number }
  | { action: string; state: string };

export interface Mdstat {
  arrays: MdArray[];
  personalities?: string[];
  error?: ReportedError;
  notUnderstood?: number;
}

const memberForm = /^([^[\]]+)\[(\d{1,6})\]((?:\([A-Z]\))*)$/;

const memberOf = (word: string): MdMember | undefined => {
  const [, name, number, flags = ''] = memberForm.exec(word) ?? [];
  if (name === undefined) return undefined;
  const letters = flags.match(/[A-Z]/g) ?? [];
  return { name, number: Number(number), ...(letters.length > 0 && { flags: letters }) };
};

/** `md6 : active (auto-read-only) raid6 sdf[3] sdl[6](S)` */
const arrayOf = (line: string): MdArray | undefined => {
  const at = line.indexOf(' : ');
  if (at <= 0 || /^\s/.test(line)) return undefined;
  const [state = '', ...words] = line
    .slice(at + 3)
    .trim()
    .split(/\s+/);
  if (state !== 'active' && state !== 'inactive' && state !== 'broken') return undefined;
  const array: MdArray = {
    name: line.slice(0, at).trim(),
    active: state === 'active',
    ...(state === 'broken' && { broken: true }),
    disks: [],
  };
  for (const word of words) {
    const member = memberOf(word);
    if (member) array.disks.push(member);
    else if (word.startsWith('(') && word.endsWith(')')) array.readOnly = word.slice(1, -1);
    else array.level ??= word;
  }
  return array;
};

/** `2 near-copies`, `2 far-copies`, `2 offset-copies`: each is printed where it is more than one. */
const takeCopies = (array: MdArray, words: readonly string[]): void => {
  for (const [at, word] of words.entries()) {
    const copies = wholeNumber(words[at - 1]);
    if (copies === undefined) continue;
    if (word === 'near-copies') array.nearCopies = copies;
    else if (word === 'far-copies' || word === 'offset-copies') array.farCopies = copies;
  }
};

/** `122880 blocks super 1.2 level 6, 512k chunk, algorithm 2 [6/4] [UUUU__]` */
const takeSize = (array: MdArray, line: string): boolean => {
  const words = line.trim().split(/\s+/);
  if (words[1] !== 'blocks') return false;
  const blocks = wholeNumber(words[0]);
  if (blocks !== undefined) array.blocks = blocks;
  const metadata = words[words.indexOf('super') + 1];
  if (words[2] === 'super' && metadata !== undefined) array.metadata = metadata;
  takeCopies(array, words);
  for (const word of words) {
    const [, expected, working] = /^\[(\d{1,6})\/(\d{1,6})\]$/.exec(word) ?? [];
    if (expected !== undefined && working !== undefined) {
      array.expected = Number(expected);
      array.working = Number(working);
    } else if (/^\[[U_]+\]$/.test(word)) array.pattern = word.slice(1, -1);
  }
  return true;
};

const waitingForm = /^([a-z]{1,20})\s?=\s?([A-Z]{1,20})$/;

const syncOf = (line: string): MdSync | undefined => {
  const [, waits, state] = waitingForm.exec(line.trim()) ?? [];
  if (waits !== undefined && state !== undefined) return { action: waits, state };
  // `[=>...]  recovery =  9.6% (6528/63488) finish=0.4min speed=2176K/sec`
  const words = line
    .replace(/^\s*\[[=>.]*\]/, '')
    .trim()
    .split(/\s+/);
  const [action = '', equals, percent = '', position = ''] = words;
  const [, done, total] = /^\((\d{1,16})\/(\d{1,16})\)$/.exec(position) ?? [];
  const pct = /^\d{1,3}(?:\.\d{1,3})?(?=%$)/.exec(percent)?.[0];
  if (equals !== '=' || done === undefined || total === undefined || pct === undefined) return undefined;
  const finish = /finish=(\d{1,10}(?:\.\d{1,3})?)min/.exec(line)?.[1];
  const speed = /speed=(\d{1,12})K\/sec/.exec(line)?.[1];
  return {
    action,
    pct: Number(pct),
    done: Number(done),
    total: Number(total),
    ...(finish !== undefined && { finishMin: Number(finish) }),
    ...(speed !== undefined && { speedKBs: Number(speed) }),
  };
};

const takeDetail = (array: MdArray, line: string): boolean => {
  const text = line.trim();
  if (text.startsWith('bitmap:')) {
    array.bitmap = true;
    return true;
  }
  const sync = syncOf(line);
  if (sync) array.sync = sync;
  return sync !== undefined || takeSize(array, line);
};

/** Reads /proc/mdstat of kernels from 2.6 on. */
export const parseMdstat = (input: ParseInput): Mdstat => {
  const lines = input.stdout.split('\n').filter((line) => line.trim() !== '');
  const read: Mdstat = { arrays: [] };
  let [skipped, known] = [0, false];
  for (const line of lines) {
    const array = arrayOf(line);
    const last = read.arrays.at(-1);
    if (array) read.arrays.push(array);
    else if (line.startsWith('Personalities :')) {
      read.personalities = [...line.matchAll(/\[([^[\]]{1,40})\]/g)].map(([, name = '']) => name);
      known = true;
    } else if (line.startsWith('unused devices:')) known = true;
    else if (last === undefined || !takeDetail(last, line)) skipped += 1;
  }
  if (!known && read.arrays.length === 0) {
    const said = messagesOf(/^cat: /, input.stderr)[0];
    if (lines.length > 0 || said === undefined) throw new NotThisFormat('no line of /proc/mdstat');
    return { ...read, error: errorOfMessage(said) };
  }
  return { ...read, ...(skipped > 0 && { notUnderstood: skipped }) };
};
