import { beforeEach, describe, expect, it } from 'vitest';
import type { Past } from '../../src/audit/past-runs.ts';
import type { Action, Plan } from '../../src/model/action.ts';
import type { SharedActions } from '../../src/remedy/shared-actions.ts';
import { ARM, CHANGE, heldAction, isArmed, KEEP, once, RESTORE, shut, watching, withTimer } from './held.ts';
import { answer, createWorld, lostAnswer, type World } from './world.ts';

const NOTE = 'note n1';

/** The held shutdown with a line for the journal. */
const noted = (): Action => {
  const base = heldAction();
  return {
    ...base,
    plan: (subjects, parameters, context): Plan => {
      const plan = base.plan(subjects, parameters, context);
      if ('refused' in plan) throw new Error(plan.reason);
      const note = { host: 'adm9', argv: ['note', 'n1'], note: true } as const;
      return {
        ...plan,
        targets: plan.targets.map((target) => ({ ...target, steps: [...target.steps, note] })),
      };
    },
  };
};

let world: World;
let timer: ReturnType<typeof withTimer>;
/** What the host that keeps the journal says. */
let journal = answer();
beforeEach(() => {
  world = createWorld(3);
  timer = withTimer(world);
  journal = answer();
  world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [noted()] }] };
  const obey = world.act;
  world.act = async (script) => (script === NOTE ? journal : obey(script));
});

const { sent, hold } = watching(() => world);

describe('a line that says what was done', () => {
  it('is shown with the commands, and sent after them', async () => {
    const view = await hold((engine) => once((run) => void engine.keep(run, 'keep')));
    expect(view.state).toBe('done');
    expect(sent()).toEqual([ARM, CHANGE, NOTE, KEEP]);
  });

  it('is not sent for a change that the host refused, though a colleague makes it in that moment: that is not ours', async () => {
    const told = new Map<string, Past>();
    const sharedActions: SharedActions = {
      read: async () => ({ past: [...told.values()] }),
      poll: async () => ({ past: [...told.values()] }),
      tell: async (past, _key, none = false) => {
        if (none) told.delete(past.subject);
        else told.set(past.subject, past);
        return undefined;
      },
    };
    const obey = world.act;
    world.act = async (script) => {
      const said = await obey(script);
      if (script !== CHANGE) return said;
      world.nodes['n1'] = { drained: true, reason: 'by a colleague' };
      return answer({ exitCode: 1, stderr: '% Invalid input' });
    };
    const engine = world.engine({ sharedActions });
    const view = await engine.awaitEnd(await shut(world, engine));
    expect(view.state).toBe('nothing');
    expect(view.result).toContain('% Invalid input');
    // The timer is taken away, or it would undo what the colleague did.
    expect(sent()).toEqual([ARM, CHANGE, KEEP]);
    expect(isArmed(world.nodes)).toBe(false);
    expect(world.nodes['n1']).toEqual({ drained: true, reason: 'by a colleague' });
    expect([...told.values()]).toEqual([]);
    expect('refused' in (await engine.plan('undo:r-1', [], {}))).toBe(true);
  });

  it('is sent when it is not known whether the change went through: that may be ours', async () => {
    const obey = world.act;
    world.act = async (script) => {
      const said = await obey(script);
      return script === CHANGE ? lostAnswer() : said;
    };
    const view = await hold((engine) => once((run) => void engine.keep(run, 'keep')));
    expect(view.state).toBe('done');
    expect(sent()).toEqual([ARM, CHANGE, NOTE, KEEP]);
  });

  it('that cannot be written takes nothing back, and is said', async () => {
    journal = answer({ exitCode: 1, stderr: 'No space left on device' });
    const texts: string[] = [];
    const engine = world.engine();
    engine.onChange(() => texts.push(engine.runs()[0]?.targets[0]?.text ?? ''));
    const run = await shut(
      world,
      engine,
      once((id) => void engine.keep(id, 'keep')),
    );
    expect((await engine.awaitEnd(run)).state).toBe('done');
    expect(sent()).toEqual([ARM, CHANGE, NOTE, KEEP]);
    expect(texts).toContainEqual(
      expect.stringContaining('not written down (exit 1: No space left on device); n1'),
    );
  });

  it('alone does not make a change that was not seen ours', async () => {
    timer.fail['drain'] = answer({ notConnected: { kind: 'unreachable', message: 'ctl1 is away' } });
    const view = await hold();
    expect(view.state).toBe('failed');
    expect(sent()).toEqual([ARM, CHANGE, KEEP]);
    expect(sent()).not.toContain(RESTORE);
  });
});
