import { figure } from '../../../src/kit/rows.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell, ChartBlock, FactsBlock, Row } from '../../../src/model/view.ts';
import { age, clockTime } from '../../../src/text/ages.ts';
import { kindOfCheck } from '../definitions.ts';
import { stateSeries, valueSeries } from '../judge/track.ts';
import { signOf, standings, type Standing } from '../judge/states.ts';
import { states, type Value } from '../readings.ts';
import { columns, rowOf } from './pane.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Charts of one check: more than fit on a screen tell nothing. */
const MOST_CHARTS = 4;

/** One check on one host; of a host all its checks. */
export const detail = ({ kind, id }: Subject, judgement: Judgement): readonly Block[] => {
  const all = standings(judgement);
  if (kind === 'host' || kind === 'node') {
    const own = all.filter(({ host }) => host === id);
    return own.length === 0
      ? []
      : [
          {
            type: 'table',
            id: 'checks',
            title: 'Checks',
            columns: columns.filter((column) => column.id !== 'host'),
            empty: 'none',
            rows: own.map((one) => rowOf(one)),
          },
        ];
  }
  const one = kind === kindOfCheck ? all.find(({ subject }) => subject.id === id) : undefined;
  return one ? blocksOf(one, judgement) : [];
};

const blocksOf = (one: Standing, judgement: Judgement): readonly Block[] => {
  const { values = [], more = [] } = one.source?.good?.value ?? {};
  return [
    factsOf(one),
    ...(more.length > 0
      ? [{ type: 'text' as const, id: 'more', title: 'More', lines: more.map(asCell) }]
      : []),
    ...(values.length > 0 ? [valuesOf(values)] : []),
    ...values.slice(0, MOST_CHARTS).flatMap((value) => chartOf(one, value, judgement)),
    changesOf(one, judgement),
  ];
};

const asCell = (text: string): Cell => ({ text });

const factsOf = ({ check, host, state, text, source }: Standing): FactsBlock => ({
  type: 'facts',
  id: 'check',
  title: `${check.name} on ${host}`,
  facts: [
    { name: 'state', cell: { text: state.toUpperCase(), sign: signOf(state) } },
    { name: 'says', cell: { text } },
    ...(source?.good ? [{ name: 'read', cell: { text: '', age: source.good.at } }] : []),
    { name: 'asked', cell: { text: `every ${age(check.everyMs)}, at most ${age(check.timeoutMs)}` } },
    { name: 'command', cell: { text: check.command } },
    ...(check.runbook === undefined ? [] : [{ name: 'runbook', cell: { text: check.runbook } }]),
  ],
});

const valuesOf = (values: readonly Value[]): Block => ({
  type: 'table',
  id: 'values',
  title: 'Values',
  columns: [
    { id: 'name', title: 'VALUE', min: 10, grow: 1 },
    { id: 'now', title: 'NOW', min: 8, align: 'right' },
    { id: 'warning', title: 'WARNING', min: 8 },
    { id: 'critical', title: 'CRITICAL', min: 8 },
  ],
  empty: 'none',
  rows: values.map((value, at): Row => {
    const { name, value: now, unit = '', warning = '', critical = '', state } = value;
    return {
      key: `${at} ${name}`,
      ...(state && { sign: signOf(state) }),
      cells: {
        name: { text: name },
        now: now === undefined ? { text: 'not given', sign: 'unknown' } : figure(now, `${now}${unit}`),
        warning: { text: warning },
        critical: { text: critical },
      },
    };
  }),
});

/** The course of the last hour, where it is kept and moved. */
const chartOf = (
  { check, host }: Standing,
  { name, unit = '' }: Value,
  { history, now }: Judgement,
): ChartBlock[] => {
  const points = history
    .changes(valueSeries(check.name, host, name), now - HOUR_MS)
    .flatMap(({ at, value }) => (typeof value === 'number' ? [{ at, value }] : []));
  return points.length < 2
    ? []
    : [{ type: 'chart', id: `chart ${name}`, title: name, unit, series: [{ name, points }] }];
};

const changesOf = ({ check, host }: Standing, { history, now }: Judgement): Block => {
  const changes = history.changes(stateSeries(check.name, host), now - DAY_MS).toReversed();
  return {
    type: 'text',
    id: 'changes',
    title: 'Changes within 24 h',
    lines:
      changes.length === 0
        ? [{ text: 'none seen' }]
        : changes.slice(0, 20).map(({ at, value }) => {
            const state = states.find((known) => known === value) ?? 'unknown';
            return { text: `${clockTime(at, now)} ${state}`, sign: signOf(state) };
          }),
  };
};
