import { describe, expect, it } from 'vitest';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import type { Plan, PlanContext } from '../../../src/model/action.ts';
import { chassisOf } from '../../../probes/switch/platforms/arista-eos/simulate-lags.ts';
import { historyOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const ready = async (): Promise<SwitchWorld> => {
  const world = new SwitchWorld('quiet');
  for (let round = 0; round < 3; round++) await world.poll(10, ['switch.candidate']);
  return world;
};

const planOf = (made: ReturnType<typeof shutAction.plan>): Plan => {
  if ('refused' in made) throw new Error(`${made.guard}: ${made.reason}`);
  return made;
};

const guardsOf = (plan: Plan, world: SwitchWorld): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (plan.targets[0]?.guards ?? []).map((guard) => {
      const { ok, text } = guard.check(world.judgement());
      return [guard.id, `${ok ? 'ok' : 'no'}: ${text}`];
    }),
  );

describe('the port that carries our own session', () => {
  const ownWay = (world: SwitchWorld, id: string, self: PlanContext['self']): string | undefined => {
    const context = { judgement: world.judgement(), operator: 'alice', ...(self && { self }) };
    return guardsOf(planOf(shutAction.plan([{ kind: 'port', id }], {}, context)), world)['9 own way'];
  };

  it('is refused: by the name of this machine, joined through LLDP', async () => {
    const world = await ready();
    expect(ownWay(world, 'edge1:eth1', { host: 'node1', macs: [] })).toBe(
      'no: eth1 is the uplink of node1, this console itself',
    );
    expect(ownWay(world, 'edge1:eth49', { host: 'node1', macs: [] })).toBe('ok: it leads to core3');
  });

  it('is refused: by the hardware address that LLDP tells of the neighbour', async () => {
    const world = await ready();
    // What the simulated EOS names as the chassis on the other end of Ethernet1.
    const self = { host: 'laptop', macs: [chassisOf('node1')] };
    expect(ownWay(world, 'edge1:eth1', self)).toBe('no: eth1 is the uplink of this console itself');
  });

  it('says so when it is not known where this console hangs', async () => {
    const world = await ready();
    expect(ownWay(world, 'edge1:eth49', { host: 'laptop', macs: ['02:00:00:00:00:01'] })).toBe(
      'ok: it leads to core3; at which port this console hangs is not known',
    );
  });

  it("is refused for the host that would undo it, and for the shared folder's", async () => {
    const world = new SwitchWorld('quiet', (site) => ({
      ...site,
      shared: { host: 'nfs2', dir: '/var/lib/faultline' },
      hosts: site.hosts.map((host) => (host.name === 'nfs-sw1' ? { ...host, undoHost: 'nfs1' } : host)),
    }));
    for (let round = 0; round < 3; round++) await world.poll();
    expect(ownWay(world, 'nfs-sw1:te1/1', undefined)).toBe(
      'no: te1/1 is the uplink of nfs1, which would undo it',
    );
    expect(ownWay(world, 'nfs-sw1:te1/2', undefined)).toBe(
      'no: te1/2 is the uplink of nfs2, where the consoles keep their locks',
    );
  });
});

describe('a LAG that is not seen to use LACP', () => {
  const member = 'core3:te3/46';
  /** FTOS marks LACP by an L in front of the LAG: without it, it is static. */
  const makeStatic = (world: SwitchWorld, host: string): void => {
    const good = world.readings.source<{ lags: object[]; members: object[] }>('switch.lags', host)?.good
      ?.value;
    const lags = good?.lags.map((one) => ({ ...one, protocol: undefined }));
    world.readings.good('switch.lags', host, { ...good, lags }, world.now);
  };
  const plan = (world: SwitchWorld): Plan =>
    planOf(
      shutAction.plan(
        [{ kind: 'port', id: member }],
        {},
        { judgement: world.judgement(), operator: 'alice' },
      ),
    );

  it('is read as what the device shows', async () => {
    const world = await ready();
    const lags = world.readings.source<{ lags: object[] }>('switch.lags', 'core3')?.good?.value.lags;
    expect(lags).toContainEqual(expect.objectContaining({ lag: 'po98', protocol: 'lacp' }));
  });

  it('is shut only when the far side is read, and only done when that has dropped the member', async () => {
    const world = await ready();
    makeStatic(world, 'core3');
    const made = plan(world);
    expect(guardsOf(made, world)['6 active member']).toBe('ok: active in po98');
    const verify = made.targets[0]?.verify;
    expect(verify?.reads).toContainEqual({ probe: 'switch.lags', host: 'nfs-sw1' });
    const port = world.simulator.network?.ports.get(member);
    if (!port || !verify) throw new Error('no port');
    const far = world.readings.source('switch.lags', 'nfs-sw1')?.good?.value;
    port.adminUp = false;
    await world.poll();
    expect(verify.check(world.judgement()).state).toBe('yes');
    const unknown = world.readings.source<{ members: { active?: boolean }[] }>('switch.lags', 'nfs-sw1')?.good
      ?.value;
    const members = unknown?.members.map(({ active: _active, ...one }) => one);
    world.readings.good('switch.lags', 'nfs-sw1', { ...unknown, members }, world.now);
    expect(verify.check(world.judgement()).state).toBe('wait');
    world.readings.good('switch.lags', 'nfs-sw1', far, world.now);
    expect(verify.check(world.judgement())).toEqual({
      state: 'wait',
      text: 'nfs-sw1 still uses te1/12',
    });
  });

  it('is refused when only its ports name it: which of them carry traffic is not known', async () => {
    const world = await ready();
    const lags = world.readings.source<{ lags: { lag: string }[]; members: { lag: string }[] }>(
      'switch.lags',
      'core3',
    )?.good?.value;
    const without = <T extends { lag: string }>(list: readonly T[] = []) =>
      list.filter((one) => one.lag !== 'po98');
    world.readings.good(
      'switch.lags',
      'core3',
      { lags: without(lags?.lags), members: without(lags?.members) },
      world.now,
    );
    const all = guardsOf(plan(world), world);
    for (const id of ['6 active member', '6 last member', '6 members', '6 load'])
      expect(all[id]).toBe(
        'no: core3 lists no po98 among its LAGs: which members carry traffic is not known',
      );
  });

  it('is refused when the far side is not read', async () => {
    const world = await ready();
    makeStatic(world, 'core3');
    for (const probe of ['switch.lags', 'switch.screens'])
      world.readings.good(probe, 'nfs-sw1', { lags: [], members: [], ports: [] }, world.now);
    expect(guardsOf(plan(world), world)['6 active member']).toBe(
      'no: po98 is not seen to use LACP, nor is its far side: that would go on sending there',
    );
  });
});

describe('restoring a port', () => {
  const restore = (world: SwitchWorld, id: string, given: { takeOver?: string } = {}): Plan =>
    planOf(
      restoreAction.plan([{ kind: 'port', id }], given, { judgement: world.judgement(), operator: 'alice' }),
    );

  it('that a colleague shut at the switch wants a reason', async () => {
    const world = await ready();
    const port = world.simulator.network?.ports.get('core3:te3/46');
    if (!port) throw new Error('no port');
    port.adminUp = false;
    await world.poll();
    const plan = restore(world, 'core3:te3/46');
    expect(guardsOf(plan, world)['4 ownership']).toBe(
      'no: no console of this site is known to have shut te3/46; to take over: --set takeOver="why"',
    );
    expect(plan.exceeded).toEqual([]);
    expect(restore(world, 'core3:te3/46', { takeOver: 'agreed with bob' }).exceeded).toEqual([
      { guard: '4 ownership', reason: 'agreed with bob' },
    ]);
  });

  it('that a console shut is ours until it was seen up again: an undo timer may have left that line', async () => {
    const world = await ready();
    const port = world.simulator.network?.ports.get('core3:te3/46');
    if (!port) throw new Error('no port');
    port.adminUp = false;
    await world.poll();
    const shut = [{ at: world.now - 60_000, port: 'core3:te3/46', by: 'alice' }];
    world.readings.good('switch.journal', 'admin1', { repairs: [], baselines: [], shut }, world.now);
    const said = () => ({
      owner: guardsOf(restore(world, 'core3:te3/46'), world)['4 ownership'],
      kinds: findings(world.judgement()).flatMap(({ kind, id }) => (id.includes('core3') ? kind : [])),
    });
    expect(said()).toEqual({ owner: 'ok: alice did', kinds: ['shut-by-us'] });
    world.history = historyOf({
      'switch/port/core3:te3/46/link': [
        { at: world.now - 90_000, value: 'up' },
        { at: world.now - 50_000, value: 'down' },
      ],
    });
    expect(said()).toEqual({ owner: 'ok: alice did', kinds: ['shut-by-us'] });
    world.history = historyOf({
      'switch/port/core3:te3/46/link': [
        { at: world.now - 50_000, value: 'down' },
        { at: world.now - 30_000, value: 'up' },
        { at: world.now - 10_000, value: 'down' },
      ],
    });
    expect(said()).toEqual({
      owner: 'no: no console of this site is known to have shut te3/46; to take over: --set takeOver="why"',
      kinds: ['lag-member-out'],
    });
  });

  it('is done when the port is up and back in its LAG', async () => {
    const world = await ready();
    const verify = restore(world, 'core3:te3/46').targets[0]?.verify;
    expect(verify?.check(world.judgement())).toEqual({ state: 'yes', text: 'te3/46 reads up' });
    const good = world.readings.source<{ lags: object[]; members: { member: string }[] }>(
      'switch.lags',
      'core3',
    )?.good?.value;
    const members = good?.members.map((one) => (one.member === 'te3/46' ? { ...one, active: false } : one));
    world.readings.good('switch.lags', 'core3', { ...good, members }, world.now);
    expect(verify?.check(world.judgement())).toEqual({
      state: 'wait',
      text: 'te3/46 reads up, not yet back in po98',
    });
  });

  it('whose far end is shut is refused: it is on, and has no light', async () => {
    const world = await ready();
    const far = world.simulator.network?.ports.get('core3:te1/1');
    if (!far) throw new Error('no port');
    far.adminUp = false;
    await world.poll();
    expect(guardsOf(restore(world, 'edge1:eth49'), world)['3 preconditions']).toBe(
      'no: eth49 is switched on and has no link: look at its cable',
    );
  });

  it('is refused while a commit of somebody waits on the device: ours would confirm it', async () => {
    const world = await ready();
    const context = { judgement: world.judgement(), operator: 'bob' };
    const shut = planOf(shutAction.plan([{ kind: 'port', id: 'agg1:xe-0/0/0' }], {}, context));
    for (const step of shut.targets[0]?.steps ?? []) expect(await world.send(step)).toBe(0);
    await world.poll(10, ['switch.candidate']);
    expect(guardsOf(restore(world, 'agg1:xe-0/0/0'), world)['9 armed undo']).toBe(
      'no: a commit waits to be confirmed there already: faultline',
    );
  });
});
