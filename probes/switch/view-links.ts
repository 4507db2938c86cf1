import type { Sign } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Row, TableBlock } from '../../src/model/view.ts';
import { count } from '../../src/text/units.ts';
import { isDown } from './links.ts';
import { membersText } from './lags.ts';
import { badSeries } from './track.ts';
import { sourceOf } from './sources.ts';
import { journal, linkStates, type EndState, type LinkState } from './states.ts';
import { badOf, perSecond, sharePercent, whoseTurn } from './words.ts';

/** Links shown one by one though quiet: more are folded into one row. */
const fewQuiet = 12;

/** Worth a row of its own: bad frames, or an end that is down. */
const isLoud = ({ severity, a, b }: LinkState): boolean =>
  severity !== undefined ||
  (a.rates[0]?.rxBad ?? 0) > 0 ||
  (b.rates[0]?.rxBad ?? 0) > 0 ||
  [a, b].some((end) => end.port !== undefined && isDown(end.port));

const signOf = (state: LinkState): Sign => {
  const { severity, a, b } = state;
  if (severity) return severity;
  if ([a, b].some((end) => end.port !== undefined && isDown(end.port))) return 'notice';
  const ends = [a, b].filter((end) => end.at !== undefined);
  if (ends.length === 0) return 'unknown';
  const counted = ends.filter((end) => !end.unnamed);
  if (counted.length > 0 && counted.every((end) => end.rates.length === 0)) return 'unknown';
  return isLoud(state) ? 'notice' : 'fine';
};

/** One end was shut, the other follows it. */
const downText = (down: readonly EndState[], judgement: Judgement): string => {
  const shut = journal(judgement)?.shut.find(({ port }) => down.some(({ end }) => end.id === port));
  if (shut) return `shut by ${shut.by}`;
  return down.length > 1 ? 'down' : `${down[0]?.name ?? ''} down`;
};

const verdictText = (state: LinkState, judgement: Judgement): string => {
  const { worst, other, a, b } = state;
  if (worst.verdict) return whoseTurn(worst, other);
  const down = [a, b].filter((end) => end.port !== undefined && isDown(end.port));
  if (down.length > 0) return downText(down, judgement);
  if (a.at === undefined && b.at === undefined) return 'not read yet';
  if (a.unnamed && b.unnamed) return 'no errors told';
  if (a.rates.length === 0 && b.rates.length === 0) return 'one sample so far';
  return state.link.by === 'one end' && state.b.at === undefined ? 'one end known' : '';
};

/** Errors/s now against the middle of the last hour's values: an arrow only for what clearly moved. */
const trendOf = ({ worst }: LinkState, { history, now }: Judgement): string => {
  const points = history.changes(badSeries(worst.end.id), now - 3_600_000).map(({ value }) => Number(value));
  const rate = worst.rates[0]?.rxBad;
  if (rate === undefined || points.length < 3) return '';
  const middle = points.toSorted((one, two) => one - two)[Math.floor(points.length / 2)] ?? 0;
  return rate > middle * 1.5 + 0.1 ? 'rising' : rate < middle / 1.5 - 0.1 ? 'falling' : 'steady';
};

const rowOf = (state: LinkState, judgement: Judgement): Row => {
  const { link, worst, other } = state;
  const { rate, share } = badOf(worst);
  const sources = [worst, other].flatMap(({ end }) => {
    const source = end.host === undefined ? undefined : sourceOf(judgement.readings, 'counters', end.host);
    return source ? [{ probe: source.probe, host: source.host }] : [];
  });
  return {
    key: link.id,
    subject: { kind: 'port', id: worst.end.id },
    sign: signOf(state),
    ...((worst.stale || other.stale) && { stale: true }),
    cells: {
      link: { text: `${worst.name} ⇄ ${other.name}` },
      rate: {
        text: rate === undefined ? (worst.unnamed ? '' : '?') : perSecond(rate),
        sort: rate ?? -1,
      },
      share: {
        text: share === undefined ? '' : sharePercent(share),
        sort: share ?? -1,
      },
      back: { text: other.rates[0]?.rxBad === undefined ? '' : perSecond(other.rates[0].rxBad) },
      trend: { text: trendOf(state, judgement) },
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
  const folded = quiet.length > fewQuiet;
  const rows = (folded ? loud : states).map((one) => rowOf(one, judgement));
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
      { id: 'lag', title: 'LAG', min: 9, drop: 2 },
      { id: 'verdict', title: 'VERDICT', min: 15, drop: 1 },
    ],
    rows: folded ? [...rows, quietRow(quiet)] : rows,
    empty,
  };
};

const quietRow = (quiet: readonly LinkState[]): Row => {
  const known = quiet.every((one) => signOf(one) === 'fine');
  return {
    key: 'quiet',
    sign: known ? 'fine' : 'unknown',
    cells: {
      link: {
        text: known
          ? `${count(quiet.length, 'link')} without errors`
          : `${count(quiet.length, 'link')} without errors seen, not all known yet`,
      },
    },
    search: quiet.map(({ link }) => link.id).join(' '),
  };
};
