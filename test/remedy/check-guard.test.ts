import { beforeEach, describe, expect, it } from 'vitest';
import type { Guard } from '../../src/model/action.ts';
import type { Reader } from '../../src/model/ports.ts';
import type { Source } from '../../src/model/reading.ts';
import { checkGuard, numberOf } from '../../src/remedy/guards.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';
import { card, confirm, refusal } from './acting.ts';
import { createWorld, fakeAction, type World } from './world.ts';

const guardOf = (over: Partial<Guard> = {}): Guard => ({
  id: '6 members',
  text: 'enough members stay',
  reads: [{ probe: 'p', host: 'h' }],
  absolute: true,
  check: () => ({ ok: true, text: '3 stay' }),
  ...over,
});

const on = (guard: Guard, change: (source: Source) => Source | undefined = (source) => source) => {
  const readings = new Sources();
  readings.good('p', 'h', {});
  const source = readings.source('p', 'h');
  const changed = source && change(source);
  if (changed) readings.put(changed);
  else readings.forget('p', 'h');
  return checkGuard(guard, judgementOf({ readings, site: siteOf([]) }));
};

const inPart = (source: Source): Source => ({
  ...source,
  ...(source.good && { good: { ...source.good, notUnderstood: 2 } }),
});

describe('guards of one number', () => {
  it('are exceeded together; those without one are each their own', () => {
    expect(numberOf('13 cool-down')).toBe(numberOf('13 other'));
    expect([numberOf('parameters'), numberOf('site')]).toEqual(['parameters', 'site']);
  });
});

describe('a guard', () => {
  it('is met when all that it reads is of now and whole', () => {
    expect(on(guardOf())).toEqual({ ok: true, text: '3 stay' });
    expect(on(guardOf({ reads: [] }), () => undefined)).toEqual({ ok: true, text: '3 stay' });
  });

  it.each([
    [
      'failed',
      (source: Source): Source => ({
        ...source,
        state: 'failed',
        failure: { kind: 'timeout', message: 'h: late' },
      }),
      'h: late',
    ],
    ['is old', (source: Source): Source => ({ ...source, state: 'stale' }), 'h gave no fresh answer to p'],
    ['was never asked', () => undefined, 'h gave no fresh answer to p'],
    ['was understood in part', inPart, '2 lines of what h answered to p were not understood'],
  ])('is not met when what it reads %s, whatever it says', (_, change, why) => {
    expect(on(guardOf(), change)).toEqual({
      ok: false,
      text: `not known whether enough members stay: ${why}`,
    });
  });

  it('of a row that it knows by name is met beside lines that were not understood, not on an old answer', () => {
    expect(on(guardOf({ ownRow: true }), inPart).ok).toBe(true);
    expect(on(guardOf({ ownRow: true }), (source) => ({ ...source, state: 'stale' })).ok).toBe(false);
  });

  it('says no in its own words first; one that throws is not met', () => {
    const no = { ok: false as const, text: 'none would stay' };
    expect(on(guardOf({ check: () => no }), inPart)).toEqual(no);
    const throws = (): never => {
      throw new Error('no such column');
    };
    expect(on(guardOf({ check: throws }))).toEqual({
      ok: false,
      text: 'not known whether enough members stay: it could not be checked: no such column',
    });
  });
});

describe('a plan whose answers were understood in part', () => {
  let world: World;
  let odd: number;
  let reader: Reader;
  beforeEach(() => {
    world = createWorld();
    odd = 0;
    const { reader: real } = world.parts;
    reader = {
      touches: (probe) => real.touches(probe),
      readNow: (reads, signal) => real.readNow(reads, signal),
      judgement: () => {
        const { readings, ...rest } = real.judgement();
        const part = <T>(source: Source<T> | undefined): Source<T> | undefined =>
          source?.good ? { ...source, good: { ...source.good, notUnderstood: odd } } : source;
        return {
          ...rest,
          readings: {
            ...readings,
            source: <T>(probe: string, host: string) => part(readings.source<T>(probe, host)),
            sources: <T>(probe: string) => readings.sources<T>(probe).flatMap((one) => part(one) ?? []),
          },
        };
      },
    };
  });

  it('is refused by an absolute guard, at once and right before a byte is sent', async () => {
    const engine = world.engine({ reader });
    const shown = await card(engine, 'fake.resume', ['n1']);
    odd = 1;
    expect(await confirm(engine, shown.id, shown.confirmText)).toMatchObject({
      state: 'refused',
      targets: [
        { text: expect.stringContaining('1 line of what ctl1 answered to fake.nodes was not understood') },
      ],
    });
    expect(world.sent).toEqual([]);
    expect(await refusal(engine, 'fake.resume', ['n1'], { exceed6: 'so be it' })).toMatch(
      /6 blast radius: this guard is absolute/,
    );
    // Guard 4 fails, too, but says how to exceed it, which would not help here.
    expect(await refusal(engine, 'fake.resume', ['n1'])).toMatch(/^6 blast radius: not known whether/);
  });

  it('goes with a typed reason where its guards can be exceeded', async () => {
    const base = fakeAction();
    const soft = {
      ...base,
      plan: (...given: Parameters<typeof base.plan>) => {
        const plan = base.plan(...given);
        if ('refused' in plan) return plan;
        return {
          ...plan,
          targets: plan.targets.map((target) => ({
            ...target,
            guards: target.guards.map((one) => ({ ...one, id: '6 share', absolute: false })),
          })),
        };
      },
    };
    odd = 1;
    const engine = world.engine({ reader, actionSets: [{ system: 'fake', actions: [soft] }] });
    expect(await refusal(engine, 'fake.resume', ['n1'])).toMatch(/^6 share: not known whether/);
    const shown = await card(engine, 'fake.resume', ['n1'], { exceed6: 'the odd line is a comment' });
    expect(shown.danger).toBe('service');
    expect((await confirm(engine, shown.id, shown.confirmText)).state).toBe('done');
  });
});
