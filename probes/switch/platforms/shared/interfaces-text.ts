import type { Reader } from '../../read/parse-capture.ts';
import { tally } from '../../read/parse-counts.ts';
import { begins } from '../../read/parse-leftovers.ts';
import { blocks, firstMatch, takeUntilRepeated, type Block } from '../../read/parse-lines.ts';
import { count } from '../../read/parse-values.ts';
import { dropAbsent, type PortRow } from '../../read/rows.ts';

/** `Ethernet1 is up, line protocol is up (connected)`, `TenGigabitEthernet 0/1 is ...`, `Lag lg1 is ...`. */
const withProtocol = /^\s*(?!\S+: )(\S+(?: [\w/.:-]+){0,2}?) is (.+?), line protocol is ([^,]+)/;

/** NX-OS: `Ethernet1/2 is down (Link not connected)`. */
const withoutProtocol = /^((?:san-port-channel )?(?:[A-Za-z][\w-]*)?\d[\w/.:-]*) is ([^\s,]+(?: \(.*\))?)$/;

const heading = new RegExp(`${withProtocol.source}|${withoutProtocol.source}`);

const member =
  /^\s*(?:Port is (?:part|member) of (Port-channel ?\d+)|Member of (Port-Channel\d+)|Belongs to (\S+?),?)$/i;

const memberOf = (lines: readonly string[]): string | undefined => {
  for (const line of lines) {
    const match = member.exec(line);
    if (match) return match[1] ?? match[2] ?? match[3];
  }
  return undefined;
};

/** What an interface says once. */
const once =
  /^\s*(?:Hardware(?= is|:)|admin state(?= is|:)|(?:[a-z]+ )?MTU(?= \d)|Encapsulation|ARP type|Last input|Last clearing of)|(?<=^\s*\d+ )packets (?:in|out)put/i;

/**
 * Another interface whose heading was not understood or is missing speaks from a line on that begins as headings do, or
 * that says for the second time what is said once.
 */
const dropIndented = (lines: readonly string[]): readonly string[] => {
  const begun = lines.findIndex((line) => begins.test(line));
  return takeUntilRepeated(lines.slice(0, begun < 0 ? undefined : begun), once);
};

const rowOf = ({ head, lines }: Omit<Block, 'doubled'>): PortRow =>
  dropAbsent({
    port: head[1] ?? head[4] ?? '',
    link: (head[2] ?? head[5])?.trim(),
    protocol: head[3]?.trim(),
    admin: firstMatch(lines.slice(0, 3), /^\s*admin state(?: is|:) ([^\s,]+)/i),
    memberOf: memberOf(lines),
    lastClear: firstMatch(lines, /^\s*Last clearing of "show interface" counters:? (\S.*)$/i),
    ...tally(lines),
    txQueueDrops: count(firstMatch(lines, /Total output drops: (\d+\S?)/)),
  });

/** `Ethernet1 is up` alone may be any text: an interface of NX-OS says something about itself below. */
const isInterface = ({ head, lines }: Block): boolean =>
  head[3] !== undefined ||
  lines.some((line) => /^\s*(?:hardware|admin state|port wwn|.* packets)\b/i.test(line));

const haveMost = (found: readonly Block[], has: (block: Block) => boolean): boolean =>
  2 * found.filter(has).length > found.length;

/** Dell parts a port's kind from its number, `TenGigabitEthernet 0/1`; Cisco and the others do not. */
const isDell = (found: readonly Block[]): boolean =>
  haveMost(found, ({ head }) => / \d/.test(head[1] ?? head[4] ?? ''));

/** NX-OS names the line protocol of VLANs alone. */
const isNxos = (found: readonly Block[]): boolean => {
  const ports = found.filter(({ head }) => !/^(?:vlan|loopback|tunnel)/i.test(head[1] ?? head[4] ?? ''));
  return haveMost(ports, ({ head }) => head[3] === undefined);
};

const interfaces =
  (isOwn: (found: readonly Block[]) => boolean): Reader<PortRow> =>
  (capture) => {
    const found = blocks(capture.lines, heading);
    if (!found.some(isInterface) || !isOwn(found)) return undefined;
    return { rows: found.map(({ head, lines }) => rowOf({ head, lines: dropIndented(lines) })) };
  };

/** `show interfaces` of FTOS and OS10. */
export const dellInterfaces = interfaces(isDell);

/** `show interface` of NX-OS. */
export const nxosInterfaces = interfaces((found) => isNxos(found) && !isDell(found));

/** `show interfaces` of IOS, XR, EOS and FastIron. */
export const ciscoInterfaces = interfaces((found) => !isNxos(found) && !isDell(found));
