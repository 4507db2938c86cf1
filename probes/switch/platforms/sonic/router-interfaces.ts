import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { blocks, isRuler } from '../../read/parse-lines.ts';
import { count } from '../../read/parse-values.ts';
import type { PortRow } from '../../read/rows.ts';

/** `bytesq` is what some releases print. */
const names: Readonly<Record<string, string>> = {
  packets: 'Packets',
  bytes: 'Bytes',
  bytesq: 'Bytes',
  'error packets': 'Errors',
};

/** `show interfaces counters rif <name>`: the name above a ruler, then figures below `RX:` and `TX:`. */
export const routerInterface: Reader<PortRow> = (capture) => {
  const lines = capture.lines.filter((line) => line !== '');
  const found = blocks(lines, /^([A-Za-z][\w/.:-]*\d)$/).filter((one) => isRuler(one.lines[0] ?? ''));
  if (!found.some((one) => one.lines.some((line) => /^\s*RX:$/.test(line)))) return undefined;
  return {
    rows: found.map(({ head, lines: own }): PortRow => {
      const counts: Record<string, bigint> = {};
      let way = '';
      for (const line of own) {
        way = /^\s*([RT]X):$/.exec(line)?.[1]?.toLowerCase() ?? way;
        const [, figure, words = ''] = /^\s*(\S+) ([a-z ]+)$/.exec(line) ?? [];
        const name = Object.hasOwn(names, words) ? names[words] : undefined;
        if (way && name) put(counts, `${way}${name}`, count(figure));
      }
      return { port: head[1] ?? '', ...counts };
    }),
  };
};
