import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { blocks, firstMatch } from '../../read/parse-lines.ts';
import { cellsIn, cellsOf, columnAt, ruledTables } from '../../read/parse-table.ts';
import { count, text } from '../../read/parse-values.ts';
import { dropAbsent, type LagRow, type PortRow } from '../../read/rows.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { lldpTable } from '../shared/lldp-table.ts';
import { statusTable } from '../shared/status-table.ts';

/** A port, with the trunk it belongs to behind a dash: `A1`, `24-Trk1`, `1/24`, `1/A3`. */
const port = /^((?:\d+\/)?[A-Z]{0,3}\d[\d/]*|Trk\d+)(?:-(Trk\d+))?\*?$/i;

/** `show interfaces`: totals of both directions in one figure. */
const counters: Reader<PortRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*Port\s+Total Bytes/i, 2)[0];
  if (!table) return undefined;
  const findColumn = (title: RegExp): number => columnAt(table.columns, title);
  const columns = {
    bytes: findColumn(/^total bytes/),
    frames: findColumn(/^total frames/),
    errors: findColumn(/errors rx$/),
  };
  const drops = findColumn(/drops tx$/);
  return {
    rows: table.rows.flatMap((row): PortRow[] => {
      const cells = cellsIn(row, table.columns);
      const name = port.exec(cells[0] ?? '');
      if (!name) return [];
      return [
        dropAbsent<PortRow>({
          port: name[1] ?? '',
          memberOf: name[2],
          totalBytes: count(cells[columns.bytes]),
          totalPackets: count(cells[columns.frames]),
          rxErrors: count(cells[columns.errors]),
          txDiscards: count(cells[drops]),
        }),
      ];
    }),
  };
};

/** `FCS Rx : 0   Drops Tx : 0` of `show interfaces <port>`. */
const named: Readonly<Record<string, string>> = {
  'bytes rx': 'rxBytes',
  'bytes tx': 'txBytes',
  'unicast rx': 'rxPacketsUnicast',
  'unicast tx': 'txPacketsUnicast',
  'fcs rx': 'rxCrc',
  'alignment rx': 'rxAlignment',
  'runts rx': 'rxRunts',
  'giants rx': 'rxGiants',
  'total rx errors': 'rxErrors',
  'drops tx': 'txDiscards',
  'collisions tx': 'txCollisions',
  'late colln tx': 'txLateCollisions',
  'discard rx': 'rxDiscards',
};

const value = /:\s{0,20}(\d{1,3}(?:,\d{3})+|\d+)(?=\s|$)/g;

/** `Bytes Rx : 1,234   Bytes Tx : 5`: each value with the name between it and the value before. */
const pairs = (line: string): [name: string, value: string | undefined][] => {
  let from = 0;
  return [...line.matchAll(value)].map((match) => {
    const name = line.slice(from, match.index).trim();
    from = match.index + match[0].length;
    return [name, match[1]];
  });
};

const portCounters: Reader<PortRow> = (capture) => {
  const found = blocks(capture.lines, /^\s*Status and Counters - Port Counters for port (\S+)/i);
  if (found.length === 0) return undefined;
  return {
    rows: found.map(({ head, lines }) => {
      const counts: Record<string, bigint> = {};
      for (const line of lines.filter((one) => !/^\s*Name\s*:/.test(one)))
        for (const [title, figure] of pairs(line)) {
          const name = named[title.toLowerCase()];
          if (name) put(counts, name, count(figure));
        }
      const [, own, memberOf] = port.exec(head[1] ?? '') ?? [];
      return dropAbsent<PortRow>({
        port: own ?? head[1] ?? '',
        memberOf,
        link: firstMatch(lines, /^\s*Link Status\s*: (\S+)/i),
        admin: firstMatch(lines, /^\s*Port Enabled\s*: (\S+)/i),
        ...counts,
      });
    }),
  };
};

/** `show trunks`. */
const trunks: Reader<LagRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*Port\s*\|\s*Name/i)[0];
  if (!table) return undefined;
  const group = columnAt(table.columns, /^group/);
  // The first `Type` is the port's, the one behind `Group` the trunk's.
  const type = table.columns.findIndex(
    (one, findColumn) => findColumn > group && one.title.startsWith('type'),
  );
  return {
    rows: table.rows.flatMap((row): LagRow[] => {
      const cells = cellsOf(row.replaceAll('|', ' '), table.columns);
      const lag = text(cells[group]);
      const name = port.exec(cells[0] ?? '')?.[1];
      return lag && name ? [dropAbsent<LagRow>({ lag, protocol: text(cells[type]), member: name })] : [];
    }),
  };
};

/** `show lacp`: ports with the state of their trunk's protocol. */
const lacp: Reader<LagRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*Port\s+(?:Enabled|Mode|Activity)\s+Group/i, 3)[0];
  if (!table) return undefined;
  const findColumn = (title: RegExp): number => columnAt(table.columns, title);
  const columns = { group: findColumn(/group$/), state: findColumn(/status$/) };
  return {
    rows: table.rows.flatMap((row): LagRow[] => {
      const cells = cellsOf(row, table.columns);
      const name = port.exec(cells[0] ?? '')?.[1];
      const lag = text(cells[columns.group]);
      if (!name || !lag || !/^(?:Trk|Dyn)/i.test(lag)) return [];
      return [dropAbsent<LagRow>({ lag, member: name, memberState: text(cells[columns.state]) })];
    }),
  };
};

export const hpeProcurve: Platform = {
  ...readOnlyPlatform(
    { id: 'hpe_procurve', title: 'HPE ProCurve', pagerOff: 'no page' },
    { counters: ['show interfaces'], lags: ['show trunks'] },
  ),
  // `Giants Rx` are frames over 1518 bytes, jumbo frames too.
  giantsAreJumbo: true,
  readers: {
    counters: [
      counters,
      portCounters,
      statusTable(/^\s*Port\s+(?:Type|Name)\s.*\sStatus\s(?!\s*Vlan)/i, {
        port: /^port/,
        link: /^status/,
        admin: /^enabled/,
      }),
    ],
    lags: [trunks, lacp],
    neighbors: [
      lldpTable(/^\s*LocalPort\s+ChassisId/i, {
        local: /^localport/,
        neighbor: /^sysname/,
        portId: /^portid/,
        portDesc: /^portdescr/,
        chassisId: /^chassisid/,
      }),
      keyedLldp({
        begins: /^\s*Local Port\s*:/i,
        localPort: /^Local Port$/i,
        neighbor: /^SysName$/i,
        portId: /^PortId$/i,
        portDesc: /^PortDescr$/i,
        chassisId: /^ChassisId$/i,
      }),
    ],
  },
  linkWords: { link: { Up: 'up', Down: 'down' }, admin: { Yes: 'on', No: 'off' } },
};
