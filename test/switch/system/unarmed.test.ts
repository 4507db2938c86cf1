import { describe, expect, it } from 'vitest';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import type { HostView } from '../../../src/model/site.ts';
import { offerOf } from '../../../src/remedy/offer.ts';
import { SwitchWorld } from './world.ts';

const subject = { kind: 'port', id: 'core3:te3/46' } as const;

const ready = async (change: (host: HostView) => HostView): Promise<SwitchWorld> => {
  const world = new SwitchWorld('sfp', (site) => ({
    ...site,
    hosts: site.hosts.map((host) => (host.name === 'core3' ? change(host) : host)),
  }));
  for (let round = 0; round < 3; round++) await world.poll();
  return world;
};
const bare = ({ undoHost: _undoHost, ...host }: HostView): HostView => host;
const allowed = (host: HostView): HostView => ({ ...host, withoutUndo: true });

const contextOf = (world: SwitchWorld) => ({ judgement: world.judgement(), operator: 'alice' });
const planned = (world: SwitchWorld) => {
  const plan = shutAction.plan([subject], {}, contextOf(world));
  const [target] = 'refused' in plan ? [] : plan.targets;
  if ('refused' in plan || !target) throw new Error('no plan');
  return { plan, target };
};

describe('a port that nothing would restore', () => {
  it('is refused, and the reason names the setting', async () => {
    const world = await ready(bare);
    const reason =
      'the site file names no undoHost for core3, nor withoutUndo, which would allow it with a typed reason';
    expect(shutAction.plan([subject], {}, contextOf(world))).toEqual({
      refused: true,
      guard: '9 armed undo',
      reason,
    });
    expect(offerOf(shutAction, [subject], contextOf(world))).toEqual({ available: false, reason });
  });

  it('where the site allows it, is offered for a typed reason; the plan says that nothing will undo it', async () => {
    const world = await ready((host) => allowed(bare(host)));
    expect(offerOf(shutAction, [subject], contextOf(world))).toMatchObject({
      available: true,
      note: '7 of 8 members stay up (limit 4); nothing will undo it',
      prompts: [{ name: 'exceed9', required: true }],
    });
    const { plan, target } = planned(world);
    expect(plan.title).toBe('Shut te3/46 on core3: nothing will undo this');
    expect(plan.because).toContain('nothing will undo this: the site file names no undoHost for core3');
    expect(plan.undoText).toMatch(/^nothing will undo this: only switch.restore does/);
    expect(plan.because.join()).not.toContain('while it is held');
    expect(target.hold).toBeUndefined();
    const failing = target.guards.filter((guard) => !guard.check(world.judgement()).ok);
    expect(failing).toMatchObject([{ id: '9 armed undo', absolute: false }]);
    // What else guard 9 asks stays in force whatever is typed.
    expect(target.guards.find(({ id }) => id === '9 own way')?.absolute).toBe(true);
  });

  it('is shut by the same lines, told to the journal, and put back by switch.restore', async () => {
    const world = await ready((host) => allowed(bare(host)));
    const { target } = planned(world);
    for (const step of target.steps) expect(await world.send(step)).toBe(0);
    await world.poll();
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    const plan = restoreAction.plan([subject], {}, contextOf(world));
    const [back] = 'refused' in plan ? [] : plan.targets;
    expect(back?.guards.map((guard) => guard.check(world.judgement())).filter(({ ok }) => !ok)).toEqual([]);
    for (const step of back?.steps ?? []) expect(await world.send(step)).toBe(0);
    await world.poll();
    expect(back?.verify.check(world.judgement()).state).toBe('yes');
  });

  it('an undo host that answers is used all the same; one that does not is no undo', async () => {
    const world = await ready(allowed);
    expect(planned(world).target.hold).toMatchObject({ by: 'timer' });
    const gone = { kind: 'connect', message: 'admin1: no route to host' } as const;
    world.readings.fail('switch.timers', 'admin1', gone, world.now);
    world.readings.fail('switch.journal', 'admin1', gone, world.now);
    const { plan, target } = planned(world);
    expect(plan.because).toContain('nothing will undo this: admin1: no route to host');
    expect(target.hold).toBeUndefined();
    expect(target.steps.map(({ host }) => host)).toEqual(['core3']);
    const strict = await ready((host) => host);
    strict.readings.fail('switch.timers', 'admin1', gone, strict.now);
    expect(offerOf(shutAction, [subject], contextOf(strict))).toEqual({
      available: false,
      reason: "its timers can't be read: admin1: no route to host",
    });
  });

  it('makes no difference where the device itself takes it back', async () => {
    const world = new SwitchWorld('quiet', (site) => ({
      ...site,
      hosts: site.hosts.map((one) => allowed(bare(one))),
    }));
    for (let round = 0; round < 3; round++) await world.poll();
    const plan = shutAction.plan([{ kind: 'port', id: 'edge1:eth49' }], {}, contextOf(world));
    expect('refused' in plan ? plan : plan.targets[0]?.hold).toMatchObject({ by: 'device' });
  });
});
