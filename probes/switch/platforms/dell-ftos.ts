import type { PlatformReaders, Reader } from '../parse-capture.ts';
import { put } from '../parse-counts.ts';
import { interfacesText } from '../parse-interfaces.ts';
import { blocks, firstMatch, keyValue } from '../parse-lines.ts';
import { limitIn, measured, opticRows, type Reading } from '../parse-optics.ts';
import { count, text } from '../parse-values.ts';
import { present, type LagRow, type OpticRow, type PortRow } from '../rows.ts';
import { keyedLldp } from './shared-lldp-keys.ts';
import { interfacesStatus } from './shared-status-table.ts';
import { lldpTable } from './shared-lldp-table.ts';

/** `Te 1/46   (Up)`, more of them below each other or side by side. */
const member = /([A-Za-z]+ ?\d[\d/:]*)\s{1,20}\(([^()]{1,200})\)/g;

/** `show interfaces port-channel [N] brief`. */
const brief: Reader<LagRow> = (capture) => {
  const from = capture.lines.findIndex((line) => /^\s*LAG\s+Mode\s+Status\b/i.test(line));
  if (from < 0) return undefined;
  const rows: LagRow[] = [];
  let lag: LagRow | undefined;
  let alone = false;
  const close = (): void => {
    if (lag && alone) rows.push(lag);
  };
  for (const line of capture.lines.slice(from + 1)) {
    const head = /^\s*(?:[A-Z]+\s+)?(\d+)\s+(L\S*)\s+(\S+)(?:\s|$)/i.exec(line);
    if (head) {
      close();
      lag = { lag: head[1] ?? '', lagState: head[3] ?? '' };
      alone = true;
    }
    // Members stand far to the right: what else begins a line is a LAG that is not understood.
    else if (/^\s{0,8}\S/.test(line)) {
      close();
      lag = undefined;
    }
    if (!lag) continue;
    for (const match of line.slice(head ? head[0].length : 0).matchAll(member)) {
      rows.push({ ...lag, member: match[1] ?? '', memberState: match[2] ?? '' });
      alone = false;
    }
  }
  close();
  return { rows };
};

/** `show lacp N`. */
const lacp: Reader<LagRow> = (capture) => {
  const found = blocks(capture.lines, /^(Port-channel \d+) admin (\w+), oper (\w+), mode (\S+)/i);
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ head, lines }): LagRow[] => {
      const lag = { lag: head[1] ?? '', lagState: head[3] ?? '', protocol: head[4] ?? '' };
      const members = blocks(lines, /^Port ([A-Za-z]+ ?\d[\d/:]*) is (?:enabled|disabled)/i).map((port) =>
        present<LagRow>({
          ...lag,
          member: port.head[1] ?? '',
          memberState: text(firstMatch(port.lines, /^Port State: ?(.+)$/i)),
        }),
      );
      return members.length > 0 ? members : [lag];
    }),
  };
};

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
    for (const one of measured(words, match[3] ?? ''))
      readings.push({ ...one, ...(limit ? { limit } : {}), ...(lane ? { lane: Number(lane) } : {}) });
  }
  return ports.size > 0
    ? { rows: [...ports].flatMap(([port, readings]) => opticRows(port, readings)) }
    : undefined;
};

/** `show lldp neighbors` of FTOS and OS10. */
export const dellLldpTable = lldpTable(/^\s*Loc PortID\s+Rem Host Name/i, {
  local: /^loc portid/,
  neighbor: /^rem host name/,
  port: /^rem port id/,
  chassisId: /^rem chassis id/,
});

/** `show lldp neighbors detail` of FTOS and OS10. */
export const dellLldpDetail = keyedLldp({
  port: /^\s*Local Interface (\S+ ?[\d/:]*) has (\d+) neighbou?rs?/i,
  begins: /^\s*Remote Chassis ID Subtype:/i,
  // OS10 has no line above the neighbours of a port.
  localPort: /^Local Port ID$/i,
  neighbor: /^Remote System Name$/i,
  portId: /^Remote Port ID$/i,
  portDesc: /^Remote Port Description$/i,
  chassisId: /^Remote Chassis ID$/i,
});

export const dellFtos: PlatformReaders = {
  counters: [interfacesText, interfacesStatus],
  lags: [brief, lacp],
  neighbors: [dellLldpDetail, dellLldpTable],
  optics: [optics],
  hwdrops: [hardwareDrops, hardwareDropsTable],
};
