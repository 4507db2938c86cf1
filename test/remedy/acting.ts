import type { RunView } from '../../src/model/run.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { node } from './world.ts';

/** The card of a plan; throws when it is refused. */
export const card = async (
  engine: Engine,
  action: string,
  ids: readonly string[],
  set: Record<string, string> = {},
) => {
  const planned = await engine.plan(action, ids.map(node), set);
  if ('refused' in planned) throw new Error(`${planned.refused.guard}: ${planned.refused.reason}`);
  return planned.card;
};

/** Why there is no plan. */
export const refusal = async (
  engine: Engine,
  action: string,
  ids: readonly string[],
  set: Record<string, string> = {},
) => {
  const planned = await engine.plan(action, ids.map(node), set);
  return 'refused' in planned ? `${planned.refused.guard}: ${planned.refused.reason}` : 'planned';
};

export const confirm = async (engine: Engine, plan: string, typed: string): Promise<RunView> => {
  const confirmed = await engine.confirm(plan, typed);
  if ('refused' in confirmed) throw new Error(`${confirmed.refused.guard}: ${confirmed.refused.reason}`);
  return engine.awaitEnd(confirmed.run);
};

export const run = async (
  engine: Engine,
  ids: readonly string[],
  action = 'fake.resume',
): Promise<RunView> => {
  const { id, confirmText } = await card(engine, action, ids);
  return confirm(engine, id, confirmText);
};
