import type { Judgement } from '../../src/model/system.ts';
import type { TableBlock } from '../../src/model/view.ts';
import { grouped } from '../../src/text/units.ts';
import { flagText, lockShare, mdtCells, mdtColumns, ostSign, rangeCell, verdictText } from './cells.ts';
import { lustreOf } from './join.ts';
import { ostSubject } from './sentence.ts';
import { sourcesOf } from './view-groups.ts';

/** Every OST, one row each. */
export const ostsTable = (judgement: Judgement, empty: string): TableBlock => {
  const { systems } = lustreOf(judgement);
  const columns = mdtColumns(systems);
  return {
    type: 'table',
    id: 'osts',
    title: 'All OSTs',
    columns: [
      { id: 'ost', title: 'OST', min: 15, grow: 1 },
      { id: 'oss', title: 'OSS', min: 6 },
      { id: 'use', title: 'USE', align: 'right', min: 6 },
      { id: 'files', title: 'OBJECTS', align: 'right', min: 11, drop: 3 },
      { id: 'exports', title: 'EXPORTS', align: 'right', min: 7, drop: 4 },
      ...columns.map(({ column }) => column),
      { id: 'flag', title: 'FLAG', min: 4 },
      { id: 'locks', title: 'LOCKS', align: 'right', min: 6, drop: 2 },
      { id: 'receive', title: 'WILL RECEIVE', min: 18, grow: 1 },
    ],
    rows: systems
      .flatMap(({ osts }) => osts)
      .map((ost) => {
        const { filesTotal, filesFree, exports } = ost.own ?? {};
        const files =
          filesTotal === undefined || filesFree === undefined ? undefined : filesTotal - filesFree;
        return {
          key: ost.name,
          subject: ostSubject(ost.name),
          sign: ostSign(ost),
          ...(ost.ownStale && ost.mdts.every(({ stale }) => stale) && { stale: true }),
          cells: {
            ost: { text: ost.name, sign: ostSign(ost) },
            oss: { text: ost.oss ?? '' },
            use: rangeCell([ost.used]),
            files: files === undefined ? { text: '' } : { text: grouped(files), sort: files },
            exports: exports === undefined ? { text: '' } : { text: grouped(exports), sort: exports },
            ...mdtCells(ost, columns),
            flag: { text: flagText(ost) },
            locks: rangeCell([lockShare(ost)]),
            receive: { text: verdictText(ost) },
          },
          sources: sourcesOf(ost),
        };
      }),
    empty,
  };
};
