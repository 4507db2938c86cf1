import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { no, ok, refusal, rereads, yesOrWait } from '../../src/kit/guards.ts';
import { planOf } from '../../src/kit/offers.ts';
import type {
  Action,
  Guard,
  InMenu,
  ParameterPrompt,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
} from '../../src/model/action.ts';
import type { Source } from '../../src/model/reading.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';

const subject = { kind: 'host', id: 'h1' } as const;
const readings = new Sources();
readings.good('a', 'h1', 1);
const context: PlanContext = { judgement: judgementOf({ readings, site: siteOf([]) }), operator: 'anna' };

const guard = (more: Partial<Guard>): Guard => ({
  id: '6 room',
  text: '',
  reads: rereads('a', 'h1', 'h1'),
  absolute: true,
  check: () => no('no room'),
  ...more,
});
const target = (more: Partial<PlanTarget> = {}): PlanTarget => ({
  subject,
  steps: [],
  guards: [],
  already: () => undefined,
  verify: { text: '', reads: [], deadlineMs: 1, check: () => yesOrWait(true, 'so') },
  undo: null,
  lockGroups: [],
  ...more,
});
const made = { id: 'x.do', verb: 'do', danger: 'reversible' } as const;
const plan = (...targets: PlanTarget[]): Plan =>
  planOf(made, { title: 'Do', targets, because: ['so'], afterwards: '', undoText: '' });

const offer = (
  found: Plan | Refusal,
  menu: InMenu = { note: 'fine' },
  prompts: readonly ParameterPrompt[] = [],
): ReturnType<typeof offerOf> => {
  const rest = { title: 'do', subject: 'host', parameters: z.object({}), prompts, menu } as const;
  const action: Action = { ...made, ...rest, plan: () => found };
  return offerOf(action, [subject], context);
};
const beyond = { name: 'beyondLimit', label: '', required: false, exceeds: '6' };

describe('the menu', () => {
  it('has what can be planned and is not done', () => {
    expect(offer(plan(target()))).toEqual({ available: true, note: 'fine' });
    expect(offer(plan(target()), { note: ({ because }) => because[0] ?? '' })).toMatchObject({ note: 'so' });
    expect(offer(refusal('5 targets', 'not here'))).toEqual({ available: false, reason: 'not here' });
    const done = target({ already: () => 'h1 is so' });
    expect(offer(plan(done))).toMatchObject({ available: false, reason: 'h1 is so' });
    expect(offer(plan(done), { note: '', done: 'all are' })).toMatchObject({ reason: 'all are' });
    expect(offer(plan(done, target()))).toMatchObject({ available: true });
  });

  it('goes by guards that were read and stand against all of it', () => {
    const against = target({ guards: [guard({})] });
    expect(offer(plan(against))).toEqual({ available: false, reason: 'no room' });
    expect(offer(plan(against, target())).available).toBe(true);
    const open = [
      guard({ reads: rereads('a', 'h2') }),
      guard({ check: () => ok('') }),
      guard({ check: () => ({ ...no('one more reading'), againMs: 1000 }) }),
    ];
    expect(offer(plan(target({ guards: open }))).available).toBe(true);
  });

  it('has what can be had beyond a limit only, where the dialog asks for the reason', () => {
    const limit = plan(target({ guards: [guard({ absolute: false })] }));
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
    expect(offer(plan(target({ guards: [guard({})] })), { note: '' }, [beyond]).available).toBe(false);
  });

  it('is not told by what is asked on demand only: that is of another time', () => {
    const source = <T>(probe: string, host: string): Source<T> | undefined => {
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
    const action: Action = { ...made, ...rest, plan: () => plan(target({ guards: [guard({})] })) };
    expect(offerOf(action, [subject], { ...context, judgement }).available).toBe(true);
  });

  it('tries one choice after the other, and takes the word of an action whose targets are typed', () => {
    const tryWith = () => [{}, {}];
    let times = 0;
    const rest = { title: 'do', subject: 'host', parameters: z.object({}), prompts: [] } as const;
    const action = (menu: InMenu): Action => ({
      ...made,
      ...rest,
      menu,
      plan: () => ((times += 1) === 1 ? refusal('5 targets', 'not that') : plan(target())),
    });
    expect(offerOf(action({ note: 'fine', tryWith }), [subject], context)).toMatchObject({ note: 'fine' });
    expect(times).toBe(2);
    const none = () => refusal('5 targets', 'none');
    expect(offerOf(action({ note: '', tryWith: none }), [subject], context)).toMatchObject({
      reason: 'none',
    });
    expect(offerOf(action({ note: '', typed: none }), [subject], context)).toMatchObject({ reason: 'none' });
    expect(offerOf(action({ note: '', typed: () => 'any' }), [subject], context)).toMatchObject({
      note: 'any',
    });
    expect(times).toBe(2);
  });
});
