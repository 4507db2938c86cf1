import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, refuseEmpty, passGuard, rereads } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import { isKnownState } from '../read/states.ts';
import { hasFlag, stateWord } from '../judge/trouble.ts';
import { isPending } from './reboot.ts';
import { scontrolStep, timeoutNote } from './refusals.ts';
import {
  chooseNodes,
  lockGroupsOf,
  nodeNow,
  leaveOut,
  type Target,
  titleOf,
  unlistedText,
  verifyNode,
} from './targets.ts';

/** Takes back a reboot that has not begun. */
export const cancelRebootAction: Action<NoParameters> = {
  id: 'slurm.cancel-reboot',
  verb: 'cancel-reboot',
  title: 'cancel a pending reboot',
  subject: 'node',
  danger: 'reversible',
  users: 'nothing: the node does not reboot',
  parameters: noParameters,
  prompts: [],
  menu: { note: 'before it begins', whyDone: 'no reboot is pending' },
  plan: (subjects, _given, context) => planCancel(subjects, context),
};

const hasBegun = 'its reboot has begun and cannot be taken back';

const planCancel = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const { targets, leftOut } = leaveOut(chosen, ({ node }) =>
    hasFlag(node, 'REBOOT_ISSUED') && !context.looksBack
      ? { guard: '3 preconditions', reason: hasBegun }
      : undefined,
  );
  if (targets.length === 0) return refuseEmpty(leftOut);
  const made = targets.map((target) => cancelTarget(target, chosen.controller, context.judgement));
  return planOf(cancelRebootAction, {
    title: titleOf('cancel the reboot of', made),
    targets: made,
    leftOut,
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
  });
};

const cancelTarget = ({ node, subject }: Target, controller: string, judgement: Judgement): PlanTarget => ({
  subject,
  steps: [scontrolStep(judgement, controller, 'cancel_reboot', node.name)],
  guards: [
    {
      id: '3 preconditions',
      text: `the reboot of ${node.name} has not begun`,
      reads: rereads('slurm.nodes', controller),
      absolute: true,
      check: (live) => {
        const now = nodeNow(node.name, live);
        if (!now) return failGuard(unlistedText(node.name));
        return hasFlag(now, 'REBOOT_ISSUED') ? failGuard(hasBegun) : passGuard(stateWord(now));
      },
    },
  ],
  whyAlreadyDone: (live) => {
    const now = nodeNow(node.name, live);
    return now && isKnownState(now) && !isPending(now) ? `${node.name}: no reboot is pending` : undefined;
  },
  verify: verifyNode(
    node.name,
    controller,
    judgement,
    `${node.name} without REBOOT_REQUESTED`,
    (now) => isKnownState(now) && !isPending(now),
  ),
  undo: null,
  lockGroups: lockGroupsOf(node),
});
