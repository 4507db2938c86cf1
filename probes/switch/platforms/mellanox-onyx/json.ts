import type { Capture, Reader } from '../../read/parse-capture.ts';
import { recordLines, type PortLine } from '../../read/port-lines.ts';
import { count, decimal } from '../../read/parse-values.ts';
import { dropAbsent, type PortRow } from '../../read/rows.ts';
import { valueAt, isRecord, toList, textOf, type Json } from '../../read/parse-json.ts';

/** One record of several: newer releases part what they say of a port. */
const mergeRecords = (value: Json): Json => Object.assign({}, ...toList(value).filter(isRecord)) as Json;

/** `Rx` and `Tx` may be records or lists of one. */
const flatten = (one: Json): Json =>
  isRecord(one)
    ? Object.fromEntries(
        Object.entries(one).map(
          ([key, inner]) => [key, Array.isArray(inner) ? mergeRecords(inner) : inner] as const,
        ),
      )
    : one;

/** `Eth1/1: ...` as pairs of a port and what is said of it: a list with `header`s, or an object by ports. */
export const onyxEntries = (json: Json | undefined): readonly (readonly [string, Json])[] =>
  toList(json).flatMap((one): readonly (readonly [string, Json])[] => {
    const header = textOf(valueAt(one, 'header'));
    if (header !== undefined) return [[header, flatten(one)]];
    if (!isRecord(one)) return [];
    return Object.entries(one)
      .filter(([, inner]) => toList(inner).some(isRecord))
      .map(([name, inner]) => [name, flatten(mergeRecords(inner))] as const);
  });

/** What `show interfaces ethernet | json-print` says of each port; undefined: it is no document. */
export const onyxPortLines = (capture: Capture): Iterable<PortLine> | undefined =>
  capture.json() === undefined ? undefined : recordLines(onyxEntries(capture.json()));

const scales: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `9000 b/s`, `1.5 Gb/s` in bits per second. */
const bits = (cell: string | undefined): bigint | undefined => {
  const scale = /^[\d.]+ ?([KMGT]?)b(?:\/s|ps|its\/sec)$/i.exec(cell?.trim() ?? '')?.[1];
  const value = decimal(cell?.trim().split(/[ A-Za-z]/)[0]);
  if (scale === undefined || value === undefined) return undefined;
  return BigInt(Math.round(value * (scales[scale.toLowerCase()] ?? 1)));
};

/** `show interfaces ethernet rates | json-print`. */
export const onyxRates: Reader<PortRow> = (capture) => {
  const found = onyxEntries(capture.json()).filter(
    ([, one]) => valueAt(one, 'ingress rate') ?? valueAt(one, 'egress rate'),
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.map(([port, one]) =>
      dropAbsent<PortRow>({
        port,
        rxBps: bits(textOf(valueAt(one, 'ingress rate'))),
        txBps: bits(textOf(valueAt(one, 'egress rate'))),
        rxPps: count(textOf(valueAt(one, 'ingress pkts/sec'))),
        txPps: count(textOf(valueAt(one, 'egress pkts/sec'))),
      }),
    ),
  };
};
