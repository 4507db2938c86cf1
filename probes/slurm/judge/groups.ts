import type { Reading } from '../../../src/model/reading.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { clusterOf, indexOf } from './cluster.ts';
import { ownerOf, shownReason, type Owner } from './ownership.ts';
import { plansOf, type Plan } from './planned.ts';
import type { NodesReading, SlurmNode } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { isBusy, type Trouble } from './trouble.ts';
import { dropUndefined } from '../../../src/kit/known.ts';

/** Nodes that are out of service in the same way for the same reason. */
export interface Group {
  /** Stable while the fault lasts. */
  key: string;
  trouble: Trouble;
  owner: Owner;
  /** As shown: without the health check's own prefix. */
  reason: string;
  /** As Slurm has it, of the first node. */
  rawReason: string;
  nodes: readonly SlurmNode[];
  /** UTC ms of the first. */
  since?: number;
  /** All of them are out as planned, for the same kind of plan. */
  plan?: Plan['why'];
  /** UTC ms: all of them are in a maintenance reservation until then. */
  plannedUntil?: number;
}

/** The groups of nodes out of service, largest first; made once for each reading of nodes and reservations. */
export const groupsOf = memoPerJudgement(
  (judgement): readonly Group[] => {
    const reading = clusterOf(judgement.readings)?.source.good;
    return reading ? groupsIn(reading, plansOf(judgement), judgement.site) : [];
  },
  (judgement) => [clusterOf(judgement.readings)?.source.good, plansOf(judgement)],
);

const groupsIn = (
  reading: Reading<NodesReading>,
  plans: ReadonlyMap<string, Plan>,
  site: SiteView,
): readonly Group[] => {
  const settings = settingsOf(site);
  const groups = new Map<string, Group & { nodes: SlurmNode[] }>();
  for (const { node, trouble } of indexOf(reading).troubled) {
    const owner = ownerOf(node, settings);
    const plan = plans.get(node.name);
    const until = plan?.until;
    const key = keyOf(node, trouble, owner) + planKey(plan, trouble);
    const group = groups.get(`${trouble} ${key}`);
    if (!group) {
      groups.set(`${trouble} ${key}`, {
        key,
        trouble,
        owner,
        reason: shownReason(node, owner, settings),
        rawReason: node.reason ?? '',
        nodes: [node],
        ...dropUndefined({ since: node.reasonAt, plan: plan?.why, plannedUntil: until }),
      });
      continue;
    }
    group.nodes.push(node);
    if (node.reasonAt !== undefined) group.since = Math.min(group.since ?? Infinity, node.reasonAt);
    if (until === undefined) delete group.plannedUntil;
    else if (group.plannedUntil !== undefined) group.plannedUntil = Math.min(group.plannedUntil, until);
  }
  return [...groups.values()].sort((a, b) => b.nodes.length - a.nodes.length || (a.key < b.key ? -1 : 1));
};

/** Keeps what is planned apart from what fails alike. */
const planKey = (plan: Plan | undefined, trouble: Trouble): string => {
  if (plan?.why === 'maintenance') return ' (planned)';
  if (plan?.why === 'reboot') return trouble === 'reboot' ? '' : ' (reboot)';
  if (plan?.why === 'scaled in') return ' (scaled in)';
  return plan?.why === 'starting' && trouble !== 'unknown' ? ' (starting)' : '';
};

const keyOf = (node: SlurmNode, trouble: Trouble, owner: Owner): string => {
  const reason =
    groupKey(node.reason ?? '') ||
    (trouble === 'odd' ? `state ${node.state ?? node.flags.join('+')}` : 'no reason');
  return owner.kind === 'person' || owner.kind === 'faultline' ? `${reason} by ${owner.name}` : reason;
};

/** Whether nodes of it still run jobs that hold them. */
export const findStillBusy = (group: Group): readonly SlurmNode[] => group.nodes.filter(isBusy);

/** A reason as a group key: lower case, blanks collapsed, digits and hex runs as `#`. */
export const groupKey = (reason: string): string =>
  reason
    .toLowerCase()
    .replace(/\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{2,}\b|\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
