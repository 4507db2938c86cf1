import { blank, figure } from '../../../src/kit/rows.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import { memoPer } from '../../../src/kit/memo.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, Row, TableBlock } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import { flapsOf } from '../verdict/case-of.ts';
import { isDown } from '../read/link-words.ts';
import { farSubject, type Link } from '../links/link.ts';
import { membersText } from '../links/lags.ts';
import { badSeries, errorsCourse } from '../judge/track.ts';
import { sourceOf } from '../ask/sources.ts';
import { findShutter } from '../judge/shut-by-us.ts';
import { doubtOf, isDoubtful, isEarly, linkStates, type EndState, type LinkState } from '../judge/states.ts';
import { badFrames, ratePerSecond, sharePercent } from '../read/words.ts';

/** Links shown one by one though quiet: more are folded below one row. */
const fewQuiet = 12;

/** Worth a row of its own: bad frames, or an end that is down or not to be known. */
const isLoud = memoPer(
  ({ severity, a, b }: LinkState): boolean =>
    severity !== undefined ||
    [a, b].some(
      (end) =>
        (end.rates[0]?.rxBad ?? 0) > 0 ||
        (end.port !== undefined && isDown(end.port)) ||
        doubtOf(end) !== undefined,
    ),
);

const signOf = (state: LinkState): Sign => {
  const { severity, a, b } = state;
  if (severity) return severity;
  if (isEarly(state)) return 'unknown';
  if ([a, b].some((end) => end.port !== undefined && isDown(end.port))) return 'notice';
  if (isDoubtful(state)) return 'unknown';
  const ends = [a, b].filter((end) => end.at !== undefined);
  if (ends.length === 0) return 'unknown';
  const counted = ends.filter((end) => !end.unnamed);
  if (counted.length > 0 && counted.every((end) => end.rates.length === 0)) return 'unknown';
  return isLoud(state) ? 'notice' : 'fine';
};

/** One end was shut, the other follows it. */
const downText = (down: readonly EndState[], judgement: Judgement): string => {
  const [by] = down.flatMap(({ end }) => findShutter(end.id, judgement) ?? []);
  if (by !== undefined) return `shut by ${by}`;
  return down.length > 1 ? 'down' : `${down[0]?.name ?? ''} down`;
};

/** Ends that read down; not one that was read before the other came up. */
const downEnds = ({ a, b }: LinkState, judgement: Judgement): readonly EndState[] =>
  [
    [a, b],
    [b, a],
  ].flatMap(([end, far]) => {
    if (!end?.port || !isDown(end.port)) return [];
    const upSince = far?.port && !isDown(far.port) ? flapsOf(far.end.id, judgement).upSince : undefined;
    return upSince !== undefined && (end.at ?? 0) <= upSince ? [] : [end];
  });

/** `suspect nfs-sw1`: the row names its ports already, so the host is enough where the ends are of two hosts. */
const suspectText = ({ end, verdict }: EndState, { end: far }: EndState): string => {
  const first = verdict?.first.at;
  if (first === undefined) return '';
  const host = [end, far].find(({ id }) => id === first.id)?.host;
  return `suspect ${host === undefined || end.host === far.host ? first.name : host}`;
};

const verdictText = (state: LinkState, judgement: Judgement): string => {
  const { worst, other, a, b } = state;
  if (worst.verdict) return suspectText(worst, other);
  if (worst.silent) return worst.silent;
  const down = downEnds(state, judgement);
  if (down.length > 0) return downText(down, judgement);
  const doubt = doubtOf(a) ?? doubtOf(b);
  if (doubt !== undefined) return doubt;
  if (a.at === undefined && b.at === undefined) return 'not read yet';
  if (a.unnamed && b.unnamed) return 'error counters not printed';
  if (a.rates.length === 0 && b.rates.length === 0) return 'one sample so far';
  return state.link.by === 'one end' && state.b.at === undefined ? 'one end known' : '';
};

/** Errors/s now against the middle of the last hour's values: a word only for errors, and for what clearly moved. */
const trendOf = (state: LinkState, { history, now }: Judgement): string => {
  const { worst } = state;
  if (!isLoud(state)) return '';
  const rate = worst.rates[0]?.rxBad ?? 0;
  if (rate === 0) return '';
  const points = history.changes(badSeries(worst.end.id), now - 3_600_000).map(({ value }) => Number(value));
  if (points.length < 3) return '';
  const middle = points.toSorted((one, two) => one - two)[Math.floor(points.length / 2)] ?? 0;
  return rate > middle * 1.5 + 0.1 ? 'rising' : rate < middle / 1.5 - 0.1 ? 'falling' : 'steady';
};

/** Errors over the last hour; of thousands of links that have none nothing is drawn. */
const courseCell = (state: LinkState, judgement: Judgement): Cell => {
  const { id, host } = state.worst.end;
  return host === undefined || !isLoud(state) ? blank : trendCell(judgement, errorsCourse(host, id));
};

const rowOf = (state: LinkState, judgement: Judgement): Row => {
  const { link, worst, other } = state;
  const { rate, share } = badFrames(worst);
  const sources = [worst, other].flatMap(({ end }) => {
    const source = end.host === undefined ? undefined : sourceOf(judgement.readings, 'counters', end.host);
    return source ? [{ probe: source.probe, host: source.host }] : [];
  });
  return {
    key: link.id,
    subject: { kind: 'port', id: worst.end.id },
    ...farSubject(other.end),
    sign: signOf(state),
    ...((worst.stale || other.stale) && { stale: true }),
    cells: {
      link: { text: `${worst.name} ⇄ ${other.name}` },
      rate: figure(rate ?? -1, rate === undefined ? (worst.unnamed ? '' : '?') : ratePerSecond(rate)),
      share: figure(share ?? -1, share === undefined ? '' : sharePercent(share)),
      back: { text: other.rates[0]?.rxBad === undefined ? '' : ratePerSecond(other.rates[0].rxBad) },
      trend: { text: trendOf(state, judgement) },
      course: courseCell(state, judgement),
      lag: { text: worst.lag ? `${worst.lag.lag} ${membersText(worst.lag)}` : '' },
      verdict: { text: verdictText(state, judgement) },
    },
    search: [link.id, worst.port?.name, other.port?.name].join(' '),
    sources,
  };
};

/** Links, those with errors first, both ends on one line; many quiet ones are one row. */
export const linksTable = (judgement: Judgement, empty: string): TableBlock => {
  const states = linkStates(judgement);
  const loud = states.filter(isLoud);
  const quiet = states.filter((one) => !isLoud(one));
  const rows = loud.map((one) => rowOf(one, judgement));
  const quietRows = quiet.map((one) => quietRowOf(one, judgement));
  const below =
    quiet.length > fewQuiet
      ? [foldRow(quietRows), ...quietRows.map(({ folded }) => folded)]
      : quietRows.map(({ row }) => row);
  return {
    type: 'table',
    id: 'links',
    title: 'Links',
    columns: [
      { id: 'link', title: 'LINK', min: 24, grow: 1 },
      { id: 'rate', title: 'BAD/S', align: 'right', min: 7 },
      { id: 'share', title: 'SHARE', align: 'right', min: 7 },
      { id: 'back', title: 'BACK/S', align: 'right', min: 6, drop: 4 },
      { id: 'trend', title: 'TREND', min: 7, drop: 5 },
      { id: 'course', title: 'LAST HOUR', min: 12, drop: 6 },
      { id: 'lag', title: 'LAG', min: 10, drop: 2 },
      { id: 'verdict', title: 'VERDICT', min: 15, drop: 1 },
    ],
    rows: [...rows, ...below],
    empty,
  };
};

/** A row for where there are few, and for below the row that folds many. */
interface Quiet {
  state: LinkState;
  seen: readonly unknown[];
  row: Row;
  folded: Row;
}

const foldKey = 'quiet';

/** Thousands of links show the same again and again: a row that would come out the same is the same. */
const quietKnown = new WeakMap<Link, Quiet>();

/** All that the row of a link without errors is made of. */
const seenOf = ({ end, rates, lag, port, stale, at, unnamed }: EndState): readonly unknown[] => [
  end.id,
  rates[0]?.rxBad,
  rates[0]?.rxShare,
  rates.length > 0,
  lag?.lag,
  lag?.members.length,
  lag?.members.reduce((sum, one) => sum + (one.active ? 1 : 0), 0),
  port?.name,
  stale,
  at !== undefined,
  unnamed,
];

const quietRowOf = (state: LinkState, judgement: Judgement): Quiet => {
  const known = quietKnown.get(state.link);
  if (known?.state === state) return known;
  const seen = [...seenOf(state.worst), ...seenOf(state.other)];
  if (known?.seen.every((one, index) => one === seen[index])) {
    known.state = state;
    return known;
  }
  const row = rowOf(state, judgement);
  const made = { state, seen, row, folded: { ...row, under: foldKey } };
  quietKnown.set(state.link, made);
  return made;
};

const foldRow = (quiet: readonly Quiet[]): Row => {
  const known = quiet.every(({ row }) => row.sign === 'fine');
  const links = count(quiet.length, 'link');
  const old = quiet.filter(({ row }) => row.stale).length;
  const when = old === 0 ? '' : old < quiet.length ? `, ${old} of them when last read` : ' when last read';
  const text = known ? `${links} without errors${when}` : `${links}, not all known yet`;
  return {
    key: foldKey,
    sign: known ? 'fine' : 'unknown',
    ...(old > 0 && { stale: true }),
    cells: { link: { text: `${text}: →` } },
  };
};
