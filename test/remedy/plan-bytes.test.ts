import { beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/action.ts';
import { hashOf } from '../../src/remedy/commands.ts';
import { commandsOf } from '../../src/remedy/prepared.ts';
import { judgementOf, siteOf } from '../helpers/judging.ts';
import { planFor } from '../helpers/plans.ts';
import { madeHold } from './made.ts';
import { clearDesk, desk, each, guardOf, failGuard, planned, refusal, target } from './planning.ts';
import { node } from './world.ts';

beforeEach(clearDesk);

const live = () => judgementOf({ readings: desk.readings, site: siteOf([]) });

describe('a plan is refused', () => {
  it('where there is no such action, and names the nearest', async () => {
    expect(await refusal(each(), ['n1'], { id: 'x.dot' })).toBe(
      'parameters: there is no action x.do; is x.dot meant?',
    );
    expect(await refusal(each(), ['n1'], { id: 'gluster.heal' })).toBe('parameters: there is no action x.do');
  });

  it('with a value that is none of its own, or no reason', async () => {
    expect(await refusal(each(), ['n1'], { set: { zzz: '1' } })).toBe(
      'parameters: x.do has no parameter zzz; it has none',
    );
    expect(await refusal(each(), ['n1'], { set: { exceed6: 'x' } })).toMatch(
      /^parameters: exceed6 needs a reason/,
    );
    expect(await refusal(each(), ['n1'], { set: { exceed9: 'a reason' } })).not.toBe('planned');
  });

  it('on a target that the site does not know, be it named or brought in by the action', async () => {
    const never = () => {
      throw new Error('it is not asked for a plan');
    };
    expect(await refusal(never, ['gone'])).toBe('5 targets: node gone is not known to the site');
    expect(await refusal(() => planFor(target('gone')), ['n1'])).toBe(
      '5 targets: node gone is not known to the site',
    );
  });

  it('where a command would not show as it is sent; a defect of the action is no refusal', async () => {
    const hidden = each(() => ({ steps: [{ host: 'ctl1', argv: ['do', 'a\u200b'] }] }));
    expect(await refusal(hidden)).toBe(
      '2 shown is sent: a command for ctl1 cannot be shown as it would be sent',
    );
    const broken = () => {
      throw new Error('a defect');
    };
    await expect(refusal(broken)).rejects.toThrow('a defect');
  });
});

describe('a plan as it waits', () => {
  it('is what the action made of it, with the hash of all that can be sent', async () => {
    const plan = await planned(
      each(() => ({ hold: madeHold() }), { measures: 'the time' }),
      ['n1', 'n2'],
    );
    expect(plan).toMatchObject({
      id: 'p-7',
      title: 'Do',
      verb: 'do',
      danger: 'reversible',
      confirmText: 'y',
      armedAfterMs: 0,
      measures: 'the time',
      leftOut: [],
      exceeded: [],
      madeAt: { mono: 100_000, wall: 100_000 },
      shownAt: 100_000,
    });
    expect(plan.hash).toBe(hashOf(plan.targets.flatMap(commandsOf)));
    expect(await planned(each())).not.toHaveProperty('measures');
  });

  it('has the cool-down among its guards, unless it may be repeated', async () => {
    const ids = async (...given: Parameters<typeof planned>) =>
      (await planned(...given)).targets[0]?.guards.map(({ id }) => id);
    expect(await ids(each())).toEqual(['6 limit', '13 cool-down']);
    expect(await ids(each(), ['n1'], { repeatable: true })).toEqual(['6 limit']);
    const past = [{ run: 'r-1', verb: 'do', subject: 'node n1', at: 99_000, by: 'bob' }];
    expect(await refusal(each(), ['n1'], { past: { past } })).toMatch(
      /^13 cool-down: do of n1 was done 1 s ago/,
    );
  });

  it('is one class up where a guard is exceeded, and needs its own word where nothing will undo it', async () => {
    const limit = each(() => ({ guards: [guardOf(failGuard)] }));
    const set = { exceed6: 'agreed with facilities' };
    expect(await planned(limit, ['n1'], { set })).toMatchObject({
      danger: 'service',
      confirmText: 'n1',
      exceeded: [{ guard: '6 limit', reason: 'agreed with facilities' }],
    });
    const unarmed = each(() => ({ guards: [guardOf(failGuard, { id: '9 armed undo' })] }), {
      danger: 'service',
    });
    expect(await planned(unarmed, ['n1'], { set: { exceed9: 'a console is at hand' } })).toMatchObject({
      danger: 'access',
      confirmText: 'do n1 without undo',
      armedAfterMs: 2_000,
    });
  });

  it('keeps the reasons about locks, each for itself', async () => {
    const set = { breakLock: 'bob said so', exceed12: 'admin1 is down' };
    expect(await planned(each(), ['n1'], { set })).toMatchObject({
      breakLock: 'bob said so',
      withoutLock: 'admin1 is down',
    });
  });
});

describe('a plan that was shown', () => {
  /** Why it is no longer the one that was shown, when the action makes `now` of it. */
  const stale = async (shown: Parameters<typeof planned>[0], now: Parameters<typeof planned>[0]) => {
    let turn = shown;
    const plan = await planned((...given) => turn(...given));
    turn = now;
    return plan.targets[0]?.whyStale(live());
  };
  const undo = (word: string) => each(() => ({ undo: [{ host: 'ctl1', argv: [word] }] }));

  it('is the same as long as it sends and undoes the same', async () => {
    expect(await stale(each(), each())).toBeUndefined();
    expect(await stale(undo('back'), undo('back'))).toBeUndefined();
    expect(
      await stale(
        each(),
        each(() => ({ guards: [guardOf(failGuard)] })),
      ),
    ).toBeUndefined();
  });

  it('is stale where it would send, or undo, something else', async () => {
    const said = 'the readings have changed: the plan would hold other commands now';
    expect(
      await stale(
        each(),
        each(() => ({ steps: [{ host: 'ctl1', argv: ['other'] }] })),
      ),
    ).toBe(said);
    expect(await stale(undo('back'), undo('home'))).toBe(said);
    expect(await stale(each(), undo('back'))).toBe(said);
    expect(
      await stale(
        each(() => ({ hold: madeHold() })),
        each(() => ({ hold: madeHold({ keep: [] }) })),
      ),
    ).toBe(said);
  });

  it('is stale where it would be refused or left out, with the reason', async () => {
    const no4 = { refused: true, guard: '4 ownership', reason: 'bob has it' } as const;
    expect(await stale(each(), () => no4)).toBe('it would be refused now (4 ownership): bob has it');
    const leaves =
      (...ids: string[]) =>
      (): Plan => ({
        ...planFor(),
        leftOut: ids.map((id) => ({ subject: node(id), reason: `${id} is new` })),
      });
    expect(await stale(each(), leaves('n2', 'n1'))).toBe('n1 is new');
    expect(await stale(each(), leaves('n2'))).toBe('it would be left out now');
  });
});
