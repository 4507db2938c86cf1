import { dialogOf } from './dialogs/table.ts';
import type { Console } from './console.ts';
import { FINDINGS, findingsHead } from './findings.ts';
import { plainLine } from './paint.ts';
import { paneLines, paneLook } from './pane-lines.ts';
import { bottomLine } from './edge-lines.ts';
import { focusedPane, shownHeads, type State } from './state.ts';

/**
 * The same for a screen reader: plain sentences from top to bottom, no rules, no clock that is read out every second;
 * the selected row is named first, then the part that has the focus.
 */
export const linearLines = (console: Console, state: State, siteName: string): readonly string[] => {
  const { ports, lists, commands, keys } = console;
  const { data, ui } = state;
  const counts = data.strip?.counts;
  const top = ui.overlays.at(-1);
  const at = focusedPane(state, lists);
  const head = [
    `faultline, site ${data.strip?.site ?? siteName}${ports.readOnly ? ', read-only' : ''}.`,
    counts
      ? `${counts.critical} critical, ${counts.warning} warnings, ${counts.notice} notices.`
      : 'Nothing is judged yet.',
    data.collector.state === 'running'
      ? ''
      : `The collector is ${data.collector.state}: ${data.collector.text}.`,
  ];
  if (top) {
    const cover = dialogOf(top).draw({ ports, commands, keys, state: () => state }, top);
    return [
      ...head,
      ...cover.lines.map((line) => stripRules(plainLine(line))),
      plainLine(bottomLine(console, state)),
    ].filter(Boolean);
  }
  const selected = at?.item?.type === 'row' ? at.item : undefined;
  const sign = selected?.row.stale ? 'stale' : selected?.row.sign;
  const row = selected
    ? `Selected${sign ? `, ${sign}` : ''}: ${selected.block.columns
        .map((column) => selected.row.cells[column.id]?.text)
        .filter(Boolean)
        .join(', ')}.`
    : 'Nothing is selected.';
  // Plain sentences have no clock: ages are those of the full minute.
  const now = Math.floor(state.now / 60_000) * 60_000;
  const size = { width: at?.rect.width ?? 0, height: state.size.rows - 6 };
  const pane = at ? paneLines({ ...paneLook(console, { ...state, now }, at.head, size), focused: true }) : [];
  const others = [findingsHead(data.findings), ...shownHeads(data)]
    .filter((head) => head.id !== at?.head.id)
    .map(
      (head) =>
        `${head.title}: ${head.sign}, ${head.id === FINDINGS ? `${data.findings?.length ?? 0} findings` : head.summary}.`,
    );
  return [
    ...head,
    row,
    ...pane.map((line) => stripRules(plainLine(line))),
    ...others,
    plainLine(bottomLine(console, state)),
  ].filter(Boolean);
};

/** A line without what is only drawn: rules, frames, blanks at the ends. */
const stripRules = (line: string): string =>
  line
    .replace(/[─│┌┐└┘]+|(?<=^|\s)[-+|]{3,}(?=\s|$)/g, ' ')
    .replace(/ {2,}/g, '  ')
    .trim();
