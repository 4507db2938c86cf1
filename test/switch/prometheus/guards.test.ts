import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import type { CountersReading } from '../../../probes/switch/readings.ts';
import type { Guard } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Readings, Source } from '../../../src/model/reading.ts';
import { directOf } from '../../../src/collect/direct.ts';
import { checkGuard } from '../../../src/remedy/guards.ts';
import { firstMissing, withoutSamples } from '../../../src/remedy/live.ts';
import { SwitchWorld } from '../system/world.ts';

const sampled = 'switch.promcounters';
const subject = { kind: 'port', id: 'core3:te3/46' } as const;
const guardIds = ['5 targets', '6 load'];

/** Counters of core3 that Prometheus gave beside, or in place of, what core3 itself said. */
const withSamples = async (asked: boolean, more: Partial<Source> = {}): Promise<Judgement> => {
  const world = new SwitchWorld('quiet');
  for (let round = 0; round < 3; round++) await world.poll();
  const { readings } = world;
  const probe = world.judgement().readings.source('switch.counters', 'core3')
    ? 'switch.counters'
    : 'switch.screens';
  const own = readings.source<CountersReading>(probe, 'core3');
  if (!own?.good) throw new Error('core3 was not read');
  const given: Source = {
    ...own,
    probe: sampled,
    good: { ...own.good, probe: sampled, sample: { by: 'Prometheus', at: 1 } },
    ...more,
  };
  const whole: Readings = {
    source: <T>(id: string, host: string) =>
      (id === sampled && host === 'core3'
        ? given
        : id === probe && host === 'core3' && !asked
          ? undefined
          : readings.source<T>(id, host)) as ReturnType<typeof readings.source<T>>,
    sources: <T>(id: string) =>
      (id === sampled
        ? [given]
        : readings
            .sources<T>(id)
            .filter(({ host }) => asked || id !== probe || host !== 'core3')) as ReturnType<
        typeof readings.sources<T>
      >,
    listOnHost: (host) => readings.listOnHost(host),
    listUnreached: () => readings.listUnreached(),
    listUnread: () => readings.listUnread(),
    direct: () => directOf(whole, new Set([sampled])),
  };
  return { ...world.judgement(), readings: whole };
};

const guardsOf = (judgement: Judgement): readonly Guard[] => {
  const plan = shutAction.plan([subject], {}, { judgement, operator: 'alice' });
  if ('refused' in plan) throw new Error(`${plan.guard}: ${plan.reason}`);
  return (plan.targets[0]?.guards ?? []).filter(({ id }) => guardIds.includes(id));
};

describe('a switch that is read from Prometheus', () => {
  it('offers its ports by the samples; what its guards read is the switch itself', async () => {
    const guards = guardsOf(await withSamples(false));
    expect(guards.map(({ id }) => id)).toEqual(guardIds);
    const read = guards.flatMap(({ reads }) => reads);
    expect(read.map(({ probe }) => probe)).not.toContain(sampled);
    expect(read).toContainEqual({
      probe: expect.stringMatching(/^switch\.(?:counters|screens)$/),
      host: 'core3',
    });
  });

  it('no guard is met by a sample, however young: unread, the switch holds it up', async () => {
    const judgement = await withSamples(false);
    const live = withoutSamples(judgement);
    for (const guard of guardsOf(judgement)) {
      expect(checkGuard(guard, live).ok, guard.id).toBe(false);
      expect(firstMissing(live, guard.reads, 0)).toMatch(/core3 gave no fresh answer to switch\./);
    }
    expect(live.readings.source(sampled, 'core3')).toBeUndefined();
    expect(live.readings.sources(sampled)).toEqual([]);
  });

  it('a Prometheus that is gone keeps nobody from the switch: its last sample names the ports, its guards read the switch', async () => {
    const failure = { kind: 'command', message: 'core3: gone' } as const;
    const guards = guardsOf(await withSamples(false, { state: 'failed', failure }));
    expect(guards.map(({ id }) => id)).toEqual(guardIds);
    for (const guard of guards)
      expect(
        checkGuard(guard, withoutSamples(await withSamples(true, { state: 'failed', failure }))),
      ).toMatchObject({ ok: true });
  });

  it('they are met by what the switch itself says then', async () => {
    const judgement = await withSamples(true);
    for (const guard of guardsOf(judgement))
      expect(checkGuard(guard, withoutSamples(judgement)), guard.id).toMatchObject({ ok: true });
  });

  it('where nothing is sampled the readings are the same', async () => {
    const world = new SwitchWorld('quiet');
    await world.poll();
    const judgement = world.judgement();
    expect(withoutSamples(judgement)).toBe(judgement);
  });
});
