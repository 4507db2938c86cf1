import type { Capture } from '../../read/parse-capture.ts';
import { valueAt, textOf, type Json } from '../../read/parse-json.ts';
import { fecKind, type PortSettings } from '../../read/port-settings.ts';
import { recordLines, type PortLine } from '../../read/port-lines.ts';
import { dropAbsent } from '../../read/rows.ts';
import { nxosRows } from './json.ts';

const scales: Readonly<Record<string, number>> = {
  'Kb/s': 0.001,
  'Mb/s': 1,
  'Gb/s': 1000,
  'Tb/s': 1_000_000,
};

/** `10 Gb/s`, `1000 Mb/s`; `auto-speed` is that of a port without a link. `eth_bw` is no speed: `bandwidth` sets it for routing. */
const speedOf = (text: string | undefined): number | undefined => {
  const [, figure, unit = ''] = /^(\d{1,4}(?:\.\d)?) ([KMGT]b\/s)$/.exec(text ?? '') ?? [];
  const scale = scales[unit];
  return figure === undefined || scale === undefined || Number(figure) === 0
    ? undefined
    : Number(figure) * scale;
};

const findMeaning = <T>(words: Readonly<Record<string, T>>, text: string | undefined): T | undefined =>
  text !== undefined && Object.hasOwn(words, text) ? words[text] : undefined;

const settingsOf = (row: Json): PortSettings => {
  const valueOf = (key: string): string | undefined => textOf(valueAt(row, key));
  const mtu = /^\d{3,5}$/.exec(valueOf('eth_mtu') ?? '')?.[0];
  return dropAbsent<PortSettings>({
    speedMbps: speedOf(valueOf('eth_speed')),
    duplex: findMeaning({ full: 'full', half: 'half' } as const, valueOf('eth_duplex')),
    autoneg: findMeaning({ on: true, off: false }, valueOf('eth_autoneg')),
    fec: fecKind(valueOf('eth_oper_fec_state')),
    mtu: mtu === undefined ? undefined : Number(mtu),
  });
};

/** Settings of `show interface | json` by the printed name: one line of JSON however many ports there are. */
export const nxosSettings = (capture: Capture): ReadonlyMap<string, PortSettings> | undefined => {
  const found = nxosRows(capture.json(), 'interface').flatMap((row) => {
    const port = textOf(valueAt(row, 'interface'));
    return port === undefined ? [] : [[port, settingsOf(row)] as const];
  });
  return found.length > 0 ? new Map(found) : undefined;
};

/** What `show interface | json` says of each port; undefined: it is no document. */
export const nxosPortLines = (capture: Capture): Iterable<PortLine> | undefined =>
  capture.json() === undefined
    ? undefined
    : recordLines(
        nxosRows(capture.json(), 'interface').flatMap((row): [string, Json][] => {
          const port = textOf(valueAt(row, 'interface'));
          return port === undefined ? [] : [[port, row]];
        }),
      );
