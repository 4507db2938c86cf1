import type { PlanContext, PlanTarget, Refusal, Step, Verification } from '../../../src/model/action.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { plainText } from '../../../src/kit/offers.ts';
import { type LeftOut, refuseEmpty, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { count } from '../../../src/text/units.ts';
import { whyAllUnread } from '../../../src/kit/unread.ts';
import { clusterOf, hostOf, nodeOfSubject } from '../judge/cluster.ts';
import { splitNode } from '../judge/narrow-site.ts';
import { drainPrefix, type Owner, ownerOf } from '../judge/ownership.ts';
import { stateWord } from '../judge/trouble.ts';
import type { NodesReading, SlurmNode } from '../readings.ts';
import { scontrolSettles, scontrolStep } from './refusals.ts';
import { settingsOf } from '../settings.ts';

/** An allow-list: scontrol takes host lists, so a name must not be able to hold one. */
export const nodeName = /^(?!ALL$)[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/i;

/** What an operator types as a reason. */
export const reasonSchema = plainText.refine((text) => !text.startsWith('-'), {
  error: 'a reason must not start with -',
});

/** The same as it is written to Slurm, with the operator's name in front. */
export const signedReason = (reason: string, { operator }: PlanContext): string | Refusal => {
  const signed = drainPrefix(operator) + reason;
  return reasonSchema.safeParse(signed).success
    ? signed
    : refusal(
        'parameters',
        `with "${drainPrefix(operator)}" in front the reason is longer than 120 characters`,
      );
};

/** What guard 6 is about, for its prompt. */
export const partitionLimit = "the partition's limit";

/** A node to act on. */
export interface Target {
  subject: Subject;
  /** As it was when the plan was made. */
  node: SlurmNode;
  owner: Owner;
  /** The host behind it, when the site file has it. */
  host?: string;
}

export interface Chosen {
  /** The host on which scontrol is run. */
  controller: string;
  source: Source<NodesReading>;
  targets: readonly Target[];
  leftOut: readonly LeftOut[];
}

/** Guards 3 and 5: explicit nodes that the inventory and Slurm know, from a reading that is not old. */
export const chooseNodes = (subjects: readonly Subject[], { judgement }: PlanContext): Chosen | Refusal => {
  const { readings, site } = judgement;
  const cluster = clusterOf(readings);
  if (!cluster || cluster.source.state !== 'fresh') {
    const why = whyAllUnread('slurm.nodes', readings, judgement.now) ?? 'no node was listed';
    return refusal('3 preconditions', `Slurm's nodes can't be read: ${why}`);
  }
  if (subjects.length === 0)
    return refusal('5 targets', 'no node is chosen; an empty choice never means all');
  const settings = settingsOf(site);
  const targets: Target[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const subject of subjects) {
    if (seen.has(subject.id)) continue;
    seen.add(subject.id);
    const wrong =
      subject.kind !== 'node' || !nodeName.test(splitNode(subject.id).name)
        ? `${subject.id} is not the name of one node`
        : undefined;
    const known = wrong === undefined && site.resolve('node', subject.id)?.id === subject.id;
    const node = known ? nodeOfSubject(cluster.index, site, subject.id) : undefined;
    if (!node || !nodeName.test(node.name)) {
      const reason = wrong ?? (known ? 'Slurm knows no such node' : 'not in the site file');
      leftOut.push({ subject, guard: '5 targets', reason });
      continue;
    }
    const host = hostOf(site, node.name);
    targets.push({ subject, node, owner: ownerOf(node, settings), ...(host !== undefined && { host }) });
  }
  return { controller: cluster.source.host, source: cluster.source, targets, leftOut };
};

/** Targets that nothing stands against; the others are left out with what does. */
export const leaveOut = (
  chosen: Pick<Chosen, 'targets' | 'leftOut'>,
  against: (target: Target) => Omit<LeftOut, 'subject'> | undefined,
): Pick<Chosen, 'targets' | 'leftOut'> => {
  const problems = chosen.targets.map((target) => ({ target, problem: against(target) }));
  return {
    targets: problems.flatMap(({ target, problem }) => (problem ? [] : [target])),
    leftOut: [
      ...chosen.leftOut,
      ...problems.flatMap(({ target: { subject }, problem }) => (problem ? [{ subject, ...problem }] : [])),
    ],
  };
};

/** One node, by the same rules. */
export const chooseNode = (
  subject: Subject,
  context: PlanContext,
): { node: SlurmNode; controller: string } | Refusal => {
  const chosen = chooseNodes([subject], context);
  if ('refused' in chosen) return chosen;
  const [target] = chosen.targets;
  return target ? { node: target.node, controller: chosen.controller } : refuseEmpty(chosen.leftOut);
};

/** `scontrol update` of one node. */
export const updateNode = (
  judgement: Judgement,
  { node, controller }: { node: Pick<SlurmNode, 'name'>; controller: string },
  ...words: string[]
): Step => scontrolStep(judgement, controller, 'update', `nodename=${node.name}`, ...words);

/** The node as it reads now; undefined when Slurm lists it no more. */
export const nodeNow = (name: string, { readings }: Judgement): SlurmNode | undefined =>
  clusterOf(readings)?.index.byName.get(name);

export const unlistedText = (name: string): string => `Slurm no longer lists ${name}`;

/** What must be so of a node 30 s after its command, as Slurm lists it. */
export const verifyNode = (
  name: string,
  controller: string,
  judgement: Judgement,
  text: string,
  isSo: (now: SlurmNode) => boolean,
  goesOn: (now: SlurmNode, live: Judgement) => string | undefined = () => undefined,
): Verification => ({
  text,
  reads: rereads('slurm.nodes', controller),
  deadlineMs: 30_000,
  settles: scontrolSettles(judgement),
  check: (live) => {
    const now = nodeNow(name, live);
    if (now === undefined) return { state: 'unread', text: unlistedText(name) };
    const reads = `${name} reads ${stateWord(now)}`;
    const rest = isSo(now) ? goesOn(now, live) : undefined;
    return rest === undefined
      ? waitUnless(isSo(now), reads)
      : { state: 'yes', text: `${reads}, ${rest}`, goesOn: rest };
  },
});

/** Guard 12: one lock for each partition that the node is in. */
export const lockGroupsOf = (node: SlurmNode): string[] =>
  node.partitions.toSorted().map((name) => `partition ${name}`);

/** `Resume 17 nodes`, `Resume node12`. */
export const titleOf = (verb: string, targets: readonly PlanTarget[]): string => {
  const word = verb.charAt(0).toUpperCase() + verb.slice(1);
  return `${word} ${targets.length === 1 ? (targets[0]?.subject.id ?? '') : count(targets.length, 'node')}`;
};

/** A reason that came from the machine, in what a command line may hold: undo drains again with the old reason. */
export const plainReason = (reason: string): string => {
  const plain = reason
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, 300);
  return plain === '' ? 'reason not known' : plain;
};
