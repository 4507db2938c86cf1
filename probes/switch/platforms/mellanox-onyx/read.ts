import type { Platform } from '../contracts.ts';
import { commonErrors, insideInterface } from '../shared/command-lines.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { countedWords, put, type Direction } from '../../read/parse-counts.ts';
import { valueAt, textOf, type Json } from '../../read/parse-json.ts';
import { blocks, firstMatch, keyValue } from '../../read/parse-lines.ts';
import { count, text } from '../../read/parse-values.ts';
import { dropAbsent, type OpticRow, type PortRow } from '../../read/rows.ts';
import { onyxEntries, onyxPortLines, onyxRates } from './json.ts';
import { onyxBundles, onyxChassis, onyxPortChannels } from './lags.ts';
import { onyxNeighbors, onyxNeighborsText } from './lldp.ts';
import { limitIn, readMeasures, opticRows, placeValues, type Reading } from '../../read/parse-optics.ts';
import { statusLines } from '../shared/status-table.ts';
import { portChannelTable } from '../shared/port-channels.ts';

/** Words of a counter, without its direction. */
const counters: Readonly<Record<string, string>> = {
  packets: 'Packets',
  'unicast packets': 'PacketsUnicast',
  bytes: 'Bytes',
  'error packets': 'Errors',
  'discard packets': 'Discards',
  'fcs errors': 'Crc',
  'symbol errors': 'Symbol',
  'undersize packets': 'Undersize',
  'oversize packets': 'Oversize',
};

const word = (value: Json, name: string): string | undefined => text(textOf(valueAt(value, name)));

/** `show interfaces ethernet | json-print`: all numbers are strings. */
const interfacesJson: Reader<PortRow> = (capture) => {
  const found = onyxEntries(capture.json()).filter(
    ([, one]) => valueAt(one, 'Operational state') ?? valueAt(one, 'Rx'),
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.map(([port, one]) => {
      const counts: Record<string, bigint> = {};
      for (const [words, name] of Object.entries(counters)) {
        put(counts, `rx${name}`, count(textOf(valueAt(one, 'Rx', words))));
        put(counts, `tx${name}`, count(textOf(valueAt(one, 'Tx', words))));
      }
      return dropAbsent<PortRow>({
        port,
        admin: word(one, 'Admin state'),
        link: word(one, 'Operational state'),
        lastClear: word(one, 'Last clearing of "show interface" counters'),
        ...counts,
      });
    }),
  };
};

const readDirected = (lines: readonly string[]): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  let direction: Direction | undefined;
  for (const line of lines) {
    const head = /^\s*([RT]x):?$/i.exec(line)?.[1];
    if (head) direction = head.toLowerCase() === 'rx' ? 'rx' : 'tx';
    if (!direction) continue;
    const pair = keyValue(line);
    const name = pair && counters[pair.key.toLowerCase()];
    if (name) put(counts, `${direction}${name}`, count(pair.value));
    for (const { value, words } of pair ? [] : countedWords(line))
      if (counters[words]) put(counts, `${direction}${counters[words]}`, value);
  }
  return counts;
};

/** A port, in group 1; any other heading ends the port above it, whose counters would else be filled up from there. */
const heading =
  /^(?:((?:Eth|Ib|mgmt|Po|Mpo|Vlan ?|Loopback ?)\d[\d/]*)(?: \([^)]*\))?:?|(?![RT]x:)\S[^:]{0,60}:)$/i;

/** `show interfaces ethernet [counters]` as text. */
const interfacesText: Reader<PortRow> = (capture) => {
  const once =
    /^\s*(?:Admin state|Operational state|Last clearing of "show interface" counters)\s*:|^\s*[RT]x:?$/i;
  const found = blocks(capture.lines, heading, { once }).filter(({ head }) => head[1] !== undefined);
  const known = /^\s*(?:Admin state|Operational state)\s*:|^\s*[RT]x:?$/i;
  if (!found.some(({ lines }) => lines.some((line) => known.test(line)))) return undefined;
  return {
    rows: found.map(({ head, lines }) =>
      dropAbsent<PortRow>({
        port: head[1] ?? '',
        admin: text(firstMatch(lines, /^\s*Admin state\s*: ?(.+)$/i)),
        link: text(firstMatch(lines, /^\s*Operational state\s*: ?(.+)$/i)),
        lastClear: text(firstMatch(lines, /^\s*Last clearing of "show interface" counters\s*: ?(.+)$/i)),
        ...readDirected(lines),
      }),
    ),
  };
};

const readingsOf = (line: string): Reading[] => {
  const pair = keyValue(line);
  if (!pair || pair.value === '') return [];
  const lane = /\b(?:ch|channel|lane) ?(\d+)/i.exec(pair.key)?.[1];
  return placeValues(readMeasures(pair.key, pair.value), limitIn(pair.key), lane);
};

/** `show interfaces ethernet transceiver diagnostics`: `Ch1 Tx Power : 1.0 mW / 0.2 dBm`, limits by name. */
const optics: Reader<OpticRow> = (capture) => {
  const found = blocks(
    capture.lines,
    /^(?:Port )?((?:Eth)?\d+\/\d+(?:\/\d+)?)(?: transceiver diagnostic data)?:?$/i,
  );
  const titled = found.some(({ head }) => /transceiver diagnostic data/i.test(head[0]));
  // Copper has none: a title is enough, a bare number is not.
  if (!titled && !found.some(({ lines }) => lines.some((line) => readingsOf(line).length > 0)))
    return undefined;
  return { rows: found.flatMap(({ head, lines }) => opticRows(head[1] ?? '', lines.flatMap(readingsOf))) };
};

const spanning = 'show interfaces mlag-port-channel summary | json-print';

/** Mellanox MLNX-OS and Onyx: JSON, every number a string. Switches cut-through by default. */
export const mellanoxOnyx: Platform = {
  id: 'mellanox_onyx',
  title: 'Onyx',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9._-]+ \\[[^\\]]*\\] (?:\\([^)]*\\) )?[>#]\\s*$',
    pagerOff: ['enable', 'no cli session paging enable'],
    errors: commonErrors,
  },
  machineReadable: true,
  cutThrough: true,
  ask: {
    counters: ['show interfaces ethernet | json-print'],
    lags: ['show interfaces port-channel summary | json-print'],
    neighbors: ['show lldp interfaces ethernet remote | json-print'],
    optics: { all: ['show interfaces ethernet transceiver diagnostics'] },
  },
  // MLAG's commands are hidden while `protocol mlag` is off (Onyx user manual, MLAG commands).
  spanningLags: [spanning],
  chassis: () => ['show mlag', spanning],
  nameOf: (port) => /^eth(\d[\d/]*)$/.exec(port)?.[1]?.replace(/^/, 'ethernet '),
  restore: insideInterface('no shutdown', 'configure terminal', ['exit', 'exit']),
  readers: {
    counters: [
      interfacesJson,
      interfacesText,
      statusLines(
        /^Port\s+Operational state/i,
        /^(?<port>Eth\d\S*)(?: \([^)]*\))?\s+(?<link>(?:Up|Down)(?: \([^)]*\))?)(?=\s|$)/i,
      ),
    ],
    lags: [onyxPortChannels, portChannelTable],
    neighbors: [onyxNeighbors, onyxNeighborsText],
    optics: [optics],
    rates: [onyxRates],
  },
  portLinesIn: onyxPortLines,
  bundlesIn: onyxBundles,
  chassisIn: onyxChassis,
  // `Port 1/11 transceiver diagnostic data:` is Eth1/11.
  socketName: (printed) => printed.replace(/^(?=\d)/, 'Eth'),
  linkWords: { link: { Up: 'up', Down: 'down' }, admin: { Enabled: 'on', Disabled: 'off' } },
  // The legend of `show interfaces port-channel summary`: P up in port-channel, S suspend, I individual, D down.
  memberWords: { P: 'working', S: 'suspended', I: 'individual', D: 'down' },
};
