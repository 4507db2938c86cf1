import type { Reader } from '../../read/parse-capture.ts';
import { blocks } from '../../read/parse-lines.ts';
import {
  limitIn,
  readMeasures,
  opticRows,
  placeValues,
  type LimitName,
  type Reading,
} from '../../read/parse-optics.ts';
import type { OpticRow } from '../../read/rows.ts';

/** `Temp.(°C) Voltage(V)  Bias(mA)  RX power(dBm)  TX power(dBm)`: every title carries its unit. */
const title = /(?:[RT]X power|temp\.?|voltage|bias)\s?\([^)]{1,10}\)/gi;

/** A figure or a word for none; other words are no row of readings. */
const cell = /^(?:-?\d+(?:\.\d+)?|-+|N\/A|-?Inf)$/i;

const readingsIn = (lines: readonly string[]): Reading[] => {
  const readings: Reading[] = [];
  let titles: readonly string[] = [];
  let section = '';
  for (const line of lines) {
    if (line.endsWith(':')) section = line;
    const found = line.match(title);
    if (found) titles = found;
    const words = line.trim().split(/\s+/);
    const side = /^(?:high|low)$/i.test(words[0] ?? '') ? words.shift() : undefined;
    const lane = words.length === titles.length + 1 ? words.shift() : undefined;
    const limit: LimitName | undefined = side === undefined ? undefined : limitIn(`${section} ${side}`);
    if (!words.every((word) => cell.test(word))) continue;
    if (found || words.length !== titles.length || (/threshold/i.test(section) && !limit)) continue;
    for (const [index, word] of words.entries()) {
      const about = titles[index] ?? '';
      const parts = readMeasures(about, word, /mW/i.test(about) ? 'mW' : 'dBm');
      readings.push(...placeValues(parts, limit, /^\d{1,2}$/.exec(lane ?? '')?.[0]));
    }
  }
  return readings;
};

/** `display transceiver diagnosis interface` of Comware: readings and pairs of limits below lines of titles. */
export const comwareOptics: Reader<OpticRow> = (capture) => {
  const found = blocks(capture.lines, /^\s*(\S+) transceiver diagnostic information:$/i);
  if (found.length === 0) return undefined;
  return { rows: found.flatMap(({ head, lines }) => opticRows(head[1] ?? '', readingsIn(lines))) };
};
