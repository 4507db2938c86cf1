import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { type LeftOut, nothingLeft, refusal } from '../../src/model/refusal.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { listed } from './action-guards.ts';
import { chooseNodes, titleOf } from './action-targets.ts';
import { checkOf } from './checks.ts';
import { settingsOf } from './settings.ts';

/** Asks the site's check on the nodes now. It has no side effect: reading is all there is to do, so there is no step. */
export const checkAction: Action<Record<string, never>> = {
  id: 'slurm.check',
  verb: 'check',
  title: 'check now',
  subject: 'node',
  danger: 'reversible',
  parameters: z.strictObject({}),
  prompts: [],
  offer: (subjects, context) => {
    const plan = planCheck(subjects, context);
    return 'refused' in plan
      ? { available: false, reason: plan.reason }
      : { available: true, note: plan.because[0] ?? '' };
  },
  plan: (subjects, _given, context) => planCheck(subjects, context),
};

const planCheck = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { command } = settingsOf(context.judgement.site).check;
  if (command === undefined) return refusal('parameters', 'the site file has no slurm.check.command');
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const leftOut: LeftOut[] = [...chosen.leftOut];
  const targets = chosen.targets.flatMap((target): PlanTarget[] => {
    const { subject, node, host } = target;
    if (host === undefined) {
      leftOut.push({ subject, guard: '5 targets', reason: 'its host is not in the site file' });
      return [];
    }
    return [
      {
        subject,
        steps: [],
        guards: [listed(target, chosen.controller)],
        already: () => undefined,
        verify: {
          text: `the check has answered on ${node.name}`,
          reads: [{ probe: 'slurm.check', host }],
          deadlineMs: settingsOf(context.judgement.site).check.timeoutMs + 10_000,
          check: (live) => {
            const check = checkOf(node, live);
            if (check.state === 'pass') return { state: 'yes', text: `${node.name} passes` };
            if (check.state === 'fail') return { state: 'yes', text: `${node.name} fails: ${check.text}` };
            return { state: 'wait', text: check.state === 'none' ? 'no check' : check.text };
          },
        },
        undo: null,
        lockGroups: [],
      },
    ];
  });
  if (targets.length === 0) return nothingLeft(leftOut);
  return {
    action: 'slurm.check',
    title: titleOf('check', targets),
    verb: 'check',
    danger: 'reversible',
    targets,
    leftOut: leftOut.map(({ subject, reason }) => ({ subject, reason })),
    measures: 'no command of its own: the check is a reading, on each node',
    because: [`${shellCommand(command)} on the node itself, without side effects`],
    afterwards: 'each node says whether it passes',
    undoText: 'nothing is changed',
    parameters: {},
    exceeded: [],
  };
};
