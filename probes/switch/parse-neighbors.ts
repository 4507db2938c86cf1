import { text, unquoted } from './parse-values.ts';
import { present, type NeighborRow } from './rows.ts';

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
const untold = (value: string | undefined): string | undefined =>
  value !== undefined && /^-? ?(?:not advertised|null|not available)$/i.test(value.trim())
    ? undefined
    : text(value);

/** A row as formats.md wants it: an id is `neighborPort` and `neighborPortId`, a description never is. */
export const neighborRow = (parts: NeighborParts): NeighborRow => {
  const portId = untold(unquoted(parts.portId));
  return present({
    localPort: text(parts.localPort),
    neighbor: untold(unquoted(parts.neighbor)),
    neighborPort: portId ?? untold(unquoted(parts.port)),
    neighborPortId: portId,
    neighborPortDesc: untold(unquoted(parts.portDesc)),
    chassisId: untold(unquoted(parts.chassisId)),
  });
};
