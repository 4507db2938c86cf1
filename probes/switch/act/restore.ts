import { failGuard, passGuard, refusal } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Action, Guard, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { commitGuards, commitLocks } from './device.ts';
import { isOfFabric, planFabricRestore } from './fabric.ts';
import { requireIdentity, requireListed } from './guards.ts';
import { portNow, restoreSteps, type Target, targetOf } from './parts.ts';
import { deviceReads, verifyUp } from './reads.ts';
import { isForeign, ownerOf, takeOverParameters, type TakeOver, whyTakeOver } from './ownership.ts';
import { lagOf } from '../links/lags.ts';
import { isDark, isShut, describeUnclear } from '../read/port-states.ts';

/** Puts a shut port back. */
export const restoreAction: Action<TakeOver> = {
  id: 'switch.restore',
  verb: 'restore',
  title: 'restore port',
  subject: 'port',
  danger: 'access',
  users: 'the port carries traffic again',
  parameters: takeOverParameters,
  prompts: [],
  menu: {
    note: ({ because }) => because[0] ?? '',
    whyDone: 'not shut',
    prompts: ({ targets }, { judgement }) =>
      targets.some(({ guards }) => guards.some((one) => isForeign(one, judgement))) ? [whyTakeOver] : [],
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
const requireSwitchedOff = (target: Target, judgement: Judgement): Guard => ({
  id: '3 preconditions',
  ...offWords(target, judgement),
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const now = portNow(live, target.host.name, target.port);
    if (!now) return failGuard(`${target.port} was not read`);
    if (now.state === undefined)
      return failGuard(`${target.port} ${describeUnclear(now)}: whether it is shut is not known`);
    return isDark(now)
      ? failGuard(`${target.port} is switched on and has no link: look at its cable`)
      : passGuard('it is off');
  },
});

function planRestore(subjects: readonly Subject[], given: TakeOver, context: PlanContext): Plan | Refusal {
  const [subject, more] = subjects;
  if (!subject || more) return refusal('5 targets', 'one port at a time');
  if (isOfFabric(subject, context)) return planFabricRestore(restoreAction, subject, given, context);
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement } = context;
  const { host, port, platform } = target;
  const lag = lagOf(judgement, host.name, port);
  const owner = ownerOf(target, context, given.takeOver);
  return planOf(restoreAction, {
    title: `Restore ${port} on ${host.name}`,
    targets: [
      {
        subject,
        steps: restoreSteps(target, context),
        guards: [
          requireListed(target),
          requireIdentity(target),
          requireSwitchedOff(target, judgement),
          owner.guard,
          ...commitGuards(target),
        ],
        whyAlreadyDone: (live) =>
          portNow(live, host.name, port)?.state === 'up' ? `${port} is up already` : undefined,
        verify: verifyUp(target),
        undo: null,
        lockGroups: [lag ? `lag ${lag.host}:${lag.lag}` : `port ${subject.id}`, ...commitLocks(target)],
      },
    ],
    because: [owner.because],
    afterwards: `${port} must read up and be back in its LAG within 100 s`,
    undoText: `none of its own: switch.shut, which is held; ${platform.shutLasts === 'restart' ? 'it is committed on the switch' : 'nothing is saved on the switch'}`,
    parameters: { ...given },
    exceeded: owner.exceeded,
  });
}
