import type { PlatformReaders, Reader } from '../parse-capture.ts';
import { ruledTables, cellsOf, columnAt } from '../parse-table.ts';
import { count, text } from '../parse-values.ts';
import { present, type LagRow, type PortRow } from '../rows.ts';
import { lldpTable } from './shared-lldp-table.ts';

/** A port, with the trunk it belongs to behind a dash: `A1`, `24-Trk1`, `1/24`. */
const port = /^([A-Z]{0,3}\d[\d/]*|Trk\d+)(?:-(Trk\d+))?\*?$/i;

/** `show interfaces`: totals of both directions in one figure. */
const counters: Reader<PortRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*Port\s+Total Bytes/i, 2)[0];
  if (!table) return undefined;
  const at = (title: RegExp): number => columnAt(table.columns, title);
  const [bytes, frames, errors, drops] = [
    at(/^total bytes/),
    at(/^total frames/),
    at(/^errors rx/),
    at(/^drops tx/),
  ];
  return {
    rows: table.rows.flatMap((row): PortRow[] => {
      const cells = cellsOf(row, table.columns);
      const name = port.exec(cells[0] ?? '');
      if (!name) return [];
      return [
        present<PortRow>({
          port: name[1] ?? '',
          memberOf: name[2],
          totalBytes: count(cells[bytes ?? -1]),
          totalPackets: count(cells[frames ?? -1]),
          rxErrors: count(cells[errors ?? -1]),
          txDiscards: count(cells[drops ?? -1]),
        }),
      ];
    }),
  };
};

/** `show trunks`. */
const trunks: Reader<LagRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*Port\s*\|\s*Name/i)[0];
  if (!table) return undefined;
  const [group, type] = [
    columnAt(table.columns, /^group/),
    table.columns.findLastIndex((one) => one.title.startsWith('type')),
  ];
  return {
    rows: table.rows.flatMap((row): LagRow[] => {
      const cells = cellsOf(row.replaceAll('|', ' '), table.columns);
      const lag = text(cells[group]);
      const name = port.exec(cells[0] ?? '')?.[1];
      return lag && name ? [present<LagRow>({ lag, protocol: text(cells[type]), member: name })] : [];
    }),
  };
};

export const hpeProcurve: PlatformReaders = {
  counters: [counters],
  lags: [trunks],
  neighbors: [
    lldpTable(/^\s*LocalPort\s*\|/i, {
      local: /^localport/,
      neighbor: /^sysname/,
      portId: /^portid/,
      portDesc: /^portdescr/,
      chassisId: /^chassisid/,
    }),
  ],
};
