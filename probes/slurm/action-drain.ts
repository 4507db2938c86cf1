import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { beyondNote, offerOf } from '../../src/model/offer.ts';
import { type LeftOut, nothingLeft, refusal } from '../../src/model/refusal.ts';
import { beyondLimitPrompt, exceededRoom, listed, partitionRoom } from './action-guards.ts';
import {
  chooseNodes,
  lockGroupsOf,
  nodeNow,
  reasonSchema,
  stepDeadlineMs,
  type Target,
  titleOf,
} from './action-targets.ts';
import { jobsOn } from './cluster.ts';
import { drainPrefix } from './ownership.ts';
import { quoted } from './sentence.ts';
import { isKnownState } from './states.ts';
import { has, isBusy, stateWord } from './trouble.ts';

const parameters = z.object({ reason: reasonSchema, beyondLimit: reasonSchema.optional() });
type Parameters = z.infer<typeof parameters>;

/** Takes nodes out of service; running jobs go on to their end. */
export const drainAction: Action<Parameters> = {
  id: 'slurm.drain',
  verb: 'drain',
  title: 'drain',
  subject: 'node',
  danger: 'reversible',
  parameters,
  prompts: [{ name: 'reason', label: 'reason', required: true }, beyondLimitPrompt],
  offer: (subjects, context) =>
    offerOf(
      planDrain(subjects, { reason: 'asked by the menu' }, context),
      context,
      'drained already',
      (_, open) => beyondNote(open, context, 'running jobs go on to their end'),
    ),
  plan: (subjects, given, context) => planDrain(subjects, given, context),
};

const planDrain = (subjects: readonly Subject[], given: Parameters, context: PlanContext): Plan | Refusal => {
  const { reason } = given;
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const full = drainPrefix(context.operator) + reason;
  if (!reasonSchema.safeParse(full).success) {
    return refusal(
      'parameters',
      `with "${drainPrefix(context.operator)}" in front the reason is longer than 120 characters`,
    );
  }
  const leftOut: LeftOut[] = [...chosen.leftOut];
  const targets = chosen.targets.filter(({ node, subject }) => {
    if (!has(node, 'DRAIN') || node.reason === full) return true;
    const why = `drained already, ${quoted(node.reason ?? '')} by ${node.reasonUser ?? 'somebody'}`;
    leftOut.push({ subject, guard: '11 at most once', reason: why });
    return false;
  });
  if (targets.length === 0) return nothingLeft(leftOut);
  const names = targets.map(({ node }) => node.name);
  const made = targets.map((target) => targetOf(target, chosen.controller, names, full));
  return {
    action: 'slurm.drain',
    title: titleOf('drain', made),
    verb: 'drain',
    danger: 'reversible',
    targets: made,
    leftOut: leftOut.map(({ subject, reason: why }) => ({ subject, reason: why })),
    because: [`asked for: ${quoted(reason, 120)}`, jobsLine(targets, context)],
    afterwards: 'each node must read DRAIN with this reason within 30 s; running jobs go on',
    undoText: 'undrain',
    parameters: { ...given },
    exceeded: exceededRoom(made, given.beyondLimit, context),
  };
};

const targetOf = (
  { subject, node, ...rest }: Target,
  controller: string,
  names: readonly string[],
  reason: string,
): PlanTarget => {
  const target: Target = { subject, node, ...rest };
  const update = (...words: string[]) => ({
    host: controller,
    argv: ['scontrol', 'update', `nodename=${node.name}`, ...words],
    deadlineMs: stepDeadlineMs,
  });
  return {
    subject,
    steps: [update('state=drain', `reason=${reason}`)],
    guards: [listed(target, controller), partitionRoom(target, controller, names)],
    already: (live) => {
      const now = nodeNow(node.name, live);
      return now && has(now, 'DRAIN')
        ? `${node.name} is drained already, ${quoted(now.reason ?? '')}`
        : undefined;
    },
    verify: {
      text: `${node.name} reads DRAIN with this reason`,
      reads: [{ probe: 'slurm.nodes', host: controller }],
      deadlineMs: 30_000,
      check: (live) => {
        const now = nodeNow(node.name, live);
        if (!now) return { state: 'no', text: `Slurm lists no ${node.name} any more` };
        const done = has(now, 'DRAIN') && now.reason === reason;
        return { state: done ? 'yes' : 'wait', text: `${node.name} reads ${stateWord(now)}` };
      },
    },
    undo: [update('state=undrain')],
    lockGroups: lockGroupsOf(node),
  };
};

const jobsLine = (targets: readonly Target[], { judgement }: PlanContext): string => {
  const busy = targets.filter(({ node }) => isBusy(node));
  const odd = targets.find(({ node }) => !isBusy(node) && !isKnownState(node));
  if (odd)
    return `whether jobs run on ${odd.node.name} is not known (${stateWord(odd.node)}): those that do go on to their end`;
  if (busy.length === 0) return 'no jobs run there now';
  const byNode = jobsOn(judgement.readings);
  const jobs = new Set(busy.flatMap(({ node }) => (byNode.get(node.name) ?? []).map((job) => job.jobId)));
  return `${busy.length} of ${targets.length} run jobs (${jobs.size} in all): those go on to their end`;
};
