import { glusterActions } from '../../probes/gluster/act/actions.ts';
import type { Plan, PlanTarget } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { Pool } from './world.ts';

export const action = (id: string) => {
  const found = glusterActions.actions.find((one) => one.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};

export const planOf = (pool: Pool, id: string, subject: Subject, set: unknown = {}): Plan => {
  const plan = action(id).plan([subject], set, { judgement: pool.judgement(), operator: 'op' });
  if ('refused' in plan) throw new Error(plan.reason);
  return plan;
};

export const refusal = (pool: Pool, id: string, subject: Subject, set: unknown = {}): string => {
  const plan = action(id).plan([subject], set, { judgement: pool.judgement(), operator: 'op' });
  return 'refused' in plan ? plan.reason : '';
};

export const only = (plan: Plan): PlanTarget => {
  const [target, ...more] = plan.targets;
  if (!target || more.length > 0) throw new Error('one target expected');
  return target;
};

/** Reads again what guards and verification look at, as the engine does. */
export const reread = async (pool: Pool, target: PlanTarget): Promise<void> => {
  const reads = [...target.guards.flatMap((guard) => guard.reads), ...target.verify.reads];
  for (const { probe, host } of reads) await pool.ask(probe, host);
};

export const guards = (pool: Pool, target: PlanTarget): Record<string, boolean> =>
  Object.fromEntries(target.guards.map((guard) => [guard.id, guard.check(pool.judgement()).ok]));

export const ready = async (incident: string, settings: unknown = {}): Promise<Pool> => {
  const pool = new Pool(incident, settings);
  await pool.poll();
  return pool;
};
