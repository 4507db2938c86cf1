import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/slurm/judge/findings.ts';
import { slurm } from '../../probes/slurm/index.ts';
import type { NodesReading } from '../../probes/slurm/readings.ts';
import { World } from './world.ts';

const bad = (world: World) => findings(world.judgement()).filter((one) => one.severity !== 'notice');

const nodesOf = (world: World) =>
  world.readings.source<NodesReading>('slurm.nodes', 'ctl1')?.good?.value.nodes ?? [];

describe('the simulated cluster, asked through the probes', () => {
  it('is well on a quiet night', async () => {
    const world = new World('quiet');
    await world.poll();
    expect(findings(world.judgement())).toEqual([]);
    expect(nodesOf(world)).toHaveLength(200);
    expect(slurm.view(world.judgement())).toMatchObject({
      sign: 'fine',
      wall: '200/200 nodes up',
      summary: '200 nodes, all in service',
    });
    for (const probe of slurm.probes) {
      for (const source of world.readings.sources(probe.id))
        expect(source.state, `${probe.id} ${source.failure?.message}`).toBe('fresh');
    }
    expect(world.readings.sources('slurm.check')).toEqual([]);
    expect(world.simulator.mutations).toEqual([]);
  });

  it('asks for the nodes in the form that was found', async () => {
    const world = new World('quiet', { nodes: 20 });
    await world.poll();
    expect(world.readings.source<NodesReading>('slurm.nodes', 'ctl1')?.good?.value.form).toBe('sinfoJson');
    const [probe] = slurm.probes;
    const host = world.site.host('ctl1');
    const last = world.readings.source('slurm.nodes', 'ctl1')?.good;
    if (!probe || !host || !last) throw new Error('nothing was read');
    const ask = probe.ask(host, { site: world.site, readings: world.readings, now: world.now, last });
    expect(ask).toMatchObject({ script: expect.stringMatching(/^sinfo --json; /) });
  });

  it('hdfs-lost: names the group, who drained it, and how many pass now', async () => {
    const world = new World('hdfs-lost');
    await world.poll();
    const [first] = bad(world);
    expect(first).toMatchObject({
      id: 'slurm:drained-group:nhc: hdfs mount lost',
      severity: 'warning',
      summary: 'node[12-28,31] drained by the health check, "HDFS mount lost": 17 of 18 pass it now',
    });
    expect(first?.remedies[0]).toMatchObject({ action: 'slurm.resume' });
    expect(first?.remedies[0]?.subjects).toHaveLength(17);
    expect(first?.evidence.map((one) => one.text).join('\n')).toContain(
      'node31 fails the check: /hdfs is empty',
    );
    expect(bad(world)).toHaveLength(1);
    const alice = findings(world.judgement()).find((one) => one.subject.id === 'node140');
    expect(alice).toMatchObject({
      severity: 'notice',
      summary: 'node140 drained by alice, "bad DIMM, RMA 1234"',
      remedies: [],
    });
    expect(slurm.view(world.judgement()).wall).toBe('181/200 nodes up');
  });

  it('breaker: one finding for all that was lost together', async () => {
    const world = new World('breaker');
    await world.poll();
    const [first, ...rest] = bad(world);
    expect(first).toMatchObject({
      id: 'slurm:lost-together:breaker=b7',
      severity: 'critical',
      summary: 'node[78-100] lost together (seen 02:14): breaker b7',
    });
    expect(rest).toEqual([]);
    expect(world.simulator.poweredOff?.(world.now)).toHaveLength(23);
    expect(world.simulator.call({ host: 'node80', argv: ['nhc'], stdin: '', now: world.now })).toEqual({
      delayMs: Infinity,
    });
  });

  it('controller-slow: slow, not hung, with what it waits for', async () => {
    const world = new World('controller-slow');
    await world.poll();
    const kinds = bad(world).map((one) => one.kind);
    expect(kinds).toEqual(['controller-slow', 'not-responding']);
    const slow = bad(world)[0];
    expect(slow?.summary).toMatch(/^slurmctld on ctl1 slow \(median \d\.\d s\): waits for 10 silent nodes/);
    expect(bad(world)[1]?.summary).toMatch(
      /^slurmctld slow \(median \d\.\d s\): waits for silent node\[33,47,59,/,
    );
    expect(slow?.evidence.map((one) => one.text).join('\n')).toMatch(
      /MESSAGE_NODE_REGISTRATION_STATUS: 5\.0 s on average/,
    );
  });

  it('night: all of it, planned work as planned', async () => {
    const world = new World('night');
    await world.poll();
    const all = findings(world.judgement());
    const kinds = new Set(all.map((one) => one.kind));
    for (const kind of [
      'controller-slow',
      'lost-together',
      'drained-group',
      'not-responding',
      'draining',
      'partition-below-limit',
    ]) {
      expect(kinds).toContain(kind);
    }
    expect(all.find((one) => one.summary.includes('firmware'))?.plannedUntil).toBe(world.now + 210 * 60_000);
    expect(all.find((one) => one.kind === 'draining')?.summary).toMatch(
      /^node50 draining, job \d+ \(\w+\) holds it until /,
    );
    for (const one of all) expect(one.summary.length, one.summary).toBeLessThanOrEqual(100);
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
  });

  it.each([
    ['down', 'controller-down', /^slurmctld on ctl1 down since .*; rows are from 02:21:00$/],
    ['hung', 'controller-hung', /^slurmctld on ctl1 hangs since .*; rows are from 02:21:00$/],
  ] as const)(
    'a controller that is %s is told of as such, and old rows stay, stale',
    async (mood, kind, text) => {
      const world = new World('hdfs-lost');
      await world.poll();
      world.simulator.controller(mood);
      world.now += 60_000;
      await world.poll();
      const all = findings(world.judgement());
      expect(all[0]).toMatchObject({ kind, severity: 'critical' });
      expect(all[0]?.summary).toMatch(text);
      expect(all.some((one) => one.kind === 'drained-group')).toBe(true);
      const view = slurm.view(world.judgement());
      expect(view.sign).toBe('critical');
      expect(view.wall).toBe('181/200 nodes up at 02:21');
      const [groups] = view.blocks;
      expect(groups?.type === 'table' && groups.rows.every((row) => row.stale)).toBe(true);
    },
  );

  it('never reads a failing source as "nothing is drained"', async () => {
    const world = new World('hdfs-lost');
    world.simulator.controller('down');
    await world.poll();
    const view = slurm.view(world.judgement());
    expect(view).toMatchObject({ sign: 'unknown', wall: 'not known' });
    const [groups] = view.blocks;
    expect(groups).toMatchObject({ rows: [] });
    expect(groups?.type === 'table' ? groups.empty : '').toMatch(/^not known: ctl1: /);
    expect(findings(world.judgement())[0]?.kind).toBe('controller-down');
    expect(slurm.track(world.judgement())).toEqual([]);
  });

  it('acts on commands as Slurm does, with its words when it refuses', async () => {
    const world = new World('quiet', { nodes: 20 });
    const say = async (script: string) => {
      const { stdout, stderr, exitCode } = await world.run('ctl1', script);
      return `${exitCode} ${stdout}${stderr}`.trim();
    };
    expect(await say('scontrol update nodename=node3 state=drain')).toContain('1 You must specify a reason');
    expect(await say("scontrol update nodename=node3 state=drain reason='bad DIMM'")).toBe('0');
    expect(await say('scontrol show node node3')).toMatch(
      /State=\w+\+DRAIN .*Reason=bad DIMM \[root@2026-11-20T02:21:00\]/s,
    );
    expect(await say('scontrol update nodename=node3 state=resume')).toBe('0');
    expect(await say('scontrol update nodename=node3 state=resume')).toBe(
      '1 slurm_update error: Invalid node state specified',
    );
    expect(await say('scontrol update nodename=nosuch state=resume')).toBe(
      '1 slurm_update error: Invalid node name specified',
    );
    expect(await say('scontrol show node nosuch')).toBe('1 Node nosuch not found');
    expect(await say('scontrol cancel_reboot node3')).toBe(
      '1 slurm_update error: Invalid node state specified',
    );
    expect(world.simulator.mutations.map((one) => one.argv.join(' '))).toEqual([
      'scontrol update nodename=node3 state=drain reason=bad DIMM',
      'scontrol update nodename=node3 state=resume',
    ]);
  });

  it('a node whose fault remains is drained again by the health check', async () => {
    const world = new World('hdfs-lost');
    await world.run('ctl1', 'scontrol update nodename=node31 state=resume');
    await world.poll();
    expect(nodesOf(world).find((node) => node.name === 'node31')?.flags).toEqual([]);
    world.now += 60_000;
    await world.poll();
    expect(nodesOf(world).find((node) => node.name === 'node31')).toMatchObject({
      flags: ['DRAIN'],
      reason: 'NHC: HDFS mount lost',
    });
  });
});
