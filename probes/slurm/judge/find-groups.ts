import type { EvidenceDraft, FindingDraft, Remedy } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { moment } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { cut } from '../../../src/text/width.ts';
import { adviceFor } from './advice.ts';
import { checkText, countChecks } from './checks.ts';
import { type Group, groupsOf } from './groups.ts';
import { slowText } from './find-slow.ts';
import { lostTogether } from './lost.ts';
import { byWhom } from './ownership.ts';
import type { SlurmNode } from '../readings.ts';
import { finding, hurtBy, membersOf, nodesEvidence, quoted, setOf, subjectOf, summary } from './sentence.ts';
import { groupSeverity } from './severity.ts';
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
  const lost = new Set(lostTogether(judgement).flatMap((one) => one.nodes.map((node) => node.name)));
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
  const advice = adviceOf(group);
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
    hurt: hurtBy(nodes, judgement),
    remedies: remediesOf(group, judgement),
    since,
    plannedUntil,
  });
};

/** What users complain of goes first: `slurmctld slow (median 5.0 s): waits for silent node[3,9]`. */
const sentenceOf = (group: Group, judgement: Judgement): string => {
  const { nodes, trouble } = group;
  const slow = trouble === 'notResponding' ? slowText(judgement) : undefined;
  return slow === undefined
    ? summary(setOf(nodes), restOf(group, judgement) + planText(group))
    : cut(`${slow}: waits for silent ${setOf(nodes)}`, 100);
};

/** What the plan is, where the sentence does not say so already; with its end known that is added to every planned finding. */
const planText = ({ plan, plannedUntil, trouble }: Group): string => {
  if (plan === 'maintenance' && plannedUntil === undefined) return ', in maintenance';
  if (plan === 'reboot' && trouble !== 'reboot') return ', reboot asked for';
  return plan === 'starting' && trouble !== 'unknown' ? ' yet: slurmctld has just started' : '';
};

const restOf = (group: Group, judgement: Judgement): string => {
  const { trouble, owner, nodes } = group;
  const many = nodes.length > 1;
  const first = nodes[0];
  const why = quoted(group.reason);
  switch (trouble) {
    case 'drain': {
      const head = ` drained ${byWhom(owner)}, ${why}`;
      return owner.kind === 'health' ? `${head}: ${checkText(countChecks(nodes, judgement))}` : head;
    }
    case 'fail':
      return ` set to fail ${byWhom(owner)}, ${why}`;
    case 'down':
    case 'error':
      return downText(group);
    case 'notResponding':
      return ` not responding${/^not responding/i.test(group.reason) || group.reason === '' ? '' : `, ${why}`}`;
    case 'reboot':
      return ` rebooting, ${why}`;
    default:
      return ` ${many ? 'are' : 'is'} in the state ${first ? stateWord(first) : '?'}, ${trouble === 'odd' ? 'unknown to this console' : 'not registered yet'}`;
  }
};

const downText = ({ nodes, owner, reason }: Group): string => {
  const many = nodes.length > 1;
  if (reason === '' && nodes.every(({ flags }) => flags.includes('INVALID_REG')))
    return ` registered with less than slurm.conf says: slurmctld does not use ${many ? 'them' : 'it'}`;
  const why = quoted(reason);
  return owner.kind === 'slurm'
    ? ` ${many ? 'are' : 'is'} down: ${why}`
    : ` set down ${byWhom(owner)}, ${why}`;
};

/** Who does not respond is out of reach; who was drained for a lost mount goes without what is on its server. */
const lacksOf = (
  { trouble, rawReason }: Group,
  of: readonly Subject[],
  judgement: Judgement,
): Pick<FindingDraft, 'lacks'> => {
  if (trouble === 'notResponding' || trouble === 'down' || trouble === 'error')
    return { lacks: [{ what: 'reach', of }] };
  if (trouble !== 'drain' || !/nfs|mount|stale/i.test(rawReason)) return {};
  return { lacks: [{ what: 'data', of, from: serversIn(rawReason, judgement) }] };
};

/** `nfs1:/home` in a reason names the server of a mount, where it is a host of the site. */
const serversIn = (reason: string, { site }: Judgement): Subject[] =>
  [...reason.matchAll(/([A-Za-z0-9][A-Za-z0-9.-]*):\//g)].flatMap(
    ([, name]) => site.resolve('host', name ?? '') ?? [],
  );

const adviceOf = ({ nodes, owner, rawReason, trouble }: Group): string | undefined => {
  if (owner.kind === 'health')
    return 'Resume the nodes that pass their check now; each is checked again before it is resumed.';
  const known = adviceFor(rawReason);
  if (known) return known.text;
  if (owner.kind === 'person' || owner.kind === 'faultline')
    return `Ask ${owner.name} before you return ${nodes.length === 1 ? 'this node' : 'these nodes'} to service.`;
  return trouble === 'odd'
    ? 'Look at the node with scontrol show node: this console does not know the state and does not judge it.'
    : undefined;
};

const evidenceOf = ({ nodes }: Group, judgement: Judgement): EvidenceDraft[] => {
  const { now } = judgement;
  const shown = nodes.slice(0, 8).map((node) => nodesEvidence(nodeLine(node, now), judgement));
  const more = nodes.length - shown.length;
  const { fail } = countChecks(nodes, judgement);
  return [
    ...shown,
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
  const since = node.reasonAt === undefined ? '' : ` since ${moment(node.reasonAt, now)}`;
  const why = node.reason === undefined ? '' : `, ${quoted(node.reason, 200)}`;
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
