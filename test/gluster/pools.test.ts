import { describe, expect, test } from 'vitest';
import { glusterActions } from '../../probes/gluster/act/actions.ts';
import { glusterProbes } from '../../probes/gluster/ask/probes.ts';
import { facts } from '../../probes/gluster/judge/facts.ts';
import { findings } from '../../probes/gluster/judge/findings.ts';
import { tracks } from '../../probes/gluster/judge/track.ts';
import type { PeerReading } from '../../probes/gluster/readings.ts';
import { detail } from '../../probes/gluster/view/detail.ts';
import { view } from '../../probes/gluster/view/view.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { Pool } from './world.ts';

const probes = ['peer', 'lock', 'log', 'volumes', 'heal', 'disk'].map((name) => `gluster.${name}`);
const hosts = ['gl1', 'gl2', 'gl3', 'ns1', 'ns2', 'ns3'].map((name) => ({ name, roles: ['gluster'] }));
const site = siteOf(hosts);

interface Other {
  incident: string;
  /** What its peers call each other; its hosts are ns1 to ns3 in the site file. */
  names: 'gl' | 'ns';
  /** Whether its volumes have the names that the first pool's have. */
  sameVolumes: boolean;
}

/** A pool of gl1 to gl3, and one of ns1 to ns3 with uuids of its own. */
const twoPools = async ({ incident, names, sameVolumes }: Other): Promise<Sources> => {
  const readings = new Sources();
  const first = new Pool('quiet');
  const second = new Pool(incident);
  await first.poll();
  await second.poll();
  const renamed = (text: string): string => {
    const own = text.replaceAll(/(?:878bc80a|ce06ad81|f8e906cc)(?=-)/g, (id) => `${id.slice(0, 7)}0`);
    const called = names === 'gl' ? own : own.replaceAll(/\bgl(?=[123]\b)/g, 'ns');
    return sameVolumes ? called : called.replaceAll(/\b(home0|data1)\b/g, 'n$1');
  };
  for (const probe of probes) {
    for (const { host, good } of first.readings.sources(probe))
      if (good) readings.good(probe, host, good.value);
    for (const { host, good } of second.readings.sources(probe))
      if (good)
        readings.good(probe, host.replace('gl', 'ns'), JSON.parse(renamed(JSON.stringify(good.value))));
  }
  return readings;
};

const judge = async (other: Other): Promise<Judgement> =>
  judgementOf({ readings: await twoPools(other), site });

const said = (judgement: Judgement): string[] =>
  findings(judgement).map(({ severity, summary }) => `${severity} ${summary}`);

const plan = (judgement: Judgement, action: string, ...subjects: Subject[]) => {
  const found = glusterActions.actions.find(({ id }) => id === action);
  return found?.plan(subjects, {}, { judgement, operator: 'op' });
};
const volume = (id: string): Subject => ({ kind: 'volume', id });

const pools = /^notice 2 Gluster pools in one site file: gl1, gl2, gl3 \(.+\); ns1, ns2, ns3 \(.+\)$/;

describe('two pools in one site file', () => {
  test('both quiet: told apart, and nothing else', async () => {
    for (const names of ['gl', 'ns'] as const)
      for (const sameVolumes of [true, false])
        expect(said(await judge({ incident: 'quiet', names, sameVolumes }))).toEqual([
          expect.stringMatching(pools),
        ]);
  });

  test('a glusterd that answers nobody keeps only those of its own pool waiting', async () => {
    const readings = await twoPools({ incident: 'quiet', names: 'gl', sameVolumes: false });
    const peer = readings.copyOf<PeerReading>('gluster.peer', 'ns2');
    readings.good('gluster.peer', 'ns2', { ...peer, daemon: { ...peer.daemon, state: 'stopped' } });
    const found = findings(judgementOf({ readings, site })).find(({ kind }) => kind === 'glusterd-stopped');
    expect(found?.evidence).toMatchObject([{ host: 'ns2', values: { peers: 'ns[1-3]' } }]);
  });

  test('the fault of the second is found, with its own hosts and a remedy', async () => {
    const judgement = await judge({ incident: 'brick-down', names: 'gl', sameVolumes: false });
    const [brick] = findings(judgement);
    expect(brick?.summary).toBe('ndata1: 1 brick of 6 down: ns2:/data/brick2/ndata1');
    expect(brick?.remedies[0]?.subjects).toEqual([{ kind: 'brick', id: 'ns2:/data/brick2/ndata1' }]);
  });

  test('a volume of a name that both have says which pool, and explains nothing of the other', async () => {
    const judgement = await judge({ incident: 'brick-down', names: 'ns', sameVolumes: true });
    const found = findings(judgement);
    expect(found[0]).toMatchObject({
      id: 'gluster:brick-down:data1@ns1',
      subject: volume('data1@ns1'),
      summary: 'pool ns1: data1: 1 brick of 6 down: ns2:/data/brick2/data1',
    });
    const series = tracks(judgement).map((one) => one.series);
    expect(new Set(series).size).toBe(series.length);
  });

  test('the pane shows the volumes of both, each with its own detail', async () => {
    const judgement = await judge({ incident: 'stuck-lock', names: 'gl', sameVolumes: true });
    const { summary, blocks } = view(judgement);
    expect(summary).toBe('6 peers, 2 pools, 4 volumes');
    const rows = blocks.flatMap((block) =>
      block.type === 'table' && block.id === 'volumes' ? block.rows : [],
    );
    expect(rows.map(({ key, sign }) => [key, sign])).toEqual([
      ['home0@gl1', expect.not.stringMatching('critical')],
      ['data1@gl1', expect.anything()],
      ['home0@ns1', 'critical'],
      ['data1@ns1', expect.anything()],
    ]);
    expect(JSON.stringify(detail(volume('home0@ns1'), judgement))).toContain('held by ns1 on ns3');
    expect(JSON.stringify(detail(volume('home0@gl1'), judgement))).not.toContain('held by');
  });

  test('each pool has an asker of its own', async () => {
    const readings = await twoPools({ incident: 'quiet', names: 'gl', sameVolumes: true });
    const volumes = glusterProbes.find(({ id }) => id === 'gluster.volumes');
    const asked = site.hosts.filter((host) => volumes?.when?.(host, { site, readings, now: start }));
    expect(asked.map(({ name }) => name)).toEqual(['gl1', 'ns1']);
  });
});

describe('acting where there are two pools', () => {
  test('on a volume of one, with guards on its own peers only', async () => {
    const judgement = await judge({ incident: 'stuck-lock', names: 'gl', sameVolumes: false });
    const made = plan(judgement, 'gluster.free-lock', volume('nhome0'));
    if (!made || 'refused' in made) throw new Error(made?.reason);
    const [target] = made.targets;
    expect(target?.steps.map(({ host }) => host)).toEqual(['ns1']);
    const asked = target?.guards.flatMap(({ reads }) => reads.map(({ host }) => host)) ?? [];
    expect([...new Set(asked)]).toEqual(['ns1', 'ns2', 'ns3']);
    expect(target?.guards.filter(({ check }) => !check(judgement).ok)).toEqual([]);
    expect(target?.subject).toEqual(volume('nhome0'));
  });

  test('a name that both have is refused, and taken with its pool', async () => {
    const judgement = await judge({ incident: 'stuck-lock', names: 'gl', sameVolumes: true });
    expect(plan(judgement, 'gluster.free-lock', volume('home0'))).toMatchObject({
      refused: true,
      reason: '2 pools have a volume home0: which is meant? home0@gl1 or home0@ns1',
    });
    expect(plan(judgement, 'gluster.free-lock', volume('home0@gl1'))).toMatchObject({
      refused: true,
      reason: 'home0 is not locked, as far as the dumps show',
    });
    const made = plan(judgement, 'gluster.free-lock', volume('home0@ns1'));
    if (!made || 'refused' in made) throw new Error(made?.reason);
    expect(made.targets[0]?.subject).toEqual(volume('home0@ns1'));
    const [step] = made.targets[0]?.steps ?? [];
    expect(step?.host).toBe('ns1');
    expect(JSON.stringify(step)).toMatch(/\bhome0\b(?!@)/);
    expect(JSON.stringify(step)).not.toContain('@');
  });

  test('volumes of both are no one plan', async () => {
    const judgement = await judge({ incident: 'stuck-lock', names: 'gl', sameVolumes: false });
    expect(plan(judgement, 'gluster.free-lock', volume('home0'), volume('nhome0'))).toMatchObject({
      refused: true,
      reason: 'home0 and nhome0 are in two pools (gl1, ns1): one plan is about one pool',
    });
  });
});

describe('one pool stays one', () => {
  const peer = (
    readings: Sources,
    host: string,
    edit: (value: PeerReading) => Partial<PeerReading>,
  ): void => {
    const good = readings.source<PeerReading>('gluster.peer', host)?.good;
    if (good) readings.good('gluster.peer', host, { ...good.value, ...edit(good.value) });
  };
  const onePool = async (): Promise<Pool> => {
    const pool = new Pool('quiet');
    await pool.poll();
    return pool;
  };
  const kinds = (pool: Pool): string[] => findings(pool.judgement()).map(({ kind }) => kind);

  test('with a peer that is away, and one that has lost what it knew', async () => {
    const pool = await onePool();
    peer(pool.readings, 'gl2', () => ({ pool: undefined, silent: 'no answer' }));
    expect(kinds(pool)).not.toContain('several-pools');
    peer(pool.readings, 'gl3', ({ pool: list = [] }) => ({
      uuid: '11111111-2222-4333-8444-555555555555',
      pool: list
        .filter(({ host }) => host === 'localhost')
        .map((one) => ({ ...one, uuid: '11111111-2222-4333-8444-555555555555' })),
    }));
    expect(kinds(pool)).not.toContain('several-pools');
  });

  test('with a host that nobody knows and that has no volumes', async () => {
    const pool = await onePool();
    for (const host of ['gl1', 'gl2'])
      peer(pool.readings, host, ({ pool: list = [] }) => ({
        pool: list.filter((one) => one.host !== 'gl3'),
      }));
    peer(pool.readings, 'gl3', ({ pool: list = [] }) => ({
      pool: list.filter((one) => one.host === 'localhost'),
    }));
    expect(kinds(pool)).not.toContain('several-pools');
  });
});

test("a brick hangs on the site's host of its peer, whatever the pool calls that", async () => {
  const judgement = await judge({ incident: 'quiet', names: 'gl', sameVolumes: true });
  const hanging = facts(judgement).map(({ subject, value }) => [subject, value]);
  for (const host of ['gl2', 'ns2'])
    expect(hanging).toContainEqual([
      { kind: 'brick', id: `${host}:/data/brick2/data1` },
      { on: { kind: 'host', id: host }, carries: 'data' },
    ]);
  expect(facts(judgementOf({ readings: new Sources(), site }))).toEqual([]);
  const places = facts(judgement).filter(({ name }) => name === 'data.place');
  expect(places).toContainEqual({
    name: 'data.place',
    subject: { kind: 'brick', id: 'gl2:/data/brick2/data1' },
    value: { host: 'gl2', on: '/data/brick2' },
  });
});
