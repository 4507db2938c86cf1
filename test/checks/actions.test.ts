import { describe, expect, it } from 'vitest';
import { checkActions } from '../../probes/checks/act/actions.ts';
import type { Action, Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import { asked, said, siteWith } from './make.ts';

const site = siteWith(
  'munge:',
  '  use: munge',
  '  actions:',
  '    restart:',
  '      run: [sudo, -n, systemctl, restart, munge, "{host}"]',
  '      users: jobs that start meanwhile fail',
  '      guards: [clock]',
  '      verify: munge',
  '      within: 20s',
  '      undo: none',
  '    mask:',
  `      run: 'echo "$1" >/run/masked'`,
  '      title: mask it',
  '      users: nothing',
  '      class: reversible',
  '      guards: []',
  '      verify: munge',
  '      undo: {run: [rm, /run/masked]}',
  'clock: {use: chrony}',
);

const actions = checkActions.onSite?.(site) ?? [];
const named = (id: string): Action => {
  const action = actions.find((one) => one.id === id);
  if (!action) throw new Error(`no ${id}`);
  return action;
};
const restart = named('checks.munge.restart');
const mask = named('checks.munge.mask');
const subject = (id: string) => ({ kind: 'check' as const, id });

const night = (
  munge: 'ok' | 'critical' | 'unknown' | undefined,
  clock: 'ok' | 'warning' | 'unknown' | undefined,
) => {
  const made = asked(site);
  if (munge) made.readings.good('checks.munge', 'node1', said(munge, 'MUNGE'));
  if (clock) made.readings.good('checks.clock', 'node1', said(clock, 'CHRONY'));
  return made;
};

const planned = (action: Action, made: ReturnType<typeof night>, ...ids: readonly string[]): Plan | Refusal =>
  action.plan(ids.map(subject), {}, { judgement: made.judgement(), operator: 'op' });

const targetOf = (plan: Plan | Refusal): PlanTarget => {
  const target = 'refused' in plan ? undefined : plan.targets[0];
  if (!target) throw new Error(JSON.stringify(plan));
  return target;
};

describe('an action of the site file', () => {
  it('is there as the file has it, service unless it says otherwise', () => {
    expect(actions.map(({ id, danger, title, subject: kind }) => [id, danger, title, kind])).toEqual([
      ['checks.munge.restart', 'service', 'restart (munge)', 'check'],
      ['checks.munge.mask', 'reversible', 'mask it', 'check'],
    ]);
    expect(checkActions.actions).toEqual([]);
    expect(restart.appliesTo?.(subject('munge@node1'))).toBe(true);
    expect(restart.appliesTo?.(subject('clock@node1'))).toBe(false);
  });

  it('sends its words, with the host as one of them', () => {
    const target = targetOf(planned(restart, night('critical', 'ok'), 'munge@node1'));
    expect(target.steps).toEqual([
      { host: 'node1', argv: ['sudo', '-n', 'systemctl', 'restart', 'munge', 'node1'], deadlineMs: 30_000 },
    ]);
    expect(targetOf(planned(mask, night('critical', 'ok'), 'munge@node1')).steps).toEqual([
      { host: 'node1', argv: ['sh', '-c', 'echo "$1" >/run/masked', 'check', 'node1'], deadlineMs: 30_000 },
    ]);
    expect(target.lockGroups).toEqual(['host node1', 'check munge']);
  });

  it.each([
    ['the guard is fine', 'critical', 'ok', [true, true]],
    ['the guard is not fine', 'critical', 'warning', [true, false]],
    ['the guard does not know', 'critical', 'unknown', [true, false]],
    ['the guard was not read', 'critical', undefined, [true, false]],
    ['what verifies it was not read', undefined, 'ok', [false, true]],
    ['what verifies it does not know', 'unknown', 'ok', [false, true]],
  ] as const)('its guards hold where %s', (_, munge, clock, expected) => {
    const made = night(munge, clock);
    const { guards } = targetOf(planned(restart, made, 'munge@node1'));
    expect(guards.map(({ check }) => check(made.judgement()).ok)).toEqual(expected);
    expect(guards.every(({ absolute }) => absolute)).toBe(true);
    expect(guards.flatMap(({ reads }) => reads)).toEqual([
      { probe: 'checks.munge', host: 'node1' },
      { probe: 'checks.clock', host: 'node1' },
    ]);
  });

  it('a reading that failed since is none', () => {
    const made = night('critical', 'ok');
    made.readings.fail('checks.clock', 'node1', { kind: 'timeout', message: 'node1: timed out' });
    made.readings.fail('checks.munge', 'node1', { kind: 'timeout', message: 'node1: timed out' });
    const { guards, verify } = targetOf(planned(restart, made, 'munge@node1'));
    expect(guards.map(({ check }) => check(made.judgement()))).toEqual([
      { ok: false, text: 'timed out' },
      { ok: false, text: 'clock is UNKNOWN: timed out' },
    ]);
    expect(verify.check(made.judgement())).toEqual({ state: 'unread', text: 'timed out' });
  });

  it.each([
    ['ok', 'yes', 'munge is OK: MUNGE'],
    ['critical', 'wait', undefined],
    ['unknown', 'unread', undefined],
  ] as const)('%s afterwards is %s, and before it %s', (state, verdict, already) => {
    const made = night(state, 'ok');
    const target = targetOf(planned(restart, made, 'munge@node1'));
    expect(target.verify.check(made.judgement()).state).toBe(verdict);
    expect(target.verify).toMatchObject({
      deadlineMs: 20_000,
      reads: [{ probe: 'checks.munge', host: 'node1' }],
    });
    expect(target.whyAlreadyDone(made.judgement())).toBe(already);
  });

  it('is undone by its own command, or by none', () => {
    const made = night('ok', 'ok');
    expect(targetOf(planned(restart, made, 'munge@node1')).undo).toBeNull();
    expect(restart.undoOf).toBeUndefined();
    const context = { judgement: made.judgement(), operator: 'op' };
    const steps = [{ host: 'node1', argv: ['rm', '/run/masked'], deadlineMs: 30_000 }];
    expect(targetOf(planned(mask, made, 'munge@node1')).undo).toEqual(steps);
    expect(mask.undoOf?.(subject('munge@node1'), undefined, context)).toEqual({ steps });
    expect(mask.undoOf?.(subject('munge@console'), undefined, context)).toMatchObject({ refused: true });
  });

  it('leaves out a check of another name, and a host where it is not asked', () => {
    const made = night('critical', 'ok');
    expect(planned(restart, made, 'clock@node1')).toMatchObject({
      refused: true,
      guard: '5 targets',
      reason: 'clock@node1: it is of munge, not of clock',
    });
    expect(planned(restart, made, 'munge@console', 'munge@node1')).toMatchObject({
      leftOut: [{ reason: 'munge is not asked on console' }],
      targets: [{ subject: { id: 'munge@node1' } }],
    });
  });

  it('a file can make no action milder', () => {
    const mild = (more: string) => () =>
      siteWith(
        `x: {run: "true", on: ctl1, actions: {go: {run: "true", users: none, guards: [], verify: x, ${more}}}}`,
      );
    expect(mild('undo: none, class: reversible')).toThrow(/is reversible without an undo/);
    const [action] = checkActions.onSite?.(mild('undo: {run: "true"}')()) ?? [];
    expect(action?.danger).toBe('service');
  });
});
