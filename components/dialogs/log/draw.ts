import type { LogEntry } from '../../../src/model/run.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { fillLines, ruleLine } from '../../frame.ts';
import { blank, cell, joinPieces, paintBar, paintWrapped, safeWidth, type Painted } from '../../paint.ts';
import type { Theme } from '../../theme.ts';
import type { LogBox } from '../../overlays.ts';
import type { Cover, Scene } from '../dialog.ts';
import { outcomeStyle, outcomeText } from '../pager/entry.ts';

/** What an entry is, whatever place it has. */
export const entryKey = ({ run, records }: LogEntry): string => run ?? records[0]?.hash ?? '';

/** What a search looks through. */
export const entryText = (entry: LogEntry): string =>
  [entry.operator, entry.what, entry.title, entry.on, outcomeText(entry), entry.run, entry.text].join(' ');

/** Lines below the list: what came of the entry under the cursor. */
const FOOT = 4;

/** Lines that are no entries: two rules, the state of the log, titles, the foot and the keys. */
export const LOG_FRAME = FOOT + 5;

const RUN = 14;
const OUTCOME = 14;

interface Widths {
  time: number;
  who: number;
  title: number;
  on: number;
}

const widthsOf = (width: number): Widths => {
  const time = 11;
  const who = width < 100 ? 8 : 12;
  const left = width - time - who - RUN - OUTCOME - 13;
  const title = Math.min(34, Math.ceil(left / 2));
  return { time, who, title, on: left - title };
};

const line = (
  theme: Theme,
  cells: readonly [string, number][],
  style: Parameters<typeof cell>[3],
  mark = '',
): Painted =>
  joinPieces(
    cell(theme, mark, 1, 'accent'),
    ...cells.flatMap(([text, width]) => [cell(theme, text, width, style), blank(2)]),
  );

const entryLine = (theme: Theme, entry: LogEntry, widths: Widths, now: number, mark: string): Painted =>
  line(
    theme,
    [
      [clockTime(entry.at, now), widths.time],
      [entry.operator, widths.who],
      [entry.title, widths.title],
      [entry.on, widths.on],
      [outcomeText(entry), OUTCOME],
      [entry.run ?? '', RUN],
    ],
    entry.run === undefined && entry.outcome === undefined ? 'dim' : outcomeStyle(entry.outcome),
    mark,
  );

/** What came of an entry; before it what it was done on, where its column cuts that. */
const footLines = (theme: Theme, { on, text }: LogEntry, widths: Widths, columns: number): Painted[] =>
  [...(safeWidth(on) > widths.on ? [`on ${on}`] : []), ...(text === '' ? [] : [text])].flatMap((said) =>
    paintWrapped(theme, said, columns - 2).map((line) => joinPieces(blank(1), line, blank(1))),
  );

const stateLine = (theme: Theme, { log, error }: LogBox, width: number): Painted => {
  if (error !== undefined) return cell(theme, ` ? the audit log was not read: ${error}`, width, 'critical');
  if (log === undefined) return cell(theme, ' asking the collector ...', width, 'dim');
  return log.verified
    ? cell(theme, ' ✓ the chain of hashes is whole; newest first', width, 'good')
    : cell(theme, ` ✖ the log does not verify: ${log.problem ?? 'no reason given'}`, width, 'critical');
};

/** The whole screen: the state of the log, a line for each entry, what came of the chosen one. */
export const drawLog = ({ ports: { theme }, state }: Scene, box: LogBox, cursor: number): Cover => {
  const { size, now } = state();
  const { columns } = size;
  const entries = box.log?.entries ?? [];
  const widths = widthsOf(columns);
  const height = Math.max(1, size.rows - LOG_FRAME);
  const top = Math.max(0, Math.min(cursor - Math.floor(height / 2), entries.length - height));
  const rows = entries.slice(top, top + height).map((entry, index) => {
    const isChosen = top + index === cursor;
    const text = entryLine(theme, entry, widths, now, isChosen ? '>' : '');
    const painted = fillLines([text], columns, 1)[0] ?? blank(columns);
    return isChosen ? paintBar(theme, painted) : painted;
  });
  const empty =
    box.log && entries.length === 0
      ? [cell(theme, ' no action was taken from this account yet', columns, 'dim')]
      : [];
  const chosen = entries[cursor];
  const foot = chosen === undefined ? [] : footLines(theme, chosen, widths, columns);
  const found = box.typing || box.search !== '' ? `"${box.search}${box.typing ? '_' : ''}" · ` : '';
  const place =
    entries.length === 0 ? 'empty' : `${groupThousands(cursor + 1)} of ${groupThousands(entries.length)}`;
  const titles: readonly [string, number][] = [
    ['TIME', widths.time],
    ['BY', widths.who],
    ['WHAT', widths.title],
    ['ON', widths.on],
    ['OUTCOME', OUTCOME],
    ['RUN', RUN],
  ];
  return {
    left: 0,
    top: 0,
    width: columns,
    height: size.rows - 1,
    lines: [
      ruleLine(theme, 'Audit log', { text: `${found}${place}`, style: 'dim' }, columns, true),
      stateLine(theme, box, columns),
      ...fillLines([line(theme, titles, 'dim'), ...rows, ...empty], columns, height + 1),
      chosen === undefined
        ? blank(columns)
        : ruleLine(theme, chosen.title, { text: chosen.what, style: 'dim' }, columns, false),
      ...fillLines(foot.slice(0, FOOT), columns, FOOT),
    ],
  };
};
