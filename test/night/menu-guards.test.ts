import { beforeAll, describe, expect, it } from 'vitest';
import type { Collector } from '../../src/collect/collector.ts';
import { failGuard } from '../../src/kit/guards.ts';
import type { Action, Guard, PlanContext } from '../../src/model/action.ts';
import type { SiteView } from '../../src/model/site.ts';
import { actionSets } from '../../src/registries/actions.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import { cases } from './all-actions.ts';
import { askWith, demoSite } from './whole-site.ts';

const all = actionSets.flatMap(({ actions }) => actions);
const actionOf = (id: string): Action => {
  const found = all.find((action) => action.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
};

/** The action with guards changed in every plan. */
const withGuards = (action: Action, change: (guards: readonly Guard[]) => readonly Guard[]): Action => ({
  ...action,
  plan: (...given) => {
    const plan = action.plan(...given);
    if ('refused' in plan) return plan;
    return { ...plan, targets: plan.targets.map((one) => ({ ...one, guards: change(one.guards) })) };
  },
});

/** Asked for by the clock: what is asked on demand speaks when the plan is made. */
const isScheduled = ({ reads }: Guard, { judgement }: PlanContext): boolean =>
  reads.every(({ probe, host }) => (judgement.readings.source(probe, host)?.everyMs ?? 0) > 0);

describe('the menu, on the demo site', () => {
  // Where something is left to do: no test runs that could be cancelled.
  const tried = cases.filter(
    ({ action, first }) =>
      first === undefined && action !== 'iperf.cancel' && actionOf(action).menu.askTyped === undefined,
  );
  const sites = new Map<string, Promise<Collector>>();
  let site: SiteView;
  beforeAll(async () => {
    site = await demoSite();
  });
  const contextOf = async (incidents: readonly string[]): Promise<PlanContext> => {
    const key = incidents.join();
    const asked = sites.get(key) ?? askWith(site, incidents);
    sites.set(key, asked);
    return { judgement: (await asked).judgement(), operator: 'alice' };
  };

  it('tries the plan of every action but those whose hosts are typed', () => {
    expect(all.filter(({ menu }) => menu.askTyped).map(({ id }) => id)).toEqual([
      'iperf.run-to',
      'iperf.sweep',
      'nfs.list',
      'nfs.remount',
      'storage.pool-replace',
    ]);
    for (const { id, menu, parameters } of all)
      if (!menu.askTyped && !menu.tryWith) expect(parameters.safeParse({}).success, id).toBe(true);
    const systems = tried.map(({ action }) =>
      actionSets.find((set) => set.actions.includes(actionOf(action))),
    );
    expect(new Set(systems)).toEqual(new Set(actionSets.filter(({ actions }) => actions.length > 0)));
  });

  it.each(tried)('$action: an absolute guard greys it with its reason', async ({ action: id, ...one }) => {
    const action = actionOf(id);
    const context = await contextOf(one.incidents);
    const given = action.menu.tryWith?.([one.subject], context) ?? [action.parameters.parse({})];
    if ('refused' in given) throw new Error(given.reason);
    const plan = action.plan([one.subject], given[0], context);
    if ('refused' in plan) throw new Error(plan.reason);
    const guards = plan.targets[0]?.guards ?? [];
    const at = guards.findIndex((guard) => guard.absolute && isScheduled(guard, context));
    expect(offerOf(action, [one.subject], context)).toMatchObject({ available: true });
    const against = {
      id: '3 test',
      text: '',
      reads: [],
      absolute: true,
      check: () => failGuard('it stands against it'),
    };
    const changed = withGuards(action, (all) =>
      at < 0 ? [...all, against] : all.with(at, { ...(all[at] ?? against), check: against.check }),
    );
    expect(offerOf(changed, [one.subject], context)).toEqual({
      available: false,
      reason: 'it stands against it',
    });
  });
});
