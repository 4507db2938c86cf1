import { lustreActions } from '../../probes/lustre/act/actions.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { World } from './world.ts';

export const action = (id: string): Action => {
  const found = lustreActions.actions.find((one) => one.id === `lustre.${id}`);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};

export const ost = (hex: string): Subject => ({ kind: 'ost', id: `scratch-OST${hex}` });
export const scratch: Subject = { kind: 'volume', id: 'scratch' };

export const planned = (
  world: World,
  id: string,
  subjects: readonly Subject[],
  given: object = {},
  more: Partial<PlanContext> = {},
): Plan | Refusal =>
  action(id).plan(subjects, action(id).parameters.parse(given), {
    judgement: world.judgement(),
    operator: 'alice',
    ...more,
  });

export const plan = (...args: Parameters<typeof planned>): Plan => {
  const made = planned(...args);
  if ('refused' in made) throw new Error(`refused by ${made.guard}: ${made.reason}`);
  return made;
};

export const only = ({ targets }: Plan): PlanTarget => {
  const [target] = targets;
  if (!target || targets.length > 1) throw new Error(`${targets.length} targets`);
  return target;
};

export const lines = (steps: PlanTarget['steps'] | null): string[] =>
  (steps ?? []).map((step) => ('argv' in step ? `${step.host}: ${step.argv.join(' ')}` : ''));

export const guard = (world: World, target: PlanTarget, id: string) => {
  const found = target.guards.find((one) => one.id.startsWith(id));
  if (!found) throw new Error(`no guard ${id}`);
  return found.check(world.judgement());
};

export const ready = async (incident: string): Promise<World> => {
  const world = new World(incident);
  await world.poll();
  return world;
};

export const osp = (world: World, hex: string) =>
  lustreOf(world.judgement())
    .byOst.get(`scratch-OST${hex}`)
    ?.mdts.map((one) => one.osp);
