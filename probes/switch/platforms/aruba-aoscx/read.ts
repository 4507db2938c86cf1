import type { Platform } from '../contracts.ts';
import type { MemberWords } from '../../read/member-states.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import { onOff, upDown } from '../../read/link-words.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { put, tally } from '../../read/parse-counts.ts';
import { blocks, countDoubled, firstMatch, isRuler, takeUntilRepeated } from '../../read/parse-lines.ts';
import { limitIn, readMeasures, opticRows, placeValues, type Reading } from '../../read/parse-optics.ts';
import { count } from '../../read/parse-values.ts';
import { dropAbsent, type LagRow, type OpticRow, type PortRow } from '../../read/rows.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { statusLines } from '../shared/status-table.ts';
import { lldpTable } from '../shared/lldp-table.ts';

/** Lines of the statistics table: `Packets  24612099  39673355  64285454` (rx, tx, both). */
const statistics: Readonly<Record<string, string>> = {
  packets: 'Packets',
  unicast: 'PacketsUnicast',
  bytes: 'Bytes',
  dropped: 'Discards',
  errors: 'Errors',
  'crc/fcs': 'Crc',
  collision: 'Collisions',
  runts: 'Runts',
  giants: 'Giants',
};

const statistic = /^\s*([A-Za-z][A-Za-z/]*)\s+([\d,]+|n\/a|-)\s+([\d,]+|n\/a|-)(?:\s+(?:[\d,]+|n\/a|-))?$/i;

const readTable = (lines: readonly string[]): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  const from = lines.findIndex((line) => /^\s*Statistic\s+RX\s+TX/i.test(line));
  if (from < 0) return counts;
  for (const line of lines.slice(from)) {
    const match = statistic.exec(line);
    const name = statistics[(match?.[1] ?? '').toLowerCase()];
    if (!match || !name) continue;
    put(counts, `rx${name}`, count(match[2]));
    put(counts, `tx${name}`, count(match[3]));
  }
  return counts;
};

/** `show interface`: counters as sentences (10.0x) or as a table (10.1x). */
const interfaces: Reader<PortRow> = (capture) => {
  const found = blocks(
    capture.lines,
    /^(?:Interface|Aggregate(?:-name)?) (\S+) is (\S+?(?: \([^)]*\))?)(?:,? .*)?$/,
    {
      once: /^\s*(?:Admin state is|Link transitions:|Description:|Hardware:|MTU |Statistic\s|[RT]X$)/i,
    },
  );
  if (!found.some((one) => one.lines.some((line) => /^\s*Admin state is/i.test(line)))) return undefined;
  return {
    rows: found.map(({ head, lines }) =>
      dropAbsent<PortRow>({
        port: head[1] ?? '',
        link: head[2],
        admin: firstMatch(lines, /^\s*Admin state is (\S+)/i),
        linkTransitions: count(firstMatch(lines, /^\s*Link transitions: (\d+)$/i)),
        ...tally(lines),
        ...readTable(lines),
      }),
    ),
  };
};

/** The lines of a lane begin with its number. */
const channel = /^\s*(?:Channel|Lane)#? ?(\d+) ?:?$/i;

/** A module says everything once, and so does each of its lanes. */
const label = /^[^:]+:/;

const readingsIn = (line: string): Reading[] => {
  const colon = line.indexOf(':');
  const words = line.slice(0, colon);
  if (colon < 0 || (/high|low/i.test(words) && !/alarm|warn/i.test(words))) return [];
  return placeValues(readMeasures(words, line.slice(colon + 1)), limitIn(words));
};

/** `show interface dom detail`, `show interface transceiver detail`: `Tx Bias high alarm threshold: 12.00mA`. */
const optics: Reader<OpticRow> = (capture) => {
  const once = /^\s*(?:Type:|Temperature:|(?:Channel|Lane)#? ?\d)/i;
  const found = blocks(capture.lines, /^\s*Transceiver in (\S+)$/i, { once });
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.flatMap(({ head, lines }) => {
      const first = lines.findIndex((line) => channel.test(line));
      const lanes = blocks(lines, channel, { once: label });
      const own = takeUntilRepeated(lines.slice(0, first < 0 ? undefined : first), label).flatMap(readingsIn);
      const laned = lanes.flatMap((lane) =>
        lane.lines.flatMap(readingsIn).map((one) => ({ ...one, lane: Number(lane.head[1]) })),
      );
      return opticRows(
        head[1],
        [...own, ...laned],
        lanes.map((lane) => Number(lane.head[1])),
      );
    }),
  };
};

const figure = '(-?\\d+\\.\\d+|n/a|-inf)';

/** Milliwatts and dBm: `0.08, -10.96`. */
const power = '((?:\\d+\\.\\d+) ?[,/] ?(?:-?\\d+\\.\\d+|-inf)|n/a)';

/** Figures have a point, a lane has none; a port and its module stand on its first lane's line only. */
const domRow = new RegExp(
  `^(?:(\\d\\S*)\\s+\\S+)?\\s+(?:(\\d)\\s+)?${figure}\\s+${figure}\\s+${figure}\\s+${power}\\s+${power}$`,
  'i',
);

/** `show interface dom`: a line per port or lane. */
const opticsTable: Reader<OpticRow> = (capture) => {
  const head = capture.lines.findIndex((line) => /^Port\s+Type\s+Channel\s+Temp/i.test(line));
  if (head < 0) return undefined;
  let port: string | undefined;
  return {
    rows: capture.lines.slice(head + 1).flatMap((line): OpticRow[] => {
      const cells = domRow.exec(line);
      port = cells?.[1] ?? (cells ? port : undefined);
      if (!cells || port === undefined) return [];
      const [temp = '', volts = '', bias = '', rx = '', tx = ''] = cells.slice(3);
      const readings: Reading[] = [
        ...readMeasures('temp', temp),
        ...readMeasures('volt', volts),
        ...readMeasures('bias', bias),
        ...readMeasures('rx power', rx.replace(/([,/])(.*)/, 'mW$1$2dBm')),
        ...readMeasures('tx power', tx.replace(/([,/])(.*)/, 'mW$1$2dBm')),
      ];
      return opticRows(
        port,
        cells[2] ? readings.map((one) => ({ ...one, lane: Number(cells[2]) })) : readings,
      );
    }),
  };
};

/** `show lacp interfaces`: the actor's half; a port that is down has no cells but its LAG and that it forwards nothing. */
const lacp: Reader<LagRow> = (capture) => {
  const from = capture.lines.findIndex((line) => /^Actor details of all interfaces/i.test(line));
  if (from < 0) return undefined;
  const rest = capture.lines.slice(from + 1);
  const to = rest.findIndex((line) => /^Partner details/i.test(line));
  const seen = new Set<string>();
  return {
    rows: rest.slice(0, to < 0 ? rest.length : to).flatMap((line): LagRow[] => {
      const match = /^(\d\S*)\s+(lag\d+)(?:\([^)]*\))?(?:\s+\d+\s+\d+\s+([A-Z]+)\s|\s|$)/i.exec(line);
      const [, member = '', lag = '', letters] = match ?? [];
      const memberState = letters ?? /\s(down)\s*$/i.exec(line)?.[1];
      // A port that comes again stands among the partners, whose title is missing.
      if (isRuler(line) || !match || seen.has(member)) return [];
      seen.add(member);
      return [dropAbsent<LagRow>({ lag, member, memberState })];
    }),
  };
};

/** `show lacp aggregates`: ports of the other chassis (`Remote-interfaces`) are no local members. */
const aggregates: Reader<LagRow> = (capture) => {
  const found = blocks(capture.lines, /^\s*Aggregate-name\s*: (\S+)/i);
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ head, lines }): LagRow[] => {
      const members = firstMatch(lines, /^\s*(?:Aggregated-)?Interfaces\s*: ?(.*)$/i);
      if (members === undefined) return [];
      const ports = members.split(/\s+/).filter((one) => /^\d[\d/:]*$/.test(one));
      const lag = head[1] ?? '';
      return ports.length === 0 ? [{ lag }] : ports.map((member) => ({ lag, member }));
    }),
  };
};

/**
 * `show lacp interfaces`: its legend's letters in their order, with either activity and either time-out. In sync, collecting and distributing
 * it works; `O` out of sync, `E` no neighbour heard; `I` individual.
 */
const memberWords: MemberWords = Object.fromEntries([
  ['down', 'down'],
  ...['AL', 'AS', 'PL', 'PS'].flatMap((start) => [
    [`${start}FNCD`, 'working' as const],
    ...['FNC', 'FN', 'FO', 'FOE'].map((rest) => [start + rest, 'negotiating'] as const),
    ...['INCD', 'IO', 'IOE'].map((rest) => [start + rest, 'individual'] as const),
  ]),
]);

export const arubaAoscx: Platform = {
  ...readOnlyPlatform(
    { id: 'aruba_aoscx', title: 'Aruba AOS-CX', pagerOff: 'no page' },
    {
      counters: ['show interface'],
      lags: ['show lacp interfaces'],
      neighbors: ['show lldp neighbor-info detail'],
      optics: { all: ['show interface dom detail'] },
    },
  ),
  readers: {
    counters: [
      interfaces,
      statusLines(
        /^Port\s+Native\s+Mode\s+Type\s+Enabled\s+Status/i,
        /^(?<port>\S+)\s+.*?\s(?<admin>yes|no)\s+(?<link>up|down)\s/i,
      ),
    ],
    lags: [lacp, aggregates],
    neighbors: [
      keyedLldp({
        begins: /^Port\s*:/,
        oncePerPort: /^Neighbor Entries\s*:/i,
        again: /^Neighbor (?:Chassis-Name|System-Name)$/i,
        localPort: /^Port$/,
        neighbor: /^Neighbor (?:Chassis-Name|System-Name)$/i,
        portId: /^Neighbor Port-ID$/i,
        portDesc: /^Neighbor Port-Desc$/i,
        chassisId: /^Neighbor Chassis-ID$/i,
      }),
      lldpTable(/^LOCAL-PORT\s+CHASSIS-ID/i, {
        local: /^local-port/,
        neighbor: /^sys-name/,
        portId: /^port-id/,
        portDesc: /^port-desc/,
        chassisId: /^chassis-id/,
      }),
    ],
    optics: [optics, opticsTable],
  },
  linkWords: { link: { ...upDown, 'down (Administratively down)': 'shut' }, admin: onOff },
  memberWords,
};
