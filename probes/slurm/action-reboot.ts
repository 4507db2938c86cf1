import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal, Step } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { offerOf } from '../../src/model/offer.ts';
import { type LeftOut, nothingLeft, refusal } from '../../src/model/refusal.ts';
import {
  beyondLimitPrompt,
  exceededRoom,
  listed,
  oddProblem,
  ownership,
  ownershipProblem,
  partitionRoom,
  stateKnown,
} from './action-guards.ts';
import {
  chooseNode,
  chooseNodes,
  lockGroupsOf,
  nodeNow,
  reasonSchema,
  type Target,
  titleOf,
} from './action-targets.ts';
import { drainPrefix } from './ownership.ts';
import type { SlurmNode } from './readings.ts';
import { scontrolSettles, scontrolStep, timeoutNote } from './refusals.ts';
import { quoted } from './sentence.ts';
import { has, isBusy, stateWord } from './trouble.ts';

const parameters = z.object({
  reason: reasonSchema,
  takeOver: reasonSchema.optional(),
  beyondLimit: reasonSchema.optional(),
});
type Parameters = z.infer<typeof parameters>;

/** Asked for or under way. */
export const isPending = (node: SlurmNode): boolean =>
  has(node, 'REBOOT_REQUESTED') || has(node, 'REBOOT_ISSUED');

/** Drains, reboots when idle, and returns to service; what a person took out stays out (nextstate=DOWN). */
export const rebootAction: Action<Parameters> = {
  id: 'slurm.reboot',
  verb: 'reboot',
  title: 'reboot when idle',
  subject: 'node',
  danger: 'service',
  parameters,
  prompts: [
    { name: 'reason', label: 'reason', required: true },
    { name: 'takeOver', label: 'take over from who drained it: why', required: false },
    beyondLimitPrompt,
  ],
  offer: (subjects, context) =>
    offerOf(
      planReboot(subjects, { reason: 'asked by the menu' }, context),
      context,
      'a reboot is pending already',
      () => 'jobs end first',
    ),
  plan: (subjects, given, context) => planReboot(subjects, given, context),
  undoOf: (subject, _was, context) => {
    const one = chooseNode(subject, context);
    if ('refused' in one) return one;
    return isPending(one.node)
      ? { steps: [scontrolStep(context.judgement, one.controller, 'cancel_reboot', one.node.name)] }
      : refusal('3 preconditions', `${one.node.name} waits for no reboot any more`);
  },
};

const planReboot = (
  subjects: readonly Subject[],
  given: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const reason = drainPrefix(context.operator) + given.reason;
  if (!reasonSchema.safeParse(reason).success) {
    return refusal(
      'parameters',
      `with "${drainPrefix(context.operator)}" in front the reason is longer than 120 characters`,
    );
  }
  const takeOver = given.takeOver ?? context.exceed?.['4'];
  const leftOut: LeftOut[] = [...chosen.leftOut];
  const targets: Target[] = [];
  let taken = false;
  for (const target of chosen.targets) {
    const odd = oddProblem(target.node);
    if (odd !== undefined) {
      leftOut.push({ subject: target.subject, guard: '3 preconditions', reason: odd });
      continue;
    }
    const problem = context.looksBack ? undefined : problemOf(target, context);
    if (problem !== undefined && takeOver === undefined) {
      leftOut.push({ subject: target.subject, guard: '4 ownership', reason: problem });
      continue;
    }
    taken ||= problem !== undefined;
    targets.push(target);
  }
  if (targets.length === 0) return nothingLeft(leftOut);
  const names = targets.map(({ node }) => node.name);
  const made = targets.map((target) => targetOf(target, chosen.controller, names, reason, context));
  return {
    action: 'slurm.reboot',
    title: titleOf('reboot', made),
    verb: 'reboot',
    danger: 'service',
    targets: made,
    leftOut: leftOut.map(({ subject, reason: why }) => ({ subject, reason: why })),
    because: [
      `asked for: ${quoted(given.reason, 120)}`,
      ...targets.slice(0, 3).map(({ node }) => `${node.name} is ${stateWord(node)}`),
      ...timeoutNote(context.judgement),
    ],
    afterwards:
      'each node must show a reboot requested or issued within 30 s; it returns when slurmd registers again',
    undoText: 'cancel-reboot while it waits for jobs; a reboot that has begun cannot be undone',
    parameters: { ...given },
    exceeded: [
      ...(taken && takeOver !== undefined ? [{ guard: '4 ownership', reason: takeOver }] : []),
      ...exceededRoom(made, given.beyondLimit, context),
    ],
  };
};

/** Only nodes that somebody took out have an owner; one in service may be rebooted. */
const problemOf = ({ node, owner }: Target, { operator, judgement }: PlanContext): string | undefined =>
  (has(node, 'DRAIN') || has(node, 'FAIL') || node.state === 'DOWN') &&
  !isPending(node) &&
  owner.kind !== 'slurm'
    ? ownershipProblem(node, operator, judgement)
    : undefined;

const targetOf = (
  target: Target,
  controller: string,
  names: readonly string[],
  reason: string,
  context: PlanContext,
): PlanTarget => {
  const { node } = target;
  const kept = problemOf(target, context) !== undefined;
  const scontrol = (...words: string[]): Step => scontrolStep(context.judgement, controller, ...words);
  const [bootedAt] = context.looksBack?.before ?? [];
  const before = bootedAt === undefined ? node.bootAt : Number(bootedAt);
  const owned = has(node, 'DRAIN') || has(node, 'FAIL') || node.state === 'DOWN';
  return {
    subject: target.subject,
    steps: [
      scontrol('reboot', 'ASAP', `nextstate=${kept ? 'DOWN' : 'RESUME'}`, `reason=${reason}`, node.name),
    ],
    guards: [
      listed(target, controller),
      stateKnown(target, controller),
      ...(owned && target.owner.kind !== 'slurm' ? [ownership(target, controller, context.operator)] : []),
      partitionRoom(target, controller, names),
    ],
    already: (live) => {
      const now = nodeNow(node.name, live);
      return now && isPending(now) ? `${node.name}: a reboot is pending already` : undefined;
    },
    verify: {
      text: `${node.name} shows a reboot requested or issued`,
      reads: [{ probe: 'slurm.nodes', host: controller }],
      deadlineMs: 30_000,
      settles: scontrolSettles(context.judgement),
      check: (live) => {
        const now = nodeNow(node.name, live);
        if (!now) return { state: 'unread', text: `Slurm lists no ${node.name} any more` };
        // A fast one may be over before it was read: then its boot time is another.
        const rebooted = now.bootAt !== undefined && before !== undefined && now.bootAt > before;
        return {
          state: isPending(now) || rebooted ? 'yes' : 'wait',
          text: `${node.name} reads ${stateWord(now)}`,
        };
      },
    },
    ...(before !== undefined && { before: [String(before)] }),
    undo: isBusy(node) ? [scontrol('cancel_reboot', node.name)] : null,
    lockGroups: lockGroupsOf(node),
  };
};
