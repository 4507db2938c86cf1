import { describe, expect, it } from 'vitest';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import type { Guard, PlanContext } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { offerOf } from '../../../src/remedy/offer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';
import { planned as plannedInFabric } from './fabric-world.ts';
import { SwitchWorld } from './world.ts';

const guardsOf = (judgement: Judgement, id: string, more: Partial<PlanContext> = {}): readonly Guard[] => {
  const context = { judgement, operator: 'alice', ...more };
  const plan = shutAction.plan([{ kind: 'port', id }], {}, context);
  if ('refused' in plan) throw new Error(`${plan.guard}: ${plan.reason}`);
  return plan.targets[0]?.guards ?? [];
};

const guardOf = (guards: readonly Guard[], id: string): Guard => {
  const found = guards.find((one) => one.id === id);
  if (!found) throw new Error(`no guard ${id}`);
  return found;
};

const polled = async (): Promise<SwitchWorld> => {
  const world = new SwitchWorld('quiet');
  for (let round = 0; round < 3; round++) await world.poll();
  return world;
};

describe('both ends of a LAG', () => {
  const words = (world: SwitchWorld, id: string) => {
    const { text, unchecked } = guardOf(guardsOf(world.judgement(), 'core3:te3/46'), id);
    return { text, unchecked };
  };

  it.each(['6 members', '6 min links'])('%s: both are named where both are looked at', async (id) => {
    const { text, unchecked } = words(await polled(), id);
    expect(text).toMatch(/, on core3 and on nfs-sw1$/);
    expect(unchecked).toBeUndefined();
  });

  it.each(['6 members', '6 min links'])('%s: a far end that nobody knows is not claimed', async (id) => {
    const world = await polled();
    for (const host of ['core3', 'nfs-sw1'])
      world.readings.good('switch.neighbors', host, { neighbors: [] }, world.now);
    const { text, unchecked } = words(world, id);
    expect(text).toMatch(/, on core3$/);
    expect(unchecked).toMatch(/at the far end: which LAG of which switch that is, is not known$/);
  });

  it('its members: a far end that does not answer now is not claimed', async () => {
    const world = await polled();
    world.readings.fail('switch.lags', 'nfs-sw1', { kind: 'timeout', message: 'silent' }, world.now);
    const { text, unchecked } = words(world, '6 members');
    expect(text).toMatch(/, on core3$/);
    expect(unchecked).toBe('how many members stay up at the far end: nfs-sw1 does not report it now');
  });
});

describe('Onyx', () => {
  const site = siteOf(
    [
      { name: 'onyx1', roles: ['switch'], platform: 'mellanox_onyx', undoHost: 'admin1' },
      { name: 'admin1', roles: ['switch-helper'] },
    ],
    { shared: { host: 'admin1', dir: '/var/lib/faultline' } },
  );
  const judgement = (): Judgement => {
    const readings = new Sources();
    const members = ['eth1/1', 'eth1/2', 'eth1/3', 'eth1/4'];
    const ports = members.map((port) => ({ port, name: port, link: 'Up', admin: 'Enabled', counts: {} }));
    readings.good('switch.counters', 'onyx1', { ports }, start);
    readings.good(
      'switch.lags',
      'onyx1',
      {
        lags: [{ lag: 'po1', state: 'U', protocol: 'LACP' }],
        members: members.map((member) => ({ lag: 'po1', member, state: 'P', active: true })),
      },
      start,
    );
    readings.good('switch.timers', 'admin1', { timers: [] }, start);
    return judgementOf({ readings, site });
  };

  it('is not asked how many members a LAG needs: refused, unless somebody who knows says why', () => {
    const guard = guardOf(guardsOf(judgement(), 'onyx1:eth1/1'), '6 min links');
    expect(guard.absolute).toBe(false);
    expect(guard.check(judgement())).toEqual({
      ok: false,
      text: 'how many members po1 needs to stay up is not known: Onyx is not asked for it; to go on: --set exceed6="why"',
    });
    // The last member stays absolute, whatever the reason.
    expect(guardOf(guardsOf(judgement(), 'onyx1:eth1/1'), '6 last member').absolute).toBe(true);
  });

  it('the menu asks for that reason and hides nothing', () => {
    const live = judgement();
    const offer = offerOf(shutAction, [{ kind: 'port', id: 'onyx1:eth1/1' }], {
      judgement: live,
      operator: 'alice',
    });
    expect(offer).toMatchObject({
      available: true,
      note: expect.stringContaining('how many members its LAG needs is not known'),
      prompts: [{ name: 'exceed6', required: true }],
    });
  });

  it('the proof types the undo in the context of the port', () => {
    const plan = shutAction.plan(
      [{ kind: 'port', id: 'onyx1:eth1/1' }],
      {},
      { judgement: judgement(), operator: 'alice' },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    const [proof] = plan.targets[0]?.hold?.arm ?? [];
    const argv = proof && 'argv' in proof ? proof.argv : [];
    expect(argv.slice(argv.indexOf('enable'), argv.indexOf('enable') + 8)).toEqual([
      'enable',
      'no cli session paging enable',
      'configure terminal',
      'interface ethernet 1/1',
      'no shutdown',
      'exit',
      'exit',
      'exit',
    ]);
    expect(argv.join('\n')).toContain('^ *Admin state *: *Enabled');
    expect(guardOf(plan.targets[0]?.guards ?? [], '6 both chassis').text).toBe(
      'where the LAG spans two chassis it is counted at both',
    );
  });
});

describe('the way of hosts', () => {
  it('is not claimed of hosts of which nobody tells where they hang', async () => {
    const world = await polled();
    const self = { host: 'nowhere', macs: [] };
    const guard = guardOf(guardsOf(world.judgement(), 'core3:te3/46', { self }), '9 own way');
    expect(guard.unchecked).toBe(
      'whether admin1 or this console is reached through this port: LLDP names no port of theirs',
    );
  });

  it('is checked of one that LLDP places', async () => {
    const world = await polled();
    const self = { host: 'nfs1', macs: [] };
    const guard = guardOf(guardsOf(world.judgement(), 'core3:te3/46', { self }), '9 own way');
    expect(guard.unchecked).not.toContain('nfs1');
    expect(guard.unchecked).not.toContain('this console');
  });
});

describe('other half checks', () => {
  it('a fabric is not asked for its load, and a link between switches is no host’s', () => {
    const guards = plannedInFabric('fab1:leaf-07/29').guards;
    expect(guardOf(guards, '6 parallel link').unchecked).toContain('is not asked for its traffic');
    expect(guardOf(guards, '9 own way')).toMatchObject({ text: 'it is the link of no host' });
    expect(guardOf(plannedInFabric('fab1:leaf-07/17').guards, '6 parallel link').text).toBe(
      'the node behind it is drained, and no job runs there',
    );
  });

  it('FTOS that prints the same of a port without light: only that it is down was checked', async () => {
    const world = await polled();
    const far = world.simulator.network?.ports.get('nfs-sw1:te1/12');
    if (far) far.adminUp = false;
    await world.poll();
    const plan = restoreAction.plan(
      [{ kind: 'port', id: 'core3:te3/46' }],
      {},
      { judgement: world.judgement(), operator: 'alice' },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    expect(guardOf(plan.targets[0]?.guards ?? [], '3 preconditions')).toMatchObject({
      text: 'te3/46 is down',
      unchecked: expect.stringContaining('whether te3/46 was switched off or has no light'),
    });
  });
});
