import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, Refusal, Step } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import { queuesText } from '../judge/host-facts.ts';
import { factsOf } from '../judge/pairs.ts';
import type { FactsReading } from '../readings.ts';
import affinityScript from './affinity.sh';

/** A reading of one host that is good now; else why not. */
export const requireReading = (
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

/** A plan for one host's NIC: a step, its undo, and what the facts read when it is so. */
export const hostPlan = (
  action: Pick<Action, 'id' | 'verb' | 'danger' | 'users'>,
  host: string,
  parts: Pick<Plan, 'title' | 'because' | 'afterwards' | 'undoText'> & {
    parameters?: Plan['parameters'];
    step: Step;
    undo: Step;
    was: unknown;
    guards: readonly Guard[];
    /** What is read when nothing is left to do; else undefined. */
    whyAlreadySet(facts: FactsReading): string | undefined;
  },
): Plan => {
  const { step, undo, was, guards, whyAlreadySet, ...plan } = parts;
  const whyAlreadyDone = (live: Judgement): string | undefined => {
    const facts = factsOf(live.readings, host);
    return facts && whyAlreadySet(facts);
  };
  return planOf(action, {
    ...plan,
    targets: [
      {
        subject: { kind: 'host', id: host },
        steps: [step],
        guards,
        whyAlreadyDone,
        verify: {
          text: plan.afterwards,
          reads: rereads('iperf.facts', host),
          deadlineMs: 20_000,
          check: (live) => {
            const text = whyAlreadyDone(live);
            return waitUnless(text !== undefined, text ?? 'not so yet');
          },
        },
        undo: [undo],
        was,
        lockGroups: [`nic ${host}`],
      },
    ],
  });
};

const affinityStep = (host: string, pairs: readonly string[]): Step => ({
  host,
  argv: ['sudo', '-n', 'sh', '-s', '--', ...pairs],
  stdin: affinityScript,
});

/** irqbalance would undo it within 10 s: then it is the one to be told, not the kernel. */
const noIrqbalance = (host: string): Guard => ({
  id: '3 irqbalance',
  text: `irqbalance does not run on ${host}`,
  reads: rereads('iperf.facts', host),
  absolute: true,
  check: (live) => {
    const runs = factsOf(live.readings, host)?.irqbalance;
    if (runs === false) return passGuard('it does not run');
    return failGuard(
      runs === true
        ? `irqbalance runs on ${host} and would put them back: configure or stop it first`
        : `it is not known whether irqbalance runs on ${host}`,
    );
  },
});

/** Spreads the NIC's interrupts, one queue to a core. */
export const affinityAction: Action<NoParameters> = {
  id: 'host.irq-affinity',
  verb: 'spread',
  title: 'spread NIC interrupts',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or a moment of jitter on its network',
  parameters: noParameters,
  prompts: [],
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: (subjects, _given, context) => planAffinity(subjects, context),
  undoOf: (subject, was, context) => {
    const found = requireReading([subject], context);
    if ('refused' in found) return found;
    const { host, facts } = found;
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
        because: [`the old cores were not recorded: all cores (${all}) are set instead`],
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

const planAffinity = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const found = requireReading(subjects, context);
  if ('refused' in found) return found;
  const { host, facts } = found;
  const cores = facts.cores ?? 0;
  const queues = queuesOf(facts);
  if (queues.length < 2 || cores < 2)
    return refusal(
      '3 preconditions',
      `${host} shows the cores of ${queues.length} interrupts of ${facts.nic || 'its NIC'} on ${cores} cores: nothing to spread`,
    );
  const wanted = new Map(queues.map(({ irq }, at) => [irq, String(at % cores)]));
  return hostPlan(affinityAction, host, {
    title: `Spread the interrupts of ${facts.nic} on ${host}`,
    because: [`${host}: ${queuesText(facts)} of ${cores}`],
    afterwards: `each queue of ${facts.nic} interrupts a core of its own`,
    undoText: 'each interrupt gets the cores back that it had',
    step: affinityStep(
      host,
      queues.map(({ irq }) => `${irq}:${wanted.get(irq) ?? ''}`),
    ),
    undo: backStep(host, queues),
    was: queues,
    guards: [noIrqbalance(host)],
    whyAlreadySet: (live) =>
      queues.every(({ irq }) => live.queues.find((queue) => queue.irq === irq)?.cores === wanted.get(irq))
        ? queuesText(live)
        : undefined,
  });
};
