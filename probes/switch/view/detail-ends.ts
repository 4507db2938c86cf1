import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, TableBlock } from '../../../src/model/view.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { membersText } from '../links/lags.ts';
import { loadOf } from '../links/loads.ts';
import { type EndState, type LinkState } from '../judge/states.ts';
import { limitsOf } from '../verdict/light.ts';
import { ratePerSecond, sharePercent } from '../read/words.ts';

const figures: readonly [string, (end: EndState, judgement: Judgement) => string][] = [
  ['link', ({ port }) => port?.link ?? ''],
  ['bad frames/s received', ({ rates }) => optional(rates[0]?.rxBad, ratePerSecond)],
  ['share of frames', ({ rates }) => optional(rates[0]?.rxShare, sharePercent)],
  ['stomped/s', ({ rates }) => optional(rates[0]?.rxStomped, ratePerSecond)],
  ['transmit errors/s', ({ rates }) => optional(rates[0]?.txBad, ratePerSecond)],
  ['discards/s in', ({ rates }) => optional(rates[0]?.rxDiscards, ratePerSecond)],
  ['discards/s out', ({ rates }) => optional(rates[0]?.txDiscards, ratePerSecond)],
  ['FEC corrected/s', ({ rates }) => optional(rates[0]?.fecCorrected, ratePerSecond)],
  ['FEC uncorrectable/s', ({ rates }) => optional(rates[0]?.fecUncorrected, ratePerSecond)],
  ['packets/s in', ({ rates }) => optional(rates[0]?.rxPackets, ratePerSecond)],
  [
    'load',
    ({ end }, judgement) =>
      end.host === undefined || end.port === undefined ? '' : loadText(judgement, end.host, end.port),
  ],
  ['CRC in all', ({ port }) => optional(port?.counts['rxCrc'], groupThousands)],
  ['frames in all', ({ port }) => optional(port?.counts['rxPackets'], groupThousands)],
  ['last clearing', ({ port }) => port?.lastClear ?? ''],
  ['LAG', ({ lag }) => (lag ? `${lag.lag} ${membersText(lag)}` : '')],
  ['TX power', ({ lanes }) => dbm(lanes.flatMap((one) => one.txDbm ?? []))],
  ['RX power', ({ lanes }) => dbm(lanes.flatMap((one) => one.rxDbm ?? []))],
  ['module', ({ lanes: [lane] }) => optional(lane?.tempC, (tempC) => `${tempC.toFixed(0)} °C`)],
];

const optional = <T>(value: T | undefined, show: (value: T) => string): string =>
  value === undefined ? '' : show(value);

/** Load of a port; empty while it is not known. */
export const loadText = (judgement: Judgement, host: string, port: string): string =>
  optional(loadOf(judgement, host, port), sharePercent);

const dbm = (values: readonly number[]): string =>
  values.length === 0
    ? ''
    : `${Math.min(...values).toFixed(1)} dBm${values.length > 1 ? ' (weakest lane)' : ''}`;

/** Both ends side by side: what one of them tells is a line. */
export const endsTable = ({ worst, other }: LinkState, judgement: Judgement): TableBlock => ({
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
      cells: { what: { text: 'read' }, worst: ageCell(worst), other: ageCell(other) },
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

const ageCell = ({ at, end }: EndState): Cell => {
  if (at !== undefined) return { text: '', age: at };
  return { text: end.host === undefined ? 'not on this site' : 'never' };
};

/** Light by lane, against the module's own limits. */
export const lanesTable = ({ worst, other }: LinkState): TableBlock[] => {
  const lanes = [worst, other].flatMap((end) => end.lanes.map((lane) => ({ end, lane })));
  if (lanes.length === 0) return [];
  const shownValue = (value: number | undefined): string => value?.toFixed(1) ?? '';
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
        { id: 'rxHigh', title: 'HIGH', align: 'right', min: 6 },
      ],
      rows: lanes.map(({ end, lane }, index) => ({
        key: String(index),
        cells: {
          port: { text: end.name },
          lane: { text: lane.lane === undefined ? '' : String(lane.lane) },
          tx: { text: shownValue(lane.txDbm) },
          txLow: { text: shownValue(limitsOf(lane, 'tx').low) },
          rx: { text: shownValue(lane.rxDbm) },
          rxLow: { text: shownValue(limitsOf(lane, 'rx').low) },
          rxHigh: { text: shownValue(limitsOf(lane, 'rx').high) },
        },
      })),
      empty: 'no module gives readings',
    },
  ];
};
