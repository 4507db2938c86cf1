import type { Capture } from './parse-capture.ts';
import { isRecord, textOf, type Json } from './parse-json.ts';
import { CUT } from './parse-values.ts';

/** A line that speaks of one port, by its printed name. */
export interface PortLine {
  port: string;
  line: string;
}

/**
 * Where a port's part of the answer begins: `Ethernet1 is up`, `10GigabitEthernet1/2/3 is up`, `Interface 1/1/1 is up`, XML, `Eth1/1 (Po21):`, `Settings for eth0:`,
 * Comware 5 and VRP `XGE1/0/1 current state: UP`, Comware 7 the name alone.
 */
const begins: readonly RegExp[] = [
  /^(?:Interface )?((?:10{1,2})?[A-Za-z][A-Za-z-]* ?\d[\d/:.]*|\d+\/\d+(?:\/\d+)*) is /,
  /<name>((?:[a-z]{2}-\d+\/\d+\/\d+(?::\d+)?|ethernet[\d/:]+))<\/name>/,
  /^(Eth[\d/]+)(?: \([^)]*\))?:$/,
  /^Physical interface: ([^,\s]+)/,
  /^Settings for (\S+):$/,
  /^(\w[\w-]*\d[\w/.:]*) current state ?:/,
  /^([A-Z][A-Za-z-]+\d+(?:\/\d+)+(?::\d+)?)$/,
];

/** A longer line says nothing of a port that is looked for. */
const LONG = 2000;

/** Most lines begin nothing: asked before the forms one by one. */
const mayBegin =
  /^\S.* is |^\S+(?: \([^)]*\))?:$|^(?:Physical|Settings) |<name>| current state ?:|^[A-Z]\S*\d$/;

/** The lines of screens and XML documents by their ports, each heading with them. A figure at the end of a cut answer may be a part of one. */
export const linesByPort = function* ({ lines }: Capture): Iterable<PortLine> {
  let port: string | undefined;
  for (const line of lines) {
    if (line.length > LONG || line.includes(CUT)) continue;
    if (mayBegin.test(line))
      port =
        begins.reduce<string | undefined>((name, form) => name ?? form.exec(line)?.[1], undefined) ?? port;
    if (port !== undefined) yield { port, line };
  }
};

/** How deep a port's own values stand in its record: EOS counts the changes of its link among the counters. */
const DEEP = 2;

/** `"mtu": 9214`: each value of a record in a line of its own, in whatever order and layout the device printed it. */
const linesOf = function* (record: Json, deep = DEEP): Iterable<string> {
  if (!isRecord(record)) return;
  for (const [key, value] of Object.entries(record)) {
    const text = typeof value === 'boolean' ? String(value) : textOf(value);
    const line = text === undefined ? undefined : `"${key}": ${text}`;
    if (line !== undefined && line.length <= LONG) yield line;
    else if (line === undefined && deep > 1) yield* linesOf(value, deep - 1);
  }
};

/** The same of JSON documents: the records of ports as lines. */
export const recordLines = function* (records: Iterable<readonly [string, Json]>): Iterable<PortLine> {
  for (const [port, record] of records) for (const line of linesOf(record)) yield { port, line };
};

/** The first group of the first form that fits a line. */
export const matchFirst = (forms: readonly RegExp[], line: string): string | undefined => {
  for (const form of forms) {
    const found = form.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
};

/** `Description: CHG-991`; EOS' and NX-OS' documents; Junos. */
const described: readonly RegExp[] = [
  /^\s*(?:port )?description ?(?::|is:?) *(.*\S)/i,
  /^"(?:description|desc)": (.*\S)/,
  /<description>([^<]+)<\/description>/,
];

/** More of what a person wrote beside a port is not shown. */
const LONGEST = 80;

/** What a person wrote beside ports, by their printed names; not what Comware and VRP print where nobody wrote anything (`XGE1/0/1 Interface`). */
export const descriptionsOf = (lines: Iterable<PortLine>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const { port, line } of lines) {
    if (!/desc/i.test(line) || found.has(port)) continue;
    const text = matchFirst(described, line)?.trim();
    if (text !== undefined && !/\binterface$/i.test(text)) found.set(port, text.slice(0, LONGEST));
  }
  return found;
};
