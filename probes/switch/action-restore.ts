import type { Action, Guard, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { commitGuards, commitLocks } from './action-device.ts';
import { isOfFabric, planFabricRestore } from './action-fabric.ts';
import { listed } from './action-guards.ts';
import { deviceStep, journalSteps, portNow, type Target, targetOf } from './action-parts.ts';
import { deviceReads, readsUp } from './action-reads.ts';
import { isForeign, ownerOf, takeOverParameters, type TakeOver, whyTakeOver } from './action-ownership.ts';
import { lagOf } from './lags.ts';
import { no, ok, refusal } from '../../src/model/refusal.ts';
import { isDark, isShut, unclear } from './port-states.ts';

/** Puts a shut port back. */
export const restoreAction: Action<TakeOver> = {
  id: 'switch.restore',
  verb: 'restore',
  title: 'restore port',
  subject: 'port',
  danger: 'access',
  parameters: takeOverParameters,
  prompts: [],
  offer: (subjects, context) => {
    const plan = planRestore(subjects, {}, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const [target] = plan.targets;
    if (target?.already(context.judgement) !== undefined) return { available: false, reason: 'not shut' };
    const foreign = target?.guards.some((one) => isForeign(one, context.judgement));
    return { available: true, note: plan.because[0] ?? '', ...(foreign && { prompts: [whyTakeOver] }) };
  },
  plan: planRestore,
};

/** Where a device prints the same of a port that is switched off and of one without light, only that it is down was checked. */
const offWords = ({ host, port }: Target, judgement: Judgement): Pick<Guard, 'text' | 'unchecked'> => {
  const now = portNow(judgement, host.name, port);
  return now === undefined || isShut(now)
    ? { text: `${port} was switched off` }
    : {
        text: `${port} is down`,
        unchecked: `whether ${port} was switched off or has no light: ${host.name} prints "${now.link ?? ''}" of both`,
      };
};

/** Guard 3: a port whose light is gone is not shut: switching it on changes nothing. */
const isSwitchedOff = (target: Target, judgement: Judgement): Guard => ({
  id: '3 preconditions',
  ...offWords(target, judgement),
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const now = portNow(live, target.host.name, target.port);
    if (!now) return no(`${target.port} was not read`);
    if (now.state === undefined) return no(`${target.port} ${unclear(now)}: whether it is shut is not known`);
    return isDark(now)
      ? no(`${target.port} is switched on and has no link: look at its cable`)
      : ok('it is off');
  },
});

function planRestore(subjects: readonly Subject[], given: TakeOver, context: PlanContext): Plan | Refusal {
  const [subject, more] = subjects;
  if (!subject || more) return refusal('5 targets', 'one port at a time');
  if (isOfFabric(subject, context)) return planFabricRestore(subject, given, context);
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement, operator } = context;
  const lag = lagOf(judgement, target.host.name, target.port);
  const owner = ownerOf(target, context, given.takeOver);
  const made: PlanTarget = {
    subject,
    steps: [
      deviceStep(target, target.change.restore),
      ...journalSteps(judgement.site, { kind: 'restored', port: subject.id, by: operator }),
    ],
    guards: [listed(target), isSwitchedOff(target, judgement), owner.guard, ...commitGuards(target)],
    already: (live) => {
      const now = portNow(live, target.host.name, target.port);
      return now?.state === 'up' ? `${target.port} is up already` : undefined;
    },
    verify: readsUp(target),
    undo: null,
    lockGroups: [lag ? `lag ${lag.host}:${lag.lag}` : `port ${subject.id}`, ...commitLocks(target)],
  };
  return {
    action: 'switch.restore',
    title: `Restore ${target.port} on ${target.host.name}`,
    verb: 'restore',
    danger: 'access',
    targets: [made],
    leftOut: [],
    because: [owner.because],
    afterwards: `${target.port} must read up and be back in its LAG within 100 s`,
    undoText: `none of its own: switch.shut, which is held; ${target.change.lasts === 'restart' ? 'it is committed on the switch' : 'nothing is saved on the switch'}`,
    parameters: { ...given },
    exceeded: owner.exceeded,
  };
}
