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
import { spreadOf } from './interrupts.ts';
import { factsOf } from './pairs.ts';
import type { FactsReading } from './readings.ts';

export const reads = (host: string) => [{ probe: 'iperf.facts', host }];

/** A reading of one host that is good now; else why not. */
export const known = (
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

export const hostPlan = (
  host: string,
  parts: Pick<Plan, 'action' | 'verb' | 'title' | 'because' | 'afterwards' | 'undoText' | 'parameters'> & {
    step: Step;
    undo: Step;
    was: unknown;
    guards: readonly Guard[];
    done(facts: FactsReading): string | undefined;
  },
): Plan => {
  const { step, undo, was, guards, done, ...plan } = parts;
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
        was,
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
  undoOf: (subject, was, context) => {
    const one = known([subject], context);
    if ('refused' in one) return one;
    const { host, facts } = one;
    const queues = recordedQueues.safeParse(was).data;
    const all = `0-${(facts.cores ?? 0) - 1}`;
    if (queues === undefined && facts.cores === undefined)
      return refusal(
        '3 preconditions',
        `neither the old cores of the interrupts nor the cores of ${host} are known`,
      );
    const old = queues ?? queuesOf(facts).map(({ irq }) => ({ irq, allowed: all }));
    const gone = old.find(({ irq }) => !facts.queues.some((queue) => queue.irq === irq));
    if (gone) return refusal('3 preconditions', `interrupt ${gone.irq} is no queue of ${facts.nic} any more`);
    return {
      steps: [backStep(host, old)],
      ...(queues === undefined && {
        because: [`the old cores were not written down: all of them, ${all}, stand for them`],
      }),
    };
  },
};

/** What the undo has to know: the cores that each interrupt was allowed, as the kernel lists them (`0-3,8`). */
const recordedQueues = z
  .array(z.object({ irq: z.int().min(0), allowed: z.string().regex(/^\d+(?:[-,]\d+)*$/) }))
  .min(1);

const queuesOf = ({ queues }: FactsReading) =>
  queues
    .flatMap(({ irq, allowed }) => (allowed === undefined ? [] : [{ irq, allowed }]))
    .toSorted((a, b) => a.irq - b.irq);

const backStep = (host: string, old: readonly { irq: number; allowed: string }[]): Step =>
  affinityStep(
    host,
    old.map(({ irq, allowed }) => `${irq}:${allowed}`),
  );

export const offered = (plan: Plan | Refusal, { judgement }: PlanContext) => {
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
  const queues = queuesOf(facts);
  if (queues.length < 2 || cores < 2)
    return refusal(
      '3 preconditions',
      `${host} shows the cores of ${queues.length} interrupts of ${facts.nic || 'its NIC'} on ${cores} cores: nothing to spread`,
    );
  const wanted = new Map(queues.map(({ irq }, at) => [irq, String(at % cores)]));
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
      queues.map(({ irq }) => `${irq}:${wanted.get(irq) ?? ''}`),
    ),
    undo: backStep(host, queues),
    was: queues,
    guards: [noIrqbalance(host)],
    done: (live) =>
      queues.every(({ irq }) => live.queues.find((queue) => queue.irq === irq)?.cores === wanted.get(irq))
        ? spreadOf(live)
        : undefined,
  });
};
