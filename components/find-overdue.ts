import { claimOf } from '../src/text/said.ts';
import { age, clock } from '../src/text/ages.ts';
import type { PaneHead, SourceLine } from '../src/model/wire.ts';
import type { Data } from './mirror.ts';
import { pickMostFrequent } from './status.ts';

/** What is older than it should be. */
export interface Overdue {
  /** Every system: no figure on the wall can be trusted. */
  everything: boolean;
  some: boolean;
  /** Systems whose figures are not shown. */
  systems: ReadonlySet<string>;
  /** One sentence each, worst first. */
  reasons: readonly string[];
  /** UTC ms of the newest good reading. */
  lastAt?: number;
}

/** A probe is late when nothing of it is younger than three of its intervals, and than half a minute. */
const LEAST_MS = 30_000;
const INTERVALS = 3;

/**
 * One host that does not answer is a finding, not a reason to blank the wall: a probe is late when no host answered it
 * in time, a system when more than half of its probes are.
 */
export const findOverdue = (data: Data, now: number, startedAt: number): Overdue => {
  const heads = data.heads.map((head) => ({ head, late: lateProbes(head, now, startedAt) }));
  const judged = heads.filter(({ late }) => late.asked > 0);
  const systems = judged.filter(({ late }) => late.late.length * 2 > late.asked);
  const goods = data.heads.flatMap((head) => head.sources.flatMap((source) => source.goodAt ?? []));
  const silent = judged.length === 0 && now - startedAt > LEAST_MS;
  const reasons = judged.flatMap(({ head, late }) =>
    late.late.map((sources) => reasonOf(head, sources, now)),
  );
  return {
    everything: silent || (judged.length > 0 && systems.length === judged.length),
    some: silent || reasons.length > 0,
    systems: new Set(systems.map(({ head }) => head.id)),
    reasons,
    ...(goods.length > 0 && { lastAt: Math.max(...goods) }),
  };
};

const lateProbes = (head: PaneHead, now: number, startedAt: number) => {
  const regular = head.sources.filter((source) => source.everyMs > 0 && source.state !== 'notAsked');
  const main = new Set(pickMostFrequent(regular).map((source) => source.probe));
  // What was never read shows no figure that could be old, unless it is what the figures are made of.
  const shown = regular.filter((source) => main.has(source.probe) || source.goodAt !== undefined);
  const probes = Map.groupBy(shown, (source) => source.probe);
  const late = [...probes.values()].filter((sources) =>
    sources.every((source) => isLate(source, now, startedAt)),
  );
  return { asked: probes.size, late };
};

const isLate = (source: SourceLine, now: number, startedAt: number): boolean =>
  now - (source.goodAt ?? startedAt) > Math.max(LEAST_MS, INTERVALS * (source.slowedToMs ?? source.everyMs));

const reasonOf = (head: PaneHead, sources: readonly SourceLine[], now: number): string => {
  const newest = sources.toSorted((a, b) => (b.goodAt ?? 0) - (a.goodAt ?? 0))[0];
  const what = newest?.said
    ? `${newest.host}: ${claimOf(newest.said)}`
    : (newest?.message ?? `${newest?.probe} on ${newest?.host} gives no answer`);
  const when =
    newest?.goodAt === undefined
      ? 'never read'
      : `last read ${clock(newest.goodAt)}, ${age(now - newest.goodAt)} ago`;
  return `${head.title}: ${what}; ${when}`;
};
