import { z } from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { isOfFabric, planFabricRestore } from './action-fabric.ts';
import { listed } from './action-guards.ts';
import { deviceStep, journalSteps, portNow, refusal, targetOf } from './action-parts.ts';
import { readsUp } from './action-reads.ts';
import { isDown } from './links.ts';
import { lagOf } from './lags.ts';
import { journal } from './states.ts';

/** Puts a shut port back. */
export const restoreAction: Action<object> = {
  id: 'switch.restore',
  verb: 'restore',
  title: 'restore port',
  subject: 'port',
  danger: 'access',
  parameters: z.object({}),
  prompts: [],
  offer: (subjects, context) => {
    const plan = planRestore(subjects, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const already = plan.targets[0]?.already(context.judgement);
    return already === undefined ? { available: true, note: '' } : { available: false, reason: 'not shut' };
  },
  plan: (subjects, _given, context) => planRestore(subjects, context),
};

const planRestore = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const [subject, more] = subjects;
  if (!subject || more) return refusal('5 targets', 'one port at a time');
  if (isOfFabric(subject, context)) return planFabricRestore(subject, context);
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement, operator } = context;
  const lag = lagOf(judgement, target.host.name, target.port);
  const made: PlanTarget = {
    subject,
    steps: [
      deviceStep(target, target.change.restore),
      ...journalSteps(judgement.site, { kind: 'restored', port: subject.id, by: operator }),
    ],
    guards: [listed(target)],
    already: (live) => {
      const now = portNow(live, target.host.name, target.port);
      return now && !isDown(now) ? `${target.port} is up already` : undefined;
    },
    verify: readsUp(target),
    undo: [deviceStep(target, target.change.shut)],
    lockGroups: [lag ? `lag ${lag.host}:${lag.lag}` : `port ${subject.id}`],
  };
  const shut = journal(judgement)?.shut.find((one) => one.port === subject.id);
  return {
    action: 'switch.restore',
    title: `Restore ${target.port} on ${target.host.name}`,
    verb: 'restore',
    danger: 'access',
    targets: [made],
    leftOut: [],
    because: [
      shut ? `shut from a console by ${shut.by}` : 'no console of this site is known to have shut it',
    ],
    afterwards: `${target.port} must read up within 45 s`,
    undoText: 'shut it again; nothing is saved on the switch',
    parameters: {},
    exceeded: [],
  };
};
