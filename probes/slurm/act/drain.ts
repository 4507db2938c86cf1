import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { refuseEmpty, beyondLimitPrompt, exceededGuard } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { jobsOn } from '../judge/cluster.ts';
import { quoteReason } from '../judge/sentence.ts';
import { hasFlag, isBusy, stateWord } from '../judge/trouble.ts';
import { isKnownState } from '../read/states.ts';
import type { SlurmNode } from '../readings.ts';
import { requireListed, partitionRoom } from './guards.ts';
import { timeoutNote } from './refusals.ts';
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
  updateNode,
  verifyNode,
} from './targets.ts';

const parameters = z.object({ reason: reasonSchema, beyondLimit: reasonSchema.optional() });
type Parameters = z.infer<typeof parameters>;

/** Takes nodes out of service; running jobs go on to their end. */
export const drainAction: Action<Parameters> = {
  id: 'slurm.drain',
  verb: 'drain',
  title: 'drain',
  subject: 'node',
  danger: 'reversible',
  users: 'running jobs go on, no new one starts there',
  parameters,
  prompts: [{ name: 'reason', label: 'reason', required: true }, beyondLimitPrompt(partitionLimit)],
  menu: {
    note: 'running jobs go on to their end',
    whyDone: 'drained already',
    tryWith: () => [{ reason: 'asked by the menu' }],
  },
  plan: (subjects, given, context) => planDrain(subjects, given, context),
  undoOf: (subject, _was, context) => {
    const one = chooseNode(subject, context);
    return 'refused' in one ? one : { steps: [updateNode(context.judgement, one, 'state=undrain')] };
  },
};

const planDrain = (subjects: readonly Subject[], given: Parameters, context: PlanContext): Plan | Refusal => {
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const reason = signedReason(given.reason, context);
  if (typeof reason !== 'string') return reason;
  const { targets, leftOut } = leaveOut(chosen, ({ node }) =>
    !hasFlag(node, 'DRAIN') || node.reason === reason || context.looksBack
      ? undefined
      : {
          guard: '11 at most once',
          reason: `drained already, ${quoteReason(node.reason ?? '')} by ${node.reasonUser ?? 'an unknown user'}`,
        },
  );
  if (targets.length === 0) return refuseEmpty(leftOut);
  const names = targets.map(({ node }) => node.name);
  const made = targets.map((target) => targetOf(target, chosen.controller, names, reason, context.judgement));
  return planOf(drainAction, {
    title: titleOf('drain', made),
    targets: made,
    leftOut,
    because: [
      `asked for: ${quoteReason(given.reason, 120)}`,
      jobsLine(targets, context),
      ...timeoutNote(context.judgement),
    ],
    afterwards: 'each node must read DRAIN with this reason within 30 s; running jobs go on',
    undoText: 'undrain',
    parameters: { ...given },
    exceeded: exceededGuard('6', made, given.beyondLimit, context),
  });
};

const targetOf = (
  target: Target,
  controller: string,
  names: readonly string[],
  reason: string,
  judgement: Judgement,
): PlanTarget => {
  const { subject, node } = target;
  const update = (...words: string[]) => updateNode(judgement, { node, controller }, ...words);
  return {
    subject,
    steps: [update('state=drain', `reason=${reason}`)],
    guards: [requireListed(target, controller), partitionRoom(target, controller, names)],
    whyAlreadyDone: (live) => {
      const now = nodeNow(node.name, live);
      return now && hasFlag(now, 'DRAIN')
        ? `${node.name} is drained already, ${quoteReason(now.reason ?? '')}`
        : undefined;
    },
    verify: verifyNode(
      node.name,
      controller,
      judgement,
      `${node.name} reads DRAIN with this reason`,
      (now) => hasFlag(now, 'DRAIN') && now.reason === reason,
      jobsLeft,
    ),
    undo: [update('state=undrain')],
    lockGroups: lockGroupsOf(node),
  };
};

/** A node that drains is out of service once its last job has ended. */
const jobsLeft = (now: SlurmNode, live: Judgement): string | undefined => {
  if (!isBusy(now)) return undefined;
  const left = jobsOn(live.readings).get(now.name)?.length;
  if (left === undefined) return 'jobs still run there';
  return `${count(left, 'job')} still ${left === 1 ? 'runs' : 'run'}`;
};

const jobsLine = (targets: readonly Target[], { judgement }: PlanContext): string => {
  const busy = targets.filter(({ node }) => isBusy(node));
  const odd = targets.find(({ node }) => !isBusy(node) && !isKnownState(node));
  if (odd)
    return `whether jobs run on ${odd.node.name} is not known (${stateWord(odd.node)}): those that do go on to their end`;
  if (busy.length === 0) return 'no jobs run there now';
  const byNode = jobsOn(judgement.readings);
  const jobs = new Set(busy.flatMap(({ node }) => (byNode.get(node.name) ?? []).map((job) => job.jobId)));
  const inAll = jobs.size === 0 ? 'how many is not known' : `${groupThousands(jobs.size)} in all`;
  const busyText =
    targets.length === 1 ? 'jobs run there' : `${busy.length} of ${count(targets.length, 'node')} run jobs`;
  return `${busyText} (${inAll}): those go on to their end`;
};
