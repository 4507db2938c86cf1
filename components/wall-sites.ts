import type { RankedFinding } from '../src/model/finding.ts';
import { textOf } from '../src/model/words.ts';
import { age } from '../src/text/ages.ts';
import { makeSafe } from '../src/text/safe.ts';
import { count } from '../src/text/units.ts';
import { cutStart } from '../src/text/width.ts';
import { findOverdue } from './find-overdue.ts';
import { fillLines } from './frame.ts';
import type { Data } from './mirror.ts';
import { blank, cell, joinPieces, safeWidth, type Painted } from './paint.ts';
import { severities, type Style, type Theme } from './theme.ts';
import {
  clockLine,
  listUnknown,
  pageAt,
  ruleLine,
  stateOfSite,
  tooSmallLines,
  type WallLook,
} from './wall-lines.ts';

/** A site: what its own wall would show, or why its file can't be used. */
export type ShownSite = { name: string } & ({ look: WallLook } | { problem: string });

export interface SitesLook extends Pick<WallLook, 'theme' | 'columns' | 'rows' | 'now' | 'startedAt'> {
  sites: readonly ShownSite[];
}

/** What stands in a site's line. */
interface SiteLine {
  name: string;
  state: string;
  style: Style;
  /** The worst that is found, or why nothing is known. */
  text: string;
  /** Of the oldest reading. */
  age: string;
}

/** Columns of the parts of a line; the text takes what is left. */
const NAMES_MOST = 20;
const STATES = 14;
const AGES = 9;
const MARGIN = 2;

/** The first of the worst that nobody knows of; the order of findings is by more than their severity. */
const findWorst = (findings: readonly RankedFinding[]): RankedFinding | undefined => {
  const open = findings.filter(({ explainedBy, acked }) => explainedBy === undefined && !acked);
  return severities
    .flatMap((one) => open.find(({ severity, worst }) => (worst ?? severity) === one) ?? [])
    .at(0);
};

/** Why not all is read where nothing is late: `not read: Slurm, NFS`. */
const unreadText = (data: Data): string | undefined => {
  const titles = listUnknown(data).map(({ title }) => title);
  return titles.length === 0 ? undefined : `not read: ${titles.join(', ')}`;
};

const lineOf = (site: ShownSite, now: number): SiteLine => {
  const { name } = site;
  if ('problem' in site) return { name, state: 'NOT KNOWN', style: 'warning', text: site.problem, age: '' };
  const { look } = site;
  const late = findOverdue(look.data, now, look.startedAt);
  const { text: state, style } = stateOfSite(look, late);
  const { findings, strip, collector } = look.data;
  const worst = late.everything ? undefined : findWorst(findings ?? []);
  const found = worst && textOf(worst.summary);
  const isNotice = (worst?.worst ?? worst?.severity) === 'notice';
  const unread = late.reasons[0] ?? unreadText(look.data);
  const said = worst === undefined || isNotice ? (unread ?? found) : found;
  const stopped = collector.state === 'stopped' ? `the collector stopped: ${collector.text}` : undefined;
  return {
    name,
    state,
    style,
    text: stopped ?? said ?? '',
    age: strip?.oldestAt === undefined ? '' : age(now - strip.oldestAt),
  };
};

const paintLine = (
  theme: Theme,
  { name, state, style, text, age: old }: SiteLine,
  width: number,
  names: number,
) =>
  joinPieces(
    // Of a path the end says which file it is.
    cell(theme, cutStart(makeSafe(name), names), names, 'bold'),
    blank(2),
    cell(theme, state, STATES, style),
    blank(1),
    cell(theme, text, width - names - STATES - AGES - 3, style === 'good' ? 'dim' : 'plain'),
    cell(theme, old, AGES, 'dim', 'right'),
  );

/** What a site is counted as, by the style of its state. */
const SUMS: readonly (readonly [Style, string])[] = [
  ['critical', 'with something critical'],
  ['warning', 'with a warning or not known'],
  ['plain', 'with what somebody acknowledged'],
  ['dim', 'waiting for answers'],
  ['good', 'all fine'],
];

/** How many sites are how: `3 sites: 1 with something critical, 2 all fine`. */
const sumLine = (theme: Theme, all: readonly SiteLine[], width: number): Painted => {
  const parts = SUMS.flatMap(([style, text]) => {
    const some = all.filter((one) => one.style === style).length;
    return some > 0 ? [`${some} ${text}`] : [];
  });
  return cell(theme, `${count(all.length, 'site')}: ${parts.join(', ')}`, width);
};

/** A line for each site, in the order in which they were named, so that each keeps its place; exactly `rows` lines of `columns`. */
export const sitesLines = (look: SitesLook): readonly Painted[] => {
  const { theme, columns, rows, now, startedAt, sites } = look;
  if (columns < 60 || rows < 8) return tooSmallLines(look, '60x8');
  const width = columns - 2 * MARGIN;
  const all = sites.map((site) => lineOf(site, now));
  const names = Math.min(NAMES_MOST, Math.max(...all.map(({ name }) => safeWidth(name))));
  const head = [
    clockLine(theme, now, '', width),
    blank(width),
    sumLine(theme, all, width),
    ruleLine(theme, width),
  ];
  const room = rows - head.length - 2;
  const gap = all.length * 2 - 1 <= room ? 1 : 0;
  const perPage = gap === 1 ? all.length : Math.max(1, all.length > room ? room - 1 : room);
  const pages = Math.ceil(all.length / perPage);
  const page = pageAt(now, startedAt, pages);
  const body = all
    .slice(page * perPage, (page + 1) * perPage)
    .flatMap((one, at) => [
      ...(gap === 1 && at > 0 ? [blank(width)] : []),
      paintLine(theme, one, width, names),
    ]);
  const turn = pages > 1 ? [cell(theme, `page ${page + 1} of ${pages}`, width, 'dim', 'right')] : [];
  return [blank(width), ...head, ...fillLines([...body, ...turn], width, room), blank(width)]
    .slice(0, rows)
    .map((line) => joinPieces(blank(MARGIN), line, blank(MARGIN)));
};
