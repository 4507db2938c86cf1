import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { refuseEmpty, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { checkOf } from '../judge/checks.ts';
import { settingsOf } from '../settings.ts';
import { requireListed } from './guards.ts';
import { chooseNodes, leaveOut, titleOf } from './targets.ts';

/** Asks the site's check on the nodes now. It has no side effect: reading is all there is to do, so there is no step. */
export const checkAction: Action<NoParameters> = {
  id: 'slurm.check',
  verb: 'check',
  title: 'check now',
  subject: 'node',
  danger: 'reversible',
  users: 'nothing: the check only looks',
  parameters: noParameters,
  prompts: [],
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: (subjects, _given, context) => planCheck(subjects, context),
};

const planCheck = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { command, timeoutMs } = settingsOf(context.judgement.site).check;
  if (command === undefined) return refusal('parameters', 'the site file has no slurm.check.command');
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const { targets, leftOut } = leaveOut(chosen, ({ host }) =>
    host === undefined ? { guard: '5 targets', reason: 'its host is not in the site file' } : undefined,
  );
  if (targets.length === 0) return refuseEmpty(leftOut);
  const made = targets.map((target): PlanTarget => {
    const { subject, node, host = '' } = target;
    return {
      subject,
      steps: [],
      guards: [requireListed(target, chosen.controller)],
      whyAlreadyDone: () => undefined,
      verify: {
        text: `the check has answered on ${node.name}`,
        reads: rereads('slurm.check', host),
        deadlineMs: timeoutMs + 10_000,
        check: (live) => {
          const check = checkOf(node, live);
          if (check.state === 'pass') return { state: 'yes', text: `${node.name} passes` };
          if (check.state === 'fail') return { state: 'yes', text: `${node.name} fails: ${check.text}` };
          return { state: 'wait', text: check.state === 'none' ? 'no check' : check.text };
        },
      },
      undo: null,
      lockGroups: [],
    };
  });
  return planOf(checkAction, {
    title: titleOf('check', made),
    targets: made,
    leftOut,
    measures: 'no command of its own: the check is a reading, on each node',
    because: [`${shellCommand(command)} on the node itself, without side effects`],
    afterwards: 'each node says whether it passes',
    undoText: 'nothing is changed',
  });
};
