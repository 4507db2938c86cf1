import type { Judgement } from '../../../src/model/system.ts';
import { findSharedBySlow, type Shared } from './host-facts.ts';
import { factsOf, type Flow } from './pairs.ts';
import { settingsOf } from '../settings.ts';

/** Pairs that all stop at the same share of line rate, and what their slow hosts have in common. */
export interface Capped {
  /** Per cent of line rate. */
  share: number;
  flows: readonly Flow[];
  /** The end of each pair that is held to be slow. */
  hosts: readonly string[];
  shared: readonly Shared[];
}

const lineOf = (flow: Flow, { readings, site }: Judgement): number | undefined => {
  const own = settingsOf(site).lineBps;
  const speeds = [flow.from, flow.to].map((name) => factsOf(readings, name)?.speedMbps);
  const [a, b] = speeds;
  return own ?? (a === undefined || b === undefined ? undefined : Math.min(a, b) * 1e6);
};

/** Three or more pairs within a tenth of one share, below 80 %, whose hosts share a fact that fast hosts lack. */
export const cappedGroups = (flows: readonly Flow[], judgement: Judgement): Capped[] => {
  const rated = flows.flatMap((flow) => {
    const line = lineOf(flow, judgement);
    return line === undefined || flow.verdict.bps <= 0 ? [] : [{ flow, share: flow.verdict.bps / line }];
  });
  const fastHosts = new Set(
    rated.filter(({ share }) => share >= 0.8).flatMap(({ flow }) => [flow.from, flow.to]),
  );
  const slow = rated
    .filter(
      ({ share, flow }) =>
        share < 0.8 && !['bimodalTime', 'bimodalPort', 'failed', 'shared'].includes(flow.verdict.kind),
    )
    .sort((a, b) => a.share - b.share);
  const middle = slow[Math.floor(slow.length / 2)]?.share ?? 0;
  const same = slow.filter(({ share }) => Math.abs(share - middle) <= middle * 0.1);
  if (same.length < 3) return [];
  const ends = same.map(({ flow }) => [flow.from, flow.to].filter((name) => !fastHosts.has(name)));
  const hosts = [...new Set(ends.flat())].sort();
  const facts = (names: Iterable<string>) => [...names].map((name) => factsOf(judgement.readings, name));
  const shared = findSharedBySlow(facts(hosts), facts(fastHosts));
  return ends.every((one) => one.length > 0) && shared.length > 0
    ? [{ share: Math.round(middle * 100), flows: same.map(({ flow }) => flow), hosts, shared }]
    : [];
};
