import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import { upDown } from '../../read/link-words.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { namedCounts, put, tally, type Direction } from '../../read/parse-counts.ts';
import { blocks, countDoubled, firstMatch, isRuler, keyValue } from '../../read/parse-lines.ts';
import { shiftLanes, limitIn, readMeasures, opticRows, type Reading } from '../../read/parse-optics.ts';
import { dropAbsent, type LagRow, type OpticRow, type PortRow } from '../../read/rows.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { statusLines } from '../shared/status-table.ts';
import { lldpTable } from '../shared/lldp-table.ts';

/** `CRC:  0,  Giants:  0` below `Input:` and `Output:`. */
const named: Readonly<Record<Direction, Readonly<Record<string, string>>>> = {
  rx: {
    discard: 'rxDiscards',
    'total error': 'rxErrors',
    crc: 'rxCrc',
    giants: 'rxGiants',
    jabbers: 'rxJabbers',
    runts: 'rxRunts',
    fragments: 'rxFragments',
    alignments: 'rxAlignment',
    symbols: 'rxSymbol',
    // Routers count packets by the words in the singular.
    jabber: 'rxJabbers',
    fragment: 'rxFragments',
    alignment: 'rxAlignment',
    symbol: 'rxSymbol',
    overrun: 'rxOverrun',
    oversize: 'rxOversize',
    undersize: 'rxUndersize',
    unicast: 'rxPacketsUnicast',
    'input packets': 'rxPackets',
  },
  tx: {
    discard: 'txDiscards',
    'total error': 'txErrors',
    collisions: 'txCollisions',
    'late collisions': 'txLateCollisions',
    oversize: 'txOversize',
    unicast: 'txPacketsUnicast',
  },
};

/** PPP: `Input packets:396,  39552 bytes`. */
const ppp = /^\s*(In|Out)put packets: ?(\d+), +(\d+) bytes/i;

const readKeyedCounts = (lines: readonly string[]): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  // What one direction names twice belongs to both, and the heading between them is missing.
  const said = new Set<string>();
  const doubtful = new Set(['']);
  let direction: Direction | undefined;
  for (const line of lines) {
    if (isRuler(line)) break;
    const head = /^\s*(In|Out)put ?:/i.exec(line)?.[1];
    if (head) direction = /in/i.test(head) ? 'rx' : 'tx';
    const point = ppp.exec(line);
    if (point) {
      const way = /in/i.test(point[1] ?? '') ? 'rx' : 'tx';
      put(counts, `${way}Packets`, BigInt(point[2] ?? 0));
      put(counts, `${way}Bytes`, BigInt(point[3] ?? 0));
    }
    if (!direction || /bandwidth utilization/i.test(line)) continue;
    for (const before of line.split(':').slice(0, -1)) {
      const [name = ''] = /[A-Za-z ]*$/.exec(before.slice(-41)) ?? [];
      const counter = named[direction][name.trim().toLowerCase()] ?? '';
      (said.has(counter) ? doubtful : said).add(counter);
    }
    for (const { name, value } of namedCounts(line)) put(counts, named[direction][name] ?? '', value);
  }
  for (const name of doubtful) delete counts[name];
  return counts;
};

/** What Comware says of a port and VRP never does: it counts `Input (total):`, a port is `DOWN ( Administratively )`. */
const comware =
  /^\s*(?:In|Out)put ?\((?:total|normal)\):|current state ?: ?DOWN \( Admin|^\s*IP Packet Frame Type:/;

/** `display interface` of VRP. */
const interfaces: Reader<PortRow> = (capture) => {
  if (capture.lines.some((line) => comware.test(line))) return undefined;
  const marks = { once: /^\s*Description ?:/i, top: /^\s*Line protocol current state ?:/i };
  const found = blocks(capture.lines, /^(\S+) current state ?: ?(.+)$/, marks);
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.map(({ head, lines }) =>
      dropAbsent<PortRow>({
        port: head[1] ?? '',
        link: head[2]?.replace(/\s*,$/, ''),
        protocol: firstMatch(lines, /^\s*Line protocol current state ?: ?(.+?)\s*,?$/i),
        lastClear: firstMatch(
          lines,
          /^\s*(?:Last time when counters were cleared|Statistics last cleared) ?: ?(\S.*)$/i,
        ),
        ...tally(lines),
        ...readKeyedCounts(lines),
      }),
    ),
  };
};

const port = /^(?:[A-Za-z][\w-]*)?\d[\w/.:-]*$/;

/** `display eth-trunk`: the actor's ports only. */
const trunks: Reader<LagRow> = (capture) => {
  const once = /Working ?Mode:|Operat(?:e|ing) status:/i;
  const found = blocks(capture.lines, /^(Eth-Trunk\d+)'s state information is:$/i, { once });
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.flatMap(({ head, lines }) => {
      const partner = lines.findIndex((line) => /^Partner:|PortName\s+SysPri\s/i.test(line));
      const local = lines.slice(0, partner < 0 ? lines.length : partner);
      const lag = dropAbsent<LagRow>({
        lag: head[1] ?? '',
        protocol: firstMatch(local, /\bWorking ?Mode: ?(\S+)/i),
        lagState: firstMatch(local, /\bOperat(?:e|ing) status: ?(\S+)/i),
      });
      const from = local.findIndex((line) => /^(?:Actor)?PortName\s+Status\s/i.test(line));
      const members = (from < 0 ? [] : local.slice(from + 1)).flatMap((line): LagRow[] => {
        const [name = '', state] = line.trim().split(/\s+/);
        const member = name.replace(/\([A-Za-z*]+\)$/, '');
        return port.test(member) && /^[A-Z][a-z]*$/i.test(state ?? '')
          ? [{ ...lag, member, memberState: state ?? '' }]
          : [];
      });
      const untitled = from < 0 && local.some((line) => /^\S*\d\S*\s+[A-Z][a-z]*\s+\d/i.test(line));
      // Ports that no title stands above may be its members: then it is not known to have none.
      return members.length > 0 ? members : untitled ? [] : [lag];
    }),
  };
};

/** Values of several lanes on a line: `7.40|7.41    (Lane0|Lane1)`. */
const laned = /^(\S+)\s+\((Lane ?\d+(?:\|Lane ?\d+)*)\)$/i;

/** A cell as pairs of a lane (none: of the module) and a value; values of lanes that are not named are left out. */
const perLane = (cell: string): readonly { lane?: number; value: string }[] => {
  const match = laned.exec(cell);
  if (!match) return cell.includes('|') ? [] : [{ value: cell }];
  const values = (match[1] ?? '').split('|');
  const lanes = (match[2] ?? '').split('|').map((name) => Number(name.replace(/\D+/g, '')));
  return values.length === lanes.length ? values.map((value, at) => ({ value, lane: lanes[at] ?? 0 })) : [];
};

/**
 * `display transceiver verbose`: `RX Power(dBM)  :-2.48`, further lanes on the lines below; limits without a word for alarm
 * or warning are left out.
 */
const readingsIn = (lines: readonly string[]): Reading[] => {
  let open = '';
  return lines.flatMap((line): Reading[] => {
    const pair = keyValue(line);
    const key = pair?.key ?? open;
    const cell = pair?.value ?? line.trim();
    // Only lanes go on without a key, and only right below lanes of theirs.
    open = laned.test(cell) ? key : '';
    const limit = limitIn(key);
    if (/threshold/i.test(key) && !limit) return [];
    const unit = /mW/.test(key) ? 'mW' : 'dBm';
    return perLane(cell).flatMap(({ lane, value }) =>
      readMeasures(key, value, unit).map((one) => ({
        ...one,
        ...(limit ? { limit } : {}),
        ...(lane === undefined ? {} : { lane }),
      })),
    );
  });
};

const optics: Reader<OpticRow> = (capture) => {
  const once = /^\s*(?:Transceiver Type|Vendor Name|(?:\w+ )*(?:temp|volt|bias|[rt]x)[^:]*):/i;
  const found = blocks(capture.lines, /^(\S+) transceiver information:$/i, { once });
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.flatMap(({ head, lines }) => opticRows(head[1], shiftLanes(readingsIn(lines)))),
  };
};

export const huaweiVrp: Platform = {
  ...readOnlyPlatform(
    {
      id: 'huawei_vrp',
      title: 'Huawei VRP',
      pagerOff: 'screen-length 0 temporary',
      prompt: '(?:<[^<>]+>|\\[[^\\[\\]]+\\])\\s*$',
    },
    { counters: ['display interface'], lags: ['display eth-trunk'] },
  ),
  // The maximum frame length counts head and checksum (VRP command reference, `jumboframe enable`).
  mtuHead: 18,
  readers: {
    counters: [
      interfaces,
      statusLines(
        /^Interface\s+PHY\s+Protocol\s/i,
        /^\s*(?<port>[A-Za-z\d][\w-]*\d[\w/.:-]*)(?:\(\w+\))?\s+(?<link>[*^!~#]?(?:up|down)\S*)\s+(?<protocol>\S+)(?:\s+\S+\s+\S+\s+(?<rxErrors>\d+)\s+(?<txErrors>\d+)$)?/i,
      ),
    ],
    lags: [trunks],
    optics: [optics],
    neighbors: [
      keyedLldp({
        port: /^(\S+)\s+has (\d+) neighbou?r/i,
        begins: /^\s*Neighbor index\s*:/i,
        neighbor: /^System name$/i,
        portId: /^Port ?ID$/i,
        portDesc: /^Port description$/i,
        chassisId: /^Chassis ?ID$/i,
      }),
      lldpTable(/^Local Intf\s+Neighbor Dev\s+Neighbor Intf/i, {
        local: /^local intf/,
        neighbor: /^neighbor dev/,
        port: /^neighbor intf/,
      }),
      lldpTable(/^Local Interface\s+Exptime/i, {
        local: /^local interface/,
        neighbor: /^neighbor device/,
        port: /^neighbor interface/,
        header: ['Local Interface', 'Exptime', 'Neighbor Interface', 'Neighbor Device'],
      }),
    ],
  },
  // `*down` is administratively down by the legend of `display interface brief`.
  linkWords: {
    link: {
      ...upDown,
      UP: 'up',
      DOWN: 'down',
      // `ERROR DOWN(link-flap)`; `display interface brief` marks standby and loops (VRP command reference).
      'ERROR DOWN': 'down',
      '^down': 'down',
      '#down': 'down',
      '~down': 'down',
      '*down': 'shut',
      'Administratively DOWN': 'shut',
    },
  },
  // `display eth-trunk`: Selected and Unselect with LACP, Up and Down without.
  memberWords: { Selected: 'working', Unselect: 'unselected', Up: 'working', Down: 'down' },
};
