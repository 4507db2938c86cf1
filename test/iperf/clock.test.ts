import { describe, expect, it } from 'vitest';
import { clockProbe } from '../../probes/iperf/sweep/clock.ts';
import { findings } from '../../probes/iperf/judge/findings.ts';
import { iperf } from '../../probes/iperf/index.ts';
import { sweepConclusion, sweepOf } from '../../probes/iperf/sweep/state.ts';
import { World } from './world.ts';

const hosts = Array.from({ length: 16 }, (_, at) => `wn-d-${String(at + 1).padStart(2, '0')}`);
const rule = { probe: 'iperf.sweep', hosts, everyMs: 86_400_000, from: 120, to: 300, zone: 'UTC' };

/** The night's sweep: every host of the rule is asked at the same time. */
const night = async (world: World): Promise<string[]> => {
  const said: string[] = [];
  for (const host of hosts) {
    await world.ask(clockProbe.id, host);
    said.push(world.readings.source<{ said: string }>('iperf.sweep', host)?.good?.value.said ?? '');
  }
  return said;
};

const later = async (world: World): Promise<void> => {
  world.now += 90_000;
  await world.poll();
};

const busy = (id: string) => ({
  name: 'node.busy' as const,
  subject: { kind: 'node' as const, id },
  value: { jobs: ['7'], users: ['chem2'] },
});

describe('sweeps by the clock', () => {
  it('run on all idle hosts and name the bad one', async () => {
    const world = new World('bimodal', {}, [rule]);
    await world.poll();
    expect(new Set(await night(world))).toEqual(new Set(['armed clock-2026-11-20T02:20']));
    await later(world);
    const sweep = sweepOf(world.judgement());
    expect(sweep && sweepConclusion(sweep)).toMatch(
      /^wn-d-04 is slow when it receives: [89]\d % sure, from 32 tests$/,
    );
    expect(findings(world.judgement()).some(({ kind }) => kind === 'sweep')).toBe(true);
    expect(JSON.stringify(iperf.view(world.judgement()).blocks)).toContain('02:00-05:00 UTC every 1 d');
  });

  it('leave out who runs jobs, and nobody is accused for it', async () => {
    const world = new World('quiet', {}, [rule]);
    await world.poll();
    world.facts = [busy('wn-d-03'), busy('wn-d-09')];
    const said = await night(world);
    expect(said[2]).toBe('no part: wn-d-03 runs 1 job of chem2');
    expect(said.filter((text) => text.startsWith('armed'))).toHaveLength(14);
    await later(world);
    expect(sweepOf(world.judgement())).toMatchObject({ state: 'done', meant: 14, answer: { kind: 'none' } });
    expect(findings(world.judgement())).toEqual([]);
    expect(JSON.stringify(iperf.view(world.judgement()).blocks)).toContain('no part: wn-d-03 runs');
  });

  it('do not run outside their hours, nor while Slurm is silent, nor beside another test', async () => {
    const early = new World('quiet', {}, [{ ...rule, from: 180 }]);
    await early.poll();
    expect(new Set(await night(early))).toEqual(
      new Set(['no part: the site file does not allow it at this time']),
    );
    const silent = new World('quiet', {}, [rule]);
    await silent.poll();
    silent.asked = [{ probe: 'slurm.jobs', host: 'ctl1' }];
    expect((await night(silent))[0]).toBe('no part: whether jobs run is not known: ctl1 did not answer');
    expect(sweepOf(silent.judgement())).toBeUndefined();
  });
});
