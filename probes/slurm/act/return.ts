import * as z from 'zod';
import type { Action, Danger, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { refuseEmpty } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { oddProblem, ownership, ownershipProblem, requireCheckPassed, requireUnchanged } from './guards.ts';
import {
  chooseNode,
  chooseNodes,
  lockGroupsOf,
  nodeNow,
  reasonSchema,
  plainReason,
  leaveOut,
  type Target,
  titleOf,
  updateNode,
  verifyNode,
} from './targets.ts';
import { checkOf } from '../judge/checks.ts';
import { ownerPhrase, drainPrefix, shownReason } from '../judge/ownership.ts';
import { timeoutNote } from './refusals.ts';
import type { SlurmNode } from '../readings.ts';
import { quoteReason } from '../judge/sentence.ts';
import { settingsOf } from '../settings.ts';
import { isKnownState } from '../read/states.ts';
import { hasFlag, isBack, stateWord, troubleOf } from '../judge/trouble.ts';

/** The two ways back into service: `resume` clears DRAIN, DOWN and FAIL, `undrain` only DRAIN. */
interface Way {
  verb: 'resume' | 'undrain';
  title: string;
  /** Whether the node is as the verb leaves it. */
  isDone(node: SlurmNode): boolean;
  /** What the menu says when all are so. */
  whyDone: string;
  afterwards: string;
}

const resumeWay: Way = {
  verb: 'resume',
  title: 'resume',
  isDone: isBack,
  whyDone: 'in service already',
  afterwards: 'each node must lose DRAIN, FAIL and NOT_RESPONDING and not be DOWN within 30 s',
};

const undrainWay: Way = {
  verb: 'undrain',
  title: 'undrain (clears DRAIN only)',
  isDone: (node) => isKnownState(node) && !hasFlag(node, 'DRAIN'),
  whyDone: 'not drained',
  afterwards: 'each node must lose DRAIN within 30 s',
};

const parameters = z.object({ takeOver: reasonSchema.optional() });
type Parameters = z.infer<typeof parameters>;

const returnAction = (way: Way): Action<Parameters> => ({
  id: `slurm.${way.verb}`,
  verb: way.verb,
  title: way.title,
  subject: 'node',
  danger: 'reversible',
  users: 'jobs may start there again',
  parameters,
  prompts: [
    { name: 'takeOver', label: 'take over from the one who drained it: why', required: false, exceeds: '4' },
  ],
  menu: {
    note: ({ targets, leftOut, danger }) => {
      const left = leftOut.length === 0 ? '' : `, ${leftOut.length} left out`;
      const unchecked = danger === 'reversible' ? '' : ', not checked';
      return `${targets.length} of ${targets.length + leftOut.length}${left}${unchecked}`;
    },
    whyDone: way.whyDone,
  },
  plan: (subjects, given, context) => planReturn(way, subjects, given, context),
  undoOf: (subject, was, context) => {
    const one = chooseNode(subject, context);
    if ('refused' in one) return one;
    const known = recorded.safeParse(was).data;
    const reason = known?.reason ?? unknownReason(way, context);
    return {
      steps: [updateNode(context.judgement, one, 'state=drain', `reason=${plainReason(reason)}`)],
      ...(known === undefined && {
        because: ['the old reason is not in the audit log: the node is drained with a new one'],
      }),
    };
  },
});

/** What the undo has to know: for what the node was out of service. */
const recorded = z.object({ reason: z.string() });

const unknownReason = (way: Way, { operator }: PlanContext): string =>
  `${drainPrefix(operator)}undo of ${way.verb}`;

const planReturn = (
  way: Way,
  subjects: readonly Subject[],
  given: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  const chosen = chooseNodes(subjects, context);
  if ('refused' in chosen) return chosen;
  const takeOver = given.takeOver ?? context.exceed?.['4'];
  const findObjection = (target: Target): ReturnType<typeof problemOf> =>
    way.isDone(target.node) || context.looksBack ? undefined : problemOf(way, target, context);
  const isOwned = (target: Target): boolean => findObjection(target)?.guard === '4 ownership';
  const { targets, leftOut } = leaveOut(chosen, (target) =>
    takeOver !== undefined && isOwned(target) ? undefined : findObjection(target),
  );
  if (targets.length === 0) return refuseEmpty(leftOut);
  const made = targets.map((target) => targetOf(way, target, chosen.controller, context));
  return planOf(returnActions[way.verb], {
    title: titleOf(way.verb, made),
    danger: dangerOf(targets, context),
    targets: made,
    leftOut,
    because: [
      ...becauseOf(
        targets.filter(({ node }) => !way.isDone(node)),
        context,
      ),
      ...timeoutNote(context.judgement),
    ],
    afterwards: way.afterwards,
    undoText: 'drain again with the old reason',
    parameters: { ...given },
    exceeded:
      takeOver !== undefined && targets.some(isOwned) ? [{ guard: '4 ownership', reason: takeOver }] : [],
  });
};

/** What keeps a node out of the plan; a failing check stays out even when taken over. */
const problemOf = (
  way: Way,
  target: Target,
  context: PlanContext,
): { guard: string; reason: string } | undefined => {
  const { node } = target;
  if (troubleOf(node) === 'reboot')
    return { guard: '3 preconditions', reason: `is rebooting (${stateWord(node)})` };
  const odd = oddProblem(node);
  if (odd !== undefined) return { guard: '3 preconditions', reason: odd };
  const check = checkOf(node, context.judgement);
  if (check.state === 'fail')
    return { guard: '3 check', reason: `the health check fails (${quoteReason(check.text, 80)})` };
  // Slurm takes the command, shows idle* and sets the node down again after SlurmdTimeout (slurmctld keeps NO_RESPOND).
  if (way.verb === 'resume' && troubleOf(node) === 'notResponding' && check.state === 'unknown')
    return {
      guard: '3 preconditions',
      reason:
        'slurmd does not respond and the health check got no answer: power, network and slurmd come first',
    };
  const owned = ownershipProblem(node, context.operator, context.judgement);
  return owned === undefined ? undefined : { guard: '4 ownership', reason: owned };
};

/** Without a check nobody has looked whether the fault is gone: one class up (the engine adds one for a take-over). */
const dangerOf = (targets: readonly Target[], { judgement }: PlanContext): Danger => {
  const configured = settingsOf(judgement.site).check.command !== undefined;
  return configured && targets.every(({ host }) => host !== undefined) ? 'reversible' : 'service';
};

const targetOf = (way: Way, target: Target, controller: string, context: PlanContext): PlanTarget => {
  const { node, host } = target;
  const checked = host !== undefined && settingsOf(context.judgement.site).check.command !== undefined;
  const update = (...words: string[]) => updateNode(context.judgement, { node, controller }, ...words);
  const reason = plainReason(node.reason ?? unknownReason(way, context));
  return {
    subject: target.subject,
    steps: [update(`state=${way.verb}`)],
    guards: way.isDone(node)
      ? [requireUnchanged(target, controller)]
      : [
          requireUnchanged(target, controller),
          ownership(target, controller, context.operator),
          ...(checked ? [requireCheckPassed(target, host)] : []),
        ],
    whyAlreadyDone: (live) => {
      const now = nodeNow(node.name, live);
      return now && way.isDone(now) ? `${node.name} is ${stateWord(now)} already` : undefined;
    },
    verify: verifyNode(
      node.name,
      controller,
      context.judgement,
      way.verb === 'resume'
        ? `${node.name} without DRAIN, FAIL, NOT_RESPONDING, not DOWN`
        : `${node.name} without DRAIN`,
      way.isDone,
    ),
    undo: [update('state=drain', `reason=${reason}`)],
    was: { reason },
    lockGroups: lockGroupsOf(node),
  };
};

/** Why these: by whom and for what they were taken out, and what the check says. */
const becauseOf = (targets: readonly Target[], { judgement }: PlanContext): string[] => {
  if (targets.length === 0) return ['in service already: there is nothing to do'];
  const settings = settingsOf(judgement.site);
  const groups = Map.groupBy(targets, ({ node, owner }) => {
    const how =
      owner.kind === 'health' ? 'by the health check (reason matches the site file)' : ownerPhrase(owner);
    return `taken out of service ${how}, ${quoteReason(shownReason(node, owner, settings))}`;
  });
  const passing = targets.filter(({ node }) => checkOf(node, judgement).state === 'pass').length;
  const unsaid = targets.length - passing;
  const check =
    settings.check.command === undefined
      ? 'no health check: the site file has no slurm.check.command'
      : unsaid === 0
        ? `the check passes on ${targets.length === 1 ? 'it' : `all ${targets.length}`}`
        : `the check passes on ${passing} of ${targets.length}; each is checked right before`;
  return [...[...groups].map(([text, of]) => (groups.size === 1 ? text : `${of.length}: ${text}`)), check];
};

export const resumeAction = returnAction(resumeWay);
export const undrainAction = returnAction(undrainWay);
const returnActions = { resume: resumeAction, undrain: undrainAction };
