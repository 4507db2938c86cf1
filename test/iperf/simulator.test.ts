import { describe, expect, it } from 'vitest';
import { iperfActions } from '../../probes/iperf/act/actions.ts';
import { findings } from '../../probes/iperf/judge/findings.ts';
import { iperf } from '../../probes/iperf/index.ts';
import { flowsOf } from '../../probes/iperf/judge/pairs.ts';
import type { RunsReading } from '../../probes/iperf/readings.ts';
import { sweepOf } from '../../probes/iperf/sweep/state.ts';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { historyOf } from '../helpers/judging.ts';
import { World } from './world.ts';

const action = (id: string) => {
  const found = iperfActions.actions.find((one) => one.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};
const planOf = (
  world: World,
  id: string,
  subject: Subject,
  set: Record<string, string> = {},
): Plan | Refusal => {
  const { parameters, plan } = action(id);
  return plan([subject], parameters.parse(set), { judgement: world.judgement(), operator: 'alice' });
};
const plan = (...args: Parameters<typeof planOf>): Plan => {
  const made = planOf(...args);
  if ('refused' in made) throw new Error(`refused: ${made.reason}`);
  return made;
};
const pair = (id: string): Subject => ({ kind: 'pair', id });
const host = (id: string): Subject => ({ kind: 'host', id });
/** Guards, steps and the last look, as the engine does it. */
const carryOut = async (world: World, made: Plan, seconds = 0): Promise<string> => {
  const [target] = made.targets;
  if (!target) throw new Error('no target');
  for (const guard of target.guards) {
    const result = guard.check(world.judgement());
    if (!result.ok) return `refused (${guard.id}): ${result.text}`;
  }
  for (const step of target.steps) {
    const answer = await world.sendStep(step);
    if (answer.exitCode !== 0) return `exit ${answer.exitCode}: ${answer.stderr}`;
  }
  world.now += seconds * 1000 + 1500;
  await world.poll();
  const seen = target.verify.check(world.judgement());
  return `${seen.state}: ${seen.text}`;
};

describe('the simulated hosts, asked through the probes', () => {
  it('quiet: every pair is at line rate, nothing is found, every probe is read', async () => {
    const world = new World('quiet');
    await world.poll();
    expect(findings(world.judgement())).toEqual([]);
    expect(iperf.view(world.judgement())).toMatchObject({ sign: 'fine', wall: '12/12 pairs' });
    expect(iperf.facts(world.judgement())).toHaveLength(16);
    expect(iperf.track(world.judgement())).toContainEqual({
      series: 'iperf/pair/wn-d-01:wn-d-02/bps',
      value: expect.any(Number),
    });
  });

  it('the matrix says when a cell is old, and calls it fine no more', async () => {
    const world = new World('quiet');
    await world.poll();
    const cell = () => {
      const grid = iperf.view(world.judgement()).blocks.find((block) => block.type === 'grid');
      return grid?.rows[0]?.cells[0];
    };
    expect(cell()).toEqual({ text: '9.5/9.5', sign: 'fine', heat: 0 });
    world.now += 2 * 86_400_000;
    expect(cell()).toMatchObject({ text: '9.5/9.5', sign: 'unknown', age: expect.any(Number) });
  });

  it('bimodal: names the pair, the direction and the host with its interrupts', async () => {
    const world = new World('bimodal');
    await world.poll();
    const found = findings(world.judgement());
    expect(found.map(({ summary }) => summary)).toEqual([
      'wn-d-04: all 8 queues of ens1f0 interrupt core 0: slows wn-d-03 → wn-d-04',
      expect.stringMatching(
        /^wn-d-03 → wn-d-04 bimodal 9\.4\d \/ 2\.33 Gbit\/s over 21 intervals; the other direction is fine$/,
      ),
    ]);
    expect(iperf.view(world.judgement())).toMatchObject({ sign: 'warning', wall: '11/12 pairs' });
    const cells = JSON.stringify(iperf.view(world.judgement()).blocks.find(({ type }) => type === 'grid'));
    expect(cells).toContain('2.3!/9.5');
    const blocks = iperf.detail(pair('wn-d-03:wn-d-04'), world.judgement());
    expect(blocks.map(({ type }) => type)).toEqual(expect.arrayContaining(['chart', 'table', 'facts']));
  });

  it('bimodal: spreading the interrupts and testing again makes it right; undo puts it back', async () => {
    const world = new World('bimodal');
    await world.poll();
    const spread = plan(world, 'host.irq-affinity', host('wn-d-04'));
    expect(await carryOut(world, spread)).toBe('yes: 8 queues on 8 cores');
    expect(spread.targets[0]?.whyAlreadyDone(world.judgement())).toContain('8 cores');
    const test = plan(world, 'iperf.run', pair('wn-d-03:wn-d-04'));
    expect(await carryOut(world, test, 10)).toMatch(/^yes: at line rate/);
    expect(findings(world.judgement())).toEqual([]);
    const [undo] = spread.targets[0]?.undo ?? [];
    // What each may go to, not where it happened to be: the kernel is free again as before.
    expect(undo && 'argv' in undo ? undo.argv.slice(5) : []).toContain('98:0-15');
    if (undo) await world.sendStep(undo);
    await world.poll();
    const again = plan(world, 'iperf.run', pair('wn-d-03:wn-d-04'), { seconds: '20' });
    expect(await carryOut(world, again, 20)).toMatch(/^yes: bimodal/);
  });

  it('history keeps each test with the facts of both ends at that time, once', async () => {
    const world = new World('bimodal');
    await world.poll();
    await carryOut(world, plan(world, 'iperf.run', pair('wn-d-03:wn-d-04'), { seconds: '20' }), 20);
    const kept = () =>
      iperf.track(world.judgement()).filter(({ series }) => series.endsWith('03:wn-d-04/test'));
    const [slow] = kept();
    expect(JSON.parse(String(slow?.value))).toMatchObject({
      from: {
        kernel: expect.any(String),
        MTU: '9000',
        speed: '10 Gbit/s',
        tcp_rmem: '67108864',
        load: expect.any(String),
      },
      to: {
        interrupts: '8 queues on core 0',
        'adaptive-rx': 'on',
        'rx-usecs': '1',
        driver: 'ixgbe',
        firmware: expect.any(String),
      },
    });
    world.history = historyOf({
      'iperf/pair/wn-d-03:wn-d-04/test': [{ at: world.now, value: slow?.value ?? '' }],
    });
    expect(kept()).toEqual([]);
    await carryOut(world, plan(world, 'host.irq-affinity', host('wn-d-04')));
    await carryOut(world, plan(world, 'iperf.run', pair('wn-d-03:wn-d-04')), 10);
    const table = iperf
      .detail(pair('wn-d-03:wn-d-04'), world.judgement())
      .find(({ id }) => id === 'history-wn-d-03:wn-d-04');
    expect(JSON.stringify(table)).toContain('wn-d-04 interrupts 8 queues on core 0');
  });

  it('facts read long after a test are not those of the test', async () => {
    const world = new World('quiet');
    await world.poll();
    const old = iperf.track(world.judgement()).find(({ series }) => series.endsWith('01:wn-d-02/test'));
    expect(JSON.parse(String(old?.value))).not.toHaveProperty('from');
  });

  it('evidence opens at the interrupts and the coalescing of the NIC, or at the kernel that a pair runs', async () => {
    const world = new World('kernel-cap');
    await world.poll();
    const probe = iperf.probes.find(({ id }) => id === 'iperf.facts');
    const { value } = world.judgement().readings.source('iperf.facts', 'wn-d-13')?.good ?? {};
    expect(probe?.locate?.(host('wn-d-13'), value)?.words).toEqual(
      expect.arrayContaining(['Adaptive RX', 'rx-usecs', expect.stringContaining('ens1f0')]),
    );
    expect(probe?.locate?.(pair('wn-d-01:wn-d-13'), value)).toEqual({ names: ['2.6.32-042stab059.7'] });
    expect(probe?.locate?.(pair('wn-d-01:wn-d-13'), undefined)).toEqual({ names: [] });
    expect(findings(world.judgement())[0]?.evidence[0]).toMatchObject({
      probe: 'iperf.facts',
      host: 'wn-d-13',
      text: 'wn-d-13: kernel 2.6.32-042stab059.7',
    });
  });

  it('kernel-cap: all slow hosts run one kernel', async () => {
    const world = new World('kernel-cap');
    await world.poll();
    expect(findings(world.judgement()).map(({ summary }) => summary)).toEqual([
      'wn-d-[13-15] at 18 % of line rate (6 pairs): all run kernel 2.6.32-042stab059.7',
    ]);
  });

  it('a sweep over 16 hosts finds the bad one and says how sure it is', async () => {
    const world = new World('bimodal');
    await world.poll();
    const sweep = plan(world, 'iperf.sweep', { kind: 'site', id: 'test' }, { hosts: 'wn-d-[01-16]' });
    const steps = sweep.targets[0]?.steps ?? [];
    expect(steps).toHaveLength(32);
    expect(await carryOut(world, sweep, 30)).toMatch(
      /^wait: █+░+ \d+\/\d+ s, round 3 of 5, \d+ of 32 tests, about \d+ s left$/,
    );
    expect(iperf.view(world.judgement()).summary).toContain('sweep of 16 hosts');
    const other = plan(world, 'iperf.sweep', { kind: 'site', id: 'test' }, { hosts: 'wn-d-[08-12]' });
    expect(await carryOut(world, other)).toMatch(/^refused \(6 one test\): wn-d-\d+ is in /);
    world.now += 60_000;
    await world.poll();
    const seen = sweep.targets[0]?.verify.check(world.judgement());
    expect(seen?.text).toMatch(/^wn-d-04 is slow when it receives: [89]\d % sure, from 32 tests$/);
    expect(seen?.state).toBe('yes');
    expect(findings(world.judgement()).find(({ kind }) => kind === 'sweep')).toMatchObject({
      subject: { kind: 'host', id: 'wn-d-04' },
    });
  });

  it('a sweep is the hosts’ own: any console sees it, ends it everywhere, and half of it accuses nobody', async () => {
    const world = new World('bimodal');
    await world.poll();
    const site: Subject = { kind: 'site', id: 'test' };
    await carryOut(world, plan(world, 'iperf.sweep', site, { hosts: 'wn-d-[01-16]' }), 14);
    const end = plan(world, 'iperf.cancel', host('wn-d-07'));
    expect(end.targets[0]?.steps).toHaveLength(16);
    expect(await carryOut(world, end)).toBe('yes: nothing runs');
    expect(sweepOf(world.judgement())).toMatchObject({ state: 'cancelled', wanted: 32 });
    const block = iperf.view(world.judgement()).blocks.find(({ id }) => id === 'sweep');
    expect(JSON.stringify(block)).toMatch(/cancelled after \d+ of 32 tests/);
    const again = plan(world, 'iperf.sweep', site, { hosts: 'wn-d-[01-16]' });
    expect(again.targets[0]?.steps[0]).toMatchObject({ argv: expect.arrayContaining(['sweep-2']) });
  });

  it('a sweep begins nowhere unless all are ready', async () => {
    const world = new World('quiet');
    await world.poll();
    const site: Subject = { kind: 'site', id: 'test' };
    const sweep = plan(world, 'iperf.sweep', site, { hosts: 'wn-d-[01-04]' });
    const words = (sweep.targets[0]?.steps ?? []).map((step) => ('argv' in step ? step.argv[3] : ''));
    expect(words).toEqual([...Array(4).fill('sweep-arm'), ...Array(4).fill('sweep-go')]);
    // Another console's sweep has armed one of them meanwhile.
    const [, second] = sweep.targets[0]?.steps ?? [];
    if (second) await world.sendStep(second);
    expect(second && (await world.sendStep(second)).exitCode).toBe(4);
  });

  it('a test both ways, or in reverse, speaks of the directions the data took', async () => {
    const world = new World('bimodal');
    await world.poll();
    const both = plan(world, 'iperf.run', pair('wn-d-07:wn-d-04'), { mode: 'both', seconds: '12' });
    expect(await carryOut(world, both, 12)).toMatch(/^yes: bimodal|^yes: at line/);
    const verdicts = () =>
      new Map(flowsOf(world.judgement()).map(({ id, verdict }) => [id, verdict.kind] as const));
    expect(verdicts().get('wn-d-07:wn-d-04')).toBe('bimodalTime');
    expect(verdicts().get('wn-d-04:wn-d-07')).toBe('lineRate');
    const reverse = plan(world, 'iperf.run', pair('wn-d-04:wn-d-08'), { mode: 'reverse', seconds: '12' });
    expect(await carryOut(world, reverse, 12)).toMatch(/^yes: bimodal/);
    expect(verdicts().get('wn-d-08:wn-d-04')).toBe('bimodalTime');
    expect(verdicts().has('wn-d-04:wn-d-08')).toBe(false);
  });

  it('reaches a pair that was never tested from the row of a host', async () => {
    const world = new World('quiet');
    await world.poll();
    const test = plan(world, 'iperf.run-to', host('wn-d-09'), { to: 'wn-d-10' });
    expect(test.targets[0]?.subject).toEqual(host('wn-d-09'));
    expect(await carryOut(world, test, 10)).toMatch(/^yes: at line rate/);
    expect(planOf(world, 'iperf.run-to', host('wn-d-09'), { to: 'wn-d-09' })).toMatchObject({
      guard: '5 targets',
    });
    expect(planOf(world, 'iperf.run-to', host('wn-d-09'), { to: 'nobody' })).toMatchObject({
      guard: '5 targets',
    });
  });

  it('is over when its server is gone, too: whoever reads "done" may begin the next test', async () => {
    const world = new World('quiet');
    await world.poll();
    const test = plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'));
    expect(await carryOut(world, test, 10)).toMatch(/^yes: at line rate/);
    const seen = world.readings.source<RunsReading>('iperf.results', 'wn-d-02')?.good?.value;
    const serving = (of: string) => {
      const value = { runs: seen?.runs ?? [], servers: [{ pair: of, port: 5301 }] };
      world.readings.good('iperf.watch', 'wn-d-02', value, (world.now += 1000));
      return test.targets[0]?.verify.check(world.judgement());
    };
    expect(serving('wn-d-01:wn-d-02')).toEqual({
      state: 'wait',
      text: expect.stringMatching(/^at line rate.*; its server on wn-d-02 is ending$/),
    });
    expect(serving('wn-d-09:wn-d-02')).toMatchObject({ state: 'yes' });
  });

  it('shows a test as it runs, and a cancelled one changes no verdict', async () => {
    const world = new World('quiet');
    await world.poll();
    const test = plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'), { seconds: '60', streams: '4' });
    expect(await carryOut(world, test, 5)).toMatch(
      /^wait: █+░+ \d+\/60 s, 9\.4\d Gbit\/s; intervals 9\.4\d( 9\.4\d)+$/,
    );
    expect(iperf.view(world.judgement()).summary).toContain('1 test running');
    expect(planOf(world, 'iperf.cancel', host('wn-d-03'))).toMatchObject({ targets: [{}] });
    const other = plan(world, 'iperf.run', pair('wn-d-03:wn-d-01'));
    expect(await carryOut(world, other)).toBe(
      'refused (6 one test): wn-d-01 is in a test already: wn-d-01 → wn-d-02',
    );
    expect(await carryOut(world, plan(world, 'iperf.cancel', host('wn-d-02')))).toBe('yes: nothing runs');
    expect(test.targets[0]?.verify.check(world.judgement())).toEqual({ state: 'no', text: 'cancelled' });
    expect(iperf.view(world.judgement())).toMatchObject({ wall: '12/12 pairs' });
  });
});

describe('coalescing', () => {
  it('is set, verified and put back', async () => {
    const world = new World('bimodal');
    await world.poll();
    const set = plan(world, 'host.coalescing', host('wn-d-04'), { rxUsecs: '80' });
    expect(await carryOut(world, set)).toBe('yes: adaptive-rx off, rx-usecs 80');
    expect(set.targets[0]?.undo).toMatchObject([
      { argv: ['sudo', '-n', 'ethtool', '-C', 'ens1f0', 'adaptive-rx', 'on', 'rx-usecs', '1'] },
    ]);
  });
});
