import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, Row, TableBlock } from '../../../src/model/view.ts';
import { blank, figure } from '../../../src/kit/rows.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { flagText, mdtCells, mdtColumns, ostSign, rangeCell, verdictText } from './cells.ts';
import { lustreOf } from '../judge/join.ts';
import { lockShare } from '../judge/locks.ts';
import { locksCourse } from '../judge/facts.ts';
import type { OssReading } from '../readings.ts';
import type { OstRow } from '../judge/rows.ts';
import { ostSubject } from '../judge/names.ts';
import { sourcesOf } from './groups.ts';

/** What the MDTs read, each value once: `0`, `20,000/0`; `?` for one that did not tell. */
const eachOnce = (values: readonly (number | undefined)[]): string =>
  [...new Set(values.map((one) => (one === undefined ? '?' : groupThousands(one))))].join('/');

const clientsCell = ({ clients }: OstRow): Cell => {
  if (clients.length === 0) return { text: 'not read' };
  const off = clients.filter(({ active }) => active === false).length;
  return off > 0 ? { text: `${groupThousands(off)} inactive`, sign: 'warning' } : { text: 'active' };
};

/** Every OST, one row each: the three views side by side. */
export const ostsTable = (judgement: Judgement, empty: string): TableBlock => {
  const { systems } = lustreOf(judgement);
  const columns = mdtColumns(systems);
  const health = new Map(
    judgement.readings
      .sources<OssReading>('lustre.oss')
      .map(({ host, good }) => [host, good?.value.health ?? '?']),
  );
  return {
    type: 'table',
    id: 'osts',
    title: 'All OSTs',
    columns: [
      { id: 'ost', title: 'OST', min: 15, grow: 1 },
      { id: 'oss', title: 'OSS', min: 6 },
      { id: 'use', title: 'USE', align: 'right', min: 6 },
      { id: 'fill', title: 'FILL', min: 8, drop: 12 },
      { id: 'files', title: 'OBJECTS', align: 'right', min: 11, drop: 3 },
      { id: 'exports', title: 'EXPORTS', align: 'right', min: 7, drop: 4 },
      { id: 'recovery', title: 'RECOVERY', min: 10, drop: 5 },
      { id: 'clients', title: 'CLIENTS', min: 10, drop: 6 },
      { id: 'prealloc', title: 'PREALLOC', align: 'right', min: 8, drop: 7 },
      { id: 'max', title: 'MAX CREATE', align: 'right', min: 10, drop: 8 },
      { id: 'slv', title: 'LOCK VOLUME', align: 'right', min: 14, drop: 9 },
      { id: 'health', title: 'OSS HEALTH', min: 10, drop: 10 },
      ...columns.map(({ column }) => column),
      { id: 'flag', title: 'FLAG', min: 4 },
      { id: 'locks', title: 'LOCKS', align: 'right', min: 6, drop: 2 },
      { id: 'course', title: 'LOCKS 1 H', min: 12, drop: 11 },
      { id: 'receive', title: 'WILL RECEIVE', min: 18, grow: 1 },
    ],
    rows: systems.flatMap(({ osts }) => osts).map((ost) => ostRow(ost, judgement, columns, health)),
    empty,
  };
};

/** A count; nothing where it was not read. */
const countCell = (count: number | undefined): Cell =>
  count === undefined ? blank : figure(count, groupThousands(count));

const ostRow = (
  ost: OstRow,
  judgement: Judgement,
  columns: ReturnType<typeof mdtColumns>,
  health: ReadonlyMap<string, string>,
): Row => {
  const { filesTotal, filesFree, exports, locks, recovery } = ost.own ?? {};
  const files = filesTotal === undefined || filesFree === undefined ? undefined : filesTotal - filesFree;
  return {
    key: ost.name,
    subject: ostSubject(ost.name),
    sign: ostSign(ost),
    ...(ost.ownStale && ost.mdts.every(({ stale }) => stale) && { stale: true }),
    cells: {
      ost: { text: ost.name, sign: ostSign(ost) },
      oss: { text: ost.oss ?? '' },
      use: rangeCell([ost.used]),
      fill: ost.used === undefined ? blank : { text: '', share: ost.used },
      files: countCell(files),
      exports: countCell(exports),
      recovery: { text: recovery?.status.toLowerCase() ?? '' },
      clients: clientsCell(ost),
      prealloc: { text: eachOnce(ost.mdts.map(({ osp }) => osp?.prealloc)) },
      max: { text: eachOnce(ost.mdts.map(({ osp }) => osp?.maxCreateCount)) },
      slv: countCell(locks?.slv),
      health: { text: ost.oss === undefined ? '' : (health.get(ost.oss) ?? '?') },
      ...mdtCells(ost, columns),
      flag: { text: flagText(ost) },
      locks: rangeCell([lockShare(ost)]),
      course: trendCell(judgement, locksCourse(ost.name)),
      receive: { text: verdictText(ost) },
    },
    sources: sourcesOf(ost),
  };
};
