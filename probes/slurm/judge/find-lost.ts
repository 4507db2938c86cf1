import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clock, clockTime } from '../../../src/text/ages.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { clusterOf, hostOf } from './cluster.ts';
import { type Loss, findLostTogether } from './lost.ts';
import { slowText } from './find-slow.ts';
import { finding, findHurt, membersOf, nodesEvidence, setOf, subjectOf, summary } from './sentence.ts';

/** `node[78-100] lost together (seen 02:14): breaker b7`. */
export const lostFindings = (judgement: Judgement): FindingDraft[] =>
  findLostTogether(judgement).map((loss) => lostFinding(loss, judgement));

const lostFinding = (loss: Loss, judgement: Judgement): FindingDraft => {
  const members = membersOf(loss.nodes, judgement);
  return finding({
    kind: 'lost-together',
    key: loss.key,
    severity: 'critical',
    subject: subjectOf(loss.nodes, judgement),
    members,
    summary: sentence(loss, judgement),
    advice: loss.label
      ? `Look at ${loss.label.name} ${loss.label.value} first: power, then network. Nodes that come back are resumed by Slurm or by you.`
      : loss.whole
        ? "These are all nodes in service: what all share is the controller's side. Look from there at one node first: network, firewall (port 6818), names, clock, munge key; then power and switches."
        : 'The nodes share no location label: compare switch, power, image and kernel.',
    evidence: evidenceOf(loss, judgement),
    breaks: [
      {
        what: 'power',
        of: [
          ...(loss.label ? [{ kind: 'place' as const, id: `${loss.label.name}=${loss.label.value}` }] : []),
          ...members,
        ],
      },
    ],
    suspects: suspectsOf(loss, judgement),
    hurt: findHurt(loss.nodes, judgement),
    since: loss.from,
    // Slurm notices a lost node only after SlurmdTimeout; of one that it still shows up the last sign of life is known.
    ...(loss.noticed > 0 && { sinceIs: 'seen' as const }),
  });
};

/** What all of them share, and stands or falls with it. */
const suspectsOf = (loss: Loss, judgement: Judgement): FindingDraft['suspects'] => {
  if (loss.label)
    return [
      {
        subject: { kind: 'place', id: `${loss.label.name}=${loss.label.value}` },
        cause: 'place-lost',
        confidence: 'medium',
      },
    ];
  const controller = clusterOf(judgement.readings)?.source.host;
  return loss.whole && controller !== undefined
    ? [{ subject: { kind: 'host', id: controller }, cause: 'network', confidence: 'low' }]
    : undefined;
};

const totalOf = ({ readings }: Judgement): number => clusterOf(readings)?.index.total ?? 0;

/** With what users complain of, where Slurm waits for these nodes. */
const sentence = (loss: Loss, judgement: Judgement): string => {
  const { now } = judgement;
  const { nodes, label, noticed, from } = loss;
  const where = label
    ? `${label.name} ${label.value}`
    : loss.whole
      ? nodes.length === totalOf(judgement)
        ? `all ${count(nodes.length, 'node')} of the cluster`
        : `all ${count(nodes.length, 'node')} in service`
      : 'no location label shared';
  const rest =
    noticed > 0
      ? ` lost together (seen ${clockTime(from, now)}): ${where}`
      : ` silent since ${clockTime(from, now)}: ${where}; Slurm still shows them up`;
  const slow = noticed > 0 ? slowText(judgement) : undefined;
  return summary(setOf(nodes), slow === undefined ? rest : `${rest}; ${slow}`);
};

const evidenceOf = (loss: Loss, judgement: Judgement): FindingDraft['evidence'] => {
  const { nodes, label, noticed, from, to, dropped } = loss;
  const { site } = judgement;
  const lines = [
    noticed > 0
      ? `Slurm marked ${noticed} of ${nodes.length} as not responding between ${clock(from)} and ${clock(to)}`
      : 'Slurm still shows them in service: it waits for SlurmdTimeout',
    ...(label
      ? [
          `${label.name} ${label.value} carries ${count(label.hosts, 'node')} of Slurm, ${nodes.length} of them are lost`,
        ]
      : []),
    ...otherLabels(loss, site),
    setOf(nodes),
  ].map((text) => nodesEvidence(text, judgement));
  const [first] = dropped;
  const last = dropped.at(-1);
  if (first === undefined || last === undefined) return lines;
  const ours = `our own connections to ${dropped.length} of them dropped between ${clock(first)} and ${clock(last)}`;
  return [...lines, { text: ours, probe: 'slurm.alive' }];
};

/** Which values the other labels have among them: `rack r4, r5`. */
const otherLabels = ({ nodes, label }: Loss, site: Judgement['site']): string[] => {
  const values = new Map<string, Set<string>>();
  for (const node of nodes) {
    const host = hostOf(site, node.name);
    for (const [name, value] of Object.entries(
      (host === undefined ? undefined : site.host(host)?.location) ?? {},
    )) {
      if (name !== label?.name) values.set(name, (values.get(name) ?? new Set()).add(value));
    }
  }
  return [...values].map(([name, found]) => `${name} ${fold(found)}`);
};
