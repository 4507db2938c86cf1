import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/gluster/judge/findings.ts';
import type { PeerReading } from '../../../probes/gluster/readings.ts';
import { type Row, type Site, daemon, run, seen } from './edits.ts';

const asked: Site = { volume: { options: { 'cluster.server-quorum-type': 'server' } } };
const unseen = [seen(['gl1'], 'gl2', { connected: false }), seen(['gl1'], 'gl3', { connected: false })];
const gone = ['gl2', 'gl3'].map((host) => daemon(host, { state: 'down' }));
const back = ['gl2', 'gl3'].map((host) => daemon(host, { ageS: 9 }));

// glusterd of gl2 and gl3 end at one time; each host is asked every 15 s at a time of its own.
describe('server quorum lost between two polls', () => {
  it.each<Row>([
    ['gl1 is read first: it sees too few', unseen, ['warning server-quorum'], { ...asked, down: [0] }],
    ['the others are read first: gl1 still has its bricks', gone, [], asked],
    ['all are read', [...unseen, ...gone], ['critical server-quorum'], { ...asked, down: [0, 1, 2] }],
    ['one of three was not seen once', unseen.slice(0, 1), [], asked],
    ['of volumes that ask for none', [...unseen, ...gone], []],
    [
      'of volumes that are stopped',
      [...unseen, ...gone],
      [],
      { volume: { ...asked.volume, status: 'Stopped' } },
    ],
    ['they are back, and gl1 sees them again', back, [], asked],
  ])('%s', async (_what, edits, expected, site) => {
    const found = findings((await run(edits, site)).judgement());
    expect(
      found.filter(({ kind }) => kind === 'server-quorum').map(({ severity, kind }) => `${severity} ${kind}`),
    ).toEqual(expected);
    // Without quorum glusterd refuses, whoever was read first.
    expect(found.flatMap(({ remedies }) => remedies.map(({ action }) => action))).not.toContain(
      'gluster.start-brick',
    );
  });
});

// gl1 says that it sees nobody; whether it or they are cut off is known when they were asked since.
describe('a peer that sees too few, as the first of all', () => {
  const quorumAfter = async (others: number, unseenBefore: readonly string[] = []) => {
    const pool = await run([], { ...asked, down: [0] });
    const { value, at } = pool.readings.source<PeerReading>('gluster.peer', 'gl1')?.good ?? {};
    if (value === undefined || at === undefined) throw new Error('gl1 was not read');
    const without = (unseen: readonly string[]): PeerReading => ({
      ...value,
      pool: value.pool?.map((one) => ({ ...one, connected: !unseen.includes(one.host) })),
    });
    pool.readings.good('gluster.peer', 'gl1', without(unseenBefore), at);
    pool.readings.good('gluster.peer', 'gl1', without(['gl2', 'gl3']), at + 15_000, 20, 1);
    for (const host of ['gl2', 'gl3'])
      pool.readings.good('gluster.peer', host, pool.readings.copyOf('gluster.peer', host), at + others);
    return findings(pool.judgement()).find(({ kind }) => kind === 'server-quorum');
  };
  it.each<[string, string[]]>([
    ['all were there before', []],
    ['one of them was away before', ['gl2']],
  ])('tells of the volumes, and that the others were not asked since: %s', async (_what, unseenBefore) => {
    const found = await quorumAfter(4000, unseenBefore);
    expect(found?.summary).toMatch(
      /: server quorum lost as gl1 sees it: 1 of 3, not gl2, gl3; these were not asked since$/,
    );
  });
  it.each<[string, number, string[]]>([
    ['once the others were asked', 16_000, []],
    ['where it saw nobody before, either', 4000, ['gl2', 'gl3']],
  ])('not %s: it is cut off', async (_what, others, unseenBefore) => {
    expect((await quorumAfter(others, unseenBefore))?.summary).toMatch(/^gl1: its glusterd sees 1 of 3/);
  });
});

describe('who does not see whom', () => {
  const none = { connected: false };
  const said = async (...edits: Row[1]): Promise<string[]> =>
    findings((await run(edits)).judgement()).map(({ summary }) => summary);
  it.each<[string, Row[1], string[]]>([
    [
      'one is cut off: it is told once, of it',
      [seen(['gl1', 'gl2'], 'gl3', none), seen(['gl3'], 'gl1', none), seen(['gl3'], 'gl2', none)],
      ['gl3 disconnected for gl1, gl2 though its glusterd runs'],
    ],
    [
      'one sees nobody, and the others were read before',
      [seen(['gl3'], 'gl1', none), seen(['gl3'], 'gl2', none)],
      ['gl3 does not see gl1, gl2, who see it'],
    ],
    [
      'of a pair it can not be told which',
      [seen(['gl1'], 'gl2', none), seen(['gl2'], 'gl1', none)],
      [
        'gl2 disconnected for gl1 though its glusterd runs',
        'gl1 disconnected for gl2 though its glusterd runs',
      ],
    ],
    [
      'one that was started a moment ago',
      [daemon('gl3', { ageS: 9 }), seen(['gl1', 'gl2'], 'gl3', none)],
      [],
    ],
    ['all see all', [], []],
  ])('%s', async (_what, edits, expected) => expect(await said(...edits)).toEqual(expected));
});
