import type { Capture, Reader } from '../../read/parse-capture.ts';
import { namedCounts, put } from '../../read/parse-counts.ts';
import { blocks, countDoubled, firstMatch, takeUntilRepeated, type Marks } from '../../read/parse-lines.ts';
import { limitIn, readMeasures, opticRows, placeValues, type Reading } from '../../read/parse-optics.ts';
import { count } from '../../read/parse-values.ts';
import { dropAbsent, type LagRow, type OpticRow, type PortRow } from '../../read/rows.ts';

const heading =
  /^\s*(?:Physical interface: ([^,\s]+)(?: \([^)]*\))?[^,]*(?:, ([^,]+))?(?:, Physical link is ([^\s,]+))?.*|Logical interface (\S+)(?: .*)?)$/i;

const inputErrors: Readonly<Record<string, string>> = {
  errors: 'rxErrors',
  drops: 'rxDiscards',
  'framing errors': 'rxFraming',
  runts: 'rxRunts',
  giants: 'rxGiants',
  'fifo errors': 'rxFifo',
};

const outputErrors: Readonly<Record<string, string>> = {
  'carrier transitions': 'txCarrierTransitions',
  errors: 'txErrors',
  drops: 'txDiscards',
  collisions: 'txCollisions',
};

/** Rows of `MAC statistics` (receive, transmit) and of `Ethernet FEC statistics` (one figure). */
const paired: Readonly<Record<string, readonly string[]>> = {
  'crc/align errors': ['rxCrc', 'txCrc'],
  'unicast packets': ['rxPacketsUnicast', 'txPacketsUnicast'],
  'oversized frames': ['rxOversize'],
  'jabber frames': ['rxJabbers'],
  'fragment frames': ['rxFragments'],
  'fec corrected errors': ['fecCorrected'],
  'fec uncorrected errors': ['fecUncorrected'],
};

const traffic = /^\s*(In|Out)put\s+(bytes|packets)\s*: *(\d+)(?![\d\uFFFF])/i;

const figures = /^\s*([A-Za-z][A-Za-z/ ]*?)\s{2,}(\d+)(?:\s+(\d+))?$/;

/** Sections of a block: a line that ends with a colon, or the head of a table of figures. */
const section = /^\s*([A-Za-z][\w ()/-]{0,60}?)(?::$|:\s+Receive\s+Transmit|\s+(?:Errors|Seconds)$)/;

const countersOf = (lines: readonly string[]): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  let within = 'traffic statistics';
  for (const line of lines) {
    within = section.exec(line)?.[1]?.toLowerCase() ?? within;
    const total = traffic.exec(line);
    if (total && within === 'traffic statistics')
      put(
        counts,
        `${/in/i.test(total[1] ?? '') ? 'rx' : 'tx'}${/bytes/i.test(total[2] ?? '') ? 'Bytes' : 'Packets'}`,
        count(total[3]),
      );
    const names =
      within === 'input errors' ? inputErrors : within === 'output errors' ? outputErrors : undefined;
    for (const { name, value } of names ? namedCounts(line) : []) put(counts, names?.[name] ?? '', value);
    const brief = /^\s*Input errors: (\d+), Output errors: (\d+)$/i.exec(line);
    put(counts, 'rxErrors', count(brief?.[1]));
    put(counts, 'txErrors', count(brief?.[2]));
    const row = figures.exec(line);
    const targets = row && paired[(row[1] ?? '').toLowerCase()];
    if (!targets || !/^(?:mac|ethernet fec) statistics/.test(within)) continue;
    for (const [index, name] of targets.entries()) put(counts, name, count(row[2 + index]));
  }
  delete counts[''];
  return counts;
};

const marks: Marks = {
  once: /^\s*(?:Link-level type|Current address|MAC statistics|(?:In|Out)put errors):/i,
  top: /^\s*(?:Interface index:|Flags: .*Encapsulation:)/i,
};

/** `show interfaces [extensive]` as text; logical interfaces are rows of their own. */
export const junosInterfacesText: Reader<PortRow> = (capture) => {
  const found = blocks(capture.lines, heading, marks);
  if (!found.some(({ head }) => head[2] !== undefined || head[4] !== undefined)) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.map(({ head, lines }) =>
      dropAbsent<PortRow>({
        port: head[1] ?? head[4] ?? '',
        admin: head[2]?.trim(),
        link: head[1] ? head[3] : /^(?:Up|Down)$/.exec(firstMatch(lines, /^\s*Flags: (\S+)/) ?? '')?.[0],
        lastClear: firstMatch(lines, /^\s*Statistics last cleared: (\S.*)$/),
        ...countersOf(lines),
      }),
    ),
  };
};

/** `Protocol aenet, AE bundle: ae0.0` in a unit of a member, with LACP or without. */
export const junosBundlesText = ({ lines }: Capture): ReadonlyMap<string, string> =>
  new Map(
    blocks(lines, /^\s*Logical interface ((?:ge|xe|et|fe)-\S+?)\.\d+(?: .*)?$/i).flatMap(
      ({ head, lines: own }): [string, string][] => {
        const lag = firstMatch(own, /^\s*Protocol aenet, AE bundle: (ae\d+)\b/i);
        return lag === undefined ? [] : [[head[1] ?? '', lag]];
      },
    ),
  );

/** A module says everything once, and so does each of its lanes. */
const label = /^[^:]+:/;

/** `Laser output power high alarm threshold : 2.2380 mW / 3.50 dBm`. */
const readingsIn = (line: string): Reading[] => {
  const colon = line.indexOf(':');
  const words = line.slice(0, colon);
  const limit = limitIn(words);
  if (colon < 0 || (limit && !/threshold/i.test(words)) || /laser temp|tec |wavelength/i.test(words))
    return [];
  return placeValues(readMeasures(words, line.slice(colon + 1)), limit);
};

/** `show interfaces diagnostics optics`; lanes are printed from 0. */
export const junosOpticsText: Reader<OpticRow> = (capture) => {
  const found = blocks(capture.lines, /^\s*Physical interface: ([^,\s]+)\s*$/i);
  const known = /^\s*(?:Laser |Module |Receiver |Optical diagnostics)/i;
  if (!found.some(({ lines }) => lines.some((line) => known.test(line)))) return undefined;
  return {
    rows: found.flatMap(({ head, lines }) => {
      const laned = blocks(lines, /^\s*Lane (\d+)\s*$/i, { once: label });
      const first = lines.findIndex((line) => /^\s*Lane \d+\s*$/i.test(line));
      const lanes = laned.map((lane) => Number(lane.head[1]) + 1);
      return opticRows(
        head[1],
        [
          ...takeUntilRepeated(lines.slice(0, first < 0 ? undefined : first), label).flatMap(readingsIn),
          ...laned.flatMap((lane, at) =>
            lane.lines.flatMap(readingsIn).map((one) => ({ ...one, lane: lanes[at] ?? 0 })),
          ),
        ],
        lanes,
      );
    }),
  };
};

/** A member's name; `force-up` marks it with `FUP`, with or without a blank. */
const marked = /(\S+?)(?:\s*(?:FH|FUP|CFG))?/.source;

const mux = new RegExp(`^\\s*${marked}\\s+(?:\\S.*?)\\s+(?:Fast|Slow|No) periodic\\s+(\\S.*)$`, 'i');

const actor = new RegExp(`^\\s*${marked}\\s+Actor\\s`);

/** `show lacp interfaces`: members with the state of their mux machine. */
export const junosLacpText: Reader<LagRow> = (capture) => {
  const once = /^\s*LACP (?:state|protocol):/i;
  const found = blocks(capture.lines, /^\s*Aggregated interface: (\S+)$/i, { once });
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.flatMap(({ head, lines }): LagRow[] => {
      const lag = head[1] ?? '';
      const states = new Map<string, string>();
      const members: string[] = [];
      for (const line of lines) {
        const member = actor.exec(line)?.[1];
        const state = mux.exec(line);
        if (member) members.push(member);
        if (state) states.set(state[1] ?? '', (state[2] ?? '').trim());
      }
      const all = [...new Set([...members, ...states.keys()])];
      if (all.length === 0) return [{ lag }];
      return all.map((member) => dropAbsent<LagRow>({ lag, member, memberState: states.get(member) }));
    }),
  };
};
