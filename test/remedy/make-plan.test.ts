import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, Guard, Plan, Refusal } from '../../src/model/action.ts';
import { planFor } from '../helpers/plans.ts';
import {
  clearDesk,
  desk,
  each,
  guardOf,
  failGuard,
  passGuard,
  planned,
  read,
  READS,
  refusal,
} from './planning.ts';
import { node } from './world.ts';

beforeEach(clearDesk);

describe('what a plan rests on', () => {
  it('is read before, once, unless it is five seconds young', async () => {
    read(5_000);
    await planned(each());
    expect(desk.asked).toEqual([]);
    read(5_001);
    await planned(each(), ['n1', 'n2']);
    expect(desk.asked).toEqual([READS]);
  });

  it('is read where it was never, has failed, or holds no good reading; and only that', async () => {
    read(0);
    const guards = ['h1', 'h2', 'h3', 'h4'].map((host) =>
      guardOf(passGuard, { reads: [{ probe: 'a', host }] }),
    );
    desk.readings.good('a', 'h3', 1);
    desk.readings.fail('a', 'h3', { kind: 'timeout', message: 'late' });
    desk.readings.put({ probe: 'a', host: 'h4', state: 'fresh', before: [], everyMs: 10_000, durations: [] });
    await planned(each(() => ({ guards })));
    expect(desk.asked).toEqual([['h2', 'h3', 'h4'].map((host) => ({ probe: 'a', host }))]);
  });

  it('is read gently for somebody who reads the plan: not what is a few seconds old', async () => {
    read(2_900);
    await planned(each(), ['n1'], { gently: true });
    expect(desk.asked).toEqual([]);
    read(4_000);
    await planned(each(), ['n1'], { gently: true });
    expect(desk.asked).toEqual([READS]);
  });

  it('may speak against it once it is read', async () => {
    const no4 = { refused: true, guard: '4 ownership', reason: 'bob has it' } as const;
    expect(await refusal((...given) => (desk.asked.length > 0 ? no4 : each()(...given)))).toBe(
      '4 ownership: bob has it',
    );
  });

  it('is not read where the action refuses at once', async () => {
    expect(await refusal(() => ({ refused: true, guard: '4 ownership', reason: 'bob has it' }))).toBe(
      '4 ownership: bob has it',
    );
    expect(desk.asked).toEqual([]);
  });
});

describe('a guard that one more reading would settle', () => {
  const again = (afterMs: number, probe: string): Guard =>
    guardOf(() => (desk.asked.length > 1 ? passGuard() : { ...failGuard(), againMs: afterMs }), {
      reads: [{ probe: 'a', host: probe }],
    });

  it('is waited for as long as the slowest of them wants, then read once more', async () => {
    const plan = each((id) => ({ guards: [again(id === 'n1' ? 500 : 2_000, id)] }));
    await planned(plan, ['n1', 'n2']);
    expect(desk.slept).toEqual([2_000]);
    const both = ['n1', 'n2'].map((host) => ({ probe: 'a', host }));
    expect(desk.asked).toEqual([both, both]);
    clearDesk();
    await planned(each(() => ({ guards: [again(3_000, 'n1'), again(500, 'n2')] })));
    expect([desk.slept, desk.asked]).toEqual([[3_000], [both, both]]);
  });

  it('is read gently for somebody who reads the plan', async () => {
    read(0, 'n1');
    const plan = each(() => ({ guards: [again(500, 'n1')] }));
    expect(await refusal(plan, ['n1'], { gently: true })).toBe('6 limit: too many');
    expect([desk.slept, desk.asked]).toEqual([[500], []]);
  });
});

describe('what is left out', () => {
  it('is each target whose guard fails, with its words, beside those the action leaves out itself', async () => {
    const plan: Action['plan'] = (subjects, ...rest) => ({
      ...(each((id) => (id === 'n2' ? { guards: [guardOf(failGuard)] } : {}))(
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
    const asked: Action['plan'] = (subjects, ...rest) => {
      if (subjects.length === 0) throw new Error('nobody asks for a plan of nothing');
      return each(words)(subjects, ...rest);
    };
    expect(await refusal(asked, ['n1', 'n2'])).toBe('6 limit: not n1');
    expect(desk.slept).toEqual([]);
    const leaves: Action['plan'] = (subjects) => ({
      ...planFor(),
      leftOut: subjects.map((subject) => ({ subject, reason: `${subject.id} is new` })),
    });
    expect(await refusal(leaves, ['n1', 'n2'])).toBe('5 targets: n1 is new');
    expect(await refusal(() => planFor())).toBe('5 targets: none of the targets can be acted on now');
  });

  it('is told with the first refusal where nothing can be planned without what was left out', async () => {
    const refuses = (then: Plan | Refusal): Action['plan'] => {
      const first = each((id) => (id === 'n1' ? { guards: [guardOf(failGuard)] } : {}));
      return (subjects, ...rest) => (subjects.length > 1 ? first(subjects, ...rest) : then);
    };
    const alone = { refused: true, guard: '4 ownership', reason: 'not alone' } as const;
    expect(await refusal(refuses(alone), ['n1', 'n2'])).toBe('6 limit: too many');
    expect(await refusal(refuses(planFor()), ['n1', 'n2'])).toBe('6 limit: too many');
  });

  it('is nothing where it is so already: a guard does not stand against what is not sent', async () => {
    expect(
      await refusal(each(() => ({ guards: [guardOf(failGuard)], whyAlreadyDone: () => 'it is so' }))),
    ).toBe('planned');
  });
});
