import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { offerOf } from '../../src/model/offer.ts';
import { type LeftOut, nothingLeft } from '../../src/model/refusal.ts';
import { isPending } from './action-reboot.ts';
import { chooseNodes, lockGroupsOf, nodeNow, type Target, titleOf } from './action-targets.ts';
import { scontrolSettles, scontrolStep, timeoutNote } from './refusals.ts';
import { isKnownState } from './states.ts';
import { has, stateWord } from './trouble.ts';

/** Takes back a reboot that has not begun. */
export const cancelRebootAction: Action<Record<string, never>> = {
  id: 'slurm.cancel-reboot',
  verb: 'cancel-reboot',
  title: 'cancel a pending reboot',
  subject: 'node',
  danger: 'reversible',
  parameters: z.strictObject({}),
  prompts: [],
  offer: (subjects, context) =>
    offerOf(planCancel(subjects, context), context, 'no reboot is pending', () => 'it has not begun'),
  plan: (subjects, _given, context) => planCancel(subjects, context),
};

const planCancel = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const leftOut: LeftOut[] = [...chosen.leftOut];
  const targets = chosen.targets.filter(({ node, subject }) => {
    if (!has(node, 'REBOOT_ISSUED') || context.looksBack) return true;
    leftOut.push({
      subject,
      guard: '3 preconditions',
      reason: 'its reboot has begun and cannot be taken back',
    });
    return false;
  });
  if (targets.length === 0) return nothingLeft(leftOut);
  const made = targets.map((target) => cancelTarget(target, chosen.controller, context.judgement));
  return {
    action: 'slurm.cancel-reboot',
    title: titleOf('cancel the reboot of', made),
    verb: 'cancel-reboot',
    danger: 'reversible',
    targets: made,
    leftOut: leftOut.map(({ subject, reason }) => ({ subject, reason })),
    because: [
      ...targets
        .slice(0, 3)
        .map(
          ({ node }) =>
            `${node.name} is ${stateWord(node)}${node.nextState === undefined ? '' : `, then ${node.nextState}`}`,
        ),
      ...timeoutNote(context.judgement),
    ],
    afterwards: 'each node must lose REBOOT_REQUESTED within 30 s',
    undoText: 'none of its own: ask for the reboot again',
    parameters: {},
    exceeded: [],
  };
};

const cancelTarget = (target: Target, controller: string, judgement: Judgement): PlanTarget => {
  const { node } = target;
  return {
    subject: target.subject,
    steps: [scontrolStep(judgement, controller, 'cancel_reboot', node.name)],
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
      return now && isKnownState(now) && !isPending(now) ? `${node.name}: no reboot is pending` : undefined;
    },
    verify: {
      text: `${node.name} without REBOOT_REQUESTED`,
      reads: [{ probe: 'slurm.nodes', host: controller }],
      deadlineMs: 30_000,
      settles: scontrolSettles(judgement),
      check: (live) => {
        const now = nodeNow(node.name, live);
        if (!now) return { state: 'unread', text: `Slurm lists no ${node.name} any more` };
        return {
          state: isKnownState(now) && !isPending(now) ? 'yes' : 'wait',
          text: `${node.name} reads ${stateWord(now)}`,
        };
      },
    },
    undo: null,
    lockGroups: lockGroupsOf(node),
  };
};
