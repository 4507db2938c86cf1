import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { slurmActions } from '../../probes/slurm/act/actions.ts';
import { cluster } from './make.ts';

export const action = (id: string): Action => {
  const found = slurmActions.actions.find((one) => one.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};

export const subjects = (...names: string[]): Subject[] => names.map((id) => ({ kind: 'node', id }));

export type World = ReturnType<typeof cluster>;

export const planned = (
  world: World,
  id: string,
  names: string[],
  given: object = {},
  more: Partial<PlanContext> = {},
): Plan | Refusal =>
  action(id).plan(subjects(...names), action(id).parameters.parse(given), {
    judgement: world.judgement(),
    operator: 'alice',
    ...more,
  });

export const plan = (...args: Parameters<typeof planned>): Plan => {
  const made = planned(...args);
  if ('refused' in made) throw new Error(`refused by ${made.guard}: ${made.reason}`);
  return made;
};

export const only = (made: Plan): PlanTarget => {
  const [target] = made.targets;
  if (!target || made.targets.length > 1) throw new Error(`${made.targets.length} targets`);
  return target;
};

export const lines = (target: PlanTarget): string[] =>
  target.steps.map((step) => ('argv' in step ? `${step.host}: ${step.argv.join('|')}` : ''));
export const undoLines = (target: PlanTarget): string[] | null =>
  target.undo && target.undo.map((step) => ('argv' in step ? step.argv.join('|') : ''));

/** What the guard with this id says of a judgement. */
export const guard = (target: PlanTarget, id: string, live: Judgement) => {
  const found = target.guards.find((one) => one.id === id);
  if (!found) throw new Error(`no guard ${id} among ${target.guards.map((one) => one.id).join(', ')}`);
  return found.check(live);
};

export const passing = (world: World, ...names: string[]): World => {
  for (const name of names) world.check(name);
  return world;
};
