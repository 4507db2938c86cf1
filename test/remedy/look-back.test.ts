import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import { refusal, run } from './acting.ts';
import { colleagues } from './hang.ts';
import { answer, createWorld, fakeAction, lostAnswer, node, obey, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld(3);
});

const last = async () => (await world.parts.audit.read()).records.at(-1);
const recovered = (action = 'fake.resume') =>
  world.engine().recover({ action, subjects: [node('n1')], tell: () => undefined });

/** `fake.resume` with its plan changed. */
const changed = (change: (plan: Plan, context: PlanContext) => Plan | Refusal): Action => {
  const base = fakeAction();
  return {
    ...base,
    plan: (subjects, given, context) => {
      const plan = base.plan(subjects, given, context);
      return 'refused' in plan ? plan : change(plan, context);
    },
  };
};
const offer = (action: Action): void => {
  world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [action] }] };
};
const eachTarget = (plan: Plan, more: (target: PlanTarget) => Partial<PlanTarget>): Plan => ({
  ...plan,
  targets: plan.targets.map((target) => ({ ...target, ...more(target) })),
});

describe('several commands of one target', () => {
  const twoSteps = (): void =>
    offer(
      changed((plan) =>
        eachTarget(plan, ({ steps: [step] }) => ({
          steps: step ? [{ ...step, host: 'ctl1', argv: ['first', 'n1'] }, step] : [],
        })),
      ),
    );

  it('the first done and the second refused: failed, it counts, and colleagues are still told', async () => {
    twoSteps();
    const shared = colleagues();
    world.act = (script) =>
      script === 'first n1'
        ? answer()
        : answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    const view = await run(world.engine({ sharedActions: shared }), ['n1']);
    expect(view).toMatchObject({
      state: 'failed',
      targets: [{ text: expect.stringContaining('the steps before it were done') }],
    });
    expect(await last()).toMatchObject({ detail: { sent: 'rejected', changed: true } });
    expect(shared.lines()).toEqual(['node n1']);
    expect(await refusal(world.engine(), 'fake.resume', ['n1'])).toMatch(/^13 cool-down/);
  });

  it('the first done and the second refused, and it is so: done, for a part of it is ours', async () => {
    twoSteps();
    world.act = (script) => {
      if (script === 'first n1') return answer();
      obey(world.nodes, script);
      return answer({ exitCode: 1, stderr: 'slurm_update error: Invalid node state specified' });
    };
    expect((await run(world.engine(), ['n1'])).state).toBe('done');
  });

  it('the first refused: the second is never sent, and nothing was done', async () => {
    twoSteps();
    world.act = () => answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    expect((await run(world.engine(), ['n1'])).state).toBe('failed');
    expect(world.sent).toHaveLength(1);
    expect(await last()).not.toMatchObject({ detail: { changed: true } });
  });

  it('the first done and of the second nothing known: unknown', async () => {
    twoSteps();
    world.act = (script) => (script === 'first n1' ? answer() : lostAnswer());
    expect((await run(world.engine(), ['n1'])).state).toBe('unknown');
  });
});

describe('another process looks at what a run did', () => {
  it('with what was there when the plan was made', async () => {
    const seen: (readonly string[] | undefined)[] = [];
    offer(
      changed((plan, { looksBack, judgement }) => {
        if (looksBack) seen.push(looksBack.before);
        const up = String(judgement.mono);
        const known = looksBack?.before[0] ?? up;
        return eachTarget(plan, ({ verify }) => ({
          before: [known],
          verify: {
            ...verify,
            check: (live) => ({ state: live.mono > Number(known) + 50_000 ? 'yes' : 'wait', text: known }),
          },
        }));
      }),
    );
    world.act = () => lostAnswer();
    expect((await run(world.engine(), ['n1'])).state).toBe('unknown');
    world.clock.advance(60_000);
    expect((await recovered())[0]).toMatchObject({ state: 'done' });
    const intent = (await world.parts.audit.read()).records.find(({ kind }) => kind === 'intent');
    expect(seen).toEqual([intent?.detail['before']]);
  });

  it('one that somebody else has done meanwhile with other words is not ours', async () => {
    offer(
      changed((plan) =>
        eachTarget(plan, ({ verify }) => ({
          whyAlreadyDone: () => 'so already',
          verify: { ...verify, check: () => ({ state: 'wait', text: 'with another reason' }) },
        })),
      ),
    );
    const { parts } = world;
    const before = parts.actionSets;
    world.act = () => lostAnswer();
    world.parts = { ...parts, actionSets: [{ system: 'fake', actions: [fakeAction()] }] };
    await run(world.engine(), ['n1']);
    world.parts = { ...parts, actionSets: before };
    expect((await recovered())[0]?.state).toBe('failed');
  });

  it('does not settle while somebody who may still carry it out is silent', async () => {
    let silent: string | undefined = 'glusterd of gl3 is stopped: the command may still be carried out there';
    offer(
      changed((plan) =>
        eachTarget(plan, ({ verify }) => ({
          verify: { ...verify, settles: { ms: 20_000, whyPending: () => silent } },
        })),
      ),
    );
    world.act = () => lostAnswer();
    await run(world.engine(), ['n1']);
    for (let turn = 0; turn < 5; turn++) {
      world.clock.advance(60_000);
      expect((await recovered())[0]).toMatchObject({
        state: 'unknown',
        targets: [{ text: expect.stringContaining('gl3 is stopped') }],
      });
    }
    silent = undefined;
    expect((await recovered())[0]?.state).toBe('failed');
  });

  it('an action that cannot tell any more is no proof: unknown, and after ten minutes in nobody’s way', async () => {
    let gone = false;
    offer(
      changed((plan) =>
        gone ? { refused: true, guard: '3 preconditions', reason: 'home0 is not locked' } : plan,
      ),
    );
    world.act = () => lostAnswer();
    const view = await run(world.engine(), ['n1']);
    gone = true;
    expect((await recovered())[0]?.targets[0]?.text).toContain(
      'whether it took effect is not known from the present readings: home0 is not locked',
    );
    gone = false;
    world.clock.advance(11 * 60_000);
    gone = true;
    const [now] = await recovered();
    expect(now).toMatchObject({ state: 'unknown', result: expect.stringContaining('check it by hand') });
    expect(await last()).toMatchObject({
      kind: 'recovered',
      run: view.id,
      outcome: 'unknown',
      detail: { closed: true },
    });
    gone = false;
    expect(await refusal(world.engine(), 'fake.resume', ['n1'])).toBe('planned');
    expect(await recovered()).toEqual([]);
  });
});
