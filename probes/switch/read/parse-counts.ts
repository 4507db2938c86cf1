import { count } from './parse-values.ts';

export type Direction = 'rx' | 'tx';

/** Counters by name; the first value of a name stays. */
export type Counts = Readonly<Record<string, bigint>>;

/** A number with the words behind it. */
export interface Counted {
  readonly value: bigint;
  /** Lower case. */
  readonly words: string;
}

/** `0 runts, 12 giants  3 CRC/FCS`: every number with the words behind it; `-` and broken numbers are left out. */
export const countedWords = (line: string): readonly Counted[] =>
  [
    ...line
      .replaceAll(/\s+/g, ' ')
      .matchAll(/(?<![\w.-])(\d[\d,]*) ([A-Za-z][A-Za-z/()_ -]*?)(?= ?[,;]| ?$| \d)/g),
  ].flatMap((match) => {
    const value = count(match[1]);
    // `7 input discard(includes ACL drops)`: what a counter includes is no part of its name.
    const words = (match[2] ?? '').replace(/ ?\(includes [^()]*\)$/i, '');
    return value === undefined ? [] : [{ value, words: words.toLowerCase() }];
  });

/** Words of interface outputs and the counters they stand for; `*` is the direction, rx or tx. */
const vocabulary: Readonly<Record<string, string>> = {
  'packets input': 'rxPackets',
  'input packets': 'rxPackets',
  'frames input': 'rxPackets',
  'packets output': 'txPackets',
  'output packets': 'txPackets',
  'frames output': 'txPackets',
  packets: '*Packets',
  'total packets': '*Packets',
  bytes: '*Bytes',
  octets: '*Bytes',
  'total bytes': '*Bytes',
  'unicast packets': '*PacketsUnicast',
  unicasts: '*PacketsUnicast',
  'input errors': 'rxErrors',
  'input error': 'rxErrors',
  'output errors': 'txErrors',
  'output error': 'txErrors',
  errors: '*Errors',
  crc: 'rxCrc',
  'crc/fcs': 'rxCrc',
  'stomped crc': 'rxStompedCrc',
  frame: 'rxFrame',
  overrun: 'rxOverrun',
  overruns: 'rxOverrun',
  runts: 'rxRunts',
  runt: 'rxRunts',
  giants: 'rxGiants',
  alignment: 'rxAlignment',
  'align errors': 'rxAlignment',
  symbol: 'rxSymbol',
  throttles: '*Throttles',
  underruns: 'txUnderrun',
  discards: '*Discards',
  discarded: '*Discards',
  dropped: '*Discards',
  drops: '*Discards',
  'input discards': 'rxDiscards',
  'input discard': 'rxDiscards',
  'total input drops': 'rxDiscards',
  'input drops': 'rxDiscards',
  'output discards': 'txDiscards',
  'output discard': 'txDiscards',
  'total output drops': 'txDiscards',
  'output drops': 'txDiscards',
  'output drop': 'txDiscards',
  collisions: 'txCollisions',
  collision: 'txCollisions',
  'late collision': 'txLateCollisions',
  'late collisions': 'txLateCollisions',
  'lost carrier': 'lostCarrier',
  wreddrops: 'txWreddrops',
  'wred drops': 'txWreddrops',
};

/** Words that also tell the direction of what follows them. */
const turns: Readonly<Record<string, Direction>> = {
  'packets input': 'rx',
  'input packets': 'rx',
  'frames input': 'rx',
  'packets output': 'tx',
  'output packets': 'tx',
  'frames output': 'tx',
};

/**
 * `Input Statistics:`, `RX`, `Output (total): 12 packets`, `Input(normal):`: a heading of one direction, with or without
 * content. Group 2 tells which part of the traffic is counted below.
 */
const heading = /^\s*(?:(input|rx)|(?:output|tx)) ?(?:\(([\w ]+)\))?\s*(?:statistics)?\s*(?::|$)/i;

/** `Multicast: 306 packets`: the number belongs to the label before it, not to the words behind it. */
const labelled = /:\s*\d[\d,]*(?=\s)/g;

/** Lines whose words are an operator's or repeat counters by another measure. */
const foreign =
  /^\s*(?:(?:description|port (?:name|description)|desc)\b|L[23] (?:in |out )?switched|[umb]cast:|(?:in|out)put:.*\bpkts\b)/i;

/** Lines that count begin with a number or with what is counted; sentences with a number in them do not. */
const counted = /^\s*(?:[\d-]|n\/a|received|sent|transmitted|input|output|[rt]x\b|total)/i;

/** NX-OS 4 and 5 print the errors of both directions together, below `Tx`. */
const bothWays = /\binput error\b.*\b(?:short frame|watchdog)\b/i;

/** What is said of frames that are sent alone. */
const onlySent: ReadonlySet<string> = new Set(['collisions', 'wreddrops', 'underruns', 'output errors']);

/** From here on the numbers are those of one protocol only. */
const ending = /^\s*IPv[46] traffic statistics/i;

/** FTOS about its management port: `Input 943 packets, 190727 bytes`, `Received 0 errors`, `Output 0 errors`. */
const sentence = /^\s*(?:(input|received)|output) \d+ (?:packets|errors),/i;

/**
 * The counters in the lines of one port, for outputs that print numbers before their words (Cisco, Arista, Dell, HPE,
 * Brocade). Directions come from headings (`Input Statistics:`, `TX`) or from the words (`packets input`). Words that
 * mean nothing here are passed over.
 */
export const tally = (lines: readonly string[]): Counts => {
  const counts: Record<string, bigint> = {};
  let direction: Direction | undefined;
  let headed: Direction | undefined;
  let counting = true;
  let heard = new Set<string>();
  for (const line of lines) {
    const head = heading.exec(line);
    if (head) heard = new Set();
    if (head) direction = headed = head[1] ? 'rx' : 'tx';
    if (head) counting = /^(?:total)?$/i.test(head[2] ?? '');
    const sentenceMatch = sentence.exec(line);
    if (sentenceMatch) direction = sentenceMatch[1] ? 'rx' : 'tx';
    if (ending.test(line)) break;
    if (!counting || !counted.test(line) || foreign.test(line)) continue;
    if (bothWays.test(line)) headed = undefined;
    const said = countedWords(line.slice(head?.[0].length ?? 0).replaceAll(labelled, ':'));
    // `0 discarded, 0 collisions` below `Input`: the heading between them is missing.
    const other = headed === 'rx' && said.some(({ words }) => onlySent.has(words));
    for (const { value, words } of other ? [] : said) {
      direction = (Object.hasOwn(turns, words) && turns[words]) || direction;
      const name = Object.hasOwn(vocabulary, words) ? vocabulary[words] : undefined;
      // Nothing is counted twice below one heading: here the other one is missing.
      if (headed && name && heard.has(words)) counting = false;
      if (!counting) break;
      heard.add(words);
      if (!name || (name.startsWith('*') && !direction)) continue;
      if (name === 'txUnderrun' && direction !== 'tx') continue;
      // NX-OS prints them before the totals: without a heading their direction is not known yet.
      if (words === 'unicast packets' && !headed) continue;
      // Early AOS-CX prints `input error` below `Tx`, too.
      if (headed && /^[rt]x/.test(name) && !name.startsWith(headed)) continue;
      counts[name.replace('*', direction ?? '')] ??= value;
    }
  }
  return counts;
};

/** `CRC: 0,  Giants: 3`: every name with the number behind it. */
export const namedCounts = (line: string): readonly { name: string; value: bigint }[] =>
  [...line.matchAll(/([A-Za-z][A-Za-z0-9/ ]{0,40}):\s{0,60}(\d+(?:,\d{3})*)(?![\d.:\uFFFF])/g)].flatMap(
    (match) => {
      const value = count(match[2]);
      return value === undefined ? [] : [{ name: (match[1] ?? '').trim().toLowerCase(), value }];
    },
  );

/** Sets a counter that has no value yet. */
export const put = (counts: Record<string, bigint>, name: string, value: bigint | undefined): void => {
  if (value !== undefined) counts[name] ??= value;
};
