import { describe, expect, it } from 'vitest';
import type { Past } from '../../src/audit/past-runs.ts';
import { coolDown, objectsOf, pastOf, withCoolDown, type KnownPast } from '../../src/remedy/cool-down.ts';
import { context, planFor, targetOf } from '../helpers/plans.ts';
import { logged, START } from './logged.ts';
import { node } from './world.ts';

const MINUTE = 60_000;

const past = (minutesAgo: number, run = `r-${minutesAgo}`): Past => ({
  run,
  verb: 'resume',
  subject: 'node n1',
  at: 1e12 - minutesAgo * MINUTE,
  by: 'bob',
});

describe('coolDown', () => {
  it.each([
    [[], true],
    [[past(11)], true],
    [[past(9)], false],
    [[past(60), past(300)], false],
    [[past(60), past(60)], true],
    [[past(60), past(25 * 60)], true],
    [
      [
        { ...past(1), verb: 'drain' },
        { ...past(1), subject: 'node n2' },
      ],
      true,
    ],
  ])('%j: %s', (all, ok) => {
    expect(coolDown(all, 'resume', node('n1'), 1e12).ok).toBe(ok);
  });

  it('counts each object of a subject apart, and what was done to all of it for each', () => {
    const of = (object: string, minutesAgo: number): Past => ({ ...past(minutesAgo), object });
    const onA = (all: readonly Past[]) => coolDown(all, 'resume', node('n1'), 1e12, '/a');
    expect(onA([of('/b', 1), of('/b', 2), of('/c', 3)])).toEqual({
      ok: true,
      text: 'resume of n1 /a: not done in the last 24 h',
    });
    expect(onA([of('/a', 3)]).text).toMatch(/^resume of n1 \/a was done 3 min ago by bob: wait 10 min/);
    expect(onA([of('/a', 30), of('/a', 60), of('/b', 1)]).text).toContain('2 times in 24 h, last 30 min ago');
    expect(onA([past(3)]).ok).toBe(false);
    expect(coolDown([of('/a', 3)], 'resume', node('n1'), 1e12).ok).toBe(false);
  });

  it('says who, when, and how to do it all the same', () => {
    expect(coolDown([past(3)], 'resume', node('n1'), 1e12).text).toBe(
      'resume of n1 was done 3 min ago by bob: wait 10 min for its effect; to do it anyway: --set exceed13="why"',
    );
    expect(coolDown([past(30), past(60)], 'resume', node('n1'), 1e12).text).toContain(
      'stop here and suspect the hardware',
    );
  });

  it('ends to the millisecond: 10 minutes after one, 24 hours after the older of two', () => {
    const at = (ms: number, run = 'r-1'): Past => ({ ...past(0, run), at: 1e12 - ms });
    const isOk = (...all: Past[]) => coolDown(all, 'resume', node('n1'), 1e12).ok;
    expect([isOk(at(599_999)), isOk(at(600_000))]).toEqual([false, true]);
    const day = 24 * 60 * MINUTE;
    expect(isOk(at(day - 1, 'r-2'), at(20 * MINUTE))).toBe(false);
    expect(isOk(at(day, 'r-2'), at(20 * MINUTE))).toBe(true);
  });

  it('goes by the newest, in whatever order it is told of, and by the newer of two lines of one run', () => {
    const said = (...all: Past[]) => coolDown(all, 'resume', node('n1'), 1e12).text;
    expect(said(past(60), past(3), past(30))).toContain('3 times in 24 h, last 3 min ago');
    expect(said(past(60, 'r-1'), past(3, 'r-1'))).toMatch(/was done 3 min ago/);
  });

  it('names the line that it is held up by where something is wrong with it', () => {
    const said = (over: Partial<Past>) =>
      coolDown([{ ...past(3), ...over }], 'resume', node('n1'), 1e12).text;
    expect(said({ doubt: 'its lock is gone' })).toContain('ago by bob (run r-3: its lock is gone): wait');
    expect(said({ at: 1e12 + 5 * MINUTE })).toContain('done 0 s ago by bob: wait');
    expect(said({ at: 1e12 + 5 * MINUTE + 1, doubt: 'forged' })).toContain(
      `(run r-3: it is dated ${new Date(1e12 + 5 * MINUTE + 1).toISOString()}, in the future, and counts as now; forged)`,
    );
  });
});

describe('what was done', () => {
  it('is what took effect or may have, with the object where one is known', () => {
    const line = { run: 'r-1', verb: 'drain', subject: 'node n1', at: START, by: 'bob' };
    expect(pastOf([logged({ outcome: 'done' })])).toEqual([line]);
    expect(pastOf([logged({ outcome: 'unknown' }, { object: '/a' })])).toEqual([{ ...line, object: '/a' }]);
    expect(pastOf([logged({ outcome: 'refused' }), logged({ undone: true, outcome: 'done' })])).toEqual([]);
  });

  it('to each object of a subject, or to all of it, is told once', () => {
    const of = (over: Partial<Past>): Past => ({ ...past(1), ...over });
    const all = [of({ object: '/a' }), of({}), of({ object: '/a' }), of({ verb: 'drain', object: '/b' })];
    expect(objectsOf(all, 'resume', node('n1'))).toEqual(['/a', undefined]);
  });
});

describe('the guard of a plan', () => {
  const subject = node('n1');
  const step = { host: 'h1', argv: ['do'] };
  const withPast = (known: () => KnownPast, ...targets: Parameters<typeof planFor>) =>
    withCoolDown({ ...planFor(...targets), verb: 'resume' }, known, () => 1e12).targets.map(
      ({ guards }) => guards,
    );

  it('is on every target that something is sent for, after its own, and can be exceeded', () => {
    const own = {
      id: '4 ownership',
      text: '',
      reads: [],
      absolute: true,
      check: () => ({ ok: true, text: '' }),
    };
    const [sends, readsOnly] = withPast(
      () => ({ past: [] }),
      targetOf({ subject, steps: [step], guards: [own] }),
      targetOf({ guards: [own] }),
    );
    expect(sends?.map(({ id, absolute }) => [id, absolute])).toEqual([
      ['4 ownership', true],
      ['13 cool-down', false],
    ]);
    expect(readsOnly).toEqual([own]);
  });

  it('asks anew each time, and what is not known of colleagues is not "not done"', () => {
    const known: { now: KnownPast } = { now: { past: [] } };
    const [guards] = withPast(() => known.now, targetOf({ subject, object: '/a', steps: [step] }));
    const said = () => guards?.[0]?.check(context.judgement);
    expect(said()).toEqual({ ok: true, text: 'resume of n1 /a: not done in the last 24 h' });
    known.now = { past: [{ ...past(3), object: '/b' }] };
    expect(said()?.ok).toBe(true);
    known.now = { past: [], unclear: 'admin1 does not answer' };
    expect(said()).toEqual({
      ok: false,
      text: 'resume of n1: not known whether a colleague did it in the last 24 h: admin1 does not answer; to do it anyway: --set exceed13="why"',
    });
    known.now = { past: [past(3)], unclear: 'admin1 does not answer' };
    expect(said()?.text).toMatch(/^resume of n1 \/a was done 3 min ago by bob/);
  });
});
