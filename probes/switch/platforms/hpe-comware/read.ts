import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { tally } from '../../read/parse-counts.ts';
import { blocks, countDoubled, firstMatch, isEcho, type Marks } from '../../read/parse-lines.ts';
import { cellsIn, columnAt, stackedColumns, type Column } from '../../read/parse-table.ts';
import { count } from '../../read/parse-values.ts';
import { dropAbsent, type PortRow } from '../../read/rows.ts';
import { comwareMemberPorts, comwareVerbose } from './lags.ts';
import { comwareOptics } from './optics.ts';
import { statusTable } from '../shared/status-table.ts';
import { lldpTable } from '../shared/lldp-table.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';

/** The line that names the port whose state stands at `at`: the last one above that is neither empty nor its index. */
const nameAbove = (lines: readonly string[], at: number): number => {
  let above = at - 1;
  while (above >= 0 && /^\s*(?:Interface index ?:.*)?$/i.test(lines[above] ?? '')) above -= 1;
  return /^\s*\S+$/.test(lines[above] ?? '') ? above : -1;
};

/** Comware 7 prints a port's name on a line of its own, Comware 5 together with its state. A port without a name is `-`. */
const joinHeads = (lines: readonly string[]): readonly string[] => {
  const shown = [...lines];
  for (const [at, line] of lines.entries()) {
    const state = /^\s*Current state ?: ?(.+)$/i.exec(line)?.[1];
    if (state === undefined) continue;
    const above = nameAbove(lines, at);
    shown[above < 0 ? at : above] =
      `${above < 0 ? '-' : (lines[above] ?? '').trim()} current state: ${state}`;
  }
  return shown;
};

const marks: Marks = {
  once: /^\s*(?:Description|(?:The )?Maximum transmi\w+ unit|Last clearing of counters|(?:In|Out)put ?\((?:total|normal)\))/i,
  top: /^\s*Line protocol (?:current )?state/i,
};

/** `display interface` of Comware 3, 5 and 7. */
const interfaces: Reader<PortRow> = (capture) => {
  // Comware 3 parts its colons with blanks as VRP does, but counts `Input(total):`.
  const old = capture.lines.some((line) => /^\s*(?:In|Out)put\(total\):/.test(line));
  const head = old ? /^\s*(\S+) current state ?: ?(.+)$/ : /^\s*(\S+) current state: (.+)$/;
  const found = blocks(joinHeads(capture.lines), head, marks);
  if (found.length === 0) return undefined;
  const named = found.filter((one) => one.head[1] !== '-');
  return {
    notUnderstood: found.length - named.length + countDoubled(named),
    rows: named.map(({ head, lines }) =>
      dropAbsent<PortRow>({
        port: head[1] ?? '',
        link: head[2],
        protocol: firstMatch(lines, /^\s*Line protocol (?:current )?state ?: ?(.+)$/i),
        lastClear: firstMatch(lines, /^\s*Last clearing of counters: *(\S.*)$/i),
        ...tally(lines),
      }),
    ),
  };
};

type Way = 'rx' | 'tx';

/** The direction that a line tells: the command, its echo (`dis counters outb int`), the words above the table. */
const wayIn = (line: string): Way | undefined => {
  const directionMatch =
    /\b(in|out)bound\b/i.exec(line) ?? (isEcho(line) ? /\s(in|out)b?o?u?n?d?\s/i.exec(line) : null);
  return directionMatch ? (/^in/i.test(directionMatch[1] ?? '') ? 'rx' : 'tx') : undefined;
};

/**
 * `display counters inbound|outbound interface`: `Overflow` and `--` are no values. Both tables have the same titles: the
 * first is of what comes in where no command stands above it, a second one without a command is not known.
 */
const countersTable: Reader<PortRow> = (capture) => {
  const ports = new Map<string, Record<string, string | bigint>>();
  let columns: readonly Column[] | undefined;
  let way: Way | undefined = 'rx';
  let notUnderstood = 0;
  for (const line of capture.lines) {
    way = wayIn(line) ?? way;
    if (/^\s*Interface\s+Total ?\(pkts\)/i.test(line)) {
      columns = stackedColumns([line]);
      continue;
    }
    const cells = columns ? cellsIn(line, columns) : [];
    const port = cells[0] ?? '';
    if (columns && /^\s*(?:Overflow|--) ?: /i.test(line)) way = undefined;
    if (!columns || !/^[A-Za-z][\w-]*\d[\w/.:]*$/.test(port)) continue;
    const row = ports.get(port) ?? { port };
    if (way === undefined || row[`${way}Packets`] !== undefined) {
      notUnderstood += 1;
      continue;
    }
    const counts = {
      [`${way}Packets`]: count(cells[columnAt(columns, /^total/)]),
      [`${way}Errors`]: count(cells[columnAt(columns, /^err/)]),
    };
    ports.set(port, { ...row, ...dropAbsent(counts) });
  }
  const rows = [...ports.values()].map((row) => dropAbsent<PortRow>({ port: '', ...row }));
  return columns ? { rows, notUnderstood } : undefined;
};

export const hpeComware: Platform = {
  ...readOnlyPlatform(
    {
      id: 'hpe_comware',
      title: 'HPE Comware',
      pagerOff: 'screen-length disable',
      prompt: '(?:<[^<>]+>|\\[[^\\[\\]]+\\])\\s*$',
    },
    {
      counters: ['display interface'],
      lags: ['display link-aggregation verbose'],
      neighbors: ['display lldp neighbor-information list'],
      optics: { all: ['display transceiver diagnosis interface'] },
    },
  ),
  // The maximum frame length counts head and checksum (Comware command reference, `jumboframe enable`).
  mtuHead: 18,
  readers: {
    counters: [
      interfaces,
      countersTable,
      statusTable(/^\s*Interface\s+Link\s+(?:Protocol|Speed)\s/i, {
        port: /^interface/,
        link: /^link/,
        protocol: /^protocol/,
        header: ['Interface', 'Link', 'Protocol', 'Speed', 'Duplex', 'Primary IP', 'Main IP', 'Type', 'PVID'],
      }),
    ],
    lags: [comwareVerbose, comwareMemberPorts],
    neighbors: [
      lldpTable(/^(?:System Name\s+)?Local Interface\s+Chassis ID\s+Port ID/i, {
        local: /^local interface/,
        neighbor: /^system name/,
        port: /^port id/,
        chassisId: /^chassis id/,
        header: ['System Name', 'Local Interface', 'Chassis ID', 'Port ID'],
      }),
      keyedLldp({
        port: /^LLDP neighbor-information of port \d+ ?\[([^\]]+)\]/i,
        begins: /^\s*LLDP (?:neighbor index|agent neighbor)|^\s*Neighbor index/i,
        neighbor: /^System name$/i,
        portId: /^Port ?ID(?:\/subtype)?$/i,
        portDesc: /^Port description$/i,
        chassisId: /^Chassis ?ID(?:\/subtype)?$/i,
      }),
    ],
    optics: [comwareOptics],
  },
  linkWords: {
    link: {
      UP: 'up',
      DOWN: 'down',
      ADM: 'shut',
      'Administratively DOWN': 'shut',
      'DOWN ( Administratively )': 'shut',
      // What a protocol of the switch does (Comware command reference, `display interface`, current state).
      'STP DOWN': 'down',
      'DLDP DOWN': 'down',
      'OFP DOWN': 'down',
      'mac-address moving down': 'down',
      'Port Security Disabled': 'down',
      'IRF-link-down': 'down',
    },
  },
  // The legend alone: there is no aggregate interface (Comware command reference, link aggregation).
  saysNone: { lags: /^\s*Loadsharing Type: Shar -- / },
  // The legend of `display link-aggregation verbose`: S selected, U unselected, I individual.
  memberWords: { S: 'working', U: 'unselected', I: 'individual' },
};
