import type { Reader } from '../../read/parse-capture.ts';
import { readMeasures, opticRows, type Reading } from '../../read/parse-optics.ts';
import type { OpticRow } from '../../read/rows.ts';
import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';

const opticLine = /^\s*(\d+(?:\/\d+){1,2}(?::\d+)?)\s+(\S.*)$/;

const opticCell = /(?<!\S)(N\/A|NONE|-\s?Inf|-?\d+\.\d+)(?: ?(C|dBm|mA)\b)?/gi;

/**
 * IronWare `show optic <slot>`: temperature, transmitted and received power, bias; a line of verdicts below each. A port
 * that is listed with words instead (`Not supported`) has no readings.
 */
const optic: Reader<OpticRow> = (capture) => {
  let notUnderstood = 0;
  let sawTable = false;
  const rows = capture.lines.flatMap((line): OpticRow[] => {
    const match = opticLine.exec(line);
    const cells = [...(match?.[2] ?? '').matchAll(opticCell)];
    if (!match) return [];
    if (cells.length === 0 && !/\d/.test(match[2] ?? '')) return opticRows(match[1], []);
    if (cells.length !== 4) {
      notUnderstood += 1;
      return [];
    }
    sawTable = true;
    const words = ['temperature', 'tx power', 'rx power', 'bias'];
    const readings = cells.flatMap((cell, index): Reading[] =>
      readMeasures(words[index] ?? '', cell[0], 'dBm'),
    );
    return opticRows(match[1] ?? '', readings);
  });
  return sawTable ? { rows, notUnderstood } : undefined;
};

export const extremeIronware: Platform = {
  ...readOnlyPlatform(
    { id: 'extreme_ironware', title: 'Extreme IronWare', pagerOff: 'skip-page-display' },
    { optics: { all: ['show optic'] } },
  ),
  // The whole frame: 1518 of a default port (NetIron configuration guide, `default-max-frame-size`).
  mtuHead: 18,
  readers: { optics: [optic] },
};
