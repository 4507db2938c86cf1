import type { PlatformReaders, Reader } from '../parse-capture.ts';
import { count, text } from '../parse-values.ts';
import { ruledTables } from '../parse-table.ts';
import { measured, opticRows, type Reading } from '../parse-optics.ts';
import { present, type LagRow, type OpticRow, type PortRow } from '../rows.ts';
import { statusLines } from './shared-status-table.ts';
import { lldpTable } from './shared-lldp-table.ts';

const port = /^\d+(?::\d+)?$/;

const algorithm = /^(?:L2|L3|L3_L4|custom|port|port-based|address-based)$/i;

/** The end of every line: the member, whether it takes part, its link, how often that changed. */
const share = /\s(\d+(?::\d+)?)\s+([Y-])\s+([A-Z]{1,2})\s+\d+$/;

/**
 * EXOS `show sharing`: the master port names the LAG and stands on its first member's line only; columns differ between
 * releases and may be empty, so a line is read from both of its ends.
 */
const sharing: Reader<LagRow> = (capture) => {
  if (!capture.lines.some((line) => /^\s*Load Sharing Monitor|^\s*Master\s+Master\s+Control/i.test(line)))
    return undefined;
  const rows: LagRow[] = [];
  let lag: LagRow | undefined;
  for (const line of capture.lines) {
    const end = share.exec(line);
    if (!end) continue;
    const words = line.slice(0, end.index).trim().split(/\s+/);
    const masters = words.findIndex((word) => !port.test(word));
    const control = words[masters];
    if (masters !== 0 && port.test(words[0] ?? ''))
      lag = present<LagRow>({ lag: words[0], protocol: named(control) });
    if (lag) rows.push(present<LagRow>({ ...lag, member: end[1], memberState: end[3] }));
  }
  return { rows };
};

/** The aggregation control, unless its column is empty (static sharing) and the algorithm stands there. */
const named = (control: string | undefined): string | undefined =>
  algorithm.test(control ?? '') ? undefined : text(control);

const members =
  /^(\d+(?::\d+)?)\s+(Idle|Initialize|Current|Expired|Defaulted|Disabled)\s+\S+\s+(\S+)\s+[A-Z-]{3,8}\s/i;

/** EXOS `show lacp lag <n> detail`: the ports with the states of their mux machines. */
const lacpDetail: Reader<LagRow> = (capture) => {
  const from = capture.lines.findIndex((line) => /^Lag\s+Actor\s+Actor\s+Partner/i.test(line));
  if (from < 0) return undefined;
  const rows: LagRow[] = [];
  let lag: LagRow | undefined;
  let alone = false;
  for (const line of capture.lines.slice(from + 1)) {
    const head = /^(\d+(?::\d+)?)\s+\d+\s+0x[0-9a-f]+\s/i.exec(line)?.[1];
    if (head) {
      if (lag && alone) rows.push(lag);
      [lag, alone] = [{ lag: head }, true];
    }
    const state = /^LAG State\s*: ?(\S+)/i.exec(line)?.[1];
    if (lag && state) lag = { ...lag, lagState: state };
    const member = members.exec(line);
    if (!lag || !member) continue;
    rows.push({ ...lag, member: member[1] ?? '', memberState: member[3] ?? '' });
    alone = false;
  }
  if (lag && alone) rows.push(lag);
  return { rows };
};

/** Titles of `show ports [tx|rx]errors no-refresh`. */
const errors: Readonly<Record<'rx' | 'tx', Readonly<Record<string, string>>>> = {
  rx: {
    'rx crc': 'rxCrc',
    'rx over': 'rxOversize',
    'rx under': 'rxUndersize',
    'rx frag': 'rxFragments',
    'rx jabber': 'rxJabbers',
    'rx align': 'rxAlignment',
    'rx lost': 'rxDiscards',
  },
  tx: {
    'tx coll': 'txCollisions',
    'tx late coll': 'txLateCollisions',
    'tx errors': 'txErrors',
    'tx lost': 'txDiscards',
  },
};

/** EXOS `show ports <list> rxerrors no-refresh` and `txerrors`: cells without blanks, in the order of the titles. */
const portErrors: Reader<PortRow> = (capture) => {
  const table = ruledTables(capture.lines, /^\s*(?:Port\s+Link\s+[RT]x|State\s)/i, 2)[0];
  const titles = table?.columns.map((column) => column.title);
  if (!table || !titles?.some((title) => title in errors.rx || title in errors.tx)) return undefined;
  const names = titles.map((title) => errors.rx[title] ?? errors.tx[title]);
  return {
    rows: table.rows.flatMap((line): PortRow[] => {
      const words = line.trim().split(/\s+/);
      if (!port.test(words[0] ?? '') || words.length !== titles.length) return [];
      const counts = names.flatMap((name, index) => {
        const value = count(words[index]);
        return name && value !== undefined ? [[name, value] as const] : [];
      });
      return [present<PortRow>({ port: words[0] ?? '', link: words[1], ...Object.fromEntries(counts) })];
    }),
  };
};

/** EXOS `show ports <list> transceiver information`: cells without blanks. `Voltage-Aux` is no supply voltage by its name. */
const transceivers: Reader<OpticRow> = (capture) => {
  const head = capture.lines.findIndex((line) => /^Port\s+Temp\s+TxPower/i.test(line));
  if (head < 0) return undefined;
  const titles = (capture.lines[head] ?? '').toLowerCase().split(/\s+/);
  return {
    rows: capture.lines.slice(head + 1).flatMap((line): OpticRow[] => {
      const words = line.trim().split(/\s+/);
      if (!port.test(words[0] ?? '') || words.length !== titles.length) return [];
      const readings = titles.flatMap((title, at): Reading[] =>
        at === 0 || title.startsWith('voltage') ? [] : measured(title, words[at] ?? '', 'dBm'),
      );
      return opticRows(words[0] ?? '', readings);
    }),
  };
};

export const extremeExos: PlatformReaders = {
  counters: [
    portErrors,
    statusLines(
      /^#\s+String\s.*State\s+State|^Port\s+Display\s+VLAN Name\s+Port\s+Link/i,
      /^(?<port>\d+(?::\d+)?)\s+(?:\S.*?\s)??(?<admin>[EDFL])\s+(?<link>A|R|NP|L|D|d|B)(?:\s|$)/,
    ),
  ],
  lags: [sharing, lacpDetail],
  optics: [transceivers],
  neighbors: [
    lldpTable(/^\s*Port\s+Neighbor Chassis ID/i, {
      local: /^port/,
      neighbor: /^neighbor system name|^system name/,
      port: /^neighbor port id/,
      chassisId: /^neighbor chassis id/,
    }),
  ],
};

/** IronWare `show optic <slot>`: temperature, transmitted and received power, bias; a line of verdicts below each. */
const optic: Reader<OpticRow> = (capture) => {
  const rows = capture.lines.flatMap((line): OpticRow[] => {
    const match = /^\s*(\d+\/\d+(?:\/\d+)?)\s+(\S.*)$/.exec(line);
    const cells = [...(match?.[2] ?? '').matchAll(/(?<!\S)(N\/A|NONE|-?\d+\.\d+)(?: ?(C|dBm|mA)\b)?/gi)];
    if (!match || cells.length !== 4) return [];
    const words = ['temperature', 'tx power', 'rx power', 'bias'];
    const readings = cells.flatMap((cell, index): Reading[] => measured(words[index] ?? '', cell[0], 'dBm'));
    return opticRows(match[1] ?? '', readings);
  });
  return rows.length > 0 ? { rows } : undefined;
};

export const extremeIronware: PlatformReaders = { optics: [optic] };
