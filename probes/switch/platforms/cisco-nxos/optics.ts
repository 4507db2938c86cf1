import type { Reader } from '../../read/parse-capture.ts';
import { blocks, countDoubled, takeUntilRepeated, type Marks } from '../../read/parse-lines.ts';
import { readMeasures, opticRows, type Reading } from '../../read/parse-optics.ts';
import type { OpticRow } from '../../read/rows.ts';

/** The five figures of a line of NX-OS: reading, high and low alarm, high and low warning. */
const figures = (cells: string): readonly (string | undefined)[] =>
  [...cells.matchAll(/(N\/A|[-+]?inf|[-+]?\d+(?:\.\d+)?)(?: ?(C|V|mA|dBm)\b)?/gi)].map(
    (match) => `${match[1]} ${match[2] ?? ''}`,
  );

const order = [undefined, 'alarmHigh', 'alarmLow', 'warnHigh', 'warnLow'] as const;

const line = /^\s*(Temperature|Voltage|Current|Tx Power|Rx Power)\s+(.*)$/i;

/** What is read of a line, whatever figures it has. */
const label = /^\s*(?:Temperature|Voltage|Current|Tx Power|Rx Power)\s+(?=[-+\d]|N\/A)/i;

/** With some of the figures left out it is not known which they are. */
const isPartial = (text: string): boolean => {
  const count = figures(line.exec(text)?.[2] ?? '').length;
  return count > 1 && count !== order.length;
};

const readingsIn = (text: string, lane: number | undefined): Reading[] => {
  const match = line.exec(text);
  if (!match) return [];
  const words = match[1] ?? '';
  const found = figures(match[2] ?? '');
  if (isPartial(text)) return [];
  return found.flatMap((figure, index): Reading[] =>
    readMeasures(words, figure ?? '', 'dBm').flatMap(({ name, value }) => {
      const reading = { name, value, ...(order[index] ? { limit: order[index] } : {}) };
      // Temperature and voltage are the module's: some releases print them with its first lane only.
      const shared = name === 'tempC' || name === 'voltageV' ? [reading] : [];
      return lane === undefined ? [reading] : [{ ...reading, lane }, ...shared];
    }),
  );
};

/** Of any kind: what stands below a name that is not understood would be read as the port's above. */
const portLine = /^([A-Za-z][\w-]*\d[\w/.:-]*)$/;

const laneLine = /^\s*Lane Number: ?(\d+)/i;

/** A port says these once, a lane each of its readings. */
const ofPort: Marks = { once: /^\s*(?:transceiver|sfp) is |^\s*Lane Number: ?\d+/i };
const ofLane: Marks = { once: new RegExp(`${label.source}|^\\s*SFP Detail Diagnostics`, 'i') };

/** `show interface transceiver [details]` of NX-OS: a block per port, a table per lane. */
export const nxosTransceivers: Reader<OpticRow> = (capture) => {
  if (
    !capture.lines.some((one) =>
      /^\s*(?:transceiver|sfp) is (?!\w+ calibrated)|^\s*DOM is not supported/i.test(one),
    )
  )
    return undefined;
  const ports = blocks(capture.lines, portLine, ofPort);
  return {
    rows: ports.flatMap(({ head, lines }) => {
      const first = lines.findIndex((one) => laneLine.test(one));
      const own = takeUntilRepeated(lines.slice(0, first < 0 ? undefined : first), label);
      const lanes = blocks(lines, laneLine, ofLane);
      const readings = lanes.flatMap((lane) =>
        lane.lines.flatMap((one) => readingsIn(one, Number(lane.head[1]))),
      );
      return opticRows(
        head[1],
        [...own.flatMap((one) => readingsIn(one, undefined)), ...readings],
        lanes.map((lane) => Number(lane.head[1])),
      );
    }),
    notUnderstood: countDoubled(ports) + capture.lines.filter(isPartial).length,
  };
};
