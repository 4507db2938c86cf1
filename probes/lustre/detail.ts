import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Block, Cell } from '../../src/model/view.ts';
import { grouped, percent } from '../../src/text/units.ts';
import { flagText, lockShare } from './cells.ts';
import { flagsOf } from './flags.ts';
import { lustreOf } from './join.ts';
import type { OstRow } from './rows.ts';
import { flagOrigin } from './origin.ts';
import { bare, foldTargets } from './sentence.ts';
import { usedSeries } from './track.ts';
import { ostsTable } from './view-osts.ts';
import { targetsTable } from './view-targets.ts';
import { drainSteps } from './view-tasks.ts';

const hourMs = 3_600_000;

/** Everything known of an OST, a set of OSTs, a file system or a Lustre server; empty for what is none. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  const { byOst, systems } = lustreOf(judgement);
  if (subject.kind === 'volume') {
    const fs = systems.find(({ name }) => name === subject.id);
    return fs ? [only(targetsTable(judgement, ''), ({ subject: of }) => of?.id === fs.name)] : [];
  }
  if (subject.kind === 'host') {
    const table = only(targetsTable(judgement, ''), ({ cells }) => cells['host']?.text === subject.id);
    const osts = only(ostsTable(judgement, ''), ({ cells }) => cells['oss']?.text === subject.id);
    return [table, osts].filter(({ rows }) => rows.length > 0);
  }
  if (subject.kind !== 'ost') return [];
  const one = byOst.get(subject.id);
  if (one) return ostDetail(one, judgement);
  const members = systems
    .flatMap(({ osts }) => osts)
    .filter((ost) => subject.id.startsWith(`${ost.fs}-`) && within(ost, subject.id));
  if (members.length === 0) return [];
  const names = new Set(members.map(({ name }) => name));
  return [
    { type: 'text', id: 'set', lines: [{ text: `${members.length} OSTs: ${foldTargets([...names])}` }] },
    only(ostsTable(judgement, ''), ({ key }) => names.has(key)),
  ];
};

const only = <T extends Block & { type: 'table' }>(
  table: T,
  keep: (row: T['rows'][number]) => boolean,
): T => ({
  ...table,
  rows: table.rows.filter(keep),
});

/** Whether a folded set `fs-OST[0000-001d,0020]` holds an OST. */
const within = ({ index }: OstRow, set: string): boolean =>
  (/\[([0-9a-f,-]+)\]/i.exec(set)?.[1] ?? '').split(',').some((run) => {
    const [from = '', to = from] = run.split('-');
    return index >= Number.parseInt(from, 16) && index <= Number.parseInt(to, 16);
  });

const ostDetail = (ost: OstRow, judgement: Judgement): Block[] => {
  const { own, oss } = ost;
  const flags = flagsOf(ost);
  const locks = own?.locks;
  const share = lockShare(ost);
  const facts: { name: string; cell: Cell; source?: string }[] = [
    { name: 'server', cell: { text: oss ?? 'not known' } },
    {
      name: 'flags',
      cell: { text: flags.length === 0 ? 'none' : `${flagText(ost)}: ${flags.join(', ')}` },
    },
    ...flags.map((flag) => ({ name: flag, cell: { text: flagOrigin(ost, flag, judgement).text } })),
    { name: 'used', cell: { text: ost.used === undefined ? '' : percent(ost.used) } },
    {
      name: 'available',
      cell: { text: ost.kbAvail === undefined ? '' : `${grouped(Math.round(ost.kbAvail / 1_048_576))} GiB` },
    },
    {
      name: 'objects',
      cell: {
        text:
          own?.filesTotal === undefined || own.filesFree === undefined
            ? ''
            : grouped(own.filesTotal - own.filesFree),
      },
    },
    { name: 'exports', cell: { text: own?.exports === undefined ? '' : grouped(own.exports) } },
    { name: 'recovery', cell: { text: own?.recovery?.status ?? '' } },
    {
      name: 'locks',
      cell: {
        text:
          share === undefined
            ? ''
            : `${grouped(locks?.granted ?? 0)} of ${grouped(locks?.limit ?? 0)} (${percent(share)}), volume ${grouped(locks?.slv ?? 0)}`,
      },
    },
  ];
  const points = judgement.history
    .changes(usedSeries(ost.name), judgement.now - hourMs)
    .map(({ at, value }) => ({ at, value: Number(value) / 10 }));
  const steps = drainSteps(ost, judgement);
  return [
    ...(steps.length > 0 ? [{ type: 'text' as const, id: 'drain', title: 'Drain', lines: steps }] : []),
    {
      type: 'facts',
      id: 'ost',
      facts: facts
        .filter(({ cell }) => cell.text !== '')
        .map((one) => ({ ...one, ...(oss !== undefined && { source: oss }) })),
    },
    {
      type: 'text',
      id: 'verdict',
      title: 'Will it receive new files',
      lines: ost.mdts.map(({ mdt, allocation }) => ({
        text: `${bare(mdt)}: ${allocation.verdict}: ${allocation.because}`,
      })),
    },
    {
      type: 'table',
      id: 'imports',
      title: 'As the MDTs see it',
      columns: [
        { id: 'mdt', title: 'MDT', min: 8 },
        { id: 'active', title: 'ACTIVE', min: 6 },
        { id: 'state', title: 'IMPORT', min: 10 },
        { id: 'prealloc', title: 'PREALLOC', align: 'right', min: 8 },
        { id: 'max', title: 'MAX CREATE', align: 'right', min: 10 },
        { id: 'destroys', title: 'DESTROYS', align: 'right', min: 8 },
      ],
      rows: ost.mdts.map(({ mdt, osp, stale }) => ({
        key: mdt,
        ...(stale && { stale: true }),
        cells: {
          mdt: { text: bare(mdt) },
          active: { text: osp?.active === undefined ? '?' : osp.active ? '1' : '0' },
          state: { text: osp?.state ?? '?' },
          prealloc: { text: osp?.prealloc === undefined ? '?' : String(osp.prealloc) },
          max: { text: osp?.maxCreateCount === undefined ? '?' : grouped(osp.maxCreateCount) },
          destroys: { text: osp?.destroys === undefined ? '?' : grouped(osp.destroys) },
        },
      })),
      empty: 'no MDT was read',
    },
    {
      type: 'table',
      id: 'clients',
      title: 'As clients see it',
      columns: [
        { id: 'host', title: 'CLIENT', min: 10, grow: 1 },
        { id: 'active', title: 'ACTIVE', min: 6 },
        { id: 'state', title: 'IMPORT', min: 10 },
        { id: 'df', title: 'LFS DF', min: 11 },
        { id: 'flags', title: 'FLAGS', min: 5 },
      ],
      rows: ost.clients.map(({ host, active, state, df, flags: seen }) => ({
        key: host,
        cells: {
          host: { text: host },
          active: { text: active === undefined ? '?' : active ? '1' : '0' },
          state: { text: state ?? '?' },
          df: { text: df ?? 'not read' },
          flags: { text: seen ?? '' },
        },
      })),
      empty: 'no client was read',
    },
    ...(points.length > 1
      ? [
          {
            type: 'chart' as const,
            id: 'used',
            title: 'used, last hour',
            unit: '%',
            series: [{ name: ost.name, points }],
          },
        ]
      : []),
  ];
};
