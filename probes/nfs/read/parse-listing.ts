import { dropUndefined } from '../../../src/kit/known.ts';
import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { parseLscolors, type LsColors } from './parse-lscolors.ts';

/** How `ls` was called: without colours, with those of the host, with capabilities off, with all off for which an entry is looked at. */
export const listingForms = ['plain', 'host', 'stat', 'off'] as const;
type ListingForm = (typeof listingForms)[number];

/** Why a run ended: the directory, the number of entries, the time, or `ls` itself said no. */
export const runEnds = ['all', 'limit', 'time', 'failed'] as const;

interface ListingRun {
  form: ListingForm;
  /** Those that were printed; of a run that the time ended, some more were looked at. */
  entries: number;
  /** From /proc/uptime: in steps of 10. */
  ms: number;
  end: (typeof runEnds)[number];
}

/** What list.sh keeps of one directory. */
export interface Listing {
  directory: string;
  /** Seconds since 1970, by the host's clock. */
  atS: number;
  most: number;
  seconds: number;
  fsType?: string;
  mount?: string;
  ls?: string;
  /** Why the directory could not be looked at. */
  refused?: string;
  /** `ls --color` of a login shell: what it asks for, and whether a profile says so or the table of dircolors. */
  colours?: LsColors & { from: string };
  /** Files for new users call dircolors, after the profiles. */
  skel?: boolean;
  runs: ListingRun[];
}

const endOf = (code: number, entries: number, most: number): ListingRun['end'] => {
  if (code === 137) return 'time';
  if (code === 141 || (code === 0 && entries >= most)) return 'limit';
  // 1: some entries could not be looked at (ls(1)).
  return code === 0 || (code === 1 && entries > 0) ? 'all' : 'failed';
};

const isForm = (word: string): word is ListingForm => listingForms.some((form) => form === word);

const runOf = (rest: string, most: number): ListingRun[] => {
  const [form = '', from = '', to = ''] = rest.split(' ');
  const [, code] = / code (\d{1,3})\b/.exec(rest) ?? [];
  const [, entries] = / entries (\d{1,9})\b/.exec(rest) ?? [];
  const ms = Math.round((Number(to) - Number(from)) * 1000);
  if (!isForm(form) || code === undefined || entries === undefined || !(ms >= 0)) return [];
  return [{ form, entries: Number(entries), ms, end: endOf(Number(code), Number(entries), most) }];
};

/** A row of `df -PT`: source, type, three sizes, percent, where it is mounted; sources and mounts may hold blanks. */
const fileSystemOf = (row: string): { fsType?: string; mount?: string } => {
  const [, fsType, mount] = /\s(\S+)\s+\d+\s+\d+\s+-?\d+\s+(?:\d+%|-)\s+(\/.*)$/.exec(row) ?? [];
  return dropUndefined({ fsType, mount });
};

const coloursOf = (rest: string): Listing['colours'] => {
  const blank = rest.indexOf(' ');
  const from = blank < 0 ? rest : rest.slice(0, blank);
  try {
    return { from, ...parseLscolors({ stdout: blank < 0 ? '' : rest.slice(blank + 1) }) };
  } catch (error) {
    if (error instanceof NotThisFormat) return undefined;
    throw error;
  }
};

const listingOf = (lines: ReadonlyMap<string, readonly string[]>): Listing | undefined => {
  const first = (word: string): string | undefined => lines.get(word)?.[0];
  const directory = first('directory');
  const [, most, seconds] = /^(\d{1,9}) (\d{1,5})$/.exec(first('limits') ?? '') ?? [];
  const [at] = /^\d{1,12}$/.exec(first('at') ?? '') ?? [];
  if (directory === undefined || at === undefined || most === undefined || !lines.has('end'))
    return undefined;
  const refused = first('refused');
  const skel = first('skel');
  const colours = first('colours');
  return {
    directory,
    atS: Number(at),
    most: Number(most),
    seconds: Number(seconds),
    ...fileSystemOf(first('filesystem') ?? ''),
    ...dropUndefined({
      ls: first('ls'),
      refused: refused === '' ? undefined : refused,
      colours: colours === undefined ? undefined : coloursOf(colours),
      skel: skel === undefined || skel === '' ? undefined : skel !== '0',
    }),
    runs: (lines.get('form') ?? []).flatMap((rest) => runOf(rest, Number(most))),
  };
};

/** Reads what list.sh kept: from `directory` to `end` for each directory. One without its end, and a run that is not understood, are left out and counted. */
export const parseListing = ({ stdout }: ParseInput): { listings: Listing[]; notUnderstood?: number } => {
  const blocks: Map<string, string[]>[] = [];
  for (const line of stdout.split('\n')) {
    const blank = line.indexOf(' ');
    const word = blank < 0 ? line : line.slice(0, blank);
    if (word === 'directory') blocks.push(new Map());
    const block = blocks.at(-1);
    if (!block || word === '') continue;
    block.set(word, [...(block.get(word) ?? []), blank < 0 ? '' : line.slice(blank + 1)]);
  }
  if (blocks.length === 0) throw new NotThisFormat('no line `directory PATH`');
  const listings: Listing[] = [];
  let odd = 0;
  for (const lines of blocks) {
    const listing = listingOf(lines);
    if (listing) listings.push(listing);
    odd += listing ? (lines.get('form') ?? []).length - listing.runs.length : 1;
  }
  return { listings, ...(odd > 0 && { notUnderstood: odd }) };
};
