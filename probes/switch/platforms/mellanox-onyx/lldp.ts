import type { Reader } from '../../read/parse-capture.ts';
import { isRecord, textOf, type Json } from '../../read/parse-json.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import { blocks, keyValue } from '../../read/parse-lines.ts';
import type { NeighborRow } from '../../read/rows.ts';
import { lldpTable } from '../shared/lldp-table.ts';
import { onyxEntries } from './json.ts';

/** The value of the first key that fits; the kind of an id behind it is left out. */
const valueOf = (pairs: readonly (readonly [string, string])[], key: RegExp): string | undefined => {
  const value = pairs.find(([name]) => key.test(name))?.[1];
  const kind = /;[^;]* subtype\b/i.exec(value ?? '');
  return kind ? value?.slice(0, kind.index).trimEnd() : value;
};

const rowOf = (localPort: string, pairs: readonly (readonly [string, string])[]): NeighborRow =>
  neighborRow({
    localPort,
    neighbor: valueOf(pairs, /system[ -]name/i),
    portId: valueOf(pairs, /port[ -]id$/i),
    portDesc: valueOf(pairs, /port[ -]desc/i),
    chassisId: valueOf(pairs, /chassis[ -]id$/i),
  });

const texts = (one: Json): readonly (readonly [string, string])[] =>
  isRecord(one) ? Object.entries(one).map(([name, value]) => [name, textOf(value) ?? ''] as const) : [];

/** `show lldp interfaces ethernet remote | json-print`. */
export const onyxNeighbors: Reader<NeighborRow> = (capture) => {
  const found = onyxEntries(capture.json())
    .map(([port, one]) => ({ port, pairs: texts(one) }))
    .filter(({ pairs }) => pairs.some(([name]) => /remote.*(?:chassis|port)/i.test(name)));
  return found.length > 0 ? { rows: found.map(({ port, pairs }) => rowOf(port, pairs)) } : undefined;
};

const table = lldpTable(/^Local Interface\s+Device ID\s+Port ID/i, {
  local: /^local interface/,
  neighbor: /^system name/,
  port: /^port id/,
  chassisId: /^device id/,
});

/** The same as text, and the table of `show lldp remote`. */
export const onyxNeighborsText: Reader<NeighborRow> = (capture) => {
  const found = blocks(capture.lines, /^((?:Eth(?:ernet)? ?|mgmt)\d[\d/]*):?$/i)
    .map(({ head, lines }) => ({
      port: head[1] ?? '',
      pairs: lines.flatMap((line) => {
        const pair = keyValue(line);
        return pair ? [[pair.key, pair.value] as const] : [];
      }),
    }))
    .filter(({ pairs }) => pairs.some(([name]) => /^remote (?:chassis|port)/i.test(name)));
  return found.length > 0 ? { rows: found.map(({ port, pairs }) => rowOf(port, pairs)) } : table(capture);
};
