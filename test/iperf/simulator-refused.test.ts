import { describe, expect, it } from 'vitest';
import { iperfActions } from '../../probes/iperf/act/actions.ts';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { offerOf } from '../../src/remedy/offer.ts';
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

describe('what is refused', () => {
  const refused = async (id: string, subject: Subject, set: Record<string, string> = {}): Promise<string> => {
    const world = new World('quiet');
    await world.poll();
    const made = planOf(world, id, subject, set);
    return 'refused' in made ? `${made.guard}: ${made.reason}` : 'planned';
  };

  it('a host against itself, a host without the role, no set of hosts', async () => {
    expect(await refused('iperf.run', pair('wn-d-01:wn-d-01'))).toMatch(
      /^5 targets: wn-d-01 can't be tested/,
    );
    expect(await refused('iperf.run', pair('wn-d-01:ctl1'))).toMatch(
      /^5 targets: ctl1 does not have the role/,
    );
    expect(await refused('iperf.sweep', { kind: 'site', id: 'test' }, { hosts: 'wn-d-[01-99]' })).toMatch(
      /^5 targets: wn-d-17/,
    );
    expect(await refused('iperf.sweep', { kind: 'site', id: 'test' }, { hosts: 'wn-d-01' })).toMatch(
      /3 to 64 hosts/,
    );
  });

  it.each([
    [{ seconds: '0' }, /from 1 to 300/],
    [{ seconds: '301' }, /from 1 to 300/],
    [{ streams: '100' }, /from 1 to 64/],
    [{ streams: '-1' }, /whole number/],
    [{ window: '8 GB' }, /512K/],
    [{ mode: 'sideways' }, /forward, reverse or both/],
  ])('%o', (set, words) => {
    const parsed = action('iperf.run').parameters.safeParse(set);
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues[0]?.message).toMatch(words);
  });

  it('tools that are missing, or can’t talk to each other', async () => {
    const world = new World('quiet');
    await world.poll();
    const tools = (name: string, tools: unknown[]): void =>
      world.readings.good('iperf.tools', name, { tools, listening: [] }, world.now);
    tools('wn-d-01', []);
    expect(planOf(world, 'iperf.run', pair('wn-d-01:wn-d-02'))).toMatchObject({
      guard: '3 tools',
      reason: expect.stringContaining('wn-d-01 has no iperf, wn-d-02 has iperf3 3.12 and iperf2 2.1.8'),
    });
    tools('wn-d-01', [{ tool: 'iperf2', version: '2.0.4' }]);
    tools('wn-d-02', [{ tool: 'iperf3', version: '3.12' }]);
    expect(planOf(world, 'iperf.run', pair('wn-d-01:wn-d-02'))).toMatchObject({
      reason: expect.stringContaining("can't talk to each other"),
    });
    tools('wn-d-02', [{ tool: 'iperf2', version: '2.1.8' }]);
    expect(planOf(world, 'iperf.run', pair('wn-d-01:wn-d-02'), { mode: 'reverse' })).toMatchObject({
      reason: expect.stringContaining('too old for mode reverse'),
    });
    expect(plan(world, 'iperf.run', pair('wn-d-01:wn-d-02')).because[0]).toContain('iperf2');
  });

  it('nodes with jobs, unless somebody says why; two tests over one uplink', async () => {
    const world = new World('quiet');
    await world.poll();
    const node: Subject = { kind: 'node', id: 'wn-d-02' };
    world.facts = [{ name: 'node.busy', subject: node, value: { jobs: ['7'], users: ['chem2'] } }];
    const test = plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'));
    expect(await carryOut(world, test)).toBe('refused (4 ownership): wn-d-02 runs 1 job of chem2');
    const taken = plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'), { takeOver: 'agreed with chem2' });
    expect(taken.exceeded).toEqual([{ guard: '4 ownership', reason: 'agreed with chem2' }]);
    const uplink = (id: string) => ({
      name: 'host.uplink' as const,
      subject: host(id),
      value: { port: 'sw1:te1/1' },
    });
    world.facts = [uplink('wn-d-01'), uplink('wn-d-05')];
    await carryOut(world, plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'), { seconds: '60' }), 2);
    expect(await carryOut(world, plan(world, 'iperf.run', pair('wn-d-05:wn-d-06')))).toMatch(
      /^refused \(6 one test\): wn-d-01 → wn-d-02 is tested over the same uplink sw1:te1\/1/,
    );
    expect(plan(world, 'iperf.run', pair('wn-d-05:wn-d-06')).targets[0]?.lockGroups).toContain(
      'iperf uplink sw1:te1/1',
    );
  });

  it('a test while nobody can tell whether jobs run: who tells is asked again, and silence is not idleness', async () => {
    const world = new World('quiet');
    await world.poll();
    world.asked = [{ probe: 'slurm.jobs', host: 'ctl1' }];
    const test = plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'));
    expect(await carryOut(world, test)).toBe(
      'refused (4 ownership): whether jobs run is not known: ctl1 did not answer',
    );
    world.readings.good('slurm.jobs', 'ctl1', { jobs: [] }, world.now);
    const again = plan(world, 'iperf.run', pair('wn-d-01:wn-d-02'));
    expect(again.targets[0]?.guards.flatMap(({ reads }) => reads)).toContainEqual({
      probe: 'slurm.jobs',
      host: 'ctl1',
    });
    expect(await carryOut(world, again, 10)).toMatch(/^yes: at line rate/);
  });

  it('interrupts while irqbalance runs, or when that can’t be told', async () => {
    const world = new World('bimodal');
    world.simulator.irqbalance('wn-d-04', true, world.now);
    await world.poll();
    const spread = plan(world, 'host.irq-affinity', host('wn-d-04'));
    expect(await carryOut(world, spread)).toMatch(/^refused \(3 irqbalance\): irqbalance runs on wn-d-04/);
    expect(
      offerOf(action('host.irq-affinity'), [host('wn-d-04')], {
        judgement: world.judgement(),
        operator: 'alice',
      }),
    ).toMatchObject({ available: false });
  });
});
