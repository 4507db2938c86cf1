import type { EvidenceDraft, FindingDraft, Remedy } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age, clockTime } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { cut, width } from '../../../src/text/width.ts';
import { adviceFor } from './advice.ts';
import { checkText, countChecks } from './checks.ts';
import { isCheckUnknown } from './clusters.ts';
import { lacksOf, suspectsOf } from './group-cause.ts';
import { type Group, groupsOf } from './groups.ts';
import { slowText } from './find-slow.ts';
import { findLostTogether } from './lost.ts';
import { placeOf } from './place.ts';
import { ownerPhrase } from './ownership.ts';
import type { SlurmNode } from '../readings.ts';
import {
  finding,
  findHurt,
  membersOf,
  nodesEvidence,
  quoteReason,
  setOf,
  subjectOf,
  summary,
} from './sentence.ts';
import { groupSeverity, isOnPurpose, partitionTaken } from './severity.ts';
import { stateWord, type Trouble } from './trouble.ts';

const kinds: Readonly<Record<Trouble, string>> = {
  drain: 'drained-group',
  fail: 'failed-group',
  down: 'down-group',
  error: 'down-group',
  notResponding: 'not-responding',
  reboot: 'rebooting',
  unknown: 'unknown-state',
  odd: 'unknown-state',
};

/** Nodes out of service, one finding for each reason. Those lost together are told of by their own finding. */
export const groupFindings = (judgement: Judgement): FindingDraft[] => {
  const lost = new Set(findLostTogether(judgement).flatMap((one) => one.nodes.map((node) => node.name)));
  return groupsOf(judgement).flatMap((group) => {
    const left =
      group.trouble === 'notResponding' ? group.nodes.filter((node) => !lost.has(node.name)) : group.nodes;
    return left.length === 0
      ? []
      : [groupFinding(left.length === group.nodes.length ? group : { ...group, nodes: left }, judgement)];
  });
};

const groupFinding = (group: Group, judgement: Judgement): FindingDraft => {
  const { nodes, trouble, key, since, plannedUntil } = group;
  const advice = adviceOf(group, judgement);
  const members = membersOf(nodes, judgement);
  return finding({
    kind: kinds[trouble],
    key,
    severity: groupSeverity(group, judgement),
    subject: subjectOf(nodes, judgement),
    members,
    summary: sentenceOf(group, judgement),
    advice,
    evidence: evidenceOf(group, judgement),
    ...lacksOf(group, members, judgement),
    suspects: suspectsOf(group, judgement),
    hurt: findHurt(nodes, judgement),
    remedies: remediesOf(group, judgement),
    since,
    plannedUntil,
    ...(isOnPurpose(group, judgement) && { deliberate: true as const }),
  });
};

/** What users complain of goes first: `slurmctld slow (median 5.0 s): waits for silent node[3,9]`. */
const sentenceOf = (group: Group, judgement: Judgement): string => {
  const { nodes, trouble } = group;
  const slow = trouble === 'notResponding' ? slowText(judgement) : undefined;
  if (slow !== undefined) return cut(`${slow}: waits for silent ${setOf(nodes)}`, 100);
  const set = setOf(nodes);
  // The reason is what the reader looks for: it gets what is left of the line.
  const frame = restOf(group, judgement, '') + planText(group);
  const room = Math.max(40, SUMMARY - width(set) - width(frame));
  const line = restOf(group, judgement, quoteReason(group.reason, room)) + planText(group);
  const more = remarks(group, judgement).find((one) => width(set) + width(line) + width(one) <= SUMMARY);
  return summary(set, `${line}${more ?? ''}`);
};

const SUMMARY = 100;

/** What a person took of a partition past its limit: it makes the group louder, and says why. */
const takenBy = (group: Group, judgement: Judgement): ReturnType<typeof partitionTaken> =>
  isOnPurpose(group, judgement) && !group.plan ? partitionTaken(group.nodes, judgement) : undefined;

/** What stands behind the reason where it fits whole: how many of a partition they are, or where they stand. */
const remarks = (group: Group, judgement: Judgement): string[] => {
  const taken = takenBy(group, judgement);
  const together = placeOf(group, judgement);
  return [
    ...(together ? [`; all in ${together.label}`] : []),
    ...(taken ? [`; ${taken.out} of ${taken.total} in ${taken.name}`] : []),
  ];
};

/** What the plan is, where the sentence does not say so already; with its end known that is added to every planned finding. */
const planText = ({ plan, plannedUntil, trouble }: Group): string => {
  if (plan === 'maintenance' && plannedUntil === undefined) return ', in maintenance';
  if (plan === 'scaled in') return ', powered off';
  if (plan === 'reboot' && trouble !== 'reboot') return ', reboot asked for';
  return plan === 'starting' && trouble !== 'unknown' ? ' yet: slurmctld has just started' : '';
};

const restOf = (group: Group, judgement: Judgement, why: string): string => {
  const { trouble, owner, nodes } = group;
  const many = nodes.length > 1;
  const first = nodes[0];
  switch (trouble) {
    case 'drain': {
      const head = ` drained ${ownerPhrase(owner)}, ${why}`;
      const checks = countChecks(nodes, judgement);
      return owner.kind === 'health' && checks.configured ? `${head}: ${checkText(checks)}` : head;
    }
    case 'fail':
      return ` set to fail ${ownerPhrase(owner)}, ${why}`;
    case 'down':
    case 'error':
      return downText(group, why);
    case 'notResponding':
      return ` not responding${/^not responding/i.test(group.reason) || group.reason === '' ? '' : `, ${why}`}`;
    case 'reboot':
      return ` rebooting, ${why}`;
    default:
      return ` ${many ? 'are' : 'is'} in the state ${first ? stateWord(first) : '?'}, ${trouble === 'odd' ? 'unknown to this console' : 'not registered yet'}`;
  }
};

const downText = ({ nodes, owner, reason }: Group, why: string): string => {
  const many = nodes.length > 1;
  if (reason === '' && nodes.every(({ flags }) => flags.includes('INVALID_REG')))
    return ` registered with less than slurm.conf says: slurmctld does not use ${many ? 'them' : 'it'}`;
  return owner.kind === 'slurm'
    ? ` ${many ? 'are' : 'is'} down: ${why}`
    : ` set down ${ownerPhrase(owner)}, ${why}`;
};

const adviceOf = (group: Group, judgement: Judgement): string | undefined => {
  const { nodes } = group;
  const together = placeOf(group, judgement);
  const own = ownAdvice(group, judgement);
  if (!together) return own;
  const head =
    together.withinMs === undefined
      ? `They are ${nodes.length} of ${count(together.of, 'node')} of ${together.label}: look at what these share (switch, power, cooling) before each node.`
      : `They went within ${age(together.withinMs)} and all stand in ${together.label}: look at its power, cooling and switch before each node.`;
  return `${head} ${own ?? ''}`.trim();
};

const ownAdvice = (group: Group, judgement: Judgement): string | undefined => {
  const { nodes, owner, rawReason, trouble } = group;
  if (owner.kind === 'health' && !countChecks(nodes, judgement).configured)
    return 'Mend what the reason names, then resume. With slurm.check in the site file each node is checked here before that.';
  if (owner.kind === 'health')
    return 'Resume the nodes that pass their check now; each is checked again before it is resumed.';
  const known = adviceFor(rawReason);
  if (known) return known.text;
  if (owner.kind === 'person' && isCheckUnknown(judgement))
    return `${owner.name === 'somebody' ? 'A person' : owner.name} or a health check: the ClusterName was not read, so which check of the site file is theirs is not known. See why scontrol show config is not read.`;
  if (owner.kind === 'person' && !isOnPurpose(group, judgement))
    return "A program took them out, no person: mend what the reason names before you return them. If it is the site's health check, slurm.check.reasons of the site file names its mark.";
  if (owner.kind === 'person' || owner.kind === 'faultline')
    return `Ask ${owner.name} before you return ${nodes.length === 1 ? 'this node' : 'these nodes'} to service.`;
  return trouble === 'odd'
    ? 'Look at the node with scontrol show node: this console does not know the state and does not judge it.'
    : undefined;
};

const evidenceOf = (group: Group, judgement: Judgement): EvidenceDraft[] => {
  const { nodes } = group;
  const { now } = judgement;
  const shown = nodes.slice(0, 8).map((node) => nodesEvidence(nodeLine(node, now), judgement));
  const more = nodes.length - shown.length;
  const { fail } = countChecks(nodes, judgement);
  const taken = takenBy(group, judgement);
  return [
    ...shown,
    ...(taken
      ? [nodesEvidence(`${taken.out} of ${count(taken.total, 'node')} of partition ${taken.name}`, judgement)]
      : []),
    ...(more > 0 ? [nodesEvidence(`and ${count(more, 'node')} more with the same reason`, judgement)] : []),
    ...fail.slice(0, 4).map(({ node, text }) => ({
      text: `${node.name} fails the check: ${text}`,
      probe: 'slurm.check',
      host: node.name,
    })),
  ];
};

/** `node12 drained since 02:14, "NHC: HDFS mount lost" by root`. */
const nodeLine = (node: SlurmNode, now: number): string => {
  const since = node.reasonAt === undefined ? '' : ` since ${clockTime(node.reasonAt, now)}`;
  const why = node.reason === undefined ? '' : `, ${quoteReason(node.reason, 200)}`;
  return `${node.name} ${stateWord(node)}${since}${why}${node.reasonUser === undefined ? '' : ` by ${node.reasonUser}`}`;
};

const remediesOf = ({ owner, nodes, trouble, rawReason }: Group, judgement: Judgement): Remedy[] => {
  if (owner.kind === 'person' || owner.kind === 'faultline' || !['drain', 'fail', 'down'].includes(trouble))
    return [];
  const { fail, configured } = countChecks(nodes, judgement);
  const failing = new Set(fail.map(({ node }) => node));
  const passing = nodes.filter((node) => !failing.has(node));
  const resumable = adviceFor(rawReason)?.resume !== 'no' && passing.length > 0;
  return [
    ...(resumable ? [{ action: 'slurm.resume', subjects: membersOf(passing, judgement) }] : []),
    ...(configured ? [{ action: 'slurm.check', subjects: membersOf(nodes, judgement) }] : []),
    ...(/kill task failed/i.test(rawReason)
      ? [{ action: 'slurm.reboot', subjects: membersOf(nodes, judgement) }]
      : []),
  ];
};
