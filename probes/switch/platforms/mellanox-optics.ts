import type { Reader } from '../parse-capture.ts';
import { blocks, keyValue } from '../parse-lines.ts';
import { limitIn, measured, opticRows, type Reading } from '../parse-optics.ts';
import type { OpticRow } from '../rows.ts';

const lineOf = (line: string): Reading[] => {
  const pair = keyValue(line);
  if (!pair || pair.value === '') return [];
  const lane = /\b(?:ch|channel|lane) ?(\d+)/i.exec(pair.key)?.[1];
  const limit = limitIn(pair.key);
  return measured(pair.key, pair.value).map((one) => ({
    ...one,
    ...(limit ? { limit } : {}),
    ...(lane ? { lane: Number(lane) } : {}),
  }));
};

/** `show interfaces ethernet transceiver diagnostics`: `Ch1 Tx Power : 1.0 mW / 0.2 dBm`, limits by name. */
export const onyxOptics: Reader<OpticRow> = (capture) => {
  const found = blocks(
    capture.lines,
    /^(?:Port )?((?:Eth)?\d+\/\d+(?:\/\d+)?)(?: transceiver diagnostic data)?:?$/i,
  );
  if (!found.some(({ lines }) => lines.some((line) => lineOf(line).length > 0))) return undefined;
  return { rows: found.flatMap(({ head, lines }) => opticRows(head[1] ?? '', lines.flatMap(lineOf))) };
};
