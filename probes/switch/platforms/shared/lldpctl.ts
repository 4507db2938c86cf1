import type { Reader } from '../../read/parse-capture.ts';
import { valueAt, isRecord, toList, textOf, type Json } from '../../read/parse-json.ts';
import { blocks, firstMatch } from '../../read/parse-lines.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import type { NeighborRow } from '../../read/rows.ts';

/** The entries of an object by name, or of a list of such objects (lldpctl prints both). */
const namedEntries = (value: Json | undefined): readonly (readonly [string, Json])[] =>
  toList(value).flatMap((one) => (isRecord(one) ? Object.entries(one) : []));

const valueIn = (value: Json | undefined): string | undefined =>
  textOf(value) ?? textOf(valueAt(value, 'value')) ?? textOf(valueAt(toList(value)[0], 'value'));

/** What a neighbour says of itself: its name, and the text of its make and release. */
export interface Described {
  readonly name: string;
  readonly text?: string;
}

const chassisEntry = (
  value: Json | undefined,
): readonly (readonly [string | undefined, Json | undefined])[] => {
  const one = toList(value)[0];
  if (valueAt(one, 'id') !== undefined) return [[valueIn(valueAt(one, 'name')), one]];
  return namedEntries(one);
};

/** Names and descriptions of all neighbours in `lldpctl -f json`, of each once. */
export const describedNeighbors = (document: Json | undefined): readonly Described[] => {
  const lldp = valueAt(document, 'lldp') ?? valueAt(toList(document)[0], 'lldp');
  const found = toList(lldp).flatMap((one) => toList(valueAt(one, 'interface')));
  const seen = found
    .flatMap((one) =>
      valueAt(one, 'chassis') !== undefined ? [one] : namedEntries(one).map(([, inner]) => inner),
    )
    .flatMap((inner) => chassisEntry(valueAt(inner, 'chassis')))
    .flatMap(([key, chassis]): Described[] => {
      const name = valueIn(valueAt(chassis, 'name')) ?? key;
      const text = valueIn(valueAt(chassis, 'descr'));
      return name === undefined ? [] : [{ name, ...(text !== undefined && { text }) }];
    });
  return [...new Map(seen.map((one) => [one.name, one])).values()];
};

/** A neighbour's chassis: by its name (`{"sw1": {"id": ...}}`), or with a `name` in it. */
const chassisOf = (value: Json | undefined): { name: string | undefined; id: string | undefined } => {
  const one = toList(value)[0];
  const own = valueAt(one, 'id') !== undefined ? one : undefined;
  const [name, inner] = own
    ? [valueIn(valueAt(own, 'name')), own]
    : (namedEntries(one)[0] ?? [undefined, undefined]);
  return { name: name ?? valueIn(valueAt(inner, 'name')), id: valueIn(valueAt(inner, 'id')) };
};

const rowOf = (localPort: string | undefined, one: Json): NeighborRow => {
  const chassis = chassisOf(valueAt(one, 'chassis'));
  const port = toList(valueAt(one, 'port'))[0];
  return neighborRow({
    localPort,
    neighbor: chassis.name,
    portId: valueIn(valueAt(port, 'id')),
    portDesc: valueIn(valueAt(port, 'descr')),
    chassisId: chassis.id,
  });
};

/** `lldpctl -f json` and `json0`; NVUE's `nv show interface <port> lldp -o json` names no local port. */
export const lldpctlJson: Reader<NeighborRow> = (capture) => {
  const lldp = valueAt(capture.json(), 'lldp') ?? valueAt(toList(capture.json())[0], 'lldp');
  if (lldp === undefined) return undefined;
  const found = toList(lldp).flatMap((one) => toList(valueAt(one, 'interface')));
  return {
    rows: found.flatMap((one) =>
      textOf(valueAt(one, 'name')) !== undefined
        ? [rowOf(textOf(valueAt(one, 'name')), one)]
        : namedEntries(one).map(([port, inner]) => rowOf(port, inner)),
    ),
  };
};

/** `lldpctl` as text: neighbours that speak CDP are listed, too. */
export const lldpctlText: Reader<NeighborRow> = (capture) => {
  const found = blocks(capture.lines, /^Interface:\s+(\S+?), via: \S/i);
  if (found.length === 0) return undefined;
  return {
    rows: found.map(({ head, lines }) =>
      neighborRow({
        localPort: head[1],
        neighbor: firstMatch(lines, /^\s*SysName:\s+(.+)$/),
        portId: firstMatch(lines, /^\s*PortID:\s+(?:ifname|local|mac|ip|ifalias) (.+)$/),
        portDesc: firstMatch(lines, /^\s*PortDescr:\s+(.+)$/),
        chassisId: firstMatch(lines, /^\s*ChassisID:\s+(?:mac|ip|local|ifname|ifalias) (.+)$/),
      }),
    ),
  };
};
