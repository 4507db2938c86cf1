import { failGuard, rereads, waitUnless } from '../../src/kit/guards.ts';
import { planOf } from '../../src/kit/offers.ts';
import type { Guard, Plan, PlanContext, PlanTarget } from '../../src/model/action.ts';
import { judgementOf, siteOf, Sources } from './judging.ts';

/** The one target there is, with one good reading `a`. */
export const subject = { kind: 'host', id: 'h1' } as const;
export const readings = new Sources();
readings.good('a', 'h1', 1);

export const context: PlanContext = {
  judgement: judgementOf({ readings, site: siteOf([]) }),
  operator: 'anna',
};

/** A guard that was read and stands against its target. */
export const guardOf = (more: Partial<Guard> = {}): Guard => ({
  id: '6 room',
  text: '',
  reads: rereads('a', 'h1', 'h1'),
  absolute: true,
  check: () => failGuard('no room'),
  ...more,
});

/** A target without steps that is not done yet. */
export const targetOf = (more: Partial<PlanTarget> = {}): PlanTarget => ({
  subject,
  steps: [],
  guards: [],
  whyAlreadyDone: () => undefined,
  verify: { text: '', reads: [], deadlineMs: 1, check: () => waitUnless(true, 'so') },
  undo: null,
  lockGroups: [],
  ...more,
});

/** Whose plans they are. */
export const doing = { id: 'x.do', verb: 'do', danger: 'reversible', users: 'nothing' } as const;

export const planFor = (...targets: PlanTarget[]): Plan =>
  planOf(doing, { title: 'Do', targets, because: ['so'], afterwards: '', undoText: '' });
