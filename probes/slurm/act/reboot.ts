import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal, Step } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { refuseEmpty, refusal, beyondLimitPrompt, exceededGuard } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import {
  requireListed,
  oddProblem,
  ownership,
  ownershipProblem,
  partitionRoom,
  requireKnownState,
} from './guards.ts';
import {
  chooseNode,
  chooseNodes,
  lockGroupsOf,
  nodeNow,
  partitionLimit,
  reasonSchema,
  leaveOut,
  signedReason,
  type Target,
  titleOf,
  verifyNode,
} from './targets.ts';
import type { SlurmNode } from '../readings.ts';
import { scontrolStep, timeoutNote } from './refusals.ts';
import { quoteReason } from '../judge/sentence.ts';
import { hasFlag, isBusy, stateWord } from '../judge/trouble.ts';

const parameters = z.object({
  reason: reasonSchema,
  takeOver: reasonSchema.optional(),
  beyondLimit: reasonSchema.optional(),
});
type Parameters = z.infer<typeof parameters>;

/** Asked for or under way. */
export const isPending = (node: SlurmNode): boolean =>
  hasFlag(node, 'REBOOT_REQUESTED') || hasFlag(node, 'REBOOT_ISSUED');

/** Drains, reboots when idle, and returns to service; what a person took out stays out (nextstate=DOWN). */
export const rebootAction: Action<Parameters> = {
  id: 'slurm.reboot',
  verb: 'reboot',
  title: 'reboot when idle',
  subject: 'node',
  danger: 'service',
  users: 'running jobs end first; no new one starts there until it is back',
  parameters,
  prompts: [
    { name: 'reason', label: 'reason', required: true },
    { name: 'takeOver', label: 'take over from the one who drained it: why', required: false, exceeds: '4' },
    beyondLimitPrompt(partitionLimit),
  ],
  menu: {
    note: 'jobs end first',
    whyDone: 'a reboot is pending already',
    tryWith: () => [{ reason: 'asked by the menu' }],
  },
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
  const reason = signedReason(given.reason, context);
  if (typeof reason !== 'string') return reason;
  const takeOver = given.takeOver ?? context.exceed?.['4'];
  const whyOwned = (target: Target): string | undefined =>
    context.looksBack ? undefined : problemOf(target, context);
  const { targets, leftOut } = leaveOut(chosen, (target) => {
    const odd = oddProblem(target.node);
    if (odd !== undefined) return { guard: '3 preconditions', reason: odd };
    const problem = takeOver === undefined ? whyOwned(target) : undefined;
    return problem === undefined ? undefined : { guard: '4 ownership', reason: problem };
  });
  if (targets.length === 0) return refuseEmpty(leftOut);
  const names = targets.map(({ node }) => node.name);
  const made = targets.map((target) => targetOf(target, chosen.controller, names, reason, context));
  const isTaken = targets.some((target) => whyOwned(target) !== undefined);
  return planOf(rebootAction, {
    title: titleOf('reboot', made),
    targets: made,
    leftOut,
    because: [
      `asked for: ${quoteReason(given.reason, 120)}`,
      ...targets.slice(0, 3).map(({ node }) => `${node.name} is ${stateWord(node)}`),
      ...timeoutNote(context.judgement),
    ],
    afterwards:
      'each node must show a reboot requested or issued within 30 s; it returns when slurmd registers again',
    undoText: 'cancel-reboot while it waits for jobs; a reboot that has begun cannot be undone',
    parameters: { ...given },
    exceeded: [
      ...(isTaken && takeOver !== undefined ? [{ guard: '4 ownership', reason: takeOver }] : []),
      ...exceededGuard('6', made, given.beyondLimit, context),
    ],
  });
};

/** Only nodes that somebody took out have an owner; one in service may be rebooted. */
const isTakenOut = ({ node, owner }: Target): boolean =>
  (hasFlag(node, 'DRAIN') || hasFlag(node, 'FAIL') || node.state === 'DOWN') && owner.kind !== 'slurm';

const problemOf = (target: Target, { operator, judgement }: PlanContext): string | undefined =>
  isTakenOut(target) && !isPending(target.node)
    ? ownershipProblem(target.node, operator, judgement)
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
  return {
    subject: target.subject,
    steps: [
      scontrol('reboot', 'ASAP', `nextstate=${kept ? 'DOWN' : 'RESUME'}`, `reason=${reason}`, node.name),
    ],
    guards: [
      requireListed(target, controller),
      requireKnownState(target, controller),
      ...(isTakenOut(target) ? [ownership(target, controller, context.operator)] : []),
      partitionRoom(target, controller, names),
    ],
    whyAlreadyDone: (live) => {
      const now = nodeNow(node.name, live);
      return now && isPending(now) ? `${node.name}: a reboot is pending already` : undefined;
    },
    verify: verifyNode(
      node.name,
      controller,
      context.judgement,
      `${node.name} shows a reboot requested or issued`,
      // A fast one may be over before it was read: then its boot time is another.
      (now) => isPending(now) || (before !== undefined && (now.bootAt ?? before) > before),
      (now) => (isPending(now) ? 'the reboot is still to come' : undefined),
    ),
    ...(before !== undefined && { before: [String(before)] }),
    undo: isBusy(node) ? [scontrol('cancel_reboot', node.name)] : null,
    lockGroups: lockGroupsOf(node),
  };
};
