import { text, removeQuotes } from './parse-values.ts';
import { dropAbsent, type NeighborRow } from './rows.ts';

/** The parts of a neighbour as a device prints them. */
export interface NeighborParts {
  readonly localPort?: string | undefined;
  readonly neighbor?: string | undefined;
  /** The port id, where id and description are told apart. */
  readonly portId?: string | undefined;
  /** A table's only port column. */
  readonly port?: string | undefined;
  readonly portDesc?: string | undefined;
  readonly chassisId?: string | undefined;
}

/** Words for "not told by the neighbour": no value. */
const dropUntold = (value: string | undefined): string | undefined =>
  value !== undefined && /^-? ?(?:not[ -]advertised|null|not available)$/i.test(value.trim())
    ? undefined
    : text(value);

/** Comware 7 prints the kind of an id behind it: `0011-2233-4455/MAC address`. */
const kind =
  /\/(?:MAC address|Interface (?:name|alias)|Locally assigned|Network address|(?:Port|Chassis) component|Agent circuit ID)$/i;

const plainValue = (value: string | undefined): string | undefined =>
  dropUntold(removeQuotes(value)?.replace(kind, ''));

/** A row as docs/formats.md has it: an id is `neighborPort` and `neighborPortId`, a description never is. */
export const neighborRow = (parts: NeighborParts): NeighborRow => {
  const portId = plainValue(parts.portId);
  return dropAbsent({
    localPort: text(parts.localPort),
    neighbor: plainValue(parts.neighbor),
    neighborPort: portId ?? plainValue(parts.port),
    neighborPortId: portId,
    neighborPortDesc: plainValue(parts.portDesc),
    chassisId: plainValue(parts.chassisId),
  });
};
