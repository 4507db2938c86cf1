import type { Judgement } from '../../../src/model/system.ts';
import { blank } from '../../../src/kit/rows.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import type { Cell, Row, TableBlock } from '../../../src/model/view.ts';
import { flagText, mdtCells, mdtColumns, mdtText, ostSign, rangeCell, verdictText } from './cells.ts';
import { lustreOf } from '../judge/join.ts';
import { lockShare } from '../judge/locks.ts';
import { locksCourse } from '../judge/facts.ts';
import type { OstRow } from '../judge/rows.ts';
import { foldHex, foldTargets, ostSubject } from '../judge/names.ts';

const severity = ['critical', 'warning', 'notice', 'unknown', 'stale', 'fine'];

/** OSTs folded where alike: what stands out is a row of its own, the rest one line. */
export const groupsTable = (judgement: Judgement, empty: string): TableBlock => {
  const { systems } = lustreOf(judgement);
  const columns = mdtColumns(systems);
  const groups = Map.groupBy(
    systems.flatMap(({ osts }) => osts),
    (ost) =>
      [
        ost.fs,
        ostSign(ost),
        flagText(ost),
        verdictText(ost),
        ...ost.mdts.map(mdtText),
        ostSign(ost) === 'fine' ? '' : ost.oss,
      ].join('|'),
  );
  const several = systems.length > 1;
  return {
    type: 'table',
    id: 'groups',
    columns: [
      { id: 'ost', title: 'OST', min: 12, grow: 1 },
      { id: 'oss', title: 'OSS', min: 6, drop: 3 },
      { id: 'use', title: 'USE', align: 'right', min: 7 },
      ...columns.map(({ column }) => column),
      { id: 'flag', title: 'FLAG', min: 4 },
      { id: 'locks', title: 'LOCKS', align: 'right', min: 8, drop: 1 },
      { id: 'fill', title: 'FILL', min: 8, drop: 4 },
      { id: 'course', title: 'LOCKS 1 H', min: 12, drop: 5 },
      { id: 'receive', title: 'WILL RECEIVE', min: 18, grow: 1 },
    ],
    rows: [...groups.values()]
      .map((members) => groupRow(members, judgement, columns, several))
      .toSorted((a, b) => severity.indexOf(a.sign ?? 'fine') - severity.indexOf(b.sign ?? 'fine')),
    empty,
  };
};

/** The fullest of them: a bar between two others would be of none. */
const fillCell = (members: readonly OstRow[]): Cell => {
  const used = members.flatMap((one) => one.used ?? []);
  return used.length === 0 ? blank : { text: '', share: Math.max(...used) };
};

const groupRow = (
  members: readonly OstRow[],
  judgement: Judgement,
  columns: ReturnType<typeof mdtColumns>,
  several: boolean,
): Row => {
  const names = members.map(({ name }) => name);
  const [first] = members;
  if (!first) return { key: '', cells: {} };
  const set = foldHex(
    members.map(({ index }) => index),
    2,
  );
  const servers = [...new Set(members.flatMap(({ oss }) => oss ?? []))];
  return {
    // One line stays the same line while OSTs come and go: by what they have in common.
    key: [
      first.fs,
      ostSign(first),
      flagText(first),
      verdictText(first),
      members.length === 1 ? first.name : first.oss,
    ].join(' '),
    subject: ostSubject(foldTargets(names)),
    members: names.map(ostSubject),
    sign: ostSign(first),
    ...(members.every(({ ownStale, mdts }) => ownStale && mdts.every(({ stale }) => stale)) && {
      stale: true,
    }),
    cells: {
      ost: { text: several ? `${first.fs} ${set}` : set, sign: ostSign(first), sort: first.index },
      oss: { text: servers.length === 1 ? (servers[0] ?? '') : '' },
      use: rangeCell(members.map(({ used }) => used)),
      ...mdtCells(first, columns),
      flag: { text: flagText(first) },
      locks: rangeCell(members.map(lockShare)),
      fill: fillCell(members),
      course: members.length === 1 ? trendCell(judgement, locksCourse(first.name)) : blank,
      receive: { text: verdictText(first) },
    },
    search: names.join(' '),
    sources: sourcesOf(first),
  };
};

export const sourcesOf = (ost: OstRow): { probe: string; host: string }[] => [
  ...(ost.oss === undefined ? [] : [{ probe: 'lustre.oss', host: ost.oss }]),
  ...ost.clients.slice(0, 2).map(({ host }) => ({ probe: 'lustre.client', host })),
];
