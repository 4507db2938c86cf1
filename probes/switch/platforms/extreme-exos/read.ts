import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { count } from '../../read/parse-values.ts';
import { readMeasures, opticRows, type Reading } from '../../read/parse-optics.ts';
import { dropAbsent, type LagRow, type OpticRow, type PortRow } from '../../read/rows.ts';
import { statusLines } from '../shared/status-table.ts';
import { lldpTable } from '../shared/lldp-table.ts';

const port = /^\d+(?::\d+)?$/;

const algorithm = /^(?:L2|L3|L3_L4|custom|port|port-based|address-based)$/i;

/** The end of every line: the member, whether it takes part, its link, how often that changed. */
const share = /\s(\d+(?::\d+)?)\s+([Y-])\s+([A-Z]{1,2})\s+\d+$/;

/**
 * EXOS `show sharing`: the master port names the LAG and stands on its first member's line only; columns differ between
 * releases and may be empty, so a line is read from both of its ends.
 */
const readSharing: Reader<LagRow> = (capture) => {
  if (!capture.lines.some((line) => /^\s*Load Sharing Monitor|^\s*Master\s+Master\s+Control/i.test(line)))
    return undefined;
  const rows: LagRow[] = [];
  let lag: LagRow | undefined;
  let notUnderstood = 0;
  for (const line of capture.lines) {
    const end = share.exec(line);
    if (!end) continue;
    const words = line.slice(0, end.index).trim().split(/\s+/);
    const masters = words.findIndex((word) => !port.test(word));
    const control = words[masters];
    if (masters !== 0 && port.test(words[0] ?? ''))
      lag = dropAbsent<LagRow>({ lag: words[0], protocol: controlName(control) });
    // A name that is none stands where a master does: whose members these are is not known.
    else if (/^\s?\S/.test(line)) lag = undefined;
    notUnderstood += lag ? 0 : 1;
    if (lag) rows.push(dropAbsent<LagRow>({ ...lag, member: end[1], memberState: end[3] }));
  }
  return { rows, notUnderstood };
};

/** The aggregation control, unless its column is empty and the algorithm or the links needed (`<2`) stand there. */
const controlName = (control: string | undefined): string | undefined =>
  algorithm.test(control ?? '') || !/^[a-z]/i.test(control ?? '') ? undefined : control;

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

/** Titles of `show ports rxerrors`, `txerrors` and `statistics`: the words of both header lines. */
const counted: Readonly<Record<string, string>> = {
  'rx crc': 'rxCrc',
  'rx over': 'rxOversize',
  'rx under': 'rxUndersize',
  'rx frag': 'rxFragments',
  'rx jabber': 'rxJabbers',
  'rx align': 'rxAlignment',
  'rx lost': 'rxDiscards',
  'tx coll': 'txCollisions',
  'tx late coll': 'txLateCollisions',
  'tx errors': 'txErrors',
  'tx lost': 'txDiscards',
  'rx pkt count': 'rxPackets',
  'rx byte count': 'rxBytes',
  'tx pkt count': 'txPackets',
  'tx byte count': 'txBytes',
};

/** `Port Link Rx Rx` above `State Crc Over`: blanks do not part the titles, their order does. */
const titlesOf = (upper: string, lower: string): readonly string[] | undefined => {
  if (!/^\s*Port\s+Link\s+[RT]x\s/i.test(upper) || !/^\s*State\s/i.test(lower)) return undefined;
  const first = upper.toLowerCase().match(/\b[rt]x\b(?: +(?:pkt|byte)\b)?/g) ?? [];
  const second =
    lower
      .toLowerCase()
      .trim()
      .match(/late coll|\S+/g)
      ?.slice(1) ?? [];
  if (first.length !== second.length) return undefined;
  return first.map((words, index) => `${words.replace(/ +/, ' ')} ${second[index] ?? ''}`);
};

/** A port by its number or by the name it was given, its link, then figures only. */
const figures = /^\s*(\S+)\s+(A|R|NP|L|D|d|B)((?:\s+(?:\d+|-|N\/A))+)$/;

/** EXOS `show ports <list> rxerrors no-refresh`, `txerrors` and `statistics`. */
const portCounters: Reader<PortRow> = (capture) => {
  let titles: readonly string[] | undefined;
  let notUnderstood = 0;
  const rows: PortRow[] = [];
  for (const [at, line] of capture.lines.entries()) {
    titles = titlesOf(line, capture.lines[at + 1] ?? '') ?? titles;
    const row = figures.exec(line);
    const cells = row?.[3]?.trim().split(/\s+/) ?? [];
    if (!titles || !row) continue;
    if (cells.length !== titles.length) {
      notUnderstood += 1;
      continue;
    }
    const counts = titles.flatMap((title, index) => {
      const value = count(cells[index]);
      const name = counted[title];
      return name && value !== undefined ? [[name, value] as const] : [];
    });
    rows.push(dropAbsent<PortRow>({ port: row[1] ?? '', link: row[2], ...Object.fromEntries(counts) }));
  }
  if (!titles) return undefined;
  return { rows, notUnderstood };
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
        at === 0 || title.startsWith('voltage') ? [] : readMeasures(title, words[at] ?? '', 'dBm'),
      );
      return opticRows(words[0] ?? '', readings);
    }),
  };
};

export const extremeExos: Platform = {
  ...readOnlyPlatform(
    {
      id: 'extreme_exos',
      title: 'Extreme EXOS',
      pagerOff: 'disable clipaging',
      prompt: '(?:\\* )?[A-Za-z0-9._()-]+\\.\\d+ [>#]\\s*$',
    },
    { counters: ['show ports rxerrors no-refresh'], lags: ['show sharing'] },
  ),
  // The whole frame: 1518 of a default port (EXOS command reference, `enable jumbo-frame`).
  mtuHead: 18,
  readers: {
    counters: [
      portCounters,
      statusLines(
        /^#\s+String\s.*State\s+State|^Port\s+Display\s+VLAN Name\s+Port\s+Link/i,
        /^(?<port>\d+(?::\d+)?)\s+(?:\S.*?\s)??(?<admin>[EDFL])\s+(?<link>A|R|NP|L|D|d|B)(?:\s|$)/,
      ),
    ],
    lags: [readSharing, lacpDetail],
    optics: [transceivers],
    neighbors: [
      lldpTable(/^\s*Port\s+(?:Neighbor )?Chassis ID\s+(?:Neighbor )?Port ID\s.*TTL/i, {
        local: /^port$/,
        neighbor: /^(?:neighbor )?system name/,
        port: /^(?:neighbor )?port id/,
        chassisId: /^(?:neighbor )?chassis id/,
      }),
    ],
  },
  // Legend of `show ports`: A active, R ready, NP port not present, D disabled.
  linkWords: { link: { A: 'up', R: 'dark', NP: 'down', D: 'shut' } },
  // `show lacp lag detail`: the mux machine. The `A` of `show sharing` is that of the link, in its LAG or not.
  memberWords: { 'Collect-Dist': 'working', Detached: 'unselected', Attached: 'negotiating' },
};
