import type { Reader } from '../parse-capture.ts';
import { at, textOf } from '../parse-json.ts';
import { count, decimal } from '../parse-values.ts';
import { present, type PortRow } from '../rows.ts';
import { onyxEntries } from './mellanox-json.ts';

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
    ([, one]) => at(one, 'ingress rate') ?? at(one, 'egress rate'),
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.map(([port, one]) =>
      present<PortRow>({
        port,
        rxBps: bits(textOf(at(one, 'ingress rate'))),
        txBps: bits(textOf(at(one, 'egress rate'))),
        rxPps: count(textOf(at(one, 'ingress pkts/sec'))),
        txPps: count(textOf(at(one, 'egress pkts/sec'))),
      }),
    ),
  };
};
