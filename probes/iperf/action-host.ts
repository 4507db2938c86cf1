import * as z from 'zod';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  Refusal,
  Step,
  Verification,
} from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { no, ok, refusal } from '../../src/model/refusal.ts';
import { type CoalescingParameters, coalescingParameters } from './action-parameters.ts';
import { spreadOf } from './interrupts.ts';
import { factsOf } from './pairs.ts';
import type { FactsReading } from './readings.ts';
import { ethtoolRefusals } from './refusals.ts';

const reads = (host: string) => [{ probe: 'iperf.facts', host }];

/** A reading of the host that is good now; else why not. */
const known = (
  subjects: readonly Subject[],
  { judgement }: PlanContext,
): { host: string; facts: FactsReading } | Refusal => {
  const [subject] = subjects;
  if (!subject || subjects.length > 1) return refusal('5 targets', 'one host at a time');
  const facts = factsOf(judgement.readings, subject.id);
  return facts
    ? { host: subject.id, facts }
    : refusal('3 preconditions', `the facts of ${subject.id} were not read`);
};

const hostPlan = (
  host: string,
  parts: Pick<Plan, 'action' | 'verb' | 'title' | 'because' | 'afterwards' | 'undoText' | 'parameters'> & {
    step: Step;
    undo: Step;
    guards: readonly Guard[];
    done(facts: FactsReading): string | undefined;
  },
): Plan => {
  const { step, undo, guards, done, ...plan } = parts;
  const now = (live: Judgement): string | undefined => {
    const facts = factsOf(live.readings, host);
    return facts && done(facts);
  };
  const verify: Verification = {
    text: plan.afterwards,
    reads: reads(host),
    deadlineMs: 20_000,
    check: (live) => {
      const text = now(live);
      return text === undefined ? { state: 'wait', text: 'not so yet' } : { state: 'yes', text };
    },
  };
  return {
    ...plan,
    danger: 'service',
    leftOut: [],
    exceeded: [],
    targets: [
      {
        subject: { kind: 'host', id: host },
        steps: [step],
        guards,
        already: now,
        verify,
        undo: [undo],
        lockGroups: [`nic ${host}`],
      },
    ],
  };
};

/** Each pair `IRQ:CORES` into the kernel; stops at the first that it does not take. */
const affinityScript =
  'for pair do echo "${pair#*:}" >"/proc/irq/${pair%%:*}/smp_affinity_list" || exit 1; done';

const affinityStep = (host: string, pairs: readonly string[]): Step => ({
  host,
  argv: ['sudo', '-n', 'sh', '-s', '--', ...pairs],
  stdin: affinityScript,
});

/** irqbalance would undo it within 10 s: then it is the one to be told, not the kernel. */
const noIrqbalance = (host: string): Guard => ({
  id: '3 irqbalance',
  text: `irqbalance does not run on ${host}`,
  reads: reads(host),
  absolute: true,
  check: (live) => {
    const runs = factsOf(live.readings, host)?.irqbalance;
    if (runs === false) return ok('it does not run');
    return no(
      runs === true
        ? `irqbalance runs on ${host} and would put them back: configure or stop it first`
        : `it can't be told whether irqbalance runs on ${host}`,
    );
  },
});

/** Spreads the NIC's interrupts, one queue to a core. */
export const affinityAction: Action<Record<string, never>> = {
  id: 'host.irq-affinity',
  verb: 'spread',
  title: 'spread NIC interrupts',
  subject: 'host',
  danger: 'service',
  parameters: z.strictObject({}),
  prompts: [],
  offer: (subjects, context) => offered(planAffinity(subjects, context), context),
  plan: (subjects, _given, context) => planAffinity(subjects, context),
};

const offered = (plan: Plan | Refusal, { judgement }: PlanContext) => {
  if ('refused' in plan) return { available: false as const, reason: plan.reason };
  const [target] = plan.targets;
  const reason =
    target?.already(judgement) ??
    target?.guards.map((guard) => guard.check(judgement)).find((one) => !one.ok)?.text;
  return reason === undefined
    ? { available: true as const, note: plan.because[0] ?? '' }
    : { available: false as const, reason };
};

const planAffinity = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const one = known(subjects, context);
  if ('refused' in one) return one;
  const { host, facts } = one;
  const cores = facts.cores ?? 0;
  const queues = facts.queues
    .filter(({ allowed }) => allowed !== undefined)
    .toSorted((a, b) => a.irq - b.irq);
  if (queues.length < 2 || cores < 2)
    return refusal(
      '3 preconditions',
      `${host} shows the cores of ${queues.length} interrupts of ${facts.nic || 'its NIC'} on ${cores} cores: nothing to spread`,
    );
  const wanted = new Map(queues.map(({ irq }, at) => [irq, String(at % cores)]));
  const pairs = (of: (queue: (typeof queues)[number]) => string | undefined): string[] =>
    queues.map((queue) => `${queue.irq}:${of(queue) ?? ''}`);
  return hostPlan(host, {
    action: 'host.irq-affinity',
    verb: 'spread',
    title: `Spread the interrupts of ${facts.nic} on ${host}`,
    because: [`${host}: ${spreadOf(facts)} of ${cores}`],
    afterwards: `each queue of ${facts.nic} interrupts a core of its own`,
    undoText: 'each interrupt may go again to all the cores it might before',
    parameters: {},
    step: affinityStep(
      host,
      pairs(({ irq }) => wanted.get(irq)),
    ),
    undo: affinityStep(
      host,
      pairs(({ allowed }) => allowed),
    ),
    guards: [noIrqbalance(host)],
    done: (live) =>
      queues.every(({ irq }) => live.queues.find((queue) => queue.irq === irq)?.cores === wanted.get(irq))
        ? spreadOf(live)
        : undefined,
  });
};

/** Interrupt coalescing of the NIC: adaptive-rx off and a fixed rx-usecs are what cured incident 10. */
export const coalescingAction: Action<CoalescingParameters> = {
  id: 'host.coalescing',
  verb: 'coalesce',
  title: 'set interrupt coalescing',
  subject: 'host',
  danger: 'service',
  parameters: coalescingParameters,
  prompts: [
    { name: 'adaptiveRx', label: 'adaptive-rx (on, off)', required: false, initial: 'off' },
    { name: 'rxUsecs', label: 'rx-usecs (0-1000)', required: false },
  ],
  offer: (subjects, context) => offered(planCoalescing(subjects, {}, context), context),
  plan: (subjects, given, context) => planCoalescing(subjects, given, context),
};

const planCoalescing = (
  subjects: readonly Subject[],
  given: CoalescingParameters,
  context: PlanContext,
): Plan | Refusal => {
  const one = known(subjects, context);
  if ('refused' in one) return one;
  const { host, facts } = one;
  if (facts.adaptiveRx === undefined)
    return refusal('3 preconditions', `${facts.nic || 'the NIC'} of ${host} does not tell its coalescing`);
  const adaptive = given.adaptiveRx ?? 'off';
  const usecs = given.rxUsecs ?? facts.rxUsecs;
  const step = (rx: string, value: number | undefined): Step => ({
    host,
    argv: [
      'sudo',
      '-n',
      'ethtool',
      '-C',
      facts.nic,
      'adaptive-rx',
      rx,
      ...(value === undefined ? [] : ['rx-usecs', String(value)]),
    ],
    refusals: ethtoolRefusals,
  });
  return hostPlan(host, {
    action: 'host.coalescing',
    verb: 'coalesce',
    title: `Set coalescing of ${facts.nic} on ${host}`,
    because: [
      `${host}: adaptive-rx is ${facts.adaptiveRx ? 'on' : 'off'}, rx-usecs ${facts.rxUsecs ?? 'not known'}`,
    ],
    afterwards: `adaptive-rx reads ${adaptive}${usecs === undefined ? '' : `, rx-usecs ${usecs}`}`,
    undoText: 'the old adaptive-rx and rx-usecs',
    parameters: { ...given },
    step: step(adaptive, usecs),
    undo: step(facts.adaptiveRx ? 'on' : 'off', facts.rxUsecs),
    guards: [
      {
        id: '3 preconditions',
        text: `adaptive-rx on ${host} is as it was read`,
        reads: reads(host),
        absolute: true,
        check: (live) => {
          const now = factsOf(live.readings, host);
          return now !== undefined && now.adaptiveRx === facts.adaptiveRx && now.rxUsecs === facts.rxUsecs
            ? ok('unchanged')
            : no('plan is stale: it was changed meanwhile');
        },
      },
    ],
    done: (live) =>
      live.adaptiveRx === (adaptive === 'on') && (usecs === undefined || live.rxUsecs === usecs)
        ? `adaptive-rx ${adaptive}, rx-usecs ${live.rxUsecs ?? 'not known'}`
        : undefined,
  });
};
