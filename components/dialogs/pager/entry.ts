import type { LogEntry } from '../../../src/model/run.ts';
import { clock, clockTime } from '../../../src/text/ages.ts';
import { makeSafe } from '../../../src/text/safe.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { keyFor, type Key } from '../../keys.ts';
import { blank, cell, joinPieces, type Painted } from '../../paint.ts';
import type { Style, Theme } from '../../theme.ts';
import type { PagerContent } from '../../overlays.ts';
import { hangingLines, hardWrap, prose } from './text-lines.ts';

/** A run or another entry of the audit log: what it was and what came of it; then its records, or how they are shown. */
export const entryLines = (
  theme: Theme,
  { entry, raw: isRaw }: Extract<PagerContent, { type: 'entry' }>,
  width: number,
  now: number,
  keys: readonly Key[],
): readonly Painted[] => {
  const { operator, console: host, what, title, on, at, endedAt, commands, records } = entry;
  const shown = commands.slice(0, MOST_COMMANDS);
  return [
    cell(theme, ` ${title}`, width, 'bold'),
    ...detailEntry(theme, 'when', momentsText(at, endedAt, now), width),
    ...detailEntry(theme, 'who', `${operator} on ${host}`, width),
    ...detailEntry(theme, 'what', what, width),
    ...detailEntry(theme, 'on', on, width),
    ...detailEntry(theme, 'outcome', outcomeText(entry), width),
    ...detailEntry(theme, 'run', entry.run ?? '', width),
    ...detailEntry(theme, 'undo', undoLine(entry, keyFor(keys, 'undo')), width),
    ...(entry.targets.length === 0 ? detailEntry(theme, 'why', entry.text, width) : [blank(width)]),
    ...entry.targets.flatMap(({ subject, outcome = entry.underWay ? undefined : 'unknown', text }) =>
      prose(
        theme,
        `${subject.id}  ${outcome === undefined ? '' : `${outcome}: `}${text}`,
        width,
        outcomeStyle(outcome),
      ),
    ),
    ...(shown.length > 0 ? [blank(width), cell(theme, ' commands', width, 'accent')] : []),
    ...shown.flatMap((command) => hangingLines(theme, command, width)),
    ...(commands.length > shown.length
      ? prose(
          theme,
          `${groupThousands(commands.length - shown.length)} more commands stand in its records`,
          width,
          'dim',
        )
      : []),
    blank(width),
    ...(isRaw
      ? records.flatMap((record) => [
          cell(theme, ` record ${record.seq}, ${record.kind}, ${record.at}`, width, 'accent'),
          ...Object.entries({ ...record, ...record.detail }).flatMap(([name, value]) =>
            name === 'detail' ? [] : detailEntry(theme, name, value, width),
          ),
        ])
      : prose(
          theme,
          `${groupThousands(records.length)} records as written: ${keyFor(keys, 'raw')}`,
          width,
          'dim',
        )),
  ];
};

/** A run of hundreds of targets sends as many commands: the first say what they are like. */
const MOST_COMMANDS = 20;

const momentsText = (at: number, endedAt: number, now: number): string => {
  const day = clockTime(at, now);
  const from = clock(at).startsWith(day) ? clock(at) : `${day} ${clock(at)}`;
  return endedAt - at < 1000 ? from : `${from} to ${clock(endedAt)}`;
};

/** `done, undone later`. */
export const outcomeText = ({ outcome, open, underWay, undone }: LogEntry): string =>
  [
    underWay ? 'under way' : open ? 'no result yet' : outcome,
    undone === 'whole' ? 'undone later' : undone === 'part' ? 'undone in part' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const undoLine = ({ run, undoable, undoText }: LogEntry, key: string): string => {
  if (run === undefined) return '';
  return undoable.length === 0
    ? `none${undoText === undefined ? '' : `: ${undoText}`}`
    : `${key}, or faultline act undo:${run}`;
};

export const outcomeStyle = (outcome: LogEntry['outcome']): Style => {
  if (outcome === 'failed' || outcome === 'unknown') return 'critical';
  return outcome === 'refused' || outcome === 'undone' ? 'warning' : 'plain';
};

/** `name   value`, the value over as many lines as it takes; empty ones are left out. */
const detailEntry = (theme: Theme, name: string, value: unknown, width: number): readonly Painted[] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '' || text === '[]' || text === '{}' || text === undefined) return [];
  const label = 22;
  return hardWrap(makeSafe(text), Math.max(10, width - label - 1)).map((part, index) =>
    joinPieces(
      cell(theme, index === 0 ? `      ${name}` : '', label, 'dim'),
      cell(theme, part, width - label, 'dim'),
    ),
  );
};
