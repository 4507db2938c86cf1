import { age, clock, clockTime } from '../src/text/ages.ts';
import { groupThousands } from '../src/text/units.ts';
import type { PaneHead } from '../src/model/wire.ts';
import type { Data } from './mirror.ts';
import { fillLines } from './frame.ts';
import { blank, cell, joinPieces, paint, paintWrapped, safeWidth, type Painted } from './paint.ts';
import { severities, signOf, styleOf, type Style, type Theme } from './theme.ts';
import { bigLines } from './wall-big.ts';
import { changeLine, findingLine, findingLines, type LastChange } from './wall-findings.ts';
import { findOverdue, type Overdue } from './find-overdue.ts';

export interface WallLook {
  theme: Theme;
  data: Data;
  columns: number;
  rows: number;
  now: number;
  /** UTC ms at which the wall started: nothing can be overdue before it was asked. */
  startedAt: number;
  /** UTC ms since which nothing but notices was found; absent while something is wrong or nothing is known. */
  fineSince?: number;
  /** What came or went last. */
  change?: LastChange;
}

/** Pages turn this often; the first holds the worst and stays longer. */
const FIRST_PAGE_MS = 15_000;
const PAGE_MS = 7000;
/** Blank lines between two findings. */
const MOST_GAP = 3;
const MOST_PAGES = 3;

/** The wall, exactly `rows` lines of `columns`: few lines, wide gaps, spelled out, readable from five metres. */
export const wallLines = (look: WallLook): readonly Painted[] => {
  const { theme, data, columns, rows, now } = look;
  if (columns < 40 || rows < 8) return tooSmallLines(look, '40x8');
  const late = findOverdue(data, now, look.startedAt);
  const margin = 2;
  const width = columns - 2 * margin;
  const foot = [
    ...(late.everything ? [] : changeLine(theme, look.change, now, width)),
    ...footLines(look, late, width),
  ];
  const state = stateOfSite(look, late);
  const big = bigLines(theme, state.text, { width, height: Math.floor((rows - 8) / 3), style: state.style });
  const head = [
    clockLine(theme, now, data.strip?.site ?? '', width),
    blank(width),
    ...(big ? [...big, blank(width)] : [cell(theme, state.text, width, state.style)]),
    countsLine(look, late, width),
    ruleLine(theme, width),
  ];
  const room = rows - head.length - foot.length - 2;
  const body = late.everything ? lateLines(look, late, width, room) : bodyLines(look, late, width, room);
  return [blank(width), ...head, ...fillLines(body, width, room), ...foot, blank(width)]
    .slice(0, rows)
    .map((line) => joinPieces(blank(margin), line, blank(margin)));
};

export const tooSmallLines = (
  { theme, columns, rows, now }: Pick<WallLook, 'theme' | 'columns' | 'rows' | 'now'>,
  least: string,
): readonly Painted[] => {
  const text = `${clock(now)} the wall needs at least ${least}, this window is ${columns}x${rows}`;
  return fillLines(paintWrapped(theme, text, columns), columns, rows);
};

export const ruleLine = (theme: Theme, width: number): Painted => paint(theme, '─'.repeat(width), 'dim');

/** The state of the site in one word and one number, the worst that is known; what is not known is never fine. */
export const stateOfSite = ({ data, fineSince }: WallLook, late: Overdue): { text: string; style: Style } => {
  if (late.everything) return { text: 'NOT KNOWN', style: 'warning' };
  if (!data.findings) return { text: 'WAITING', style: 'dim' };
  const { critical = 0, warning = 0 } = data.strip?.counts ?? {};
  if (critical > 0) return { text: `${critical} CRITICAL`, style: 'critical' };
  if (warning > 0) return { text: `${warning} ${warning === 1 ? 'WARNING' : 'WARNINGS'}`, style: 'warning' };
  if (late.some || listUnknown(data).length > 0) return { text: 'NOT ALL READ', style: 'warning' };
  // Nothing counted, and yet not fine: somebody knows of it.
  const known = data.findings.filter(({ acked, explainedBy }) => acked && explainedBy === undefined).length;
  if (known > 0) return { text: `${known} ACKED`, style: 'plain' };
  return fineSince === undefined ? { text: 'WAITING', style: 'dim' } : { text: 'ALL FINE', style: 'good' };
};

/** Systems of which not all could be read. */
export const listUnknown = ({ heads }: Data): readonly PaneHead[] =>
  heads.filter(({ sign, absent }) => sign === 'unknown' && !absent);

/** Site at the left; date and clock and its beat at the right: the proof that the wall is alive. */
export const clockLine = (theme: Theme, now: number, site: string, width: number): Painted => {
  const time = `${dateOf(now)}  ${clock(now)}`;
  const beat = Math.floor(now / 1000) % 2 === 0 ? '  ●' : '  ○';
  return joinPieces(
    cell(theme, site, width - safeWidth(time + beat), 'bold'),
    paint(theme, time, 'bold'),
    paint(theme, beat, 'accent'),
  );
};

/** `Fri 2026-11-20`, local. */
const dateOf = (at: number): string => {
  const date = new Date(at);
  const padTwo = (value: number): string => String(value).padStart(2, '0');
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getDay()] ?? '';
  return `${day} ${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
};

const countsLine = ({ theme, data, now }: WallLook, late: Overdue, width: number): Painted => {
  const counts = data.strip?.counts;
  const oldest = data.strip?.oldestAt;
  const right = oldest === undefined ? 'no reading yet' : `oldest reading ${age(now - oldest)}`;
  const some = severities.filter((severity) => !late.everything && (counts?.[severity] ?? 0) > 0);
  const texts = some.map(
    (severity) => `${signOf(severity)} ${groupThousands(counts?.[severity] ?? 0)} ${severity}   `,
  );
  const room = width - safeWidth(texts.join(''));
  if (room < safeWidth(right)) return cell(theme, texts.join(''), width);
  return joinPieces(
    ...texts.map((text, index) => paint(theme, text, styleOf(some[index]))),
    cell(theme, right, room, late.some ? 'warning' : 'plain', 'right'),
  );
};

/** In words over the whole wall, instead of old figures. */
const lateLines = (
  { theme, data, now }: WallLook,
  late: Overdue,
  width: number,
  room: number,
): readonly Painted[] => {
  const say = (text: string, style: Style): readonly Painted[] => paintWrapped(theme, text, width, style);
  const when =
    late.lastAt === undefined
      ? 'Nothing has answered since this wall was started.'
      : `The last answer came at ${clockTime(late.lastAt, now)}, ${age(now - late.lastAt)} ago.`;
  const stopped =
    data.collector.state === 'stopped'
      ? say(`The collector stopped: ${data.collector.text}. It is being started again.`, 'warning')
      : [];
  const lines = [
    ...say('THE DATA IS OLDER THAN IT SHOULD BE: what is true now is not known.', 'critical'),
    blank(width),
    ...say(when, 'bold'),
    blank(width),
    ...stopped,
    ...late.reasons.flatMap((reason) => say(`? ${reason}`, 'warning')),
  ];
  const above = Math.max(0, Math.floor((room - lines.length) / 3));
  return [...fillLines([], width, above), ...lines];
};

/** Findings page by page; what is old is said above them on every page. */
const bodyLines = (look: WallLook, late: Overdue, width: number, room: number): readonly Painted[] => {
  const { theme, data, now, fineSince } = look;
  const reasons = late.reasons.slice(0, 3).map((reason) => cell(theme, `? ${reason}`, width, 'warning'));
  if (!data.findings)
    return [...reasons, blank(width), cell(theme, 'waiting for the first answers', width, 'dim')];
  if (data.findings.length === 0) {
    return [...reasons, blank(width), ...fineLines(look, late, width)];
  }
  const fine = fineSince === undefined ? [] : [...fineLines(look, late, width), blank(width)];
  // What is explained is counted at its cause, which takes the worst sign of all of it.
  const shown = data.findings.filter(({ explainedBy }) => explainedBy === undefined);
  const height = Math.max(1, room - reasons.length - fine.length - 1);
  const whole = shown.map((finding) => findingLines(theme, finding, width, now));
  // A round of the pages must not take minutes: what and where in a line each, then.
  const isLong = whole.reduce((sum, { length }) => sum + length, 0) > height * MOST_PAGES;
  const pages = pagesOf(
    isLong ? shown.map((finding) => [findingLine(theme, finding, width, now)]) : whole,
    height,
    width,
  );
  const page = pageAt(now, look.startedAt, pages.length);
  const turn =
    pages.length > 1 ? [cell(theme, `page ${page + 1} of ${pages.length}`, width, 'dim', 'right')] : [];
  return [...reasons, ...fine, ...(pages[page] ?? []), ...turn];
};

/** Findings as pages of at most `room` lines; where all fit on one, with as many blank lines between them as there are. */
const pagesOf = (findings: readonly (readonly Painted[])[], room: number, width: number) => {
  const lines = findings.reduce((sum, { length }) => sum + length, 0);
  const spread = Math.min(MOST_GAP, Math.floor((room - lines) / Math.max(1, findings.length - 1)));
  const wide = spread > 0 ? spread : lines + findings.length > room * MOST_PAGES ? 0 : 1;
  const pages: Painted[][] = [];
  for (const one of findings) {
    const page = pages.at(-1);
    const gap = Array.from({ length: page ? wide : 0 }, () => blank(width));
    if (page && page.length + gap.length + one.length <= room) page.push(...gap, ...one);
    else pages.push([...one]);
  }
  return pages;
};

const fineLines = (
  { theme, data, fineSince, now }: WallLook,
  late: Overdue,
  width: number,
): readonly Painted[] => {
  if (late.some || listUnknown(data).length > 0)
    return [cell(theme, 'nothing found in what could be read', width, 'warning')];
  const since = fineSince === undefined ? '' : ` since ${clockTime(fineSince, now)}`;
  return [cell(theme, `✓ all fine${since}`, width, 'good')];
};

/** Which page is on: the first for 15 s, each other for 7 s. */
export const pageAt = (now: number, startedAt: number, pages: number): number => {
  if (pages <= 1) return 0;
  const round = FIRST_PAGE_MS + (pages - 1) * PAGE_MS;
  const within = Math.max(0, now - startedAt) % round;
  return within < FIRST_PAGE_MS ? 0 : 1 + Math.floor((within - FIRST_PAGE_MS) / PAGE_MS);
};

/** One word group per system; what is not known says so instead of an old figure. */
const footLines = ({ theme, data }: WallLook, late: Overdue, width: number): readonly Painted[] => {
  // Systems that the site does not have take no room.
  const groups = data.heads
    .filter(({ absent }) => !absent)
    .map((head) => ({ name: head.title.toUpperCase(), ...stateOf(head, late) }));
  const lines: Painted[] = [];
  let parts: Painted[] = [];
  let used = 0;
  const flush = (): void => {
    if (used > 0) lines.push(joinPieces(...parts, blank(width - used)));
    parts = [];
    used = 0;
  };
  for (const { name, text, style } of groups) {
    const wide = Math.min(width, safeWidth(name) + safeWidth(text) + 5);
    if (used + wide > width) flush();
    parts.push(paint(theme, name, 'dim'), cell(theme, ` ${text}`, wide - safeWidth(name), style));
    used += wide;
  }
  flush();
  return [ruleLine(theme, width), ...lines.slice(0, 3)];
};

const stateOf = (head: PaneHead, late: Overdue): { text: string; style: Style } => {
  if (head.watchesAll) return { text: head.wall, style: styleOf(head.sign) };
  if (late.systems.has(head.id)) return { text: 'not known', style: 'warning' };
  const asked = head.sources.some((source) => source.state !== 'notAsked');
  if (head.sources.length > 0 && !asked) return { text: 'not asked: read-only', style: 'dim' };
  if (!head.sources.some((source) => source.goodAt !== undefined)) {
    const failed = head.sources.some((source) => source.state === 'failed');
    return failed ? { text: 'not known', style: 'warning' } : { text: 'waiting', style: 'dim' };
  }
  return {
    text: head.sign === 'fine' ? head.wall : `${signOf(head.sign)} ${head.wall}`,
    style: styleOf(head.sign),
  };
};
