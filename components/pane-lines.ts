import { bodyOf, countHidden, hiddenText, wholeText, type Hidden } from './body.ts';
import { clock } from '../src/text/ages.ts';
import { makeSafe } from '../src/text/safe.ts';
import { cut, wrap } from '../src/text/width.ts';
import { groupThousands } from '../src/text/units.ts';
import type { PaneHead } from '../src/model/wire.ts';
import { areaOf, type Area } from './ui.ts';
import { itemLines } from './blocks/item.ts';
import { FINDINGS } from './findings.ts';
import { fillLines, ruleLine } from './frame.ts';
import type { Console } from './console.ts';
import { keyFor } from './keys.ts';
import type { Rect } from './layout.ts';
import { cursorPosition, itemAt, windowOf, type List } from './list.ts';
import type { CollectorState } from './mirror.ts';
import { cell, type Painted } from './paint.ts';
import { askedLine, notUnderstoodText, paneStatus, type PaneStatus } from './status.ts';
import { paneNumber, unknownPanes, type State } from './state.ts';
import type { Style, Theme } from './theme.ts';

/** So much of a filter is said: it may have been pasted. */
const QUOTED = 30;

export interface PaneLook {
  theme: Theme;
  head: PaneHead;
  list: List;
  area: Area;
  width: number;
  height: number;
  /** UTC ms. */
  now: number;
  /** Position of the cursor among the rows, -1 without rows. */
  position: number;
  /** `1` to `9`; findings have none. */
  number?: number;
  focused: boolean;
  zoomed: boolean;
  collector: CollectorState;
  /** There was no judgement yet: the findings must not say "all fine". */
  judged: boolean;
  /** The key that changes the filter. */
  filterKey: string;
  /** Panes of which something is not known yet: nothing found is not "all fine" then. */
  unknown: string;
}

/** What a pane is drawn from. */
export const paneLook = (
  { ports, lists, keys }: Pick<Console, 'ports' | 'lists' | 'keys'>,
  { ui, data, now }: State,
  head: PaneHead,
  { width, height }: Pick<Rect, 'width' | 'height'>,
): PaneLook => {
  const area = areaOf(ui, head.id);
  const list = lists(head, data.tables, area, width);
  const isFindings = head.id === FINDINGS;
  return {
    theme: ports.theme,
    head,
    list,
    area,
    width,
    height,
    now,
    position: cursorPosition(list, area),
    focused: ui.focus === head.id,
    zoomed: ui.zoom,
    collector: data.collector,
    judged: data.findings !== undefined,
    filterKey: keyFor(keys('board'), 'filter'),
    unknown: isFindings ? unknownPanes(data) : '',
    ...(!isFindings && { number: paneNumber(data, head.id) }),
  };
};

/** A pane: its rule with title and age, what is wrong with its sources, and the rows in the window. */
export const paneLines = (look: PaneLook): readonly Painted[] => {
  const { theme, head, list, area, width, height, now, position } = look;
  const status = paneStatus(head, now);
  const instead = insteadOf(look, status.instead);
  const problems = look.zoomed ? status.problems : [];
  const body = bodyOf({ ...look, problems: problems.length });
  const window = windowOf(list, position, area.offset, body.rows);
  const hidden = countHidden(list, window);
  const items = window.sticky ? [window.sticky, ...window.items] : window.items;
  const drawn =
    instead === undefined
      ? itemLines(items, {
          theme,
          width,
          now,
          focused: look.focused,
          area,
          cursor: itemAt(list, position)?.key,
          drawEmpty: (words) => emptyText(look, status.drawEmpty(words)),
        })
      : [cell(theme, `   ${instead}`, width, status.problems.length === 0 ? 'dim' : 'warning')];
  const lines =
    head.id === FINDINGS && window.sticky && hidden.above.rows > 0
      ? [edgeLine(theme, hidden.above, 'above', width), ...drawn.slice(1)]
      : drawn;
  const right = titleOf(look, status, hidden.above);
  const name = look.number === undefined ? head.title : `${look.number} ${head.title}`;
  return fillLines(
    [
      ruleLine(theme, name, right, width, look.focused, head.id === FINDINGS ? undefined : head.sign),
      ...problems.map((text) => cell(theme, `   ! ${text}`, width, 'warning')),
      ...(body.edge + body.whole > 0 ? fillLines(lines, width, body.rows) : lines),
      ...(body.edge > 0 ? [edgeLine(theme, hidden.below, 'below', width)] : []),
      ...(body.whole > 0 ? wholeFinding(look, body.whole) : []),
    ],
    width,
    height,
  );
};

/** What scrolled out at an edge of the findings or below a pane, the first of the worst by name. */
const edgeLine = (theme: Theme, hidden: Hidden, where: 'above' | 'below', width: number): Painted => {
  const style = hidden.critical > 0 ? 'critical' : hidden.warning > 0 ? 'warning' : 'dim';
  const first = hidden.first?.type === 'row' ? makeSafe(hidden.first.row.cells['summary']?.text ?? '') : '';
  const text = hiddenText(hidden, where);
  return cell(theme, `   ${text}${text !== '' && first !== '' ? `: ${first.trim()}` : ''}`, width, style);
};

/** The finding under the cursor in full: its row may be cut, and may lack the columns for the rest. */
const wholeFinding = ({ theme, list, width, position }: PaneLook, height: number): readonly Painted[] => {
  const item = itemAt(list, position);
  const text = item?.type === 'row' ? wholeText(item, width) : '';
  const whole = wrap(text, width - 4);
  const shown =
    whole.length > height ? [...whole.slice(0, height - 1), `${whole[height - 1] ?? ''} …`] : whole;
  return fillLines(
    shown.map((part) => cell(theme, `   ${part}`, width, 'plain')),
    width,
    height,
  );
};

const insteadOf = (
  { head, list, judged, collector }: PaneLook,
  instead: string | undefined,
): string | undefined => {
  if (list.total > 0) return undefined;
  if (head.id === FINDINGS)
    return judged
      ? undefined
      : collector.state === 'stopped'
        ? 'not known: the collector stopped'
        : 'waiting for the first answers';
  return instead;
};

/** A filter that hides everything, or a dead collector, is not "none". */
const emptyText = ({ head, area, list, collector, unknown, filterKey }: PaneLook, words: string): string => {
  if (list.total > 0 && area.filter !== '')
    return `no row matches "${cut(area.filter, QUOTED)}" (${groupThousands(list.total)} hidden; ${filterKey} changes it)`;
  if (head.id === FINDINGS && unknown !== '' && collector.state !== 'stopped')
    return `nothing found so far; not fully known: ${unknown}`;
  return collector.state === 'stopped' ? `not known: the collector stopped; when last read: ${words}` : words;
};

/** The order an operator chose, where there is one: what is on top is then not the worst. */
const sortedBy = ({ head, area }: PaneLook): string | undefined => {
  const title = head.blocks
    .flatMap((block) => (block.type === 'table' ? block.columns : []))
    .find(({ id }) => id === area.sort?.column)?.title;
  return title === undefined ? undefined : `sorted by ${title}`;
};

/** What stands at the right of the rule; what is wrong comes first, for the end is cut off; a good age stays. */
const titleOf = (
  look: PaneLook,
  status: PaneStatus,
  above: Hidden,
): { text: string; tail?: string; style: Style } => {
  const { head, list, area, now, position, collector } = look;
  const filter =
    area.filter === ''
      ? ''
      : `filter "${cut(area.filter, QUOTED)}" ${groupThousands(list.shown)} of ${groupThousands(list.total)}`;
  const marks = area.marks.size === 0 ? '' : `${area.marks.size} marked`;
  const stopped = collector.state === 'stopped' ? `not updated since ${clock(collector.at)}` : '';
  const joinPieces = (...parts: readonly string[]): string => parts.filter(Boolean).join(' · ');
  if (head.id === FINDINGS) {
    const place = list.stops.length === 0 ? '' : `${position + 1}/${list.stops.length}`;
    return {
      text: joinPieces(
        stopped,
        filter,
        marks,
        sortedBy(look) ?? head.summary,
        place,
        list.folded > 0 ? `${list.folded} folded` : '',
      ),
      style: stopped ? 'warning' : 'dim',
    };
  }
  const parts = [
    hiddenText(above, 'above'),
    filter,
    marks,
    head.summary,
    notUnderstoodText(head),
    ...status.notes,
  ];
  if (status.trouble !== undefined || stopped !== '')
    return { text: joinPieces(stopped, status.trouble ?? status.age, ...parts), style: 'warning' };
  const tail = (look.zoomed && askedLine(head, now)) || status.age;
  return { text: joinPieces(...parts), tail, style: head.notUnderstood > 0 ? 'plain' : 'dim' };
};
