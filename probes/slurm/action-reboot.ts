import { z } from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import {
  beyondLimitPrompt,
  exceededRoom,
  listed,
  ownership,
  ownershipProblem,
  partitionRoom,
} from './action-guards.ts';
import {
  chooseNodes,
  type LeftOut,
  lockGroupsOf,
  nodeNow,
  nothingLeft,
  reasonSchema,
  refusal,
  stepDeadlineMs,
  type Target,
  titleOf,
} from './action-targets.ts';
import { drainPrefix } from './ownership.ts';
import type { SlurmNode } from './readings.ts';
import { quoted } from './sentence.ts';
import { has, isBusy, stateWord } from './trouble.ts';

const parameters = z.object({
  reason: reasonSchema,
  takeOver: reasonSchema.optional(),
  beyondLimit: reasonSchema.optional(),
});
type Parameters = z.infer<typeof parameters>;

const isPending = (node: SlurmNode): boolean => has(node, 'REBOOT_REQUESTED') || has(node, 'REBOOT_ISSUED');

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
  offer: (subjects, context) => {
    const plan = planReboot(subjects, { reason: 'asked by the menu' }, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const open = plan.targets.filter((target) => target.already(context.judgement) === undefined);
    return open.length === 0
      ? { available: false, reason: 'a reboot is pending already' }
      : { available: true, note: 'jobs end first' };
  },
  plan: (subjects, given, context) => planReboot(subjects, given, context),
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
    const problem = problemOf(target, context);
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
  const scontrol = (...words: string[]) => ({
    host: controller,
    argv: ['scontrol', ...words],
    deadlineMs: stepDeadlineMs,
  });
  const owned = has(node, 'DRAIN') || has(node, 'FAIL') || node.state === 'DOWN';
  return {
    subject: target.subject,
    steps: [
      scontrol('reboot', 'ASAP', `nextstate=${kept ? 'DOWN' : 'RESUME'}`, `reason=${reason}`, node.name),
    ],
    guards: [
      listed(target, controller),
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
      check: (live) => {
        const now = nodeNow(node.name, live);
        if (!now) return { state: 'no', text: `Slurm lists no ${node.name} any more` };
        // A fast one may be over before it was read: then its boot time is another.
        const rebooted = now.bootAt !== undefined && node.bootAt !== undefined && now.bootAt > node.bootAt;
        return {
          state: isPending(now) || rebooted ? 'yes' : 'wait',
          text: `${node.name} reads ${stateWord(now)}`,
        };
      },
    },
    undo: isBusy(node) ? [scontrol('cancel_reboot', node.name)] : null,
    lockGroups: lockGroupsOf(node),
  };
};

/** Takes back a reboot that has not begun. */
export const cancelRebootAction: Action<Record<string, never>> = {
  id: 'slurm.cancel-reboot',
  verb: 'cancel-reboot',
  title: 'cancel a pending reboot',
  subject: 'node',
  danger: 'reversible',
  parameters: z.strictObject({}),
  prompts: [],
  offer: (subjects, context) => {
    const plan = planCancel(subjects, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const open = plan.targets.filter((target) => target.already(context.judgement) === undefined);
    return open.length === 0
      ? { available: false, reason: 'no reboot is pending' }
      : { available: true, note: 'it has not begun' };
  },
  plan: (subjects, _given, context) => planCancel(subjects, context),
};

const planCancel = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const leftOut: LeftOut[] = [...chosen.leftOut];
  const targets = chosen.targets.filter(({ node, subject }) => {
    if (!has(node, 'REBOOT_ISSUED')) return true;
    leftOut.push({
      subject,
      guard: '3 preconditions',
      reason: 'its reboot has begun and cannot be taken back',
    });
    return false;
  });
  if (targets.length === 0) return nothingLeft(leftOut);
  const made = targets.map((target) => cancelTarget(target, chosen.controller));
  return {
    action: 'slurm.cancel-reboot',
    title: titleOf('cancel the reboot of', made),
    verb: 'cancel-reboot',
    danger: 'reversible',
    targets: made,
    leftOut: leftOut.map(({ subject, reason }) => ({ subject, reason })),
    because: targets
      .slice(0, 3)
      .map(
        ({ node }) =>
          `${node.name} is ${stateWord(node)}${node.nextState === undefined ? '' : `, then ${node.nextState}`}`,
      ),
    afterwards: 'each node must lose REBOOT_REQUESTED within 30 s',
    undoText: 'none of its own: ask for the reboot again',
    parameters: {},
    exceeded: [],
  };
};

const cancelTarget = (target: Target, controller: string): PlanTarget => {
  const { node } = target;
  const gone = (now: SlurmNode): boolean => !isPending(now);
  return {
    subject: target.subject,
    steps: [{ host: controller, argv: ['scontrol', 'cancel_reboot', node.name], deadlineMs: stepDeadlineMs }],
    guards: [
      {
        id: '3 preconditions',
        text: `the reboot of ${node.name} has not begun`,
        reads: [{ probe: 'slurm.nodes', host: controller }],
        absolute: true,
        check: (live) => {
          const now = nodeNow(node.name, live);
          if (!now) return { ok: false, text: `Slurm lists no ${node.name} any more` };
          return has(now, 'REBOOT_ISSUED')
            ? { ok: false, text: 'its reboot has begun and cannot be taken back' }
            : { ok: true, text: stateWord(now) };
        },
      },
    ],
    already: (live) => {
      const now = nodeNow(node.name, live);
      return now && gone(now) ? `${node.name}: no reboot is pending` : undefined;
    },
    verify: {
      text: `${node.name} without REBOOT_REQUESTED`,
      reads: [{ probe: 'slurm.nodes', host: controller }],
      deadlineMs: 30_000,
      check: (live) => {
        const now = nodeNow(node.name, live);
        if (!now) return { state: 'no', text: `Slurm lists no ${node.name} any more` };
        return { state: gone(now) ? 'yes' : 'wait', text: `${node.name} reads ${stateWord(now)}` };
      },
    },
    undo: null,
    lockGroups: lockGroupsOf(node),
  };
};
