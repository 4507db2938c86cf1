import { describe, expect, it } from 'vitest';
import { commandOf } from '../../src/remedy/commands.ts';
import type { Prepared } from '../../src/remedy/prepared.ts';
import { isExpired, renewPlan, type Waiting } from '../../src/remedy/renew-plan.ts';
import { madePlan, madeTarget } from './made.ts';
import { node } from './world.ts';

const clockAt = (mono: number, wall = mono) => ({
  mono: () => mono,
  now: () => wall,
  sleep: async () => undefined,
});
const refused = { refused: true, guard: '4 ownership', reason: 'drained by bob' } as const;

describe('a plan', () => {
  it('expires after 60 s, by whichever clock says so first', () => {
    const plan = madePlan();
    expect(isExpired(plan, clockAt(60_000))).toBe(false);
    expect(isExpired(plan, clockAt(60_001, 0))).toBe(true);
    expect(isExpired(plan, clockAt(0, 60_001))).toBe(true);
  });
});

describe('a plan that is being read and is made anew', () => {
  const shown = madePlan({ shownAt: 5 });
  const renew = async (made: Prepared | typeof refused, old: Waiting | undefined = shown, mono = 10_000) => {
    const plans = new Map<string, Waiting>(old && [['p-1', old]]);
    const got = await renewPlan(plans, 'p-1', async () => made, clockAt(mono, mono + 7));
    return { got, waiting: [...plans] };
  };
  const anew = (over: Partial<Prepared> = {}) =>
    madePlan({ id: 'p-2', shownAt: 10_000, madeAt: { mono: 10_000, wall: 10_007 }, ...over });

  it('keeps its id, and since when it is shown, while it sends and undoes the very same', async () => {
    const made = anew();
    const same = { ...made, id: 'p-1', shownAt: 5 };
    expect(await renew(made)).toEqual({ got: same, waiting: [['p-1', same]] });
  });

  it.each<[string, Partial<Prepared>]>([
    ['other bytes', { hash: 'other' }],
    ['another word to type', { confirmText: 'n1' }],
    ['another guard that is exceeded', { exceeded: [{ guard: '6 limit', reason: 'why' }] }],
    ['another target', { targets: [madeTarget({ subject: node('n2') })] }],
    ['an undo', { targets: [{ ...madeTarget(), undo: [commandOf({ host: 'ctl1', argv: ['back'] })] }] }],
  ])('has another with %s, and the one that was read is gone', async (_, over) => {
    const other = anew(over);
    expect(await renew(other)).toEqual({ got: other, waiting: [['p-2', other]] });
  });

  it('has another where its undo is another one', async () => {
    const undone = (word: string) => ({
      targets: [{ ...madeTarget(), undo: [commandOf({ host: 'ctl1', argv: [word] })] }],
    });
    expect((await renew(anew(undone('back')), madePlan(undone('back')))).got).toHaveProperty('id', 'p-1');
    expect((await renew(anew(undone('home')), madePlan(undone('back')))).got).toHaveProperty('id', 'p-2');
  });

  it('has another where the old one has expired meanwhile, or was a refusal', async () => {
    expect((await renew(anew(), shown, 60_001)).got).toHaveProperty('id', 'p-2');
    const no = { ...refused, madeAt: { mono: 0, wall: 0 } };
    const after = await renew(anew(), no);
    expect(after.waiting.map(([id]) => id)).toEqual(['p-2']);
  });

  it('that is refused now waits for its guards to hold again, under its own id', async () => {
    expect(await renew(refused)).toEqual({
      got: refused,
      waiting: [['p-1', { ...refused, madeAt: { mono: 10_000, wall: 10_007 } }]],
    });
  });

  it('does not come back once it was confirmed or dropped, be it before or while it is made', async () => {
    const plans = new Map<string, Waiting>();
    let made = 0;
    const make = async () => {
      made += 1;
      plans.delete('p-1');
      return anew();
    };
    expect(await renewPlan(plans, 'p-1', make, clockAt(0))).toBeUndefined();
    expect(made).toBe(0);
    plans.set('p-1', shown);
    expect(await renewPlan(plans, 'p-1', make, clockAt(0))).toBeUndefined();
    expect([made, plans.size]).toEqual([1, 0]);
  });
});
