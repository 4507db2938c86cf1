import { describe, expect, it } from 'vitest';
import { groundText } from '../../../probes/switch/verdict/case.ts';
import { matrixAction } from '../../../probes/switch/matrix/act.ts';
import { noteAction } from '../../../probes/switch/act/note.ts';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { linksOf } from '../../../probes/switch/links/links.ts';
import { cellsOf, matrixSums } from '../../../probes/switch/matrix/matrix.ts';
import { matrixProbe } from '../../../probes/switch/matrix/probe.ts';
import { linkStates, stateAt } from '../../../probes/switch/judge/states.ts';
import { view } from '../../../probes/switch/view/view.ts';
import { detail } from '../../../probes/switch/view/detail.ts';
import type { Plan, PlanTarget } from '../../../src/model/action.ts';
import { offerOf } from '../../../src/remedy/offer.ts';
import type { OpticsReading } from '../../../probes/switch/readings.ts';
import { SwitchWorld } from './world.ts';

const bad = 'core3:te3/46';
const far = 'nfs-sw1:te1/12';
const subject = { kind: 'port', id: bad } as const;

const context = (world: SwitchWorld) => ({ judgement: world.judgement(), operator: 'alice' });

const planOf = (world: SwitchWorld, id = bad): Plan => {
  const plan = shutAction.plan([{ kind: 'port', id }], {}, context(world));
  if ('refused' in plan) throw new Error(`${plan.guard}: ${plan.reason}`);
  return plan;
};

const targetOf = (plan: Plan): PlanTarget => {
  const [target] = plan.targets;
  if (!target) throw new Error('no target');
  return target;
};

const failing = (world: SwitchWorld, id = bad): string[] => {
  const live = world.judgement();
  return targetOf(planOf(world, id)).guards.flatMap((guard) => {
    const result = guard.check(live);
    return result.ok ? [] : [`${guard.id}: ${result.text}`];
  });
};

const note = async (world: SwitchWorld, id: string, text: string): Promise<void> => {
  const plan = noteAction.plan([{ kind: 'port', id }], { part: 'optic', text }, context(world));
  if ('refused' in plan) throw new Error(plan.reason);
  for (const step of targetOf(plan).steps) expect(await world.send(step)).toBe(0);
};

describe('the simulated network, asked through the probes', () => {
  it('is well on a quiet night, and every source answers', async () => {
    const world = new SwitchWorld('quiet');
    await world.poll();
    await world.poll();
    expect(findings(world.judgement())).toEqual([]);
    for (const probe of [
      'switch.counters',
      'switch.screens',
      'switch.nics',
      'switch.lags',
      'switch.neighbors',
    ])
      for (const source of world.readings.sources(probe))
        expect(source.state, `${probe} ${source.host}: ${source.failure?.message}`).toBe('fresh');
    expect(view(world.judgement())).toMatchObject({ sign: 'fine', summary: '26 links, none bad' });
    for (const host of ['edge1', 'agg1']) {
      const optics = world.readings.source<OpticsReading>('switch.optics', host);
      expect(optics?.good?.value.lanes, host).toHaveLength(2);
      expect(optics?.good?.value.lanes[0], host).toMatchObject({ txDbm: -2.5, rxDbm: -2.9 });
      expect(optics?.good?.value.lanes[0]?.rxLimits?.warnLow, host).toBeLessThan(-7);
    }
  });

  it('evidence is as old as what it rests on, whatever else was read since', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    await world.poll(10, ['switch.matrix']);
    const run = world.now;
    for (let poll = 0; poll < 2; poll++) await world.poll();
    const [finding] = findings(world.judgement());
    const jumbo = finding?.evidence.find(({ text }) => text.includes('jumbo paths'));
    expect(jumbo).toMatchObject({ probe: 'switch.matrix', host: 'node1', at: run });
    const light = finding?.evidence.find(({ text }) => text.startsWith('light is fine'));
    expect(light).toMatchObject({ probe: 'switch.optics', host: 'core3' });
  });

  it('joins every cable at both ends, LACP members included', async () => {
    const world = new SwitchWorld('quiet');
    await world.poll();
    const links = linksOf(world.readings, world.site);
    expect(links).toHaveLength(26);
    expect(new Set(links.filter((one) => one.by !== 'both ends').map(({ a }) => a.id))).toEqual(
      new Set(['filer1 e0a', 'filer1 e0b', 'filer1 e0c', 'filer1 e0d']),
    );
    expect(links.map(({ id }) => id)).toContain(`${bad}=${far}`);
    expect(links.map(({ id }) => id)).toContain('agg1:xe-0/0/0=core3:te3/1');
    const state = stateAt(world.judgement(), bad);
    expect(state?.worst.lag?.members).toHaveLength(8);
  });

  it('a single sample is no verdict and no finding', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    expect(findings(world.judgement())).toEqual([]);
    expect(view(world.judgement()).sign).toBe('unknown');
  });

  it('sfp: two polls name the port, the rate, the far end first and why', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    await world.poll();
    const [first, ...rest] = findings(world.judgement());
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ id: `switch:bad-link:${bad}`, severity: 'critical', subject });
    expect(first?.summary).toMatch(
      /^core3 te3\/46 receives 1,20\d bad frames\/s \(5\.7 %\), suspect nfs-sw1 te1\/12$/,
    );
    expect(first?.advice).toContain('Suspect nfs-sw1 te1/12: clean, reseat, then swap; next core3 te3/46');
    expect(first?.evidence.map(({ text }) => text).join('\n')).toContain('one direction only');
    await world.poll();
    const later = findings(world.judgement())[0];
    expect(later?.severity).toBe('critical');
    expect(later?.evidence.map(({ text }) => text).join('\n')).toMatch(
      /light is fine: TX -2\.5 dBm at nfs-sw1/,
    );
    expect(detail(subject, world.judgement()).map(({ id }) => id)).toEqual([
      'verdict',
      'cable',
      'ends',
      'lanes',
      'errors',
      'repairs',
    ]);
  });

  it('the matrix loses jumbo packets on the hashed paths only, and none once the port is shut', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    await world.poll(10, ['switch.matrix']);
    const lossy = cellsOf(world.judgement()).filter(({ kind }) => kind !== 'clean');
    expect(lossy.map(({ client, server, kind }) => [client, server, kind])).toEqual([
      ['node1', 'nfs1-b', 'jumbo'],
      ['node2', 'nfs1', 'jumbo'],
    ]);
    expect(lossy[0]?.jumbo).toMatchObject({ sent: 20, received: 16 });
    expect(lossy[0]?.small).toMatchObject({ sent: 20, received: 20 });
    expect(findings(world.judgement()).map(({ kind }) => kind)).toEqual(['bad-link']);
    expect(
      findings(world.judgement())[0]
        ?.evidence.map(({ text }) => text)
        .join(),
    ).toContain('2 of 16 jumbo paths that lead this way lose');
    for (const step of targetOf(planOf(world)).steps) expect(await world.send(step)).toBe(0);
    await world.poll(10, ['switch.matrix']);
    expect(matrixSums(world.judgement())).toEqual({ lossy: 0, cells: 16 });
  });

  it('noted repairs move the verdict: the near optic changes little, the far one ends it', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    await note(world, far, 'cleaned and swapped nfs-sw1 te1/12');
    await world.poll();
    await world.poll();
    expect(stateAt(world.judgement(), bad)?.worst.verdict?.first.at.name).toBe('core3 te3/46');

    const other = new SwitchWorld('sfp');
    await other.poll();
    await other.poll();
    const before = stateAt(other.judgement(), bad)?.worst.rates[0]?.rxBad ?? 0;
    const walk = ['demo', 'replace-optic', 'core3', 'te3/46'];
    expect(await other.send({ host: 'admin1', argv: walk })).toBe(0);
    expect(await other.send({ host: 'admin1', argv: [...walk.slice(0, 3), 'te9/99'] })).toBe(1);
    await note(other, bad, 'replaced the optic');
    await other.poll();
    await other.poll();
    const worst = stateAt(other.judgement(), bad)?.worst;
    expect(worst?.rates[0]?.rxBad).toBeLessThan(before / 2);
    expect(worst?.rates[0]?.rxBad).toBeGreaterThan(100);
    expect(worst?.verdict?.first.at.name).toBe('nfs-sw1 te1/12');
    expect(worst?.verdict?.next?.at.name).not.toBe('core3 te3/46: clean');
    expect(
      worst?.verdict?.causes
        .find(({ kind }) => kind === 'nearOptic')
        ?.evidence.map(groundText)
        .join(),
    ).toContain('replaced the optic (alice): errors go on since');
    other.simulator.replaceOptic(far, other.now);
    await other.poll();
    await other.poll();
    expect(findings(other.judgement())).toEqual([]);
  });
});

describe('the jumbo matrix', () => {
  it('pings nobody before it is confirmed', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    await world.poll(1, ['switch.pinger']);
    const plan = matrixAction.plan([{ kind: 'host', id: 'node1' }], {}, context(world));
    if ('refused' in plan) throw new Error(plan.reason);
    const target = targetOf(plan);
    expect(target.guards.flatMap(({ reads }) => reads.map(({ probe }) => probe))).toEqual(['switch.pinger']);
    expect(target.guards.map((guard) => guard.check(world.judgement()))).toEqual([
      { ok: true, text: 'fping' },
    ]);
    expect(plan.because.join()).toContain('20 pings of 56 and 20 of 8972 bytes');
    // What is shown is what will be sent, though the pings are a reading.
    const host = world.site.host('node1');
    if (!host) throw new Error('no node1');
    const sent = matrixProbe.ask(host, { ...world.judgement(), facts: () => world.judgement().facts });
    expect(plan.because.slice(2).join('\n')).toBe('script' in sent ? sent.script : '');
    expect(target.verify.check(world.judgement()).state).toBe('wait');
    await world.poll(1, ['switch.matrix']);
    expect(target.verify.check(world.judgement())).toEqual({
      state: 'yes',
      text: '1 of 4 jumbo paths lossy',
    });
    expect(matrixAction.plan([{ kind: 'host', id: 'core3' }], {}, context(world))).toMatchObject({
      refused: true,
    });
  });
});

describe('shutting te3/46', () => {
  const ready = async (incident = 'sfp'): Promise<SwitchWorld> => {
    const world = new SwitchWorld(incident);
    for (let round = 0; round < 3; round++) await world.poll();
    return world;
  };

  it('types the vendor commands after the undo was proven and armed, and never saves', async () => {
    const world = await ready();
    const plan = planOf(world);
    const target = targetOf(plan);
    expect(failing(world)).toEqual([]);
    expect(plan).toMatchObject({ danger: 'access', verb: 'shut' });
    const lines = target.steps.flatMap((step) => ('lines' in step ? step.lines : []));
    expect(lines).toEqual(['configure', 'interface tengigabitethernet 3/46', 'shutdown', 'end']);
    expect(JSON.stringify(plan)).not.toMatch(/write|copy run|reload/i);
    expect(offerOf(shutAction, [subject], context(world))).toEqual({
      available: true,
      note: '7 of 8 members stay up (limit 4)',
    });
    for (const step of target.hold?.arm ?? []) expect(await world.send(step)).toBe(0);
    await world.poll();
    expect(target.hold?.armed.check(world.judgement()).state).toBe('yes');
    for (const step of target.steps) expect(await world.send(step)).toBe(0);
    await world.poll();
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(target.hold?.checkKeeping(world.judgement()).ok).toBe(true);
    expect(world.simulator.adminUp(bad)).toBe(false);
    expect(offerOf(shutAction, [subject], context(world))).toMatchObject({ available: false });
    expect(findings(world.judgement()).map(({ kind }) => kind)).toContain('shut-by-us');
    return undefined;
  });

  it('is judged by the matrix as it was before: better is good, the same is not', async () => {
    const world = await ready();
    await world.poll(10, ['switch.matrix']);
    const hold = targetOf(planOf(world)).hold;
    expect(hold?.checkKeeping(world.judgement())).toMatchObject({
      ok: false,
      text: expect.stringContaining('no better: 2 of 16'),
    });
    const clean = world.readings.source('switch.matrix', 'node3')?.good?.value;
    world.readings.good('switch.matrix', 'node2', clean, world.now);
    expect(hold?.checkKeeping(world.judgement()).ok).toBe(true);
    // A single sample makes no rate: what the others carry is not known, so nothing speaks for keeping it.
    const counters = world.readings.source('switch.screens', 'core3')?.good?.value;
    world.readings.good('switch.screens', 'core3', counters, world.now);
    expect(hold?.checkKeeping(world.judgement())).toEqual({
      ok: false,
      text: 'the load on the other members is not known',
    });
  });

  it('nobody keeps it: the timer puts it back by itself', async () => {
    const world = await ready();
    const target = targetOf(planOf(world));
    for (const step of [...(target.hold?.arm ?? []), ...target.steps]) expect(await world.send(step)).toBe(0);
    await world.poll(100);
    expect(world.simulator.adminUp(bad)).toBe(false);
    await world.poll(25);
    expect(world.simulator.adminUp(bad)).toBe(true);
    expect(target.hold?.restored.check(world.judgement()).state).toBe('yes');
    await world.poll();
    expect(findings(world.judgement()).map(({ kind }) => kind)).not.toContain('shut-by-us');
  });

  it('kept: the timer is gone and it stays down until it is restored', async () => {
    const world = await ready();
    const target = targetOf(planOf(world));
    const keep = target.hold?.keep ?? [];
    for (const step of [...(target.hold?.arm ?? []), ...target.steps, ...keep])
      expect(await world.send(step)).toBe(0);
    await world.poll(200);
    expect(target.hold?.kept.check(world.judgement()).state).toBe('yes');
    const restore = restoreAction.plan([subject], {}, context(world));
    if ('refused' in restore) throw new Error(restore.reason);
    for (const step of targetOf(restore).steps) expect(await world.send(step)).toBe(0);
    await world.poll();
    expect(targetOf(restore).verify.check(world.judgement()).state).toBe('yes');
  });

  it('an undo host that cannot see the port does not prove it', async () => {
    const world = await ready();
    const [look] = targetOf(planOf(world)).hold?.arm ?? [];
    if (!look || !('argv' in look)) throw new Error('no proof');
    const wrong = look.argv.map((word) => word.replace('tengigabitethernet 3/46', 'tengigabitethernet 9/99'));
    expect(await world.send({ ...look, argv: wrong })).toBe(1);
  });

  it('the last active member is never shut', async () => {
    const world = await ready();
    const network = world.simulator.network;
    for (const port of network?.ports.values() ?? [])
      if (port.host === 'core3' && port.lag === 98 && !port.name.endsWith('3/46')) port.adminUp = false;
    await world.poll();
    expect(failing(world).join('\n')).toContain('6 last member: it is the last active member of po98');
  });

  it('too few members would stay because colleagues shut others', async () => {
    const world = await ready();
    const ports = [...(world.simulator.network?.ports.values() ?? [])];
    for (const port of ports.filter((one) => one.host === 'core3' && one.lag === 98).slice(0, 4))
      port.adminUp = false;
    await world.poll();
    expect(failing(world).join('\n')).toContain(
      '6 members: 3 of 8 members of po98 on core3 would stay up (limit 4), 4 more are out already',
    );
    expect(offerOf(shutAction, [subject], context(world))).toMatchObject({ available: false });
  });

  it('a port that is not in the last reading is refused, and so is one outside of a LAG', async () => {
    const world = await ready();
    const unknown = shutAction.plan([{ kind: 'port', id: 'core3:te9/99' }], {}, context(world));
    expect(unknown).toMatchObject({ refused: true, reason: 'te9/99 is not in the last reading of core3' });
    expect(failing(world, 'nfs-sw1:te1/1').join('\n')).toContain('is in no LAG that nfs-sw1 names');
  });

  it('the uplink of the undo host is refused', async () => {
    const world = new SwitchWorld('quiet', (site) => ({
      ...site,
      shared: { host: 'nfs1', dir: '/var/lib/faultline' },
    }));
    for (let round = 0; round < 3; round++) await world.poll();
    expect(failing(world, 'nfs-sw1:te1/1').join('\n')).toContain(
      '9 own way: te1/1 is the uplink of nfs1, where the consoles keep their locks',
    );
  });

  it('load that is not known refuses, and says what there is to wait for', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    const source = world.readings.source('switch.screens', 'core3');
    if (source) world.readings.put({ ...source, nextAt: world.now + 6_400 });
    const text =
      'the load on the members of po98 is not known: core3 was read only once, the second sample comes in 7 s';
    expect(failing(world)).toContain(`6 load: ${text}`);
    const load = targetOf(planOf(world)).guards.find(({ id }) => id === '6 load');
    expect(load?.check(world.judgement())).toMatchObject({ ok: false, againMs: 2000 });
    // The plan reads it once more: until then it speaks against nothing.
    expect(offerOf(shutAction, [subject], context(world))).toMatchObject({
      available: true,
      note: expect.stringContaining(`; ${text}`),
    });
    await world.poll(2);
    expect(failing(world)).toEqual([]);
  });

  it('counters that were cleared between two samples are named', async () => {
    const world = new SwitchWorld('sfp');
    await world.poll();
    const port = world.simulator.network?.ports.get('core3:te1/46');
    if (port) Object.assign(port.values, { rxPackets: 1, rxBytes: 1, txPackets: 1, txBytes: 1 });
    await world.poll();
    expect(failing(world)).toContain(
      '6 load: the load on the members of po98 is not known: te1/46 has no rate, counters were cleared or the device restarted',
    );
  });

  it('hosts and platforms that are only read are refused with the reason', async () => {
    const world = await ready();
    expect(shutAction.plan([{ kind: 'port', id: 'nfs1:eth0' }], {}, context(world))).toMatchObject({
      refused: true,
    });
    expect(linkStates(world.judgement()).length).toBeGreaterThan(0);
  });
});
