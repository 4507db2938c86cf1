import type { Platform } from '../contracts.ts';
import { sonicChassis, sonicLoads, sonicMemberWords, sonicMinLinks } from './lags.ts';
import { onOff, upDown } from '../../read/link-words.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { valueAt, isRecord, textOf } from '../../read/parse-json.ts';
import { blocks, keyValue } from '../../read/parse-lines.ts';
import { limitIn, readMeasures, opticRows, placeValues, type Reading } from '../../read/parse-optics.ts';
import { cellsIn as cellsBetweenGaps, ruledTables, type Column } from '../../read/parse-table.ts';
import { count, decimal, text } from '../../read/parse-values.ts';
import { dropAbsent, type OpticRow, type PortRow } from '../../read/rows.ts';
import { lldpctlJson, lldpctlText } from '../shared/lldpctl.ts';
import { lldpTable } from '../shared/lldp-table.ts';
import { statusTable } from '../shared/status-table.ts';
import { routerInterface } from './router-interfaces.ts';
import { sonicSettings } from './settings.ts';
import { teamTable } from '../shared/port-channels.ts';

const titles: Readonly<Record<string, string>> = {
  rx_ok: 'rxPackets',
  rx_err: 'rxErrors',
  rx_drp: 'rxDiscards',
  rx_ovr: 'rxOversize',
  tx_ok: 'txPackets',
  tx_err: 'txErrors',
  tx_drp: 'txDiscards',
  tx_ovr: 'txOversize',
  fec_corr: 'fecCorrected',
  fec_uncorr: 'fecUncorrected',
  fec_symbol_err: 'fecSymbolErrors',
};

/** `Ethernet0`, `PortChannel0001`, `Vlan1000`, or an alias (`etp1b`, `fortyGigE0/4`). */
const port = /^[A-Za-z][A-Za-z-]*\d[\w/.:-]*$/;

/** By order where there is a word for each column; rates stand with their unit, estimates with their accuracy. */
const cellsIn = (row: string, columns: readonly Column[]): readonly string[] => {
  const words = row.trim().match(/\S+(?: (?:[KMGT]?B\/s|\(\d+%\)))?/g) ?? [];
  return words.length === columns.length ? words : cellsBetweenGaps(row, columns);
};

/** Rows by title: from the tables of `show interfaces counters ...`, or from the JSON of `portstat -j`. */
const counterRows = (cells: readonly (readonly [string, string])[], name: string): PortRow => {
  const counts: Record<string, bigint> = {};
  for (const [title, cell] of cells) put(counts, titles[title] ?? '', count(cell));
  delete counts[''];
  return dropAbsent<PortRow>({
    port: name,
    link: text(/^\S+$/.exec(cells.find(([title]) => title === 'state')?.[1] ?? '')?.[0]),
    ...counts,
  });
};

const counters: Reader<PortRow> = (capture) => {
  const tables = ruledTables(capture.lines, /^\s*IFACE\s+(?!MTU)/);
  if (tables.length === 0) return undefined;
  return {
    rows: tables.flatMap(({ columns, rows }) =>
      rows.flatMap((row) => {
        const cells = cellsIn(row, columns);
        if (!port.test(cells[0] ?? '')) return [];
        return [
          counterRows(
            columns.map((column, index) => [column.title, cells[index] ?? ''] as const),
            cells[0] ?? '',
          ),
        ];
      }),
    ),
  };
};

const countersJson: Reader<PortRow> = (capture) => {
  const json = capture.json();
  if (!isRecord(json)) return undefined;
  const found = Object.entries(json).filter(
    ([name, one]) =>
      port.test(name) &&
      valueAt(one, 'MTU') === undefined &&
      (valueAt(one, 'RX_OK') ?? valueAt(one, 'RX_ERR') ?? valueAt(one, 'FEC_CORR')) !== undefined,
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.map(([name, one]) =>
      counterRows(
        isRecord(one)
          ? Object.entries(one).map(([key, value]) => [key.toLowerCase(), textOf(value) ?? ''] as const)
          : [],
        name,
      ),
    ),
  };
};

const scales: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9 };

/** `2000.00 MB/s` in bits per second. */
const bits = (cell: string | undefined): bigint | undefined => {
  const scale = /^[\d.]+ ([KMG]?)B\/s$/.exec(cell ?? '')?.[1];
  const value = decimal(cell?.split(' ')[0]);
  return scale === undefined || value === undefined
    ? undefined
    : BigInt(Math.round(value * 8 * (scales[scale] ?? 1)));
};

const rates: Reader<PortRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*IFACE\s.*RX_BPS/i)[0];
  if (!table) return undefined;
  return {
    rows: table.rows.flatMap((row): PortRow[] => {
      const cells = cellsIn(row, table.columns);
      const cell = (title: string): string | undefined =>
        cells[table.columns.findIndex((one) => one.title === title)];
      if (!port.test(cells[0] ?? '')) return [];
      return [
        dropAbsent<PortRow>({
          port: cells[0] ?? '',
          rxBps: bits(cell('rx_bps')),
          txBps: bits(cell('tx_bps')),
        }),
      ];
    }),
  };
};

/** `RX1Power`, `TX1Bias`, `RxPowerHighAlarm`, `TempLowWarning`, `Vcc`: words and lane of a key. */
const readingOf = (line: string): Reading[] => {
  const pair = keyValue(line);
  const key = /^(?:([RT]X)(\d*)|([RT]x)?)(Power|Bias|Temp(?:erature)?|Vcc)(\w*)$/i.exec(pair?.key ?? '');
  if (!pair || !key) return [];
  const words = `${key[1] ?? key[3] ?? ''} ${key[4] ?? ''}`;
  const limit = limitIn(key[5] ?? '');
  if ((key[5] ?? '') !== '' && !limit) return [];
  return placeValues(readMeasures(words, pair.value), limit, key[2]);
};

/** The lane that a key is about, whether it has a value or not. */
const laneOf = (line: string): number | undefined => {
  const lane = /^[RT]X(\d+)(?:Power|Bias)$/i.exec(keyValue(line)?.key ?? '')?.[1];
  return lane === undefined ? undefined : Number(lane);
};

/** `show interfaces transceiver eeprom [-d]`, `sfputil show eeprom -d`. */
const optics: Reader<OpticRow> = (capture) => {
  const found = blocks(
    capture.lines,
    /^(\S+) ?: SFP (?:EEPROM )?(?:is )?(not )?(?:detected|applicable|present)/i,
    {
      once: /^\s*(?:Identifier|Connector|ChannelMonitorValues|ModuleMonitorValues|[RT]X\d*(?:Power|Bias)|Temperature|Vcc)\s*:/i,
    },
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ head, lines }) =>
      opticRows(
        head[1],
        // Without a module these are the lines of another port, whose own is missing.
        head[2] ? [] : lines.flatMap(readingOf),
        head[2] ? [] : lines.flatMap((line) => laneOf(line) ?? []),
      ),
    ),
  };
};

/** SONiC: a Linux shell with its own commands. `config` changes the running state; nothing is saved. */
export const sonic: Platform = {
  id: 'sonic',
  title: 'SONiC',
  via: 'sh',
  machineReadable: true,
  ask: {
    // Of its ports the kernel counts how often the carrier came or went; portstat does not (Documentation/ABI/testing/sysfs-class-net).
    counters: ["grep -H '' /sys/class/net/Ethernet*/carrier_changes 2>/dev/null", 'portstat -a -j'],
    lags: ['show interfaces portchannel'],
    neighbors: ['sudo -n lldpctl -f json'],
    optics: { all: ['show interfaces transceiver eeprom -d'] },
    // Each starts an interpreter that reads the whole of several databases: a second and more. An older release refuses the second one.
    settings: { all: ['show interfaces status', 'show interfaces autoneg status'] },
  },
  // Its rates come from the port counters (counterpoll) and are N/A while these are not polled.
  noLoad: 'portstat prints no RX_UTIL and TX_UTIL there; see that counterpoll show names PORT_STAT enabled',
  minLinks: ['sonic-cfggen -d --var-json PORTCHANNEL'],
  chassis: () => ["sonic-db-cli CONFIG_DB keys 'MCLAG_*'"],
  nameOf: (port) => /^eth(\d+)$/.exec(port)?.[1]?.replace(/^/, 'Ethernet'),
  restore: (name) => [`sudo -n config interface startup ${name}`],
  readers: {
    counters: [
      counters,
      countersJson,
      routerInterface,
      statusTable(/^\s*Interface\s+Lanes\s+Speed\s/i, { port: /^interface/, link: /^oper/, admin: /^admin/ }),
    ],
    lags: [teamTable],
    neighbors: [
      lldpTable(/^\s*LocalPort\s+RemoteDevice/i, {
        local: /^localport/,
        neighbor: /^remotedevice/,
        portId: /^remoteportid/,
        portDesc: /^remoteportdescr/,
      }),
      lldpctlJson,
      lldpctlText,
    ],
    optics: [optics],
    rates: [rates],
  },
  // portstat: U up, X switched off, D switched on and down (sonic-utilities, portstat, get_port_state); `show interfaces status` writes words.
  linkWords: { link: { ...upDown, U: 'up', D: 'dark', X: 'shut' }, admin: onOff },
  memberWords: sonicMemberWords,
  // The management port is `eth0`, the others `Ethernet0`: in lower case they would be one.
  isManagement: (port) => /^eth\d+$/.test(port),
  portLinesIn: ({ spoken }) =>
    spoken.flatMap((line) => {
      const [, port, changes] = /^\/sys\/class\/net\/([^/]+)\/carrier_changes:(\d+)$/.exec(line) ?? [];
      return port === undefined ? [] : [{ port, line: `carrier_changes: ${changes}` }];
    }),
  settingsTold: sonicSettings,
  loadsIn: sonicLoads,
  minLinksIn: sonicMinLinks,
  chassisIn: sonicChassis,
};
