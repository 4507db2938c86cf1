import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Block, Cell, TableBlock, TextBlock } from '../../src/model/view.ts';
import { age } from '../../src/text/ages.ts';
import { grouped } from '../../src/text/units.ts';
import { lagOf, loadOf, membersText } from './lags.ts';
import { doubtOf } from './doubt.ts';
import { answered } from './findings.ts';
import { cellsOf } from './matrix.ts';
import { journal } from './journal.ts';
import { repairsAt } from './repairs.ts';
import { quietMs, stateAt, type EndState, type LinkState } from './states.ts';
import { badSeries, totalSeries } from './track.ts';
import type { Cause } from './verdict/case.ts';
import { signs } from './view-matrix.ts';
import { perSecond, sharePercent } from './words.ts';

const hourMs = 3_600_000;

/** A port with its link: the verdict and why, both ends side by side, light, errors of the last hour, what was repaired. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  if (subject.kind === 'lag') return [lagTable(subject.id, judgement)];
  if (subject.kind === 'host' || subject.kind === 'site') return [pathsTable(subject, judgement)];
  const state = stateAt(judgement, subject.id);
  if (!state) return [];
  return [
    verdictBlock(state),
    endsTable(state, judgement),
    ...lanesTable(state),
    errorsChart(state, judgement),
    historyBlock(state, judgement),
  ];
};

const because = ({ text, evidence }: Cause, index: number): Cell => ({
  text: `${index + 1}. ${text}${evidence.length === 0 ? '' : `: ${evidence.join('; ')}`}`,
});

/** What is odd about the counters themselves: whole sentences, for no column holds them. */
const remarksOf = (ends: readonly EndState[]): readonly Cell[] =>
  ends.flatMap(({ name, rates: [now] }) =>
    (now?.remarks ?? []).map((text) => ({ text: `${name}: ${text}` })),
  );

const notJudged: Readonly<Record<NonNullable<EndState['silent']>, (name: string) => string>> = {
  'just came up': (name) =>
    `${name} came up less than ${age(quietMs)} ago: bad frames while a link settles are shown, not judged`,
  'node reboots': (name) => `its node is being rebooted: bad frames at ${name} are shown, not judged`,
};

const verdictBlock = ({ worst, other }: LinkState): TextBlock => {
  const { verdict } = worst;
  if (!verdict) {
    const doubts = [worst, other].flatMap((end) => {
      const doubt = doubtOf(end);
      return doubt === undefined ? [] : [{ text: `not known what ${end.name} receives: ${doubt}` }];
    });
    const text = worst.silent
      ? notJudged[worst.silent](worst.name)
      : worst.rates.length === 0
        ? 'no verdict from a single sample'
        : 'no bad frames in the last interval';
    return {
      type: 'text',
      id: 'verdict',
      title: 'Verdict',
      lines: [...(doubts.length > 0 ? doubts : [{ text }]), ...remarksOf([worst, other])],
    };
  }
  const { first, next, confidence, causes, caveats } = verdict;
  return {
    type: 'text',
    id: 'verdict',
    title: `Verdict, confidence ${confidence}`,
    lines: [
      { text: `Look first at ${first.at}: ${first.steps.join(', ')}` },
      ...(next ? [{ text: `Next at ${next.at}: ${next.steps.join(', ')}` }] : []),
      ...causes.slice(0, 5).map(because),
      ...caveats.map((text) => ({ text: `but ${text}` })),
      ...remarksOf([worst, other]),
    ],
  };
};

const figures: readonly [string, (end: EndState, judgement: Judgement) => string][] = [
  ['link', ({ port }) => port?.link ?? ''],
  ['bad frames/s received', ({ rates }) => optional(rates[0]?.rxBad, perSecond)],
  ['share of frames', ({ rates }) => optional(rates[0]?.rxShare, sharePercent)],
  ['stomped/s', ({ rates }) => optional(rates[0]?.rxStomped, perSecond)],
  ['transmit errors/s', ({ rates }) => optional(rates[0]?.txBad, perSecond)],
  ['discards/s in', ({ rates }) => optional(rates[0]?.rxDiscards, perSecond)],
  ['discards/s out', ({ rates }) => optional(rates[0]?.txDiscards, perSecond)],
  ['FEC corrected/s', ({ rates }) => optional(rates[0]?.fecCorrected, perSecond)],
  ['FEC uncorrectable/s', ({ rates }) => optional(rates[0]?.fecUncorrected, perSecond)],
  ['packets/s in', ({ rates }) => optional(rates[0]?.rxPackets, perSecond)],
  [
    'load',
    ({ end }, judgement) =>
      end.host === undefined || end.port === undefined
        ? ''
        : optional(loadOf(judgement, end.host, end.port), sharePercent),
  ],
  ['CRC in all', ({ port }) => optional(port?.counts['rxCrc'], grouped)],
  ['frames in all', ({ port }) => optional(port?.counts['rxPackets'], grouped)],
  ['last clearing', ({ port }) => port?.lastClear ?? ''],
  ['LAG', ({ lag }) => (lag ? `${lag.lag} ${membersText(lag)}` : '')],
  ['TX power', ({ lanes }) => dbm(lanes.flatMap((one) => one.txDbm ?? []))],
  ['RX power', ({ lanes }) => dbm(lanes.flatMap((one) => one.rxDbm ?? []))],
];

const optional = <T>(value: T | undefined, show: (value: T) => string): string =>
  value === undefined ? '' : show(value);

const dbm = (values: readonly number[]): string =>
  values.length === 0
    ? ''
    : `${Math.min(...values).toFixed(1)} dBm${values.length > 1 ? ' (weakest lane)' : ''}`;

const endsTable = ({ worst, other }: LinkState, judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'ends',
  title: 'Both ends',
  columns: [
    { id: 'what', title: '', min: 21 },
    { id: 'worst', title: worst.name, align: 'right', min: 13, grow: 1 },
    { id: 'other', title: other.name, align: 'right', min: 13, grow: 1 },
  ],
  rows: [
    {
      key: 'read',
      cells: { what: { text: 'read' }, worst: when(worst), other: when(other) },
    },
    ...figures.flatMap(([what, show]) => {
      const [one, two] = [show(worst, judgement), show(other, judgement)];
      return one === '' && two === ''
        ? []
        : [{ key: what, cells: { what: { text: what }, worst: { text: one }, other: { text: two } } }];
    }),
  ],
  empty: 'nothing known',
});

const when = ({ at }: EndState): Cell => (at === undefined ? { text: 'never' } : { text: '', age: at });

const lanesTable = ({ worst, other }: LinkState): TableBlock[] => {
  const lanes = [worst, other].flatMap((end) => end.lanes.map((lane) => ({ end, lane })));
  if (lanes.length === 0) return [];
  const limit = (low: number | undefined): string => (low === undefined ? '' : low.toFixed(1));
  return [
    {
      type: 'table',
      id: 'lanes',
      title: 'Light, dBm',
      columns: [
        { id: 'port', title: 'PORT', min: 16, grow: 1 },
        { id: 'lane', title: 'LANE', align: 'right', min: 4 },
        { id: 'tx', title: 'TX', align: 'right', min: 6 },
        { id: 'txLow', title: 'LOW', align: 'right', min: 6 },
        { id: 'rx', title: 'RX', align: 'right', min: 6 },
        { id: 'rxLow', title: 'LOW', align: 'right', min: 6 },
      ],
      rows: lanes.map(({ end, lane }, index) => ({
        key: String(index),
        cells: {
          port: { text: end.name },
          lane: { text: lane.lane === undefined ? '' : String(lane.lane) },
          tx: { text: limit(lane.txDbm) },
          txLow: { text: limit(lane.txLimits?.warnLow ?? lane.txLimits?.alarmLow) },
          rx: { text: limit(lane.rxDbm) },
          rxLow: { text: limit(lane.rxLimits?.warnLow ?? lane.rxLimits?.alarmLow) },
        },
      })),
      empty: 'no module gives readings',
    },
  ];
};

const errorsChart = ({ worst, other }: LinkState, { history, now }: Judgement): Block => ({
  type: 'chart',
  id: 'errors',
  title: 'bad frames received, last hour',
  unit: 'frames/s',
  series: [worst, other]
    .filter(({ end }) => end.port !== undefined)
    .map(({ end, name, at: until }) => ({
      name,
      points: heldNought(
        history
          .changes(badSeries(end.id), now - hourMs)
          .map(({ at, value }) => ({ at, value: Number(value) })),
        until ?? now,
      ),
    })),
});

/** Bad frames counted at a port until then. A counter that stood still before was written down when it last moved. */
const totalAt = (portId: string, at: number, { history }: Judgement): bigint | undefined => {
  const before = (since: number) =>
    history.changes(totalSeries(portId), since).findLast((one) => one.at <= at);
  const value = (before(at - hourMs) ?? before(0))?.value;
  if (typeof value === 'bigint') return value;
  // Nought is not written down; that the port was read is.
  return history.changes(badSeries(portId), 0).some((one) => one.at <= at) ? 0n : undefined;
};
/** What ports with errors are asked by: the finest that a chart of them can show. */
const stepMs = 10_000;

/**
 * The history holds what changed, and a rate that is not nought differs from reading to reading. Nought stays as it is: without more points
 * the course of a port that has fallen silent would end with its last errors.
 */
export const heldNought = (
  points: readonly { at: number; value: number }[],
  until: number,
): readonly { at: number; value: number }[] =>
  points.flatMap((point, index) => {
    if (point.value !== 0) return [point];
    const end = points[index + 1]?.at ?? until + 1;
    const more = Math.max(0, Math.ceil((end - point.at) / stepMs) - 1);
    return [
      point,
      ...Array.from({ length: more }, (_, at) => ({ at: point.at + (at + 1) * stepMs, value: 0 })),
    ];
  });

/** Repairs noted on both ends, and bad frames since our own mark. */
const historyBlock = ({ link, worst, other }: LinkState, judgement: Judgement): TextBlock => {
  const repairs = [worst, other].flatMap(({ end, name }) =>
    repairsAt(judgement, end.id, link).map((one) => ({
      at: one.at,
      text: `${name}: ${one.text} (${one.part}, ${one.by}, ${age(judgement.now - one.at)} ago)`,
    })),
  );
  const marks = [worst, other].flatMap(({ end, name, port }) =>
    (journal(judgement)?.baselines ?? [])
      .filter((one) => one.port === end.id)
      .map((one) => {
        const total = port?.counts['rxCrc'] ?? port?.counts['rxErrors'];
        const begun = totalAt(end.id, one.at, judgement);
        const since =
          total === undefined || begun === undefined || total < begun
            ? 'no bad frames known since'
            : `${grouped(total - begun)} bad frames since`;
        return {
          at: one.at,
          text: `${name}: ${since} the mark of ${one.by}, ${age(judgement.now - one.at)} ago`,
        };
      }),
  );
  const lines = [...repairs, ...marks].toSorted((a, b) => b.at - a.at).map(({ text }) => ({ text }));
  return {
    type: 'text',
    id: 'repairs',
    title: 'Repairs and marks',
    lines:
      lines.length > 0
        ? lines
        : [{ text: `nothing noted: N notes a repair at ${worst.name}, "far optic" one at ${other.name}` }],
  };
};

const lagTable = (id: string, judgement: Judgement): TableBlock => {
  const [host = '', name = ''] = id.split(':');
  const members = judgement.readings
    .sources<{ members: { lag: string; member: string; state?: string }[] }>('switch.lags')
    .find((one) => one.host === host)?.good?.value.members;
  return {
    type: 'table',
    id: 'members',
    title: `Members of ${name} on ${host}`,
    columns: [
      { id: 'port', title: 'PORT', min: 10, grow: 1 },
      { id: 'state', title: 'STATE', min: 10 },
      { id: 'load', title: 'LOAD', align: 'right', min: 6 },
    ],
    rows: (members ?? [])
      .filter((one) => one.lag === name)
      .map((one) => ({
        key: one.member,
        subject: { kind: 'port', id: `${host}:${one.member}` },
        cells: {
          port: { text: one.member },
          state: { text: one.state ?? '' },
          load: { text: optional(loadOf(judgement, host, one.member), sharePercent) },
        },
      })),
    empty: lagOf(judgement, host, name) ? 'no members' : 'not read yet',
  };
};

const pathsTable = ({ kind, id }: Subject, judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'paths',
  title: 'Paths, by the last run',
  columns: [
    { id: 'path', title: 'PATH', min: 20, grow: 1 },
    { id: 'small', title: 'SMALL', align: 'right', min: 9 },
    { id: 'jumbo', title: 'JUMBO', align: 'right', min: 9 },
    { id: 'age', title: 'AGE', align: 'right', min: 7 },
  ],
  rows: cellsOf(judgement)
    .filter(({ client }) => kind === 'site' || client === id)
    .map((cell) => ({
      key: `${cell.client} ${cell.server}`,
      sign: signs[cell.kind],
      cells: {
        path: { text: `${cell.client} to ${cell.server}` },
        small: { text: answered(cell.small) },
        jumbo: { text: answered(cell.jumbo) },
        age: { text: '', age: cell.at },
      },
    })),
  empty: 'not run yet',
});
