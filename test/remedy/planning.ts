import * as z from 'zod';
import type {
  Action,
  Guard,
  GuardResult,
  Plan,
  PlanTarget,
  Refusal,
  Reread,
} from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { KnownPast } from '../../src/remedy/cool-down.ts';
import { makePlan } from '../../src/remedy/make-plan.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import type { Prepared } from '../../src/remedy/prepared.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { doing, planFor, targetOf } from '../helpers/plans.ts';
import { node } from './world.ts';

export const READS = [{ probe: 'a', host: 'h1' }];
const NOW = 100_000;

/** What plans are made from, and what was asked and waited for meanwhile. */
export const desk = { readings: new Sources(), asked: [] as Reread[][], slept: [] as number[] };

export const clearDesk = (): void => {
  Object.assign(desk, { readings: new Sources(), asked: [], slept: [] });
};

/** A good reading that is so old, ms. */
export const read = (ageMs: number, host = 'h1'): void => {
  desk.readings.good('a', host, 1, start, 0);
  const source = desk.readings.source('a', host);
  if (!source?.good) throw new Error('it was just read');
  desk.readings.put({ ...source, good: { ...source.good, mono: NOW - ageMs } });
};

const partsOf = (action: Action): EngineParts => {
  const site = {
    ...siteOf([]),
    resolve: (kind: Subject['kind'], id: string) => (id === 'gone' ? undefined : { kind, id }),
  };
  const parts: Partial<EngineParts> = {
    site,
    actionSets: [{ system: 'fake', actions: [action] }],
    reader: {
      judgement: () => judgementOf({ readings: desk.readings, site, mono: NOW, now: NOW }),
      touches: () => 'nothing',
      readNow: async (reads) => {
        desk.asked.push([...reads]);
        for (const { host } of reads) read(0, host);
      },
    },
    clock: {
      now: () => NOW,
      mono: () => NOW,
      sleep: async (ms, signal) => {
        // The limit of a reading never comes.
        if (signal) return new Promise<void>(() => undefined);
        desk.slept.push(ms);
      },
    },
    operator: { name: 'alice', uid: 1 },
    console: { host: 'adm1', pid: 1, version: '0', stamp: '' },
    makeId: () => '7',
  };
  return parts as EngineParts;
};

export const guardOf = (check: () => GuardResult, over: Partial<Guard> = {}): Guard => ({
  id: '6 limit',
  text: 'within',
  reads: READS,
  absolute: false,
  check,
  ...over,
});
export const passGuard = (): GuardResult => ({ ok: true, text: 'fine' });
export const failGuard = (): GuardResult => ({ ok: false, text: 'too many' });

/** A target that sends `do ID`. */
export const target = (id: string, over: Partial<PlanTarget> = {}): PlanTarget =>
  targetOf({
    subject: node(id),
    steps: [{ host: 'ctl1', argv: ['do', id] }],
    guards: [guardOf(passGuard)],
    ...over,
  });

const actionOf = (plan: Action['plan'], over: Partial<Action> = {}): Action => ({
  ...doing,
  title: 'do',
  subject: 'node',
  parameters: z.object({}),
  prompts: [],
  menu: { note: '' },
  plan,
  ...over,
});

export const make = async (
  plan: Action['plan'],
  ids: readonly string[] = ['n1'],
  {
    set = {},
    past = { past: [] },
    gently = false,
    ...over
  }: Partial<Action> & {
    set?: Record<string, string>;
    past?: KnownPast;
    gently?: boolean;
  } = {},
): Promise<Prepared | Refusal> =>
  makePlan(partsOf(actionOf(plan, over)), 'x.do', ids.map(node), set, () => past, gently);
export const planned = async (...given: Parameters<typeof make>): Promise<Prepared> => {
  const got = await make(...given);
  if ('refused' in got) throw new Error(`${got.guard}: ${got.reason}`);
  return got;
};
export const refusal = async (...given: Parameters<typeof make>): Promise<string> => {
  const got = await make(...given);
  return 'refused' in got ? `${got.guard}: ${got.reason}` : 'planned';
};
export const each =
  (over: (id: string) => Partial<PlanTarget> = () => ({}), more: Partial<Plan> = {}): Action['plan'] =>
  (subjects) => ({ ...planFor(...subjects.map(({ id }) => target(id, over(id)))), ...more });
