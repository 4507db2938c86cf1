import type { Platform } from '../contracts.ts';
import { ciscoDialect, insideInterface, nameByKind } from '../shared/command-lines.ts';
import { dellLldp } from '../shared/dell.ts';
import { ftosBrief, ftosChassis, ftosLacp, ftosLacpDetail, ftosMemberWords, ftosMinLinks } from './lags.ts';
import { upDown } from '../../read/link-words.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { dellInterfaces } from '../shared/interfaces-text.ts';
import { blocks, keyValue } from '../../read/parse-lines.ts';
import { limitIn, readMeasures, opticRows, placeValues, type Reading } from '../../read/parse-optics.ts';
import { count } from '../../read/parse-values.ts';
import type { OpticRow, PortRow } from '../../read/rows.ts';
import { dellStatus } from '../shared/status-table.ts';

/** Lines of the drop counters. */
const drops: Readonly<Record<string, string>> = {
  'ingress fcsdrops': 'rxCrc',
  'ingress fcs drops': 'rxCrc',
  'ingress drops': 'ingressDrops',
  'hol drops': 'holDrops',
  'hol drops(total)': 'holDrops',
  'egress fcs drops': 'txCrc',
  'egress fcsdrops': 'txCrc',
};

const dropsIn = (lines: readonly string[]): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  for (const line of lines) {
    const pair = keyValue(line);
    const name = pair && drops[pair.key.toLowerCase()];
    if (name) put(counts, name, count(pair.value));
  }
  return counts;
};

/** `show hardware stack-unit N drops unit U port P`; one port's own answer does not name it. */
const hardwareDrops: Reader<PortRow> = (capture) => {
  const found = blocks(capture.lines, /^Drops in Interface (\S.*?):?$/i);
  if (found.length > 0)
    return { rows: found.map(({ head, lines }) => ({ port: head[1] ?? '', ...dropsIn(lines) })) };
  if (!capture.lines.some((line) => /^\s*--- ?Ingress (?:Drops|MAC counters)\s*---/i.test(line)))
    return undefined;
  return { rows: [dropsIn(capture.lines) as PortRow] };
};

/** The same without a port: a line per port, in this order behind the port numbers of the front and of the chip. */
const dropColumns = ['ingressDrops', 'ingressMacDrops', 'mmuDrops', 'egressMacDrops', 'egressDrops'];

const hardwareDropsTable: Reader<PortRow> = (capture) => {
  const from = capture.lines.findIndex((line) => /^\s*User\s?Port\s+Port\s?Number\s+Ingress/i.test(line));
  if (from < 0) return undefined;
  return {
    rows: capture.lines.slice(from + 1).flatMap((line): PortRow[] => {
      const words = line.trim().split(/\s+/);
      if (words.length !== dropColumns.length + 2 || !/^\d+(?:\/\d+)?$/.test(words[0] ?? '')) return [];
      const counts: Record<string, bigint> = {};
      for (const [index, name] of dropColumns.entries()) put(counts, name, count(words[index + 2]));
      return [{ port: words[0] ?? '', ...counts }];
    }),
  };
};

/** `show interfaces <port> transceiver`: `SFP+ 46 TX Power High Alarm threshold = 1.000mW`, `QSFP 0 RX1 Power = ...`. */
const optics: Reader<OpticRow> = (capture) => {
  const ports = new Map<string, Reading[]>();
  let diagnostics = false;
  for (const line of capture.lines) {
    const match = /^\s*(?:Q?SFP\S*) ?(\d[\d/:]*) (.{1,60}?)\s*= ?(.*)$/i.exec(line);
    if (/^\s*Q?SFP.* Diagnostic Information/i.test(line)) diagnostics = true;
    if (!match) continue;
    const readings = ports.get(match[1] ?? '') ?? [];
    ports.set(match[1] ?? '', readings);
    const words = match[2] ?? '';
    const lane = /\b[RT]X(\d)\b/i.exec(words)?.[1];
    const limit = limitIn(words);
    if (!diagnostics || (/threshold/i.test(words) && !limit) || /type|flag|state/i.test(words)) continue;
    readings.push(...placeValues(readMeasures(words, match[3] ?? ''), limit, lane));
  }
  return ports.size > 0
    ? { rows: [...ports].flatMap(([port, readings]) => opticRows(port, readings)) }
    : undefined;
};

/** Dell Force10 FTOS and OS9: screens of text, often without exec channels. */
export const dellFtos: Platform = {
  id: 'dell_ftos',
  title: 'Dell FTOS',
  via: 'cli',
  dialect: ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:-]+\\))?[>#]\\s*$'),
  machineReadable: false,
  ask: {
    counters: ['show interfaces'],
    lags: ['show interfaces port-channel brief'],
    neighbors: ['show lldp neighbors detail'],
    optics: { port: (name) => `show interfaces ${name} transceiver` },
  },
  minLinks: [
    'show interfaces port-channel',
    'show running-config | grep "interface Port-channel|minimum-links"',
  ],
  chassis: () => ['show vlt detail'],
  nameOf: nameByKind({
    te: 'tengigabitethernet ',
    gi: 'gigabitethernet ',
    fo: 'fortyGigE ',
    twe: 'twentyFiveGigE ',
    hu: 'hundredGigE ',
  }),
  restore: insideInterface('no shutdown', 'configure'),
  // Link MTU: 1554 of a default port whose IP MTU is 1500 (FTOS command reference, `mtu`).
  mtuHead: 54,
  readers: {
    counters: [dellInterfaces, dellStatus],
    lags: [ftosBrief, ftosLacpDetail],
    neighbors: dellLldp,
    optics: [optics],
    hwdrops: [hardwareDrops, hardwareDropsTable],
  },
  // A shut port reads down like one without light; the status table writes capitals.
  linkWords: { link: { ...upDown, Up: 'up', Down: 'down', 'administratively down': 'shut' } },
  memberWords: ftosMemberWords,
  lacpIn: ftosLacp,
  minLinksIn: ftosMinLinks,
  chassisIn: ftosChassis,
};
