import type { FindingDraft } from '../../../src/model/finding.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Point } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age, clockTime } from '../../../src/text/ages.ts';
import { clusterOf, nodeSubject } from './cluster.ts';
import { plansOf } from './planned.ts';
import { nodeSeries } from './track.ts';
import { finding, summary } from './sentence.ts';

/** Drained often: 3 times in 14 days. */
const oftenTimes = 3;
export const oftenMs = 14 * 24 * 3600 * 1000;
/** A node that behaves again is not worth a line for ever. */
const recentMs = 24 * 3600 * 1000;

/** UTC ms of each time the node was taken out of service by a drain that was no reboot on order, oldest first. Points are changes of its state. */
export const drainsIn = (points: readonly Point[]): number[] => {
  const at: number[] = [];
  let drained = false;
  for (const point of points) {
    const words = String(point.value).split('+');
    const now = words.includes('DRAIN');
    // `scontrol reboot ASAP` drains by itself (scontrol(1)).
    const isOrdered = words.some((word) => word.startsWith('REBOOT'));
    if (now && !drained && !isOrdered) at.push(point.at);
    drained = now;
  }
  return at;
};

interface Often {
  name: string;
  drains: readonly number[];
}

const minuteOf = (at: number): number => Math.floor(at / 60_000);

/** Asked once for each reading and minute: the history of thousands of nodes is no question for every frame. */
const findOften = memoPerJudgement(
  ({ history, now }): readonly Often[] =>
    history.listChanged(nodeSeries(''), now - oftenMs).flatMap(({ series, points }): Often[] => {
      const name = /\/node\/(.+)\/state$/.exec(series)?.[1];
      const drains = drainsIn(points);
      return name === undefined || drains.length < oftenTimes ? [] : [{ name, drains }];
    }),
  ({ history, now, readings }) => [history, minuteOf(now), clusterOf(readings)?.source.good],
);

export const oftenFindings = (judgement: Judgement): FindingDraft[] => {
  const { now, readings, site } = judgement;
  const index = clusterOf(readings)?.index;
  const plans = plansOf(judgement);
  return findOften(judgement).flatMap(({ name, drains }): FindingDraft[] => {
    const last = drains.at(-1) ?? 0;
    const out = index?.troubledNames.has(name) === true && !plans.has(name);
    if (!index?.byName.has(name) || (!out && now - last > recentMs)) return [];
    return [
      finding({
        kind: 'drained-often',
        key: name,
        severity: out ? 'warning' : 'notice',
        subject: nodeSubject(site, name),
        summary: summary(
          name,
          ` drained ${drains.length} times in 14 days, last ${age(now - last)} ago: hardware?`,
        ),
        advice:
          'Another resume mends nothing: compare the reasons of its drains and have its hardware checked.',
        evidence: drains.slice(-8).map((at) => ({ text: `drained at ${clockTime(at, now)}`, at })),
        hurt: { nodes: 1 },
        since: last,
      }),
    ];
  });
};
