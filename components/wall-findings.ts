import type { RankedFinding } from '../src/model/finding.ts';
import { textOf } from '../src/model/words.ts';
import { age, clock, clockTime } from '../src/text/ages.ts';
import { makeSafe } from '../src/text/safe.ts';
import { wrap } from '../src/text/width.ts';
import { lastReadText, explainsText, hurtTexts } from './findings.ts';
import { trendText } from './blocks/picture.ts';
import { blank, cell, joinPieces, safeWidth, type Painted } from './paint.ts';
import { signOf, styleOf, type Style, type Theme } from './theme.ts';

/** What came or went last. */
export interface LastChange {
  /** UTC ms. */
  at: number;
  what: 'new' | 'gone';
  finding: RankedFinding;
}

const isLoud = ({ severity, worst, explainedBy }: RankedFinding): boolean =>
  explainedBy === undefined && (worst ?? severity) !== 'notice';

/** What changed last: by what was there before, else the youngest of all that is there. */
export const findLastChange = (
  findings: readonly RankedFinding[] | undefined,
  before: { findings: readonly RankedFinding[] | undefined; last: LastChange | undefined },
  now: number,
): LastChange | undefined => {
  if (!findings) return before.last;
  const loud = findings.filter(isLoud);
  if (!before.findings) {
    const youngest = loud.toSorted((a, b) => b.since - a.since)[0];
    return youngest ? { at: youngest.since, what: 'new', finding: youngest } : before.last;
  }
  const known = new Set(before.findings.map(({ id }) => id));
  const there = new Set(findings.map(({ id }) => id));
  const came = loud.find(({ id }) => !known.has(id));
  if (came) return { at: now, what: 'new', finding: came };
  const went = before.findings.filter(isLoud).find(({ id }) => !there.has(id));
  return went ? { at: now, what: 'gone', finding: went } : before.last;
};

/** `last change 02:35  new: GLUSTER home0 locked`; nothing where nothing is known to have changed. */
export const changeLine = (
  theme: Theme,
  change: LastChange | undefined,
  now: number,
  width: number,
): readonly Painted[] => {
  if (!change) return [];
  const { at, what, finding } = change;
  const said = what === 'new' ? 'new' : 'no longer found';
  const words = `${finding.system.toUpperCase()} ${textOf(finding.summary)}`;
  const text = `last change ${clockTime(at, now)}   ${said}: ${words}`;
  return [cell(theme, text, width, 'plain')];
};

const NAMES = 9;
const WHEN = 10;
/** Columns of a wall that has room for the course of the last hour. */
const WIDE = 96;

/** Since when; of what was only seen then, that it was seen. */
const whenOf = ({ since, sinceIs }: RankedFinding, now: number): string =>
  sinceIs !== 'seen'
    ? age(now - since)
    : now - since < 86_400_000
      ? `seen ${clock(since).slice(0, 5)}`
      : `seen ${age(now - since)}`;

/** Who has it in hand, whom it hurts, until when it is planned. */
const asideOf = (finding: RankedFinding, now: number): string => {
  const { acked, contact, plannedUntil } = finding;
  const hurt = hurtTexts(finding).join(', ');
  return [
    acked && `acked by ${acked.who} until ${clockTime(acked.until, now)}: ${acked.text}`,
    plannedUntil !== undefined && `planned until ${clockTime(plannedUntil, now)}`,
    hurt !== '' && `hurts ${hurt}`,
    contact !== undefined && `owner ${contact}`,
  ]
    .filter(Boolean)
    .join(' · ');
};

interface Sizes {
  theme: Theme;
  /** Columns of the text. */
  room: number;
  /** Columns of the course of the last hour; 0: none is drawn. */
  drawn: number;
}

const sizesOf = (theme: Theme, { trend }: RankedFinding, width: number): Sizes => {
  const course = trendText(trend);
  // The text goes first: a small wall draws no course.
  const drawn = course !== '' && width >= WIDE ? safeWidth(course) + 1 : 0;
  return { theme, room: width - 2 - NAMES - 2 - WHEN - drawn, drawn };
};

const isCalm = ({ acked, plannedUntil }: RankedFinding): boolean =>
  acked !== undefined || plannedUntil !== undefined;

const textStyle = (finding: RankedFinding): Style =>
  isCalm(finding) ? 'dim' : (finding.worst ?? finding.severity) === 'notice' ? 'plain' : 'bold';

const wordsOf = (finding: RankedFinding): string => {
  const more = finding.explains > 0 ? ` (${explainsText(finding)})` : '';
  return makeSafe(`${lastReadText(finding)}${textOf(finding.summary)}${more}`);
};

const topLine = (
  { theme, room, drawn }: Sizes,
  finding: RankedFinding,
  words: string,
  now: number,
): Painted => {
  const severity = finding.worst ?? finding.severity;
  const style = isCalm(finding) ? 'dim' : styleOf(severity);
  return joinPieces(
    cell(theme, signOf(severity), 2, style),
    cell(theme, finding.system.toUpperCase(), NAMES, style),
    blank(1),
    cell(theme, words, room, textStyle(finding)),
    blank(1),
    ...(drawn > 0 ? [cell(theme, trendText(finding.trend), drawn, isCalm(finding) ? 'dim' : 'accent')] : []),
    cell(theme, whenOf(finding, now), WHEN, isCalm(finding) ? 'dim' : 'plain', 'right'),
  );
};

/** What is wrong and where, in one line: the rest is for the console. */
export const findingLine = (theme: Theme, finding: RankedFinding, width: number, now: number): Painted =>
  topLine(sizesOf(theme, finding, width), finding, wordsOf(finding), now);

/** What is wrong in at most two lines, and one for who has it: what can't be said in them is for the console. */
export const findingLines = (
  theme: Theme,
  finding: RankedFinding,
  width: number,
  now: number,
): readonly Painted[] => {
  const sizes = sizesOf(theme, finding, width);
  const { room, drawn } = sizes;
  const [first = '', ...rest] = wrap(wordsOf(finding), room);
  const drawBelow = (said: string, how: Style): Painted =>
    joinPieces(blank(NAMES + 3), cell(theme, said, room, how), blank(WHEN + 1 + drawn));
  const aside = asideOf(finding, now);
  return [
    topLine(sizes, finding, first, now),
    ...(rest.length === 0 ? [] : [drawBelow(rest.join(' '), textStyle(finding))]),
    ...(aside === '' ? [] : [drawBelow(aside, isCalm(finding) ? 'dim' : 'plain')]),
  ];
};
