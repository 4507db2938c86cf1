import * as z from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
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

const READS = [{ probe: 'a', host: 'h1' }];
const NOW = 100_000;

let readings: Sources;
let asked: Reread[][];
let slept: number[];
beforeEach(() => {
  readings = new Sources();
  asked = [];
  slept = [];
});

/** A good reading that is so old, ms. */
const read = (ageMs: number, host = 'h1'): void => {
  readings.good('a', host, 1, start, 0);
  const source = readings.source('a', host);
  if (!source?.good) throw new Error('it was just read');
  readings.put({ ...source, good: { ...source.good, mono: NOW - ageMs } });
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
      judgement: () => judgementOf({ readings, site, mono: NOW, now: NOW }),
      touches: () => 'nothing',
      readNow: async (reads) => {
        asked.push([...reads]);
        for (const { host } of reads) read(0, host);
      },
    },
    clock: {
      now: () => NOW,
      mono: () => NOW,
      sleep: async (ms, signal) => {
        // The limit of a reading never comes.
        if (signal) return new Promise<void>(() => undefined);
        slept.push(ms);
      },
    },
    operator: { name: 'alice', uid: 1 },
    console: { host: 'adm1', pid: 1, version: '0', stamp: '' },
    newId: () => '7',
  };
  return parts as EngineParts;
};

const guardOf = (check: () => GuardResult, over: Partial<Guard> = {}): Guard => ({
  id: '6 limit',
  text: 'within',
  reads: READS,
  absolute: false,
  check,
  ...over,
});
const ok = (): GuardResult => ({ ok: true, text: 'fine' });
const no = (): GuardResult => ({ ok: false, text: 'too many' });

/** A target that sends `do ID`. */
const target = (id: string, over: Partial<PlanTarget> = {}): PlanTarget =>
  targetOf({
    subject: node(id),
    steps: [{ host: 'ctl1', argv: ['do', id] }],
    guards: [guardOf(ok)],
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

const make = async (
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
const planned = async (...given: Parameters<typeof make>): Promise<Prepared> => {
  const got = await make(...given);
  if ('refused' in got) throw new Error(`${got.guard}: ${got.reason}`);
  return got;
};
const refusal = async (...given: Parameters<typeof make>): Promise<string> => {
  const got = await make(...given);
  return 'refused' in got ? `${got.guard}: ${got.reason}` : 'planned';
};
const each =
  (over: (id: string) => Partial<PlanTarget> = () => ({}), more: Partial<Plan> = {}): Action['plan'] =>
  (subjects) => ({ ...planFor(...subjects.map(({ id }) => target(id, over(id)))), ...more });

describe('what a plan rests on', () => {
  it('is read before, once, unless it is five seconds young', async () => {
    read(5_000);
    await planned(each());
    expect(asked).toEqual([]);
    read(5_001);
    await planned(each(), ['n1', 'n2']);
    expect(asked).toEqual([READS]);
  });

  it('is read where it was never, has failed, or holds no good reading; and only that', async () => {
    read(0);
    const guards = ['h1', 'h2', 'h3', 'h4'].map((host) => guardOf(ok, { reads: [{ probe: 'a', host }] }));
    readings.good('a', 'h3', 1);
    readings.fail('a', 'h3', { kind: 'timeout', message: 'late' });
    readings.put({ probe: 'a', host: 'h4', state: 'fresh', before: [], everyMs: 10_000, durations: [] });
    await planned(each(() => ({ guards })));
    expect(asked).toEqual([['h2', 'h3', 'h4'].map((host) => ({ probe: 'a', host }))]);
  });

  it('is read gently for somebody who reads the plan: not what is a few seconds old', async () => {
    read(2_900);
    await planned(each(), ['n1'], { gently: true });
    expect(asked).toEqual([]);
    read(4_000);
    await planned(each(), ['n1'], { gently: true });
    expect(asked).toEqual([READS]);
  });

  it('is not read where the action refuses at once', async () => {
    expect(await refusal(() => ({ refused: true, guard: '4 ownership', reason: 'bob has it' }))).toBe(
      '4 ownership: bob has it',
    );
    expect(asked).toEqual([]);
  });
});

describe('a guard that one more reading would settle', () => {
  const again = (afterMs: number, probe: string): Guard =>
    guardOf(() => (asked.length > 1 ? ok() : { ...no(), againMs: afterMs }), {
      reads: [{ probe: 'a', host: probe }],
    });

  it('is waited for as long as the slowest of them wants, then read once more', async () => {
    const plan = each((id) => ({ guards: [again(id === 'n1' ? 500 : 2_000, id)] }));
    await planned(plan, ['n1', 'n2']);
    expect(slept).toEqual([2_000]);
    const both = ['n1', 'n2'].map((host) => ({ probe: 'a', host }));
    expect(asked).toEqual([both, both]);
  });

  it('is read gently for somebody who reads the plan', async () => {
    read(0, 'n1');
    const plan = each(() => ({ guards: [again(500, 'n1')] }));
    expect(await refusal(plan, ['n1'], { gently: true })).toBe('6 limit: too many');
    expect([slept, asked]).toEqual([[500], []]);
  });
});

describe('what is left out', () => {
  it('is each target whose guard fails, with its words, beside those the action leaves out itself', async () => {
    const plan: Action['plan'] = (subjects, ...rest) => ({
      ...(each((id) => (id === 'n2' ? { guards: [guardOf(no)] } : {}))(
        subjects.filter(({ id }) => id !== 'n3'),
        ...rest,
      ) as Plan),
      leftOut: subjects.filter(({ id }) => id === 'n3').map((subject) => ({ subject, reason: 'it is new' })),
    });
    const { targets, leftOut } = await planned(plan, ['n1', 'n2', 'n3']);
    expect(targets.map(({ subject }) => subject.id)).toEqual(['n1']);
    expect(leftOut).toEqual([
      { subject: node('n2'), reason: 'too many' },
      { subject: node('n3'), reason: 'it is new' },
    ]);
    expect((await planned(plan, ['n1', 'n3'])).leftOut).toEqual([
      { subject: node('n3'), reason: 'it is new' },
    ]);
  });

  it('may be all of it: then the plan is refused with the words of the first', async () => {
    const words = (id: string) => ({ guards: [guardOf(() => ({ ok: false, text: `not ${id}` }))] });
    expect(await refusal(each(words), ['n1', 'n2'])).toBe('6 limit: not n1');
    const leaves: Action['plan'] = (subjects) => ({
      ...planFor(),
      leftOut: subjects.map((subject) => ({ subject, reason: `${subject.id} is new` })),
    });
    expect(await refusal(leaves, ['n1', 'n2'])).toBe('5 targets: n1 is new');
    expect(await refusal(() => planFor())).toBe('5 targets: none of the targets can be acted on now');
  });

  it('is told with the first refusal where nothing can be planned without what was left out', async () => {
    const refuses = (then: Plan | Refusal): Action['plan'] => {
      const first = each((id) => (id === 'n1' ? { guards: [guardOf(no)] } : {}));
      return (subjects, ...rest) => (subjects.length > 1 ? first(subjects, ...rest) : then);
    };
    const alone = { refused: true, guard: '4 ownership', reason: 'not alone' } as const;
    expect(await refusal(refuses(alone), ['n1', 'n2'])).toBe('6 limit: too many');
    expect(await refusal(refuses(planFor()), ['n1', 'n2'])).toBe('6 limit: too many');
  });

  it('is nothing where it is so already: a guard does not stand against what is not sent', async () => {
    expect(await refusal(each(() => ({ guards: [guardOf(no)], already: () => 'it is so' })))).toBe('planned');
  });
});
