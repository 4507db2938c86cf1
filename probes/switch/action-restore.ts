import * as z from 'zod';
import type {
  Action,
  Guard,
  ParameterPrompt,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
} from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { commitGuards, commitLocks } from './action-device.ts';
import { isOfFabric, planFabricRestore } from './action-fabric.ts';
import { listed } from './action-guards.ts';
import { deviceStep, isDark, journalSteps, portNow, type Target, targetOf } from './action-parts.ts';
import { deviceReads, readsUp } from './action-reads.ts';
import { journalFile } from './journal.ts';
import { lagOf } from './lags.ts';
import { isDown } from './links.ts';
import { plainText } from '../../src/model/plain-text.ts';
import { no, ok, refusal } from '../../src/model/refusal.ts';
import { shutByUs } from './shut-by-us.ts';

const parameters = z.object({ takeOver: plainText.optional() });
type Parameters = z.infer<typeof parameters>;

const OWNERSHIP = '4 ownership';

/** Guard 4, asked for where it is needed: a plan without it would be refused after all was typed. */
const whyTakeOver: ParameterPrompt = {
  name: 'takeOver',
  label: 'no console of this site is known to have shut it: why take over',
  required: true,
};

/** Puts a shut port back. */
export const restoreAction: Action<Parameters> = {
  id: 'switch.restore',
  verb: 'restore',
  title: 'restore port',
  subject: 'port',
  danger: 'access',
  parameters,
  prompts: [],
  offer: (subjects, context) => {
    const plan = planRestore(subjects, {}, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const [target] = plan.targets;
    if (target?.already(context.judgement) !== undefined) return { available: false, reason: 'not shut' };
    const foreign = target?.guards.some((one) => one.id === OWNERSHIP && !one.check(context.judgement).ok);
    return { available: true, note: plan.because[0] ?? '', ...(foreign && { prompts: [whyTakeOver] }) };
  },
  plan: planRestore,
};

/** Guard 3: a port whose light is gone is not shut: switching it on changes nothing. */
const isSwitchedOff = (target: Target): Guard => ({
  id: '3 preconditions',
  text: `${target.port} was switched off`,
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const now = portNow(live, target.host.name, target.port);
    if (!now) return no(`${target.port} was not read`);
    return isDark(now)
      ? no(`${target.port} is switched on and has no link: look at its cable`)
      : ok('it is off');
  },
});

/** Guard 4: what a console of this site shut; anybody else's wants a reason. */
const ours = ({ subject, port }: Target, context: PlanContext): Guard => {
  const file = journalFile(context.judgement.site);
  return {
    id: OWNERSHIP,
    text: `a console of this site shut ${port}`,
    reads: file ? [{ probe: 'switch.journal', host: file.host }] : [],
    absolute: false,
    check: (live) => {
      const shut = shutByUs(live).find((one) => one.port === subject.id);
      return shut
        ? ok(`${shut.by} did`)
        : no(`no console of this site is known to have shut ${port}; to take over: --set takeOver="why"`);
    },
  };
};

function planRestore(subjects: readonly Subject[], given: Parameters, context: PlanContext): Plan | Refusal {
  const [subject, more] = subjects;
  if (!subject || more) return refusal('5 targets', 'one port at a time');
  if (isOfFabric(subject, context)) return planFabricRestore(subject, context);
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement, operator, exceed } = context;
  const lag = lagOf(judgement, target.host.name, target.port);
  const owner = ours(target, context);
  const owned = owner.check(judgement);
  const takeOver = given.takeOver ?? exceed?.['4'];
  const made: PlanTarget = {
    subject,
    steps: [
      deviceStep(target, target.change.restore),
      ...journalSteps(judgement.site, { kind: 'restored', port: subject.id, by: operator }),
    ],
    guards: [listed(target), isSwitchedOff(target), owner, ...commitGuards(target)],
    already: (live) => {
      const now = portNow(live, target.host.name, target.port);
      return now && !isDown(now) ? `${target.port} is up already` : undefined;
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
    because: [owned.ok ? `shut from a console: ${owned.text}` : owned.text],
    afterwards: `${target.port} must read up and be back in its LAG within 100 s`,
    undoText: 'none of its own: switch.shut, which is held; nothing is saved on the switch',
    parameters: { ...given },
    exceeded: !owned.ok && takeOver !== undefined ? [{ guard: owner.id, reason: takeOver }] : [],
  };
}
