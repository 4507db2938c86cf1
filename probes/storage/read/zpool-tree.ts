import { wholeNumber } from './words.ts';

export interface Scan {
  text?: string;
  function?: string;
  state?: 'inProgress' | 'finished' | 'paused' | 'canceled' | 'none';
  pct?: number;
  errors?: number;
}

export type VdevClass = 'data' | 'log' | 'cache' | 'spare' | 'special' | 'dedup';

export interface Vdev {
  name: string;
  state?: string;
  type?: string;
  class: VdevClass;
  parent?: string;
  read?: number;
  readText?: string;
  write?: number;
  writeText?: string;
  cksum?: number;
  cksumText?: string;
  note?: string;
  path?: string;
  notPresent?: boolean;
}

export interface Pool {
  name: string;
  state?: string;
  guid?: string;
  status?: string;
  action?: string;
  see?: string;
  errors?: string;
  errorCount?: number;
  msgid?: string;
  scan?: Scan;
  /** The pool itself first, then its tree, then logs, caches and spares. */
  vdevs: Vdev[];
}

/** The parts of a pool that begin again at the left, and the keys of the JSON. */
export const sections: Readonly<Record<string, VdevClass>> = {
  logs: 'log',
  cache: 'cache',
  l2cache: 'cache',
  spares: 'spare',
  special: 'special',
  dedup: 'dedup',
};

/** A counter is exact, or rounded as `1.2K`: then it is text. */
export const counters = (
  printed: readonly (string | undefined)[],
): Pick<Vdev, 'read' | 'readText' | 'write' | 'writeText' | 'cksum' | 'cksumText'> => {
  const [read, write, cksum] = printed.map((text) => ({ text, count: wholeNumber(text) }));
  return {
    ...(read?.count !== undefined
      ? { read: read.count }
      : read?.text !== undefined && { readText: read.text }),
    ...(write?.count !== undefined
      ? { write: write.count }
      : write?.text !== undefined && { writeText: write.text }),
    ...(cksum?.count !== undefined
      ? { cksum: cksum.count }
      : cksum?.text !== undefined && { cksumText: cksum.text }),
  };
};

/** The decimal sign of a rounded counter is that of the locale. */
const isCounter = (word: string | undefined): boolean =>
  word !== undefined && /^\d{1,20}(?:[.,]\d{1,3})?[KMGTPE]?$/.test(word);

/** A word and what stands behind it. */
const cutWord = (text: string): readonly [word: string, rest: string] => {
  const trimmed = text.trimStart();
  const end = trimmed.search(/\s/);
  return end < 0 ? [trimmed, ''] : [trimmed.slice(0, end), trimmed.slice(end)];
};

/** All states that a row may have are words in capitals. */
const isState = (word: string): boolean => /^[A-Z]{0,20}$/.test(word);

/**
 * The columns behind the name: state, counters (of which there are none in the list of spares and in `zpool import`), a
 * note. `more` columns stand between the counters and the note: `SLOW` with -s, `DIO` with -d.
 */
const columnsOf = (text: string, more: number): Omit<Vdev, 'name' | 'class'> => {
  const [state, behind] = cutWord(text);
  let rest = behind;
  const counted: string[] = [];
  while (counted.length < 3 && isCounter(cutWord(rest)[0])) {
    const [word, next] = cutWord(rest);
    counted.push(word);
    rest = next;
  }
  for (let at = 0; at < more && counted.length === 3; at++) rest = cutWord(rest)[1];
  const note = rest.trim();
  return {
    ...(state !== '' && { state }),
    ...counters(counted),
    ...(note !== '' && { note }),
  };
};

export interface Tree {
  vdevs: Vdev[];
  /** A line below `config:`; false where it is no row. */
  take: (line: string) => boolean;
}

/** What `zpool import` prints below the tree of a pool of which a whole vdev is missing. */
const isRemark = (line: string): boolean =>
  /^\s*(?:Additional devices are known|exact configuration cannot)/.test(line);

/**
 * Reads the rows below `config:`: two blanks a level, the pool at the left, and the sections at the left again. All
 * stand behind a tab, or behind as many blanks as a terminal or a page made of it.
 */
export const createTree = (): Tree => {
  const vdevs: Vdev[] = [];
  const parents: string[] = [];
  let margin: string | undefined;
  let [stateAt, more, kind]: [number | undefined, number, VdevClass] = [undefined, 0, 'data'];
  const cut = (line: string, indent: number): readonly [string, string] => {
    // Names may hold blanks; where there is a heading, the name ends before its column.
    const hasColumn = stateAt !== undefined && stateAt > indent && /\s/.test(line[stateAt - 1] ?? ' ');
    return hasColumn ? [line.slice(indent, stateAt).trim(), line.slice(stateAt)] : cutWord(line);
  };
  return {
    vdevs,
    take: (printed) => {
      if (isRemark(printed)) return true;
      margin ??= /^\s*/.exec(printed)?.[0] ?? '';
      if (!printed.startsWith(margin)) return false;
      const line = printed.slice(margin.length);
      const indent = line.length - line.trimStart().length;
      if (/^NAME\s+STATE/.test(line)) {
        stateAt = line.indexOf('STATE');
        more = line.match(/\s(?:SLOW|DIO)\b/g)?.length ?? 0;
        return true;
      }
      const section = sections[line.trim()];
      if (indent === 0 && vdevs.length > 0 && section !== undefined) {
        kind = section;
        return true;
      }
      const depth = indent / 2;
      const [name, rest] = cut(line, indent);
      if (name === '' || !Number.isInteger(depth) || !isState(cutWord(rest)[0])) return false;
      // Below a heading of a section the first level has no parent.
      const parent = kind !== 'data' && depth <= 1 ? undefined : parents[depth - 1];
      parents.length = depth;
      parents[depth] = name;
      vdevs.push({ name, ...columnsOf(rest, more), class: kind, ...(parent !== undefined && { parent }) });
      return true;
    },
  };
};
