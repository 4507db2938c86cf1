import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { failGuard, passGuard, refusal, rereads } from '../../src/kit/guards.ts';
import type { Action, InMenu, ParameterPrompt, Plan, Refusal } from '../../src/model/action.ts';
import type { Source } from '../../src/model/reading.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import type { Safe } from '../../src/text/safe.ts';
import { judgementOf, siteOf } from '../helpers/judging.ts';
import { context, doing, guardOf, planFor, readings, subject, targetOf } from '../helpers/plans.ts';

const offer = (
  found: Plan | Refusal,
  menu: InMenu = { note: 'fine' },
  prompts: readonly ParameterPrompt[] = [],
): ReturnType<typeof offerOf> => {
  const rest = { title: 'do', subject: 'host', parameters: z.object({}), prompts, menu } as const;
  const action: Action = { ...doing, ...rest, plan: () => found };
  return offerOf(action, [subject], context);
};
const beyond = { name: 'beyondLimit', label: '', required: false, exceeds: '6' };

describe('the menu', () => {
  it('has what can be planned and is not done', () => {
    expect(offer(planFor(targetOf()))).toEqual({ available: true, note: 'fine' });
    expect(offer(planFor(targetOf()), { note: ({ because }) => because[0] ?? '' })).toMatchObject({
      note: 'so',
    });
    expect(offer(refusal('5 targets', 'not here'))).toEqual({ available: false, reason: 'not here' });
    const done = targetOf({ whyAlreadyDone: () => 'h1 is so' });
    expect(offer(planFor(done))).toMatchObject({ available: false, reason: 'h1 is so' });
    expect(offer(planFor(done), { note: '', whyDone: 'all are' })).toMatchObject({ reason: 'all are' });
    expect(offer(planFor(done, targetOf()))).toMatchObject({ available: true });
  });

  it('goes by guards that were read and stand against all of it', () => {
    const against = targetOf({ guards: [guardOf({})] });
    expect(offer(planFor(against))).toEqual({ available: false, reason: 'no room' });
    expect(offer(planFor(against, targetOf())).available).toBe(true);
    const open = [
      guardOf({ reads: rereads('a', 'h2') }),
      guardOf({ check: () => passGuard('') }),
      guardOf({ check: () => ({ ...failGuard('one more reading'), againMs: 1000 }) }),
    ];
    expect(offer(planFor(targetOf({ guards: open }))).available).toBe(true);
  });

  it('has what can be had beyond a limit only, where the dialog asks for the reason', () => {
    const limit = planFor(targetOf({ guards: [guardOf({ absolute: false })] }));
    expect(offer(limit)).toEqual({ available: false, reason: 'no room' });
    expect(offer(limit, { note: 'fine' }, [beyond])).toEqual({
      available: true,
      note: 'beyond the limit: no room',
    });
    expect(offer(limit, { note: 'fine', prompts: () => [beyond] })).toEqual({
      available: true,
      note: 'fine',
      prompts: [beyond],
    });
    expect(offer(planFor(targetOf({ guards: [guardOf({})] })), { note: '' }, [beyond]).available).toBe(false);
  });

  it('says of what can be done with none of it that it is so, or that nothing is left to do', () => {
    expect(offer(planFor())).toEqual({ available: false, reason: 'nothing is left to do' });
    const none: InMenu = { note: '', tryWith: () => [] };
    expect(offer(planFor(targetOf()), none)).toEqual({
      available: false,
      reason: 'nothing can be chosen',
    });
  });

  it('tells of what it exceeds in the words of its guard, which is a limit where it is guard 6', () => {
    const owner = { ...beyond, exceeds: '4' };
    const against = planFor(targetOf({ guards: [guardOf({ id: '4 ownership', absolute: false })] }));
    expect(offer(against, { note: 'fine' }, [owner])).toEqual({ available: true, note: 'no room' });
    const other = { name: 'reason', label: '', required: true };
    const limit = planFor(targetOf({ guards: [guardOf({ absolute: false })] }));
    expect(offer(limit, { note: 'fine' }, [other, beyond])).toMatchObject({
      note: 'beyond the limit: no room',
    });
    expect(offer(limit, { note: 'fine' }, [other])).toEqual({ available: false, reason: 'no room' });
    const half = planFor(targetOf({ guards: [guardOf({ absolute: false })] }), targetOf());
    expect(offer(half, { note: 'fine' }, [owner])).toEqual({ available: true, note: 'fine' });
  });

  it('goes by a guard whose reading failed as well, and by none of which one reading is missing', () => {
    readings.fail('f', 'h1', { kind: 'timeout', message: 'h1: late' });
    const by = (...reads: [string, string][]) =>
      offer(
        planFor(targetOf({ guards: [guardOf({ reads: reads.map(([probe, host]) => ({ probe, host })) })] })),
      ).available;
    expect(by(['f', 'h1'])).toBe(false);
    expect(by(['a', 'h1'], ['a', 'h9'])).toBe(true);
  });

  it('is not told by what is asked on demand only: that is of another time', () => {
    const source = <T>(probe: string, host: string): Source<Safe<T>> | undefined => {
      const found = readings.source<T>(probe, host);
      return found && { ...found, everyMs: 0 };
    };
    const judgement = judgementOf({
      readings: Object.assign(Object.create(readings), { source }),
      site: siteOf([]),
    });
    const rest = {
      title: 'do',
      subject: 'host',
      parameters: z.object({}),
      prompts: [],
      menu: { note: '' },
    } as const;
    const action: Action = { ...doing, ...rest, plan: () => planFor(targetOf({ guards: [guardOf({})] })) };
    expect(offerOf(action, [subject], { ...context, judgement }).available).toBe(true);
  });

  it('tries one choice after the other, and takes the word of an action whose targets are typed', () => {
    const tryWith = () => [{}, {}];
    let times = 0;
    const rest = { title: 'do', subject: 'host', parameters: z.object({}), prompts: [] } as const;
    const action = (menu: InMenu): Action => ({
      ...doing,
      ...rest,
      menu,
      plan: () => ((times += 1) === 1 ? refusal('5 targets', 'not that') : planFor(targetOf())),
    });
    expect(offerOf(action({ note: 'fine', tryWith }), [subject], context)).toMatchObject({ note: 'fine' });
    expect(times).toBe(2);
    const none = () => refusal('5 targets', 'none');
    expect(offerOf(action({ note: '', tryWith: none }), [subject], context)).toMatchObject({
      reason: 'none',
    });
    expect(offerOf(action({ note: '', askTyped: none }), [subject], context)).toMatchObject({
      reason: 'none',
    });
    expect(offerOf(action({ note: '', askTyped: () => 'any' }), [subject], context)).toMatchObject({
      note: 'any',
    });
    expect(times).toBe(2);
  });
});
