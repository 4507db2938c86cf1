import { describe, expect, it } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { Past } from '../../src/audit/past-runs.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { MenuEntry } from '../../src/model/wire.ts';
import type { KnownPast } from '../../src/remedy/cool-down.ts';
import { menuOf } from '../../src/remedy/menu.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { logged, START } from './logged.ts';
import { createWorld, fakeAction, node } from './world.ts';

const DAY = 24 * 3_600_000;
const world = createWorld();
const drain = fakeAction({
  wants: true,
  title: 'Drain',
  menu: { note: 'takes it out', askTyped: () => 'typed' },
});

/** The menu, `ms` after START. */
const menu = (
  told: readonly LoggedAction[] = [],
  {
    ms = DAY,
    known = { past: [] },
    on = [node('n1')],
    busy,
    ...over
  }: Partial<EngineParts> & { ms?: number; known?: KnownPast; on?: readonly Subject[]; busy?: string } = {},
): readonly MenuEntry[] => {
  const clock = { ...world.clock, now: () => START + ms };
  const actionSets = [{ system: 'fake', actions: [drain] }];
  return menuOf({ ...world.parts, clock, actionSets, ...over }, on, 'fake', busy, told, known);
};
const undo = (...given: Parameters<typeof menu>): MenuEntry | undefined =>
  menu(...given).find(({ action }) => action.startsWith('undo:'));
const done = (over: Partial<LoggedAction> = {}, detail: Partial<LoggedAction['detail']> = {}): LoggedAction =>
  logged({ outcome: 'done', ...over }, detail);

describe('the undo in the menu', () => {
  it('tells of what, when, by whom, and how it is undone', () => {
    expect(undo([done()])).toEqual({
      action: 'undo:r-1',
      title: 'undo "Drain n1"',
      danger: 'service',
      available: true,
      text: 'of 2026-03-01 03:00 by bob; resume it',
      prompts: [],
    });
    const hold = {
      by: 'timer',
      seconds: 60,
      text: 'a timer',
      restored: { text: '', reads: [], deadlineMs: 1 },
    };
    expect(undo([done({}, { hold: hold as NonNullable<LoggedAction['detail']['hold']> })])?.text).toBe(
      'of 2026-03-01 03:00 by bob; no timer undoes it any more',
    );
  });

  it('is there for a day, to the millisecond, and not for what can not be undone', () => {
    expect(undo([done()], { ms: DAY })).toBeDefined();
    expect(undo([done()], { ms: DAY + 1 })).toBeUndefined();
    expect(undo([done({ undone: true })])).toBeUndefined();
    expect(undo([logged({ outcome: 'failed' })])).toBeUndefined();
    expect(undo([])).toBeUndefined();
  });

  it('is of the newest run that touched all that is chosen', () => {
    const n2 = { subject: node('n2') };
    const both = [done({ run: 'both' }), done({ run: 'both', ...n2 })];
    const told = [done({ run: 'old' }), ...both, done({ run: 'n2', ...n2 })];
    expect(undo(told)).toMatchObject({ action: 'undo:both', title: 'undo "Drain 2 nodes"' });
    expect(undo(told, { on: [node('n1'), node('n2')] })?.action).toBe('undo:both');
    expect(undo(told, { on: [node('n2')] })?.action).toBe('undo:n2');
    expect(undo(told, { on: [node('n1'), node('n3')] })).toBeUndefined();
  });

  it('is in the class of its action at least, and of the worst where the action is gone', () => {
    expect(undo([done({}, { danger: 'reversible' })])?.danger).toBe('reversible');
    expect(undo([done({}, { danger: 'access' })])?.danger).toBe('access');
    expect(undo([done({ action: 'old.drain' }, { danger: 'reversible' })])).toMatchObject({
      title: 'undo "old.drain n1"',
      danger: 'access',
      available: false,
      text: "this version can't undo old.drain",
    });
    const { undoOf: _, ...oneWay } = drain;
    const actionSets = [{ system: 'fake', actions: [oneWay] }];
    expect(undo([done()], { actionSets })).toMatchObject({
      available: false,
      text: "this version can't undo fake.drain",
    });
  });

  it('is off with everything else, and says its own reason where it has one', () => {
    const busy = 'n1 is in run r-9';
    expect(undo([done()], { busy })).toMatchObject({ available: false, text: busy });
    expect(undo([done({ action: 'old.drain' })], { busy })?.text).toBe("this version can't undo old.drain");
  });
});

describe('the menu', () => {
  it('is empty of nothing, and of subjects of two kinds', () => {
    expect(menu([done()], { on: [] })).toEqual([]);
    expect(menu([], { on: [node('n1'), { kind: 'ost', id: 'o1' }] })).toEqual([]);
  });

  it('gives the note of what can be had, and why nothing can', () => {
    expect(menu()).toEqual([
      {
        action: 'fake.drain',
        title: 'Drain',
        danger: 'reversible',
        available: true,
        text: 'typed',
        prompts: drain.prompts,
      },
    ]);
    expect(menu([], { busy: 'n1 is in run r-9' })[0]).toMatchObject({
      available: false,
      text: 'n1 is in run r-9',
    });
    const audit = { ...world.parts.audit, problem: () => 'the disk is full' };
    expect(menu([], { audit, busy: 'n1 is in run r-9' })[0]).toMatchObject({
      available: false,
      text: 'actions off: the disk is full',
    });
    const hidden = menu([], { audit, on: [node('n1'), node('n\u200b2')] })[0];
    expect(hidden).toMatchObject({
      available: false,
      text: expect.stringMatching(/^the name of .* holds characters that do not show$/),
    });
    for (const id of ['ALL', '-n2', 'n[2-3]', 'n2;reboot'])
      expect(menu([], { on: [node('n1'), node(id)] })[0]).toMatchObject({
        available: false,
        text: `"${id}" is not a name a command can safely hold`,
      });
    const none = {
      ...drain,
      menu: { note: '', askTyped: () => ({ refused: true, guard: '5 targets', reason: 'no room' }) },
    };
    const actionSets = [{ system: 'fake', actions: [none as typeof drain] }];
    expect(menu([], { actionSets, busy: 'busy' })[0]).toMatchObject({ available: false, text: 'no room' });
  });

  it('asks what the action asks for on these subjects besides', () => {
    const own = { name: 'why', label: 'why', required: true } as const;
    const asking = { ...drain, menu: { note: '', prompts: () => [own] } };
    const actionSets = [{ system: 'fake', actions: [asking] }];
    world.nodes['n1'] = { drained: false, reason: '' };
    expect(menu([], { actionSets })[0]?.prompts).toEqual([...drain.prompts, own]);
  });
});

describe('the reason that is asked for doing it again', () => {
  const did = (minutesAgo: number, over: Partial<Past> = {}): Past => ({
    run: `r-${minutesAgo}`,
    verb: 'drain',
    subject: 'node n1',
    at: START + DAY - minutesAgo * 60_000,
    by: 'bob',
    ...over,
  });
  const asked = (past: readonly Past[], given: Parameters<typeof menu>[1] = {}, told: LoggedAction[] = []) =>
    menu(told, { known: { past }, ...given })[0]?.prompts.slice(drain.prompts.length);
  const name = 'exceed13';

  it('says what was done and when; it is a must where all that is chosen was', () => {
    const label = 'drain of n1 was done 3 min ago by bob: wait 10 min for its effect. Why again?';
    expect(asked([did(3)])).toEqual([{ name, label, required: true }]);
    expect(asked([did(3)], { on: [node('n1'), node('n2')] })).toEqual([{ name, label, required: false }]);
    expect(asked([did(11)])).toEqual([]);
    const repeatable = { ...drain, repeatable: true as const };
    const actionSets = [{ system: 'fake', actions: [repeatable] }];
    expect(asked([did(3)], { actionSets })).toEqual([]);
  });

  it('is a choice where only an object of the subject was done to, as another may be meant', () => {
    expect(asked([did(3, { object: '/a' })])).toMatchObject([
      { label: expect.stringMatching(/^drain of n1 \/a was done/), required: false },
    ]);
  });

  it('counts what the log here tells of as well', () => {
    expect(asked([], { ms: 60_000 }, [done()])).toMatchObject([
      { label: expect.stringMatching(/^drain of n1 was done 1 min ago by bob/), required: true },
    ]);
  });

  it('is a must where it is not known what colleagues did', () => {
    const known = { past: [], unclear: 'admin1 does not answer' };
    expect(asked([], { known })).toEqual([
      {
        name,
        label: 'Not known what colleagues did in the last 24 h (admin1 does not answer). Why do it anyway?',
        required: true,
      },
    ]);
    expect(asked([], { known: { ...known, past: [did(3)] } })).toMatchObject([
      { label: expect.stringMatching(/Why again\?$/) },
    ]);
  });
});
