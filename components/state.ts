import type { RankedFinding } from '../src/model/finding.ts';
import type { Subject } from '../src/model/subject.ts';
import type { PaneHead, Requests } from '../src/model/wire.ts';
import type { Row } from '../src/model/view.ts';
import type { Area } from './ui.ts';
import { FINDINGS, findingsHead } from './findings.ts';
import { bodyOf } from './body.ts';
import { memoPerObject } from './keep.ts';
import { boardLayout, zoomLayout, type BoardLayout, type Rect, type ZoomLayout } from './layout.ts';
import { cursorPosition, itemAt, type Item, type List, type Lists } from './list.ts';
import { tableKey, type Data } from './mirror.ts';
import { paneStatus } from './status.ts';
import { areaOf, type Ui } from './ui.ts';

export interface Size {
  columns: number;
  rows: number;
}

/** One immutable picture of everything: what App draws. */
export interface State {
  ui: Ui;
  /** What is drawn: the live data, or the frozen one while drawing is paused. */
  data: Data;
  live: Data;
  size: Size;
  /** UTC ms, to the second: ages change once a second, so that unchanged rows stay the same strings. */
  now: number;
  /** Monotonic ms of the last change or tick. */
  mono: number;
}

/** `Switches, Lustre`: panes with a sign of their own for not known. */
export const unknownPanes = ({ heads: panes }: Data): string =>
  panes
    .filter(({ sign }) => sign === 'unknown')
    .map(({ title }) => title)
    .join(', ');

export const headOf = (data: Data, pane: string): PaneHead | undefined =>
  pane === FINDINGS ? findingsHead(data.findings, data.fixed) : data.heads.find((head) => head.id === pane);

/** Panes of systems that the site has; those of others take no room. */
export const shownHeads = memoPerObject((data: Data): readonly PaneHead[] =>
  data.heads.filter(({ absent }) => !absent),
);

/**
 * The number of a pane, and the key that goes there: by its place among all systems, so that a key means the same on every site, whichever
 * systems that site has.
 */
export const paneNumber = ({ heads }: Data, pane: string): number =>
  heads.findIndex(({ id }) => id === pane) + 1;

/** The shown pane of a number. */
export const headNumbered = ({ heads }: Data, number: number): PaneHead | undefined => {
  const head = heads[number - 1];
  return head?.absent ? undefined : head;
};

/** Lines that a pane would take with its rule: an estimate is enough, texts may wrap. */
const linesOf = (head: PaneHead, { tables }: Data): number =>
  head.blocks.reduce((sum, block) => {
    const title = Number(block.title !== undefined) + 1;
    if (block.type === 'table')
      return sum + title + 1 + (tables.get(tableKey(head.id, block.id))?.order.length ?? block.rows.length);
    if (block.type === 'grid') return sum + title + 1 + block.rows.length + (block.scale ? 1 : 0);
    if (block.type === 'facts') return sum + title + block.facts.length;
    if (block.type === 'cable') return sum + title + 4;
    return sum + title + (block.type === 'text' ? block.lines : block.series).length;
  }, 1);

/** Rule, head, a line for each finding that nothing explains, and the whole text of the one under the cursor. */
const findingsLines = ({ findings = [], fixed = [] }: Data, open: ReadonlySet<string> | undefined): number =>
  4 +
  (fixed.length === 0 ? 0 : fixed.length + 3) +
  findings.filter(({ explainedBy }) => explainedBy === undefined || (open?.has(explainedBy) ?? false)).length;

const layOut = memoPerObject(
  (data: Data, { columns, rows }: Size, open: ReadonlySet<string> | undefined): BoardLayout =>
    boardLayout(columns, rows, {
      findings: findingsLines(data, open),
      panes: shownHeads(data).map((head) => linesOf(head, data)),
    }),
  (_, { columns, rows }, open) => `${columns} ${rows} ${[...(open ?? [])].join(' ')}`,
);

/** Where everything on the board is now. */
export const boardOf = ({ data, size, ui }: State): BoardLayout =>
  layOut(data, size, areaOf(ui, FINDINGS).open);

/** Where the zoomed pane and its detail are now. */
export const zoomOf = ({ data, size, ui }: State): ZoomLayout => {
  const head = data.heads.find(({ id }) => id === ui.focus);
  const lines = head === undefined ? findingsLines(data, areaOf(ui, FINDINGS).open) : linesOf(head, data);
  return zoomLayout(size.columns, size.rows, lines);
};

/** The pane that tabs show. */
export const shownTab = (ui: Ui, data: Data): string | undefined =>
  ui.focus === FINDINGS
    ? (shownHeads(data).find((head) => head.id === ui.tab) ?? shownHeads(data)[0])?.id
    : ui.focus;

/** Where a pane is drawn now; undefined when it is not on the screen. */
export const rectOf = (state: State, pane: string): Rect | undefined => {
  const { ui, data } = state;
  if (ui.zoom) return pane === ui.focus ? zoomOf(state).table : undefined;
  const layout = boardOf(state);
  if (layout.kind === 'tooSmall') return undefined;
  if (pane === FINDINGS) return layout.findings;
  if (layout.kind === 'tabs') return pane === shownTab(ui, data) ? layout.pane : undefined;
  return layout.panes[shownHeads(data).findIndex((head) => head.id === pane)];
};

/** Problem lines stand between the rule and the rows of a zoomed pane. */
export const problemLines = (state: State, head: PaneHead): readonly string[] =>
  state.ui.zoom ? paneStatus(head, state.now).problems : [];

/** The pane that has the focus, with its list and the height of its window. */
export interface Focused {
  head: PaneHead;
  area: Area;
  list: List;
  rect: Rect;
  bodyHeight: number;
  position: number;
  item: Extract<Item, { type: 'row' | 'gridRow' }> | undefined;
}

export const focusedPane = (state: State, lists: Lists): Focused | undefined => {
  const { ui, data } = state;
  const head = headOf(data, ui.focus);
  const rect = rectOf(state, ui.focus);
  if (!head || !rect) return undefined;
  const area = areaOf(ui, ui.focus);
  const list = lists(head, data.tables, area, rect.width);
  const position = cursorPosition(list, area);
  const problems = problemLines(state, head).length;
  const { rows: bodyHeight } = bodyOf({ ...rect, head, list, zoomed: ui.zoom, problems });
  return { head, area, list, rect, bodyHeight, position, item: itemAt(list, position) };
};

export const subjectsOf = (row: Pick<Row, 'subject' | 'members'>): readonly Subject[] =>
  row.members ?? (row.subject ? [row.subject] : []);

type AnyRow = NonNullable<Focused['item']>['row'];

/** The marked rows, else the row under the cursor. */
export const chosenRows = (at: Focused): { rows: readonly AnyRow[]; marked: boolean } => {
  const marked = at.list.items.flatMap((item) =>
    (item.type === 'row' || item.type === 'gridRow') && at.area.marks.has(item.key) ? [item.row] : [],
  );
  return marked.length > 0
    ? { rows: marked, marked: true }
    : { rows: at.item ? [at.item.row] : [], marked: false };
};

/** The subject and system whose detail belongs to the row under the cursor, and the single subjects of a group. */
export interface DetailTarget {
  system: string;
  subject: Subject;
  members?: readonly Subject[];
  finding?: RankedFinding;
}

export const detailTarget = (state: State, at: Focused | undefined): DetailTarget | undefined => {
  const row = at?.item?.row;
  if (!at || !row?.subject) return undefined;
  const { subject } = row;
  const members = 'members' in row && row.members ? { members: row.members } : {};
  if (at.head.id !== FINDINGS) return { system: at.head.id, subject, ...members };
  const finding = findingOf(state.data, at);
  return finding && { system: finding.system, subject, ...members, finding };
};

/** What the collector is asked for it. */
export const detailRequest = ({ system, subject, members }: DetailTarget): Requests['detail']['in'] => ({
  system,
  subject,
  ...(members && { members }),
});

export const findingOf = (data: Data, at: Focused): RankedFinding | undefined =>
  at.head.id === FINDINGS && at.item
    ? data.findings?.find((finding) => finding.id === at.item?.row.key)
    : undefined;
