import type { Reader } from '../../read/parse-capture.ts';
import { keyValue } from '../../read/parse-lines.ts';
import { neighborRow, type NeighborParts } from '../../read/parse-neighbors.ts';
import type { NeighborRow } from '../../read/rows.ts';

type Part = keyof NeighborParts;

/** Keys of an output of `key : value` lines. */
export interface LldpKeys extends Partial<Readonly<Record<Part, RegExp>>> {
  /** The line a neighbour begins with. */
  readonly begins: RegExp;
  /** The line of a local port with its neighbours below; group 1 is the port, group 2 how many they are. */
  readonly port?: RegExp;
  /** A line that stands once above the neighbours of a port: another one's, whose own line is missing, when it comes again. */
  readonly oncePerPort?: RegExp;
  /** The line behind which nothing is said about who the neighbour is. */
  readonly ends?: RegExp;
  /** The key that comes first again where a port has a second neighbour, without the line that neighbours begin with. */
  readonly again?: RegExp;
}

const parts: readonly Part[] = ['localPort', 'neighbor', 'portId', 'port', 'portDesc', 'chassisId'];

interface Entry {
  readonly told: Partial<Record<Part, string>>;
  /** Nobody says which port it is at: the line of the port is missing. */
  readonly stray: boolean;
}

const isEmpty = ({ told }: Entry): boolean =>
  !parts.some((part) => part !== 'localPort' && told[part] !== undefined && told[part] !== '');

/** The port that neighbours stand below, how many of them are still to come, and how often it said what it says once. */
interface Place {
  readonly port?: string;
  left: number;
  said: number;
}

const placeOf = (head: RegExpExecArray | null): Place => ({
  ...(head ? { port: (head[1] ?? '').trim() } : {}),
  left: Number(head?.[2] ?? Infinity),
  said: 0,
});

/** A value that opens a quote and goes on below. */
const isUnclosed = (value: string): boolean => /^"(?:[^"\\]|\\.)*$/.test(value);

/**
 * A reader of LLDP details as lines of keys and values. The first value of a key counts; a quoted value may go on over
 * several lines; blocks that tell nothing about a neighbour are no rows. A second chassis begins another neighbour, whose
 * first line is missing.
 */
export const keyedLldp =
  (keys: LldpKeys): Reader<NeighborRow> =>
  (capture) => {
    const found: Entry[] = [];
    let place = placeOf(null);
    let last: Entry | undefined;
    let open: { of: Partial<Record<Part, string>>; part: Part } | undefined;
    const begin = (localPort: string | undefined, stray = false): Entry => {
      place.left -= 1;
      const entry = {
        told: localPort === undefined ? {} : { localPort },
        stray: stray || place.left < 0 || place.said > 1,
      };
      found.push(entry);
      return entry;
    };
    for (const line of capture.lines) {
      if (open) {
        open.of[open.part] = `${open.of[open.part] ?? ''} ${line.trim()}`;
        if (!isUnclosed(open.of[open.part] ?? '')) open = undefined;
        continue;
      }
      const head = keys.port?.exec(line);
      if (head) [place, last] = [placeOf(head), undefined];
      if (keys.begins.test(line)) {
        if (!keys.port) place = placeOf(null);
        last = begin(place.port);
      }
      if (keys.ends?.test(line)) last = undefined;
      if (keys.oncePerPort?.test(line)) place.said += 1;
      const pair = keyValue(line);
      if (!pair) continue;
      const name = pair.key.replace(/^[-*] /, '');
      const another = last ? last.told.chassisId !== undefined : place.port !== undefined;
      if (keys.again?.test(name) && last && !isEmpty(last)) last = begin(last.told.localPort);
      else if (keys.chassisId?.test(name) && another)
        last = keys.port ? begin(place.port) : begin(last?.told.localPort, !keys.again);
      if (!last) continue;
      const current = last.told;
      for (const part of parts) {
        if (!keys[part]?.test(name) || current[part] !== undefined) continue;
        current[part] = pair.value;
        if (isUnclosed(pair.value)) open = { of: current, part };
      }
    }
    const neighbors = found.filter((one) => !isEmpty(one));
    if (neighbors.length === 0 && place.port === undefined) return undefined;
    const settled = neighbors.filter(({ stray }) => !stray);
    return {
      rows: settled.map(({ told }) => neighborRow(told)),
      notUnderstood: neighbors.length - settled.length,
    };
  };
