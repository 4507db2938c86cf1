import { worstSign } from '../../../src/kit/rows.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Column, PaneView, Row } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import type { State } from '../readings.ts';
import {
  nowhere,
  severityOf,
  signOf,
  signOfAll,
  standings,
  type Nowhere,
  type Standing,
} from '../judge/states.ts';

export const columns: readonly Column[] = [
  { id: 'check', title: 'CHECK', min: 10, most: 30, grow: 1 },
  { id: 'host', title: 'HOST', min: 8, most: 24, grow: 1 },
  { id: 'state', title: 'STATE', min: 8 },
  { id: 'read', title: 'READ', min: 6, align: 'right', drop: 1 },
  { id: 'text', title: 'WHAT IT SAYS', min: 20, grow: 4 },
];

const rank: Readonly<Record<State, number>> = { critical: 0, warning: 1, unknown: 2, ok: 3 };

/** A check on one host. `under`: the row of its check, below which it is folded. */
export const rowOf = ({ check, host, subject, source, state, text }: Standing, under?: string): Row => {
  const sign = state === 'ok' || state === 'unknown' ? signOf(state) : severityOf(state, check.severity);
  return {
    key: subject.id,
    subject,
    sign,
    ...(source?.state === 'stale' && { stale: true }),
    ...(under !== undefined && { under }),
    cells: {
      check: { text: check.name },
      host: { text: host },
      state: { text: state.toUpperCase(), sign, sort: rank[state] },
      read: source?.good ? { text: '', age: source.good.at, sort: source.good.at } : { text: '' },
      text: { text },
    },
    sources: [{ probe: check.probe, host }],
  };
};

/** A check that is asked nowhere. */
const rowOfNowhere = ({ check, why }: Nowhere): Row => ({
  key: `nowhere ${check.name}`,
  sign: 'unknown',
  cells: {
    check: { text: check.name },
    host: { text: '-' },
    state: { text: 'UNKNOWN', sign: 'unknown', sort: rank.unknown },
    read: { text: '' },
    text: { text: `not asked: ${why}` },
  },
  sources: [],
});

/** `3 critical, 1 unknown`; `all ok`. */
const tally = (all: readonly Standing[]): string => {
  const parts = (['critical', 'warning', 'unknown'] as const).flatMap((state) => {
    const number = all.filter((one) => one.state === state).length;
    return number > 0 ? [`${number} ${state}`] : [];
  });
  return parts.length > 0 ? parts.join(', ') : 'all ok';
};

/** Of a check on many hosts one row, with what is fine folded below it. */
const rowsOf = (group: readonly Standing[]): readonly Row[] => {
  const [first] = group;
  if (!first || group.length === 1) return group.map((one) => rowOf(one));
  const key = `check ${first.check.name}`;
  const bad = group.filter(({ state }) => state !== 'ok');
  return [
    ...bad.map((one) => rowOf(one)),
    {
      key,
      sign: signOfAll(group),
      members: group.map(({ subject }) => subject),
      cells: {
        check: { text: first.check.name },
        host: { text: count(group.length, 'host') },
        state: { text: '', sort: Math.min(...group.map(({ state }) => rank[state])) },
        text: { text: tally(group) },
      },
      sources: group.slice(0, 1).map(({ check, host }) => ({ probe: check.probe, host })),
    },
    ...group.filter(({ state }) => state === 'ok').map((one) => rowOf(one, key)),
  ];
};

/** The site's own checks: what is not fine first. */
export const view = (judgement: Judgement): PaneView => {
  const all = standings(judgement);
  const unasked = nowhere(judgement);
  const groups = [...Map.groupBy(all, ({ check }) => check.name).values()];
  const worst = (group: readonly Standing[]): number => Math.min(...group.map(({ state }) => rank[state]));
  const bad = all.filter(({ state }) => state !== 'ok').length;
  const signs = [...groups.map(signOfAll), ...unasked.map((): Sign => 'unknown')];
  const left = unasked.length > 0 ? [`${unasked.length} asked nowhere`] : [];
  return {
    summary: `${count(groups.length + unasked.length, 'check')}: ${[...(all.length > 0 ? [tally(all)] : []), ...left].join(', ')}`,
    sign: signs.length === 0 ? 'unknown' : worstSign(signs),
    wall: [`${all.length - bad}/${all.length} ok`, ...left].join(', '),
    blocks: [
      {
        type: 'table',
        id: 'checks',
        columns,
        empty: 'the site file has no check',
        rows: [
          ...unasked.map(rowOfNowhere),
          ...groups.toSorted((a, b) => worst(a) - worst(b)).flatMap(rowsOf),
        ],
      },
    ],
  };
};
