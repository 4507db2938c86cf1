import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../src/model/answer.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { findings } from '../../probes/slurm/judge/findings.ts';
import type { SlurmNode } from '../../probes/slurm/readings.ts';
import { cluster, node, sick, silent } from './make.ts';
import { judgementOf, siteOf, start } from '../helpers/judging.ts';

const minute = 60_000;
const kind = (list: readonly FindingDraft[], wanted: string): FindingDraft | undefined =>
  list.find((one) => one.kind === wanted);
const of = (
  special: readonly SlurmNode[],
  options: Parameters<typeof cluster>[1] = {},
): readonly FindingDraft[] => findings(cluster(special, options).judgement());

describe('lost together', () => {
  const location = (name: string) => {
    const number = Number(name.slice(1));
    return {
      rack: `r${Math.ceil(number / 20)}`,
      breaker: number >= 38 && number <= 60 ? 'b7' : 'b1',
      room: 'a',
    };
  };
  const lost = (from: number, to: number, at = start - 7 * minute) =>
    Array.from({ length: to - from + 1 }, (_, index) => silent(`n${from + index}`, at + index * 1000));

  it('23 nodes on one breaker, though 20 of them share a rack', () => {
    const list = of(lost(38, 60), { location });
    expect(list[0]).toMatchObject({
      id: 'slurm:lost-together:breaker=b7',
      severity: 'critical',
      summary: 'n[38-60] lost together (seen 02:14): breaker b7',
    });
    expect(list.filter((one) => one.kind === 'not-responding')).toEqual([]);
  });

  it('names what users complain of, where slurmctld waits for these nodes', () => {
    const world = cluster(lost(38, 60), { location });
    const nodes = world.readings.source('slurm.nodes', 'ctl1');
    const said = (ms: number): string | undefined => {
      if (nodes) world.readings.put({ ...nodes, durations: [ms, ms, ms, ms, ms] });
      return kind(findings(world.judgement()), 'lost-together')?.summary;
    };
    expect(said(5_000)).toBe(
      'n[38-60] lost together (seen 02:14): breaker b7; slurmctld slow (median 5.0 s)',
    );
    expect(said(500)).toBe('n[38-60] lost together (seen 02:14): breaker b7');
  });

  it('is silent of a slow controller that waits for nobody', () => {
    const world = cluster([{ ...silent('n5', start - 9 * minute), state: 'IDLE', flags: ['DRAIN'] }], {
      location,
    });
    const nodes = world.readings.source('slurm.nodes', 'ctl1');
    if (nodes) world.readings.put({ ...nodes, durations: [5_000, 5_000, 5_000, 5_000, 5_000] });
    const drained = findings(world.judgement()).filter((one) => one.kind === 'drained-group');
    expect(drained).toHaveLength(1);
    expect(drained[0]?.summary).not.toContain('slurmctld');
  });

  it('the label that all of them carry and little else, never the room of everybody', () => {
    const list = of(lost(1, 20), { location });
    expect(list[0]?.id).toBe('slurm:lost-together:rack=r1');
    expect(list[0]?.suspects).toEqual([
      { subject: { kind: 'place', id: 'rack=r1' }, cause: 'place-lost', confidence: 'medium' },
    ]);
  });

  it('all of the cluster at one moment is one loss, not one of each rack', () => {
    const rack = (name: string) => ({ rack: location(name).rack });
    const list = of(lost(1, 60), { location: rack, total: 60 });
    const losses = list.filter((one) => one.kind === 'lost-together');
    expect(losses.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^n\[1-60\] lost together \(seen .+\): all 60 nodes of the cluster/),
    ]);
    expect(losses[0]?.suspects).toEqual([
      { subject: { kind: 'host', id: 'ctl1' }, cause: 'network', confidence: 'low' },
    ]);
    const others = of([...lost(1, 58), sick('n59'), sick('n60')], { location: rack, total: 60 });
    expect(kind(others, 'lost-together')?.summary).toMatch(/: all 58 nodes in service/);
  });

  it('nodes that are powered off, or none yet, are not waited for', () => {
    const off = [node('n59', { flags: ['CLOUD', 'POWERED_DOWN'] }), node('n60', { state: 'FUTURE' })];
    const rack = (name: string) => ({ rack: location(name).rack });
    const list = of([...lost(1, 58), ...off], { location: rack, total: 60 });
    expect(list.filter((one) => one.kind === 'lost-together').map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/: all 58 nodes in service/),
    ]);
  });

  it('what is left beside racks that went over half an hour is not all that was in service', () => {
    const waves = Array.from({ length: 48 }, (_, at) =>
      silent(`n${at + 1}`, start - 60 * minute + at * 40_000),
    );
    const list = of(waves, {
      total: 48,
      location: (name): Record<string, string> =>
        Number(name.slice(1)) <= 40 ? { rack: location(name).rack } : {},
    });
    const text = list.map(({ summary, advice }) => `${summary} ${advice ?? ''}`).join('\n');
    expect(text).toContain('no location label shared');
    expect(text).not.toContain('in service');
  });

  it.each<[string, SlurmNode[]]>([
    ['two racks of three', lost(1, 40)],
    [
      'one rack after the other, half an hour apart',
      [
        ...lost(1, 20, start - 90 * minute),
        ...lost(21, 40, start - 60 * minute),
        ...lost(41, 60, start - 30 * minute),
      ],
    ],
  ])('not of the cluster: %s', (_what, nodes) => {
    const losses = of(nodes, { location: (name) => ({ rack: location(name).rack }), total: 60 }).filter(
      (one) => one.kind === 'lost-together',
    );
    expect(losses.length).toBeGreaterThan(1);
    for (const { id } of losses) expect(id).toMatch(/rack=r\d$/);
  });

  it('counts what a rack carries by the nodes of Slurm: their hosts need no role', () => {
    const world = cluster(lost(1, 16));
    const site = siteOf([
      { name: 'ctl1', roles: ['slurm-controller'] },
      ...world.nodes.map(({ name }, at) => ({ name, roles: [], location: { rack: at < 16 ? 'r3' : 'r4' } })),
    ]);
    const found = kind(findings(judgementOf({ site, readings: world.readings })), 'lost-together');
    const lines = found?.evidence.map(({ text }) => text).join('\n');
    expect(lines).toContain('rack r3 carries 16 nodes of Slurm, 16 of them are lost');
    expect(lines).not.toMatch(/carries 0|compute hosts/);
  });

  it('not within one SlurmdTimeout is not together', () => {
    const apart = [38, 39, 40, 41].map((number, turn) =>
      silent(`n${number}`, start - (turn + 1) * 20 * minute),
    );
    expect(of(apart, { location }).map((one) => one.kind)).toEqual(['not-responding']);
  });

  const inWaves = (count: number, everyMs: number) =>
    of(
      Array.from({ length: count }, (_, at) => silent(`n${at + 1}`, start - 30 * minute + at * everyMs)),
      { total: 48, location: (name) => ({ rack: `r${Math.ceil(Number(name.slice(1)) / 16)}` }) },
    );
  it('a rack of which slurmctld hears node by node, over more than SlurmdTimeout, is one', () => {
    const [found] = inWaves(16, 34_000);
    expect(found?.summary).toMatch(/^n\[1-16\] lost together .*: rack r1$/);
  });
  it.each([
    ['six minutes between each', 16, 6 * minute],
    ['over two racks: the rest is no third of its own', 20, 34_000],
  ])('not %s', (_what, count, everyMs) => {
    const together = inWaves(count, everyMs).filter((one) => one.kind === 'lost-together');
    expect(together.map(({ summary }) => /n\[[\d-]+\]/.exec(summary)?.[0])).toEqual(
      count === 20 ? ['n[1-16]'] : [],
    );
  });

  it.each(['kernel 6.12 : reboot issued : reboot timed out', 'reboot timed out', 'reboot issued'])(
    'not what was rebooted on order and did not come back: %s',
    (reason) => {
      const rebooted = lost(38, 60).map((one) => ({ ...one, reason, reasonUser: 'root' }));
      const [found] = of(rebooted, { location });
      expect(found?.kind).toBe('not-responding');
      expect(found?.summary).toContain(reason.slice(-12));
    },
  );

  it('takes SlurmdTimeout from the controller', () => {
    const world = cluster(
      [38, 39, 40].map((number, turn) => silent(`n${number}`, start - turn * 8 * minute)),
      {
        total: 40,
        location: (name) => (Number(name.slice(1)) >= 38 ? { pdu: 'p1' } : {}),
      },
    );
    expect(kind(findings(world.judgement()), 'lost-together')).toBeUndefined();
    world.readings.good('slurm.config', 'ctl1', { slurmdTimeoutS: 1200 });
    expect(kind(findings(world.judgement()), 'lost-together')?.id).toBe('slurm:lost-together:pdu=p1');
  });

  it('our own connections drop before Slurm notices', () => {
    const world = cluster([], { location });
    for (let number = 38; number <= 60; number++) {
      world.readings.good('slurm.alive', `n${number}`, { uptimeS: 100 }, start - 3 * minute);
      world.readings.fail(
        'slurm.alive',
        `n${number}`,
        { kind: 'lost', message: 'gone' },
        start - minute + number * 100,
      );
    }
    const found = kind(findings(world.judgement()), 'lost-together');
    expect(found?.summary).toBe('n[38-60] silent since 02:20: breaker b7; Slurm still shows them up');
    expect(found?.evidence.map((one) => one.text).join('\n')).toContain(
      'our own connections to 23 of them dropped between 02:20:03 and 02:20:06',
    );
  });

  it('a dropped connection counts from the moment it dropped', () => {
    const world = cluster([], { location });
    const connections = new Map<string, ConnectionState>();
    for (const number of [38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]) {
      world.readings.good('slurm.alive', `n${number}`, { uptimeS: 100 }, start - 3 * minute);
      connections.set(`n${number}`, {
        host: `n${number}`,
        kind: 'ssh2',
        state: 'down',
        since: start - 2 * minute,
        badges: [],
      });
    }
    const judgement = judgementOf({ readings: world.readings, site: world.site, connections });
    expect(kind(findings(judgement), 'lost-together')).toMatchObject({ since: start - 2 * minute });
  });

  it('when we lose nearly all and Slurm none, it is our own way that broke', () => {
    const world = cluster([], { location });
    for (let number = 1; number <= 100; number++) {
      world.readings.good('slurm.alive', `n${number}`, { uptimeS: 100 }, start - 3 * minute);
      world.readings.fail('slurm.alive', `n${number}`, { kind: 'lost', message: 'gone' }, start - minute);
    }
    expect(findings(world.judgement())).toEqual([]);
  });
});
