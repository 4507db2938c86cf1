import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, FactsBlock, TableBlock } from '../../../src/model/view.ts';
import { kernelCells, linesOfKinds, type LineKind } from '../../../src/kit/kernel-log.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { groupThousands, percent } from '../../../src/text/units.ts';
import { flagText } from './cells.ts';
import { flagOrigin, flagsOf } from '../judge/flags.ts';
import { ioWindows } from '../judge/io-times.ts';
import { lockShare } from '../judge/locks.ts';
import { lustreOf } from '../judge/join.ts';
import type { OstRow } from '../judge/rows.ts';
import { shortTarget, foldTargets, indexOf } from '../judge/names.ts';
import { usedSeries } from '../judge/facts.ts';
import { ostsTable } from './osts.ts';
import { targetsTable } from './targets.ts';
import { drainSteps } from './tasks.ts';

const hourMs = 3_600_000;

/** Everything known of an OST, a set of OSTs, a file system or a Lustre server; empty for what is none. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  const { byOst, systems } = lustreOf(judgement);
  if (subject.kind === 'volume') {
    const fs = systems.find(({ name }) => name === subject.id);
    const own = new Set(fs?.mdts.map(({ name }) => name));
    return fs ? [keepRows(targetsTable(judgement, ''), ({ key }) => own.has(key))] : [];
  }
  if (subject.kind === 'mdt') return mdtDetail(subject.id, judgement);
  if (subject.kind === 'host') {
    const table = keepRows(targetsTable(judgement, ''), ({ cells }) => cells['host']?.text === subject.id);
    const osts = keepRows(ostsTable(judgement, ''), ({ cells }) => cells['oss']?.text === subject.id);
    return [...[table, osts].filter(({ rows }) => rows.length > 0), ...kernelBlocks(subject, judgement)];
  }
  if (subject.kind !== 'ost') return [];
  const one = byOst.get(subject.id);
  if (one) return ostDetail(one, judgement);
  const members = systems
    .flatMap(({ osts }) => osts)
    .filter((ost) => subject.id.startsWith(`${ost.fs}-`) && isWithin(ost.index, subject.id));
  if (members.length === 0) return [];
  const names = new Set(members.map(({ name }) => name));
  return [
    { type: 'text', id: 'set', lines: [{ text: `${members.length} OSTs: ${foldTargets([...names])}` }] },
    keepRows(ostsTable(judgement, ''), ({ key }) => names.has(key)),
  ];
};

/** An MDT, or those of a folded set: its row, and what others say of the connection to it. */
const mdtDetail = (id: string, judgement: Judgement): Block[] => {
  const rows = lustreOf(judgement)
    .systems.flatMap(({ mdts }) => mdts)
    .filter(({ name, fs }) => name === id || (id.startsWith(`${fs}-MDT[`) && isWithin(indexOf(name), id)));
  if (rows.length === 0) return [];
  const names = new Set(rows.map(({ name }) => name));
  return [
    keepRows(targetsTable(judgement, ''), ({ key }) => names.has(key)),
    {
      type: 'table',
      id: 'mdt-imports',
      title: 'As others reach it',
      columns: [
        { id: 'mdt', title: 'MDT', min: 8 },
        { id: 'host', title: 'FROM', min: 12, grow: 1 },
        { id: 'active', title: 'ACTIVE', min: 6 },
        { id: 'state', title: 'IMPORT', min: 10 },
      ],
      rows: rows.flatMap(({ name, imports }) =>
        imports.map(({ host, from, active, state }) => ({
          key: `${name} ${host} ${from ?? ''}`,
          cells: {
            mdt: { text: shortTarget(name) },
            host: { text: from === undefined ? host : `${shortTarget(from)} on ${host}` },
            active: { text: figureText(active) },
            state: { text: state ?? '?' },
          },
        })),
      ),
      empty: 'no client and no other MDT was read',
    },
  ];
};

const kernelKinds: readonly LineKind[] = [
  { kind: 'lustre', pattern: /\bLustreError\b|Lustre: .*(?:evict|lost|was lost)/ },
];

/** What the kernel of a host said of Lustre when it was asked. */
const kernelBlocks = (host: Subject, { facts, now }: Judgement): Block[] => {
  const lines = linesOfKinds(facts.find('host.kernel', host)?.value.lines ?? [], kernelKinds);
  if (lines.length === 0) return [];
  return [{ type: 'text', id: 'kernel', title: 'Kernel lines of Lustre', lines: kernelCells(lines, now) }];
};

const keepRows = <T extends Block & { type: 'table' }>(
  table: T,
  keep: (row: T['rows'][number]) => boolean,
): T => ({
  ...table,
  rows: table.rows.filter(keep),
});

/** Whether a folded set `fs-OST[0000-001d,0020]` holds a target. */
const isWithin = (index: number, set: string): boolean =>
  (/\[([0-9a-f,-]+)\]/i.exec(set)?.[1] ?? '').split(',').some((run) => {
    const [from = '', to = from] = run.split('-');
    return index >= Number.parseInt(from, 16) && index <= Number.parseInt(to, 16);
  });

const ostDetail = (ost: OstRow, judgement: Judgement): Block[] => {
  const points = judgement.history
    .changes(usedSeries(ost.name), judgement.now - hourMs)
    .map(({ at, value }) => ({ at, value: Number(value) / 10 }));
  const steps = drainSteps(ost, judgement);
  const series = [{ name: ost.name, points }];
  return [
    ...(steps.length > 0 ? [{ type: 'text' as const, id: 'drain', title: 'Drain', lines: steps }] : []),
    factsBlock(ost, judgement),
    {
      type: 'text',
      id: 'verdict',
      title: 'Will it receive new files',
      lines: ost.mdts.map(({ mdt, allocation }) => ({
        text: `${shortTarget(mdt)}: ${allocation.verdict}: ${allocation.because}`,
      })),
    },
    importsTable(ost),
    clientsTable(ost),
    ...(points.length > 1
      ? [{ type: 'chart' as const, id: 'used', title: 'used, last hour', unit: '%', series }]
      : []),
  ];
};

/** What its own server and what somebody set on it tell; what is not known is left out. */
const factsBlock = (ost: OstRow, judgement: Judgement): FactsBlock => {
  const { own, oss, used, kbAvail } = ost;
  const flags = flagsOf(ost);
  const share = lockShare(ost);
  const { granted = 0, limit = 0, slv = 0 } = own?.locks ?? {};
  const texts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['server', oss ?? 'not known'],
    ['flags', flags.length === 0 ? 'none' : `${flagText(ost)}: ${flags.join(', ')}`],
    ...flags.map((flag) => [flag, flagOrigin(ost, flag, judgement).text] as const),
    ['used', used === undefined ? undefined : percent(used)],
    [
      'available',
      kbAvail === undefined ? undefined : `${groupThousands(Math.round(kbAvail / 1_048_576))} GiB`,
    ],
    ['objects', own?.filesFree === undefined ? undefined : countText(own.filesTotal, own.filesFree)],
    ['exports', countText(own?.exports)],
    ['recovery', own?.recovery?.status],
    ...ioTexts(ost, judgement),
    [
      'locks',
      share === undefined
        ? undefined
        : `${groupThousands(granted)} of ${groupThousands(limit)} (${percent(share)}), volume ${groupThousands(slv)}`,
    ],
  ];
  return {
    type: 'facts',
    id: 'ost',
    facts: texts.flatMap(([name, text]) =>
      text === undefined || text === '' ? [] : [{ name, cell: { text }, ...dropUndefined({ source: oss }) }],
    ),
  };
};

/** What its disks did between the last two looks. */
const ioTexts = ({ name }: OstRow, judgement: Judgement): (readonly [string, string])[] =>
  ioWindows(judgement)
    .filter(({ ost }) => ost === name)
    .map(({ direction, ios, seconds, halfMs }) => [
      direction,
      `${groupThousands(ios)} in ${Math.round(seconds)} s, half of them ${halfMs} ms at most`,
    ]);

const countText = (all: number | undefined, free: number | undefined = 0): string | undefined =>
  all === undefined ? undefined : groupThousands(all - free);

/** `?`: not read. */
const figureText = (value: number | boolean | undefined): string =>
  value === undefined ? '?' : groupThousands(Number(value));

const importsTable = ({ mdts }: OstRow): TableBlock => ({
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
  rows: mdts.map(({ mdt, osp, stale }) => ({
    key: mdt,
    ...(stale && { stale: true }),
    cells: {
      mdt: { text: shortTarget(mdt) },
      active: { text: figureText(osp?.active) },
      state: { text: osp?.state ?? '?' },
      prealloc: { text: osp?.prealloc === undefined ? '?' : String(osp.prealloc) },
      max: { text: figureText(osp?.maxCreateCount) },
      destroys: { text: figureText(osp?.destroys) },
    },
  })),
  empty: 'no MDT was read',
});

const clientsTable = ({ clients }: OstRow): TableBlock => ({
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
  rows: clients.map(({ host, active, state, df, flags = '' }) => ({
    key: host,
    cells: {
      host: { text: host },
      active: { text: figureText(active) },
      state: { text: state ?? '?' },
      df: { text: df ?? 'not read' },
      flags: { text: flags },
    },
  })),
  empty: 'no client was read',
});
