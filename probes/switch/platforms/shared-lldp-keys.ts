import type { Reader } from '../parse-capture.ts';
import { keyValue } from '../parse-lines.ts';
import { neighborRow, type NeighborParts } from '../parse-neighbors.ts';
import type { NeighborRow } from '../rows.ts';

type Part = keyof NeighborParts;

/** Keys of an output of `key : value` lines. */
export interface LldpKeys extends Partial<Readonly<Record<Part, RegExp>>> {
  /** The line a neighbour begins with. */
  readonly begins: RegExp;
  /** The line of a local port with its neighbours below; group 1 is the port. */
  readonly port?: RegExp;
  /** The key that comes first again where a port has a second neighbour, without the line that neighbours begin with. */
  readonly again?: RegExp;
}

const parts: readonly Part[] = ['localPort', 'neighbor', 'portId', 'port', 'portDesc', 'chassisId'];

const empty = (found: Partial<Record<Part, string>>): boolean =>
  !parts.some((part) => part !== 'localPort' && found[part] !== undefined && found[part] !== '');

/** A value that opens a quote and goes on below. */
const unclosed = (value: string): boolean => /^"(?:[^"\\]|\\.)*$/.test(value);

/**
 * A reader of LLDP details as lines of keys and values. The first value of a key counts; a quoted value may go on over
 * several lines; blocks that tell nothing about a neighbour are no rows.
 */
export const keyedLldp =
  (keys: LldpKeys): Reader<NeighborRow> =>
  (capture) => {
    const found: Partial<Record<Part, string>>[] = [];
    let local: string | undefined;
    let open: { of: Partial<Record<Part, string>>; part: Part } | undefined;
    for (const line of capture.lines) {
      if (open) {
        open.of[open.part] = `${open.of[open.part] ?? ''} ${line.trim()}`;
        if (!unclosed(open.of[open.part] ?? '')) open = undefined;
        continue;
      }
      local = keys.port?.exec(line)?.[1]?.trim() ?? local;
      if (keys.begins.test(line)) found.push(local === undefined ? {} : { localPort: local });
      const pair = keyValue(line);
      const before = found.at(-1);
      if (!before || !pair) continue;
      const name = pair.key.replace(/^[-*] /, '');
      if (keys.again?.test(name) && !empty(before))
        found.push(before.localPort === undefined ? {} : { localPort: before.localPort });
      const current = found.at(-1) ?? before;
      for (const part of parts) {
        if (!keys[part]?.test(name) || current[part] !== undefined) continue;
        current[part] = pair.value;
        if (unclosed(pair.value)) open = { of: current, part };
      }
    }
    const neighbors = found.filter((one) => !empty(one));
    return neighbors.length > 0 || local !== undefined ? { rows: neighbors.map(neighborRow) } : undefined;
  };
