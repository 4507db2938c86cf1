import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { isRuler } from '../../read/parse-lines.ts';
import { count } from '../../read/parse-values.ts';
import type { PortRow } from '../../read/rows.ts';

/** Titles of the counter tables of Cisco and Arista (`show interfaces counters [errors|discards]`). */
const titles: Readonly<Record<string, string>> = {
  'align-err': 'rxAlignment',
  align: 'rxAlignment',
  'fcs-err': 'rxCrc',
  fcs: 'rxCrc',
  'xmit-err': 'txErrors',
  tx: 'txErrors',
  'rcv-err': 'rxErrors',
  rx: 'rxErrors',
  undersize: 'rxUndersize',
  'single-col': 'singleCollisions',
  'multi-col': 'multipleCollisions',
  'late-col': 'txLateCollisions',
  runts: 'rxRunts',
  giants: 'rxGiants',
  symbol: 'rxSymbol',
  'symbol-err': 'rxSymbol',
  'stomped-crc': 'rxStompedCrc',
  indiscards: 'rxDiscards',
  outdiscards: 'txDiscards',
  inoctets: 'rxBytes',
  outoctets: 'txBytes',
  inucastpkts: 'rxPacketsUnicast',
  outucastpkts: 'txPacketsUnicast',
};

const wordsOf = (line: string): string[] => line.trim().split(/\s+/);

/** A table of other figures begins with a header too: its columns are not those of the table above. */
const isHeader = (words: readonly string[]): boolean =>
  /^(?:port|interface)$/i.test(words[0] ?? '') && words.length > 1;

const isOurs = (header: readonly string[]): boolean =>
  header.slice(1).some((word) => Object.hasOwn(titles, word) && !/^[rt]x$/.test(word));

/**
 * Tables with one word per column, which may stand beside their titles (NX-OS): cells go by their order. A row with
 * another number of cells is not understood, but the last line of a cut output gives what is whole.
 */
export const counterTables: Reader<PortRow> = (capture) => {
  const ports = new Map<string, Record<string, bigint>>();
  let header: string[] | undefined;
  let found = false;
  let listed = new Set<string>();
  let notUnderstood = 0;
  const lines = capture.lines.filter((line) => line.trim() !== '' && !isRuler(line));
  for (const [index, line] of lines.entries()) {
    const words = wordsOf(line);
    if (isHeader(words)) {
      header = words.map((word) => word.toLowerCase());
      found ||= isOurs(header);
      listed = new Set();
      continue;
    }
    if (!header || !isOurs(header) || !/^[A-Za-z][\w-]*\d[\w/.:-]*$/.test(words[0] ?? '')) continue;
    const cut = words.length < header.length && index === lines.length - 1;
    // A port that comes again stands in another table, whose header is missing.
    if ((words.length !== header.length && !cut) || listed.has(words[0] ?? '')) {
      notUnderstood += 1;
      continue;
    }
    listed.add(words[0] ?? '');
    const counts = ports.get(words[0] ?? '') ?? {};
    ports.set(words[0] ?? '', counts);
    for (const [column, word] of (cut ? words.slice(0, -1) : words).entries()) {
      const title = header[column] ?? '';
      if (column > 0 && Object.hasOwn(titles, title)) put(counts, titles[title] ?? '', count(word));
    }
  }
  return found
    ? { rows: [...ports].map(([port, counts]) => ({ port, ...counts })), notUnderstood }
    : undefined;
};
