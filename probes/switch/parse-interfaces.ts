import type { Reader } from './parse-capture.ts';
import { tally } from './parse-counts.ts';
import { blocks, firstMatch, type Block } from './parse-lines.ts';
import { count } from './parse-values.ts';
import { present, type PortRow } from './rows.ts';

/** `Ethernet1 is up, line protocol is up (connected)`, `TenGigabitEthernet 0/1 is ...`. */
const withProtocol = /^(\S+(?: \d[\d/.:]*)?) is (.+?), line protocol is ([^,]+)(?:,.*)?$/;

/** NX-OS: `Ethernet1/2 is down (Link not connected)`. */
const withoutProtocol = /^((?:san-port-channel )?(?:[A-Za-z][\w-]*)?\d[\w/.:-]*) is (\S+(?: \(.*\))?)$/;

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

/** A bracket that was cut off with the rest of the output is no word of the device. */
const whole = (words: string | undefined): string | undefined =>
  words === undefined || (words.includes('(') && !words.includes(')')) ? undefined : words.trim();

const row = ({ head, lines }: Block, cut: boolean): PortRow =>
  present({
    port: head[1] ?? head[4] ?? '',
    link: whole(cut && head[5] !== undefined ? undefined : (head[2] ?? head[5])),
    protocol: whole(cut ? undefined : head[3]),
    admin: firstMatch(lines.slice(0, 3), /^\s*admin state(?: is|:) (\w+)/i),
    memberOf: memberOf(lines),
    lastClear: firstMatch(lines, /^\s*Last clearing of "show interface" counters:? (\S.*)$/i),
    ...tally(lines),
    txQueueDrops: count(firstMatch(lines, /Total output drops: (\d+)/)),
  });

/** `Ethernet1 is up` alone may be any text: an interface of NX-OS says something about itself below. */
const isInterface = ({ head, lines }: Block): boolean =>
  head[3] !== undefined ||
  lines.some((line) => /^\s*(?:hardware|admin state|port wwn|.* packets)\b/i.test(line));

/** `show interfaces` in the style of Cisco IOS: IOS, XR, NX-OS, EOS, FTOS, OS10, FastIron. */
export const interfacesText: Reader<PortRow> = (capture) => {
  const found = blocks(capture.lines, heading);
  if (!found.some(isInterface)) return undefined;
  const isCut = (block: Block, index: number): boolean =>
    capture.unfinished && index === found.length - 1 && block.lines.length === 0;
  return { rows: found.map((block, index) => row(block, isCut(block, index))) };
};
