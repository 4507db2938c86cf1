import { coverOf } from './dialogs/cover.ts';
import type { Console } from './console.ts';
import { FINDINGS } from './findings.ts';
import { plainOf } from './paint.ts';
import { paneLines } from './pane-lines.ts';
import { bottomLine } from './bottom.ts';
import { unknownPanes, focused, headOfFindings, type State } from './state.ts';
import { areaOf } from './ui.ts';
import { signOf } from './theme.ts';

const words: Readonly<Record<string, string>> = {
  critical: 'critical',
  warning: 'warning',
  notice: 'notice',
  fine: 'fine',
  unknown: 'unknown',
  stale: 'stale',
};

/**
 * The same for a screen reader: plain sentences from top to bottom, no rules, no clock that is read out every second;
 * the selected row is named first, then the part that has the focus.
 */
export const linearLines = (console: Console, state: State, siteName: string): readonly string[] => {
  const { ports, lists, commands } = console;
  const { data, ui } = state;
  const counts = data.strip?.counts;
  const top = ui.overlays.at(-1);
  const at = focused(state, lists);
  const head = [
    `faultline, site ${data.strip?.site ?? siteName}${ports.readOnly ? ', read-only' : ''}.`,
    counts
      ? `${counts.critical} critical, ${counts.warning} warnings, ${counts.notice} notices.`
      : 'No judgement yet.',
    data.collector.state === 'running'
      ? ''
      : `The collector is ${data.collector.state}: ${data.collector.text}.`,
  ];
  if (top) {
    const cover = coverOf(top, state, { ports, state: () => state }, commands);
    return [
      ...head,
      ...cover.lines.map((line) => unruled(plainOf(line))),
      plainOf(bottomLine(ports.theme, state, ports.readOnly)),
    ].filter(Boolean);
  }
  const selected = at?.item?.type === 'row' ? at.item : undefined;
  const sign = selected?.row.stale ? 'stale' : selected?.row.sign;
  const row = selected
    ? `Selected${sign ? `, ${words[sign]}` : ''}: ${selected.block.columns
        .map((column) => selected.row.cells[column.id]?.text)
        .filter(Boolean)
        .join(', ')}.`
    : 'Nothing is selected.';
  const pane = at
    ? paneLines({
        theme: ports.theme,
        head: at.head,
        list: at.list,
        area: areaOf(ui, at.head.id),
        width: state.size.columns,
        height: state.size.rows - 6,
        now: Math.floor(state.now / 60_000) * 60_000,
        position: at.position,
        focused: true,
        zoomed: ui.zoom,
        collector: data.collector,
        judged: data.findings !== undefined,
        unknown: unknownPanes(data),
      }).map((line) => unruled(plainOf(line)))
    : [];
  const others = [headOfFindings(data.findings), ...data.heads]
    .filter((one) => one.id !== at?.head.id)
    .map(
      (one) =>
        `${one.title}: ${signOf(one.sign) === '✓' ? 'fine' : words[one.sign]}, ${one.id === FINDINGS ? `${data.findings?.length ?? 0} findings` : one.summary}.`,
    );
  return [...head, row, ...pane, ...others, plainOf(bottomLine(ports.theme, state, ports.readOnly))].filter(
    Boolean,
  );
};

/** A line without what is only drawn: rules, frames, blanks at the ends. */
const unruled = (line: string): string =>
  line
    .replace(/[─│┌┐└┘]+|(?<=^|\s)[-+|]{3,}(?=\s|$)/g, ' ')
    .replace(/ {2,}/g, '  ')
    .trim();
