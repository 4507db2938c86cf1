import type { Hold } from '../../src/model/hold.ts';
import type { PlanTarget } from '../../src/model/action.ts';
import { prepareTarget, type Prepared, type PreparedTarget } from '../../src/remedy/prepared.ts';
import { targetOf } from '../helpers/plans.ts';
import { node } from './world.ts';

/** A target `n1` whose step is `do n1` on ctl1. */
export const madeTarget = (over: Partial<PlanTarget> = {}): PreparedTarget => {
  const subject = over.subject ?? node('n1');
  return prepareTarget(
    targetOf({ subject, steps: [{ host: 'ctl1', argv: ['do', subject.id] }], ...over }),
    () => undefined,
  );
};

/** A plan as it waits for its confirmation, made at 0. */
export const madePlan = (over: Partial<Prepared> = {}): Prepared => ({
  id: 'p-1',
  action: 'fake.do',
  title: 'Do n1',
  verb: 'do',
  danger: 'reversible',
  targets: [madeTarget()],
  leftOut: [],
  users: 'nothing',
  because: ['so it reads'],
  afterwards: 'reads back',
  undoText: 'the other way round',
  parameters: {},
  exceeded: [],
  hash: 'hash',
  confirmText: 'y',
  armedAfterMs: 0,
  madeAt: { mono: 0, wall: 0 },
  shownAt: 0,
  ...over,
});

const verify = (deadlineMs: number): Hold['armed'] => ({
  text: '',
  reads: [],
  deadlineMs,
  check: () => ({ state: 'yes', text: '' }),
});

/** An undo that is armed by a timer on adm9 for 60 s. */
export const madeHold = (over: Partial<Hold> = {}): Hold => ({
  by: 'timer',
  seconds: 60,
  text: 'a timer restores it',
  arm: [{ host: 'adm9', argv: ['arm'], deadlineMs: 1_000 }],
  armed: verify(10_000),
  keep: [{ host: 'adm9', argv: ['disarm'], deadlineMs: 2_000 }],
  kept: verify(20_000),
  restore: [{ host: 'ctl1', argv: ['back'], deadlineMs: 4_000 }],
  restored: verify(40_000),
  watch: [],
  watching: () => ['it is watched'],
  checkKeeping: () => ({ ok: true, text: 'good' }),
  ...over,
});
