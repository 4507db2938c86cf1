import { blank, figure, worstSign } from '../../../src/kit/rows.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell, PaneView, Row, TableBlock } from '../../../src/model/view.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { cachesTable, rankOf } from './caches.ts';
import { slotGrid } from './slots.ts';
import { toldPools } from './told.ts';
import { progressOf } from '../judge/find-rebuilds.ts';
import { batteryEnd } from '../judge/battery-dates.ts';
import { seenUnits, SOON_MS, type SeenUnit } from '../judge/find-ups.ts';
import {
  arraySources,
  controllerSources,
  freshValue,
  hostSubject,
  isUncertain,
  seenArrays,
  unreadParts,
  type SeenArray,
} from '../judge/sources.ts';

const signs = { good: '+', missing: 'x', filling: '>', unknown: '?' } as const;

/** A place of each slot: `+` in sync, `>` being filled, `x` missing, `?` not known. */
const slotsText = ({ array }: SeenArray): string =>
  array.slots
    .slice(0, 60)
    .map(({ state }) => signs[state])
    .join('');

const standing = (seen: SeenArray): { sign: Sign; text: string } => {
  const { array, redundancy } = seen;
  if (array.usable === false) return { sign: 'critical', text: array.word ?? 'stopped' };
  if (isUncertain(seen) || array.usable === undefined || !redundancy)
    return { sign: 'unknown', text: 'not known' };
  if (redundancy.left < 0) return { sign: 'critical', text: 'lost' };
  if (redundancy.missing === 0)
    return { sign: 'fine', text: redundancy.tolerance === 0 ? 'no redundancy by design' : 'whole' };
  return redundancy.left === 0
    ? { sign: 'critical', text: 'nothing left' }
    : { sign: 'warning', text: `${redundancy.left} of ${redundancy.tolerance} left` };
};

const workCell = (seen: SeenArray): Cell => {
  const { work, workPct, frozen } = seen.array;
  if (frozen === true) return { text: 'frozen', sign: 'warning' };
  if (work === undefined) return blank;
  return { text: `${work} ${progressOf(seen)}`, ...(workPct !== undefined && { share: workPct / 100 }) };
};

const arrayRow = (seen: SeenArray): Row => {
  const { host, array } = seen;
  const { sign, text } = standing(seen);
  return {
    key: `${host}:${array.id}`,
    subject: hostSubject(host),
    sign,
    cells: {
      host: { text: host },
      array: { text: array.id },
      level: { text: array.level },
      state: { text, sign },
      slots: { text: slotsText(seen) },
      work: workCell(seen),
      spares: array.spares === undefined ? blank : figure(array.spares),
      holds: { text: seen.held.length > 0 ? fold(seen.held.map(({ id }) => id)) : (array.mount ?? '') },
    },
    sources: [{ probe: seen.source.probe, host }],
  };
};

/** Of hosts that answered: what of their arrays was not read, so that it does not look as if it were not there. */
export const unreadRows = (judgement: Judgement): Row[] => {
  const rowOf = ({ host, probe }: Source, what: string, why: string): Row => ({
    key: `${host}:not read:${what}`,
    subject: hostSubject(host),
    sign: 'unknown',
    cells: {
      host: { text: host },
      array: { text: what },
      state: { text: 'not read', sign: 'unknown' },
      work: { text: why },
    },
    sources: [{ probe, host }],
  });
  return [
    ...arraySources(judgement).flatMap((source) =>
      Object.entries(freshValue(source)?.unread ?? {}).map(([part, why]) =>
        rowOf(source, unreadParts[part] ?? part, why),
      ),
    ),
    ...controllerSources(judgement).flatMap((source) =>
      (freshValue(source)?.tools ?? []).flatMap(({ tool, failure }) =>
        failure === undefined ? [] : [rowOf(source, tool, failure)],
      ),
    ),
  ];
};

export const arraysTable = (seen: readonly SeenArray[], unread: readonly Row[] = []): TableBlock => ({
  type: 'table',
  id: 'arrays',
  columns: [
    { id: 'host', title: 'HOST', min: 8, grow: 1, most: 20 },
    { id: 'array', title: 'ARRAY', min: 8, grow: 1, most: 24 },
    { id: 'level', title: 'LEVEL', min: 7, drop: 3 },
    { id: 'state', title: 'STATE', min: 12 },
    { id: 'slots', title: 'DISKS', min: 6, grow: 1, most: 60 },
    { id: 'work', title: 'WORK', min: 10, grow: 2, drop: 1 },
    { id: 'spares', title: 'SPARES', align: 'right', min: 6, drop: 2 },
    { id: 'holds', title: 'HOLDS', min: 8, grow: 1, drop: 4 },
  ],
  rows: [...seen.map(arrayRow), ...unread].toSorted((a, b) => rankOf(a) - rankOf(b)),
  empty: 'no array',
});

/** Whole arrays of a host from which on one row stands for all of them. */
const MANY = 5;

/** What is in order is folded below one row of its host, so that what is not stands on one screen. */
const foldWhole = (table: TableBlock): TableBlock => {
  const byHost = Map.groupBy(table.rows, (row) => (row.sign === 'fine' ? row.subject?.id : undefined));
  const rows = [...byHost].flatMap(([host, own]) => {
    if (host === undefined || own.length < MANY) return own;
    const key = `${host}:whole`;
    const head: Row = {
      key,
      sign: 'fine',
      cells: {
        host: { text: host },
        array: { text: count(own.length, 'array') },
        state: { text: 'whole', sign: 'fine' },
      },
    };
    return [head, ...own.map((row): Row => ({ ...row, under: key }))];
  });
  return { ...table, rows: rows.toSorted((a, b) => rankOf(a) - rankOf(b)) };
};

/** The end of a battery by its date, as far as it is known and near. */
const endOf = ({ unit, setting }: SeenUnit, now: number): { sign: Sign; text: string } | undefined => {
  const { batteryDate } = unit;
  if (batteryDate === undefined || setting?.lifeYears === undefined) return undefined;
  const end = batteryEnd(batteryDate, setting.lifeYears);
  if (!end || end.from - now > SOON_MS) return undefined;
  return end.from <= now
    ? { sign: 'critical', text: 'past its life' }
    : { sign: 'warning', text: `ends ${new Date(end.from).toISOString().slice(0, 10)}` };
};

const unitStanding = (seen: SeenUnit, now: number): { sign: Sign; text: string } => {
  const end = endOf(seen, now);
  const own = wordStanding(seen);
  return end && rankOf(end) < rankOf(own) ? { ...own, sign: end.sign } : own;
};

const wordStanding = ({ unit }: SeenUnit): { sign: Sign; text: string } => {
  if (unit.failure !== undefined) return { sign: 'unknown', text: unit.failure };
  const text = unit.status.join(' ');
  if (unit.commLost === true) return { sign: 'unknown', text };
  if (unit.onBattery === true) return { sign: 'critical', text };
  if (unit.replaceBattery === true) return { sign: 'warning', text };
  return unit.onBattery === false ? { sign: 'fine', text } : { sign: 'unknown', text };
};

const unitRow = (seen: SeenUnit, now: number): Row => {
  const { source, unit } = seen;
  const { sign, text } = unitStanding(seen, now);
  const end = endOf(seen, now);
  return {
    key: `${source.host}:${unit.name}`,
    subject: hostSubject(source.host),
    sign,
    cells: {
      ups: { text: unit.name },
      state: { text, sign },
      charge: unit.chargePct === undefined ? blank : figure(unit.chargePct, `${unit.chargePct} %`),
      runtime:
        unit.runtimeS === undefined ? blank : figure(unit.runtimeS, `${Math.round(unit.runtimeS / 60)} min`),
      battery: {
        text: [unit.batteryDate ?? [], end?.text ?? []].flat().join(', '),
        ...(end && { sign: end.sign }),
      },
      model: { text: unit.model ?? '' },
    },
    sources: [{ probe: 'storage.ups', host: source.host }],
  };
};

const unitsTable = (units: readonly SeenUnit[], now: number): Block[] =>
  units.length === 0
    ? []
    : [
        {
          type: 'table',
          id: 'ups',
          title: 'UPS',
          columns: [
            { id: 'ups', title: 'UPS', min: 10, grow: 1, most: 30 },
            { id: 'state', title: 'STATE', min: 10, grow: 1, most: 30 },
            { id: 'charge', title: 'CHARGE', align: 'right', min: 6 },
            { id: 'runtime', title: 'RUNTIME', align: 'right', min: 7 },
            { id: 'battery', title: 'BATTERY OF', min: 10, grow: 1, most: 30, drop: 1 },
            { id: 'model', title: 'MODEL', min: 8, grow: 1, drop: 2 },
          ],
          rows: units.map((unit) => unitRow(unit, now)).toSorted((a, b) => rankOf(a) - rankOf(b)),
          empty: 'no UPS',
        },
      ];

/** The pane: arrays by danger with a sign for each disk, then what keeps them under power. */
export const view = (judgement: Judgement): PaneView => {
  const seen = seenArrays(judgement);
  const units = seenUnits(judgement);
  const sources = arraySources(judgement);
  const read = sources.filter((source) => freshValue(source) !== undefined).length;
  const all = arraysTable(seen, [...unreadRows(judgement), ...toldPools(judgement)]);
  const table = foldWhole(all);
  const caches = cachesTable(judgement);
  const sign =
    read === 0 && sources.length > 0
      ? 'unknown'
      : worstSign([
          ...[all, ...caches].flatMap(({ rows }) => rows.map((row) => row.sign)),
          ...units.map((unit) => unitStanding(unit, judgement.now).sign),
        ]);
  const whole = all.rows.filter((row) => row.sign === 'fine').length;
  const rebuilds = seen.filter(({ array }) => array.work === 'rebuild').length;
  return {
    summary: [
      count(seen.length, 'array'),
      ...(rebuilds > 0 ? [count(rebuilds, 'rebuild')] : []),
      ...(units.length > 0 ? [`${units.length} UPS`] : []),
    ].join(', '),
    sign,
    wall: read === 0 && sources.length > 0 ? 'not known' : `${whole}/${seen.length} arrays whole`,
    blocks: [table, ...caches, ...unitsTable(units, judgement.now), ...slotGrid(judgement)],
  };
};
