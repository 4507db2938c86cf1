import { beforeEach, describe, expect, it } from 'vitest';
import { confirmBody } from '../../components/dialogs/confirm/body.ts';
import { confirmOf } from '../helpers/confirm.ts';
import { makeTheme } from '../../components/theme.ts';
import { cardLines } from '../../src/commands/act/text.ts';
import type { Action, Guard } from '../../src/model/action.ts';
import { card } from './acting.ts';
import { createWorld, fakeAction, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const guard = (change: Partial<Guard>): Guard => ({
  id: '6 members',
  text: 'enough members stay up here',
  reads: [{ probe: 'fake.nodes', host: 'ctl1' }],
  absolute: false,
  check: () => ({ ok: true, text: 'enough' }),
  ...change,
});

const shown = (guards: readonly Guard[], set: Record<string, string> = {}) => {
  const base = fakeAction();
  const action: Action = {
    ...base,
    plan: (subjects, given, context) => {
      const plan = base.plan(subjects, given, context);
      if ('refused' in plan) return plan;
      return { ...plan, targets: plan.targets.map((one) => ({ ...one, guards })) };
    },
  };
  return card(
    world.engine({ actionSets: [{ system: 'fake', actions: [action] }] }),
    'fake.resume',
    ['n1'],
    set,
  );
};

/** Lines of the dialog as a person reads them. */
const dialog = (made: Awaited<ReturnType<typeof shown>>): string =>
  JSON.stringify(confirmBody(makeTheme({}), confirmOf(made), { columns: 120, rows: 60 }, 0).lines);

describe('what was not checked', () => {
  it('of a guard is told apart from what it checks', async () => {
    const made = await shown([guard({ unchecked: 'how many stay up at the far end: nobody tells' })]);
    const own = made.guards.filter(({ id }) => id === '6 members');
    expect(own).toEqual([{ id: '6 members', text: 'enough members stay up here' }]);
    expect(made.unchecked).toEqual([
      { id: '6 members', text: 'how many stay up at the far end: nobody tells' },
    ]);
    expect(cardLines(made)).toContain(
      'not checked how many stay up at the far end: nobody tells (6 members)',
    );
    expect(dialog(made)).toContain('not checked');
  });

  it('an exceeded guard is no longer among what was checked', async () => {
    const set = { exceed6: 'agreed with facilities' };
    const made = await shown([guard({ check: () => ({ ok: false, text: 'too few' }) })], set);
    expect(made.guards.map(({ id }) => id)).not.toContain('6 members');
    expect(made.unchecked).toEqual([{ id: '6 members', text: 'exceeded: enough members stay up here' }]);
  });

  it('an absolute guard of the same number stays, for it still refuses', async () => {
    const set = { exceed6: 'agreed with facilities' };
    const made = await shown(
      [guard({}), guard({ id: '6 last member', text: 'it is not the last', absolute: true })],
      set,
    );
    expect(made.guards.map(({ id }) => id)).toContain('6 last member');
    expect(made.unchecked?.map(({ id }) => id)).toEqual(['6 members']);
  });

  it('where all was checked nothing is said of it', async () => {
    const made = await shown([guard({})]);
    expect(made.unchecked).toBeUndefined();
    expect(cardLines(made).join('\n')).not.toContain('not checked');
    expect(dialog(made)).not.toContain('not checked');
  });
});
