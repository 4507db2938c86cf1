import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Fact } from '../../../src/model/fact.ts';
import { factsOf, historyOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const about = (world: SwitchWorld, facts: readonly Fact[] = []): FindingDraft[] =>
  findings({ ...world.judgement(), ...(facts.length > 0 && { facts: factsOf(facts) }) }).filter(({ kind }) =>
    kind.startsWith('lag-member'),
  );

/** What edge1 (EOS) prints of its member: its link stays up. */
const saying = async (
  word: string,
  then: (world: SwitchWorld) => void = () => undefined,
): Promise<SwitchWorld> => {
  const world = new SwitchWorld('quiet');
  then(world);
  world.edit = (host, text) => (host === 'edge1' ? text.replace('Et49(PG+)', `Et49(${word})`) : text);
  for (let round = 0; round < 3; round++) await world.poll();
  return world;
};

describe('a member that its device keeps out', () => {
  it('is a finding by itself: which, by what word, what the far end says of it, and what to do', async () => {
    const [found, more] = about(await saying('s'));
    expect(more).toBeUndefined();
    expect(found).toMatchObject({
      id: 'switch:lag-member-suspended:edge1:po1',
      severity: 'warning',
      summary: 'edge1 po1: eth49 suspended, 1/2 carry traffic',
    });
    expect(found?.advice).toMatch(/compare LACP mode/);
    expect(found?.evidence.map(({ text, host }) => `${host}: ${text}`)).toEqual([
      'edge1: eth49 reads s (suspended)',
      'edge1: 1 of 2 members carry traffic',
      'core3: far end: core3 te1/1 reads Up (working) in po1',
    ]);
  });

  it('is critical where nothing is left of a LAG between switches', async () => {
    const world = await saying('s');
    world.edit = (host, text) => (host === 'edge1' ? text.replaceAll('(PG+)', '(I)') : text);
    await world.poll();
    const found = about(world).find(({ subject }) => subject.id === 'edge1:po1');
    expect(found).toMatchObject({ kind: 'lag-member-suspended', severity: 'critical' });
    expect(found?.summary).toBe(
      'edge1 po1 carries nothing: eth49, eth50 kept out of the LAG though their links are up',
    );
    expect(found?.advice).toMatch(/No LACP comes from the far side/);
  });

  it.each([
    ['that is shut', 's', (world: SwitchWorld) => void (portOf(world, 'edge1:ethernet49').adminUp = false)],
    [
      'whose far end is shut',
      'D',
      (world: SwitchWorld) => void (portOf(world, 'core3:te1/1').adminUp = false),
    ],
  ])('stays silent of one %s: that is told as out', async (_what, word, change) => {
    const kinds = about(await saying(word, change)).map(({ kind }) => kind);
    expect(kinds).not.toContain('lag-member-suspended');
  });

  it('stays silent while LACP may still negotiate', async () => {
    const world = await saying('wG-');
    world.history = historyOf({
      'switch/port/edge1:eth49/link': [
        { at: world.now - 300_000, value: 'notconnect' },
        { at: world.now - 20_000, value: 'connected' },
      ],
    });
    expect(about(world)).toEqual([]);
    world.history = historyOf({
      'switch/port/edge1:eth49/link': [
        { at: world.now - 300_000, value: 'notconnect' },
        { at: world.now - 200_000, value: 'connected' },
      ],
    });
    expect(about(world).map(({ kind }) => kind)).toEqual(['lag-member-suspended']);
  });

  it('stays silent of the node that reboots or was drained, and tells of any other', async () => {
    const world = await saying('s');
    const node = (name: string): Fact => ({
      name: 'node.drained',
      subject: { kind: 'node', id: name },
      value: { reason: 'MAINT' },
    });
    expect(about(world, [node('core3')])).toEqual([]);
    expect(about(world, [node('node1')]).length).toBe(1);
  });
});

describe('a standby', () => {
  const standingBy = async (others: boolean): Promise<SwitchWorld> => {
    const world = await saying('PG+');
    const value = world.readings.source<{ lags: object[]; members: { lag: string; member: string }[] }>(
      'switch.lags',
      'edge1',
    )?.good?.value;
    const members = value?.members.map((one) =>
      one.lag === 'po1' && (one.member === 'eth49' || !others)
        ? { ...one, state: 'H', standing: 'standby', active: false }
        : one,
    );
    world.readings.good('switch.lags', 'edge1', { ...value, members }, world.now);
    return world;
  };

  it('waits by design, and nothing is told of it', async () =>
    expect(about(await standingBy(true))).toEqual([]));

  it('where none works is told: nobody took over', async () =>
    expect(about(await standingBy(false)).map(({ id }) => id)).toEqual(['switch:lag-member-out:edge1:po1']));
});

const portOf = (world: SwitchWorld, id: string) => {
  const port = world.simulator.network?.ports.get(id);
  if (!port) throw new Error(`no port ${id}`);
  return port;
};
