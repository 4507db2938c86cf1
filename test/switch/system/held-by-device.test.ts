import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { portNow } from '../../../probes/switch/act/parts.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { farEnd, linkAt } from '../../../probes/switch/links/link.ts';
import { knownLinks } from '../../../probes/switch/links/links.ts';
import type { PlanTarget, Step } from '../../../src/model/action.ts';
import type { Hold } from '../../../src/model/hold.ts';
import { SwitchWorld } from './world.ts';

const typed = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => ('lines' in step ? step.lines : []));

const ready = async (): Promise<SwitchWorld> => {
  const world = new SwitchWorld('quiet');
  for (let round = 0; round < 3; round++) await world.poll(10, ['switch.candidate']);
  return world;
};

const planned = (world: SwitchWorld, id: string): PlanTarget & { hold: Hold } => {
  const context = { judgement: world.judgement(), operator: 'alice' };
  const plan = shutAction.plan([{ kind: 'port', id }], {}, context);
  if ('refused' in plan) throw new Error(`${plan.guard}: ${plan.reason}`);
  const [target] = plan.targets;
  if (!target?.hold) throw new Error('nothing is held');
  return { ...target, hold: target.hold };
};

const failing = (world: SwitchWorld, id: string): readonly string[] => {
  const live = world.judgement();
  return planned(world, id).guards.flatMap((guard) => {
    const result = guard.check(live);
    return result.ok ? [] : [`${guard.id}: ${result.text}`];
  });
};

const send = async (world: SwitchWorld, steps: readonly Step[]): Promise<void> => {
  for (const step of steps) expect(await world.send(step), JSON.stringify(step)).toBe(0);
};

/** By the name that the simulated device itself uses. */
const isUp = (world: SwitchWorld, id: string): boolean | undefined =>
  world.simulator.adminUp(id.replace(':eth', ':ethernet'));

const eos = {
  id: 'edge1:eth49',
  shut: [
    'enable',
    'configure session faultline-1',
    'interface Ethernet49',
    'shutdown',
    'commit timer 00:02:00',
  ],
  keep: ['enable', 'configure session faultline-1 commit'],
  restore: ['enable', 'configure session faultline-1 abort'],
};
const junos = {
  id: 'agg1:xe-0/0/0',
  shut: [
    'configure exclusive',
    'set interfaces xe-0/0/0 disable',
    'commit confirmed 2 comment faultline',
    'exit',
  ],
  keep: ['configure exclusive', 'commit comment faultline', 'exit'],
  restore: ['configure exclusive', 'delete interfaces xe-0/0/0 disable', 'commit comment faultline', 'exit'],
};

describe.each([eos, junos])('$id takes a shutdown back by itself', ({ id, shut, keep, restore }) => {
  it('unless it is kept, whatever becomes of the console', async () => {
    const world = await ready();
    const target = planned(world, id);
    expect(failing(world, id)).toEqual([]);
    expect(target.hold).toMatchObject({ by: 'device', seconds: 120, arm: [] });
    expect(typed(target.steps)).toEqual(shut);
    expect(JSON.stringify(target)).not.toMatch(/write|copy run|reload|systemd-run/i);
    await send(world, target.steps);
    await world.poll();
    expect(isUp(world, id)).toBe(false);
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(target.hold.armed.check(world.judgement()).state).toBe('yes');
    expect(target.hold.kept.check(world.judgement()).state).toBe('wait');
    await world.poll(105);
    expect(isUp(world, id)).toBe(false);
    await world.poll(10);
    expect(isUp(world, id)).toBe(true);
    expect(target.hold.restored.check(world.judgement()).state).toBe('yes');
    expect(findings(world.judgement()).map(({ kind }) => kind)).not.toContain('shut-by-us');
  });

  it('kept: nothing waits any more, and it stays a finding that it is not saved', async () => {
    const world = await ready();
    const target = planned(world, id);
    await send(world, target.steps);
    expect(typed(target.hold.keep)).toEqual(keep);
    await send(world, target.hold.keep);
    await world.poll(300);
    expect(target.hold.kept.check(world.judgement()).state).toBe('yes');
    expect(findings(world.judgement()).map(({ kind }) => kind)).toContain('shut-by-us');
    await send(world, target.undo ?? []);
    await world.poll();
    expect(isUp(world, id)).toBe(true);
    expect(findings(world.judgement())).toEqual([]);
  });

  it('is not kept that is switched on again and has no link yet', async () => {
    const world = await ready();
    const target = planned(world, id);
    await send(world, target.steps);
    await send(world, target.hold.restore);
    const [host = '', port = ''] = id.split(':');
    const link = linkAt(knownLinks(world.judgement()), id);
    const far = world.simulator.network?.ports.get(link ? farEnd(link, id).id : '');
    if (!far) throw new Error('no far end');
    far.adminUp = false;
    await world.poll();
    expect(portNow(world.judgement(), host, port)).toMatchObject({
      link: expect.stringMatching(/down|notconnect/),
    });
    expect(target.hold.kept.check(world.judgement()).state).toBe('no');
  });

  it('restored early: at once, and nothing is taken back later', async () => {
    const world = await ready();
    const target = planned(world, id);
    await send(world, target.steps);
    expect(typed(target.hold.restore)).toEqual(restore);
    await send(world, target.hold.restore);
    await world.poll();
    expect(isUp(world, id)).toBe(true);
    expect(target.hold.armed.check(world.judgement()).state).toBe('wait');
    expect(failing(world, id)).toEqual([]);
  });

  it('refused while another commit waits there', async () => {
    const world = await ready();
    await send(world, planned(world, id).steps);
    await world.poll(10, ['switch.candidate']);
    const other = id.replace(/\d$/, (digit) => String(digit === '9' ? 5 : 1)).replace('eth45', 'eth50');
    expect(failing(world, other).join('\n')).toContain(
      '9 armed undo: a commit waits to be confirmed there already: faultline',
    );
  });

  it('its undo from the log is refused then too: it would confirm what somebody else has not', async () => {
    const world = await ready();
    const target = planned(world, id);
    await send(world, target.steps);
    await send(world, target.hold.keep);
    const wrong = (): readonly string[] =>
      (target.undoGuards ?? []).flatMap((guard) => {
        const result = guard.check(world.judgement());
        return result.ok ? [] : [`${guard.id}: ${result.text}`];
      });
    await world.poll(10, ['switch.candidate']);
    expect(wrong()).toEqual([]);
    const other = id.replace('eth49', 'eth50').replace('0/0/0', '0/0/1');
    await send(world, planned(world, other).steps);
    await world.poll(10, ['switch.candidate']);
    expect(wrong().join('\n')).toContain('9 armed undo: a commit waits to be confirmed there already');
  });

  it('two consoles cannot hold two changes of one device', async () => {
    const world = await ready();
    expect(planned(world, id).lockGroups).toContain(`commit ${id.split(':')[0]}`);
  });
});

describe('Junos', () => {
  it('refuses while somebody has uncommitted changes, and nothing is sent then', async () => {
    const world = await ready();
    const candidate = world.simulator.candidate('agg1');
    if (!candidate) throw new Error('never logged in');
    const target = planned(world, junos.id);
    candidate.dirty = true;
    await world.poll(10, ['switch.candidate']);
    expect(failing(world, junos.id)).toEqual([
      '9 open changes: agg1 refuses to open its configuration: configure exclusive: error: configuration database modified',
    ]);
    for (const step of target.steps) expect(await world.send(step)).toBe(1);
    expect(isUp(world, junos.id)).toBe(true);
  });

  it('says who keeps the configuration for himself, in the words of the device', async () => {
    const world = await ready();
    world.simulator.candidate('agg1')?.lockElsewhere();
    await world.poll(10, ['switch.candidate']);
    expect(failing(world, junos.id)).toEqual([
      '9 open changes: agg1 refuses to open its configuration: configure exclusive: error: configuration database locked by: demo terminal p1 (pid 4711) on since 2026-11-20 02:11:09 UTC exclusive [edit]',
    ]);
  });

  it('what is kept is committed, and nobody says that it is not saved', async () => {
    const world = await ready();
    const context = { judgement: world.judgement(), operator: 'alice' };
    const plan = shutAction.plan([{ kind: 'port', id: junos.id }], {}, context);
    expect('undoText' in plan && plan.undoText).toMatch(/committed, and a restart of the switch keeps it$/);
    const target = planned(world, junos.id);
    await send(world, [...target.steps, ...target.hold.keep]);
    await world.poll(300);
    expect(target.hold.kept.check(world.judgement()).text).toBe(
      'xe-0/0/0 stays down, committed: a restart of the switch keeps it',
    );
    const found = findings(world.judgement()).find(({ kind }) => kind === 'shut-by-us');
    expect(found?.summary).toBe('agg1 xe-0/0/0 shut by alice, committed');
    expect(found?.advice).toContain('a restart of the switch keeps the port shut');
  });

  describe('a release that marks no commit as pending', () => {
    const older = async (): Promise<SwitchWorld> => {
      const world = await ready();
      const candidate = world.simulator.candidate('agg1');
      if (candidate) candidate.marks = false;
      await world.poll(10, ['switch.candidate']);
      return world;
    };

    it('is held, kept and seen to be kept by the age of its newest commit', async () => {
      const world = await older();
      const target = planned(world, junos.id);
      expect(failing(world, junos.id)).toEqual([]);
      await send(world, target.steps);
      await world.poll();
      expect(target.hold.armed.check(world.judgement()).state).toBe('yes');
      await send(world, target.hold.keep);
      await world.poll();
      expect(target.hold.kept.check(world.judgement()).state).toBe('yes');
      await world.poll(300);
      expect(isUp(world, junos.id)).toBe(false);
    });

    it('is not held for ever: what was not confirmed in its minutes is over', async () => {
      const world = await older();
      await send(world, planned(world, junos.id).steps);
      await world.poll(130);
      await world.poll(10, ['switch.candidate']);
      expect(failing(world, junos.id)).toEqual([]);
    });

    it('is refused before anything is shut where its clock is not told', async () => {
      const world = await older();
      world.edit = (_host, text) => (text.includes('system-uptime') ? 'error: permission denied\n' : text);
      await world.poll(10, ['switch.candidate']);
      expect(failing(world, junos.id).join('\n')).toMatch(
        /9 armed undo: whether a commit waits on agg1 is not known, so this one could not be confirmed: `show system uptime` gives no time .*permission denied/,
      );
    });
  });

  it('a restore that comes after the device has done it itself changes nothing', async () => {
    const world = await ready();
    const target = planned(world, junos.id);
    await send(world, target.steps);
    await world.poll(130);
    await send(world, target.hold.restore);
    await world.poll();
    expect(isUp(world, junos.id)).toBe(true);
  });
});

describe('EOS', () => {
  it('gives a session a name that is free', async () => {
    const world = await ready();
    const session = world.simulator.login?.('edge1', () => world.now);
    for (const line of ['enable', 'configure session faultline-1', 'exit']) session?.type(line);
    await world.poll();
    expect(typed(planned(world, eos.id).steps)).toContain('configure session faultline-2');
  });

  it('complains of wrong syntax and of sessions that are not there', async () => {
    const world = await ready();
    const session = world.simulator.login?.('edge1', () => world.now);
    const says = (line: string): string | undefined => session?.type(line)?.stdout;
    expect(says('configure session faultline-1')).toContain('% Invalid input');
    says('enable');
    expect(says('configure session faultline-7 commit')).toContain('% Session');
    says('configure session s1');
    expect(says('commit timer 2')).toContain('% Invalid input');
    expect(says('commit timer 00:99:00')).toContain('% Invalid input');
  });
});
