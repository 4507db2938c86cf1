import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/gluster/judge/findings.ts';
import type { PeerReading } from '../../../probes/gluster/readings.ts';
import {
  type Disk,
  type Row,
  type Site,
  arbiter,
  clocks,
  daemon,
  detached,
  disk,
  heal,
  noSelfHeal,
  options,
  peer,
  quotaDaemon,
  run,
  seen,
  space,
  split,
  told,
} from './edits.ts';

const pair: Site = {
  volume: {
    replica: 2,
    options: { 'cluster.server-quorum-type': 'server', 'cluster.server-quorum-ratio': '51%' },
  },
  bricks: 2,
};
const noInodes: Disk = { filesFree: 0 };

describe('what waits to be healed', () => {
  it.each<Row>([
    ['a few, once', [heal([14, 14, 14])], ['notice heal-pending']],
    ['fewer each time', [heal([100, 100, 0], [500, 900])], ['notice heal-pending']],
    ['one file in split-brain on three bricks', [split(['/f'])], ['critical split-brain']],
    [
      'a user removes 200,000 files: all bricks are up and list alike',
      [heal([200_000, 190_000, 198_000], [90_000, 0])],
      ['notice heal-pending'],
    ],
    [
      'the same on two sets of copies, of which one has more',
      [heal([900, 890, 880, 20, 21, 22], [90, 0])],
      ['notice heal-pending'],
      { volume: { type: 'Distributed-Replicate' }, bricks: 6 },
    ],
    [
      'a rebalance',
      [
        heal([50, 44, 47], [30, 10]),
        peer('gl1', ({ processes }) => ({
          processes: [...processes, { pid: 77, state: 'Ssl', ageS: 900, kind: 'rebalance', volume: 'v' }],
        })),
      ],
      ['notice heal-pending'],
    ],
    [
      'a client does not reach one brick, which the others accuse',
      [heal([300, 301, 0], [200, 100])],
      ['warning heal-pending'],
    ],
    [
      'of 4+2, the same',
      [heal([30, 30, 30, 30, 30, 0], [20, 10])],
      ['warning heal-pending'],
      { volume: { type: 'Disperse', replica: 1, disperse: 6, redundancy: 2 }, bricks: 6 },
    ],
    [
      'one brick was not counted',
      [heal([300, 300, undefined], [200, 100])],
      ['warning brick-unserved', 'warning heal-pending'],
    ],
    [
      'one brick is down',
      [heal([300, 300, undefined], [200, 100])],
      ['warning brick-down', 'warning heal-pending'],
      { down: [2] },
    ],
    [
      'quotas, and no quota daemon on one',
      [quotaDaemon('gl1'), quotaDaemon('gl3')],
      ['warning quota-daemon-down'],
      options({ 'features.quota': 'on' }),
    ],
    [
      'no self-heal daemon on one',
      [heal([300, 300, 300], [200, 100]), noSelfHeal('gl2')],
      ['warning self-heal-down', 'warning heal-pending'],
    ],
    [
      'late while the disks are fine, on a volume read before',
      [heal([1, 1, 1], [], { error: 'no answer in time', late: true, readAt: 1 })],
      ['notice heal-pending', 'warning heal-unread'],
    ],
    ['none', [heal([0, 0, 0], [4, 9])], []],
  ])('%s', async (_what, edits, expected, site) => {
    expect((await told(edits, site)).toSorted()).toEqual([...expected].toSorted());
  });
});

describe('disks', () => {
  it.each<Row>([
    [
      'an arbiter without inodes: names can not be made',
      [disk(2, noInodes)],
      ['critical brick-full'],
      arbiter,
    ],
    ['an arbiter without space: it holds no data', [disk(5, space(99.5))], ['warning brick-full'], arbiter],
    ['an arbiter nearly full', [disk(2, space(96))], ['notice brick-full'], arbiter],
    [
      'an arbiter without space or inodes',
      [disk(2, { ...space(100), ...noInodes })],
      ['critical brick-full'],
      arbiter,
    ],
    ['a data brick without space', [disk(3, space(99.5))], ['critical brick-full'], arbiter],
    [
      'a data brick and an arbiter on one full disk',
      [disk(2, space(99.5)), disk(5, space(99.5))],
      ['critical brick-full'],
      {
        ...arbiter,
        volume: {
          ...arbiter.volume,
          bricks: (arbiter.volume?.bricks ?? []).map(({ arbiter: _a, ...one }, at) => ({
            ...one,
            ...(at === 2 && { arbiter: true }),
          })),
        },
      },
    ],
    [
      'storage.reserve 5, 96 % used: writes are refused',
      [disk(1, space(96))],
      ['critical brick-full'],
      options({ 'storage.reserve': '5' }),
    ],
    [
      'storage.reserve 0, 99.5 % used',
      [disk(1, space(99.5))],
      ['warning brick-full'],
      options({ 'storage.reserve': '0' }),
    ],
    ['a file system that counts no inodes', [disk(1, { filesTotal: 0, filesFree: 0 })], []],
    ['an arbiter with room', [disk(2, space(90))], [], arbiter],
    [
      'an error of the disk while the process lives',
      [disk(1, { state: 'failed', text: "stat: cannot statx '/b/1': Input/output error" })],
      ['warning brick-disk'],
    ],
  ])('%s', async (_what, edits, expected, site) => {
    expect(await told(edits, site)).toEqual(expected);
  });
});

describe('peers', () => {
  const away = seen(['gl1', 'gl3'], 'gl2', { connected: false });
  it.each<Row>([
    ['a glusterd of 9 s that the others do not see yet', [daemon('gl2', { ageS: 9 }), away], []],
    [
      'a glusterd of 9 s that does not answer yet',
      [
        daemon('gl2', { ageS: 9 }),
        away,
        peer(
          'gl2',
          ({ pool: _pool, ...value }) =>
            ({ ...value, pool: undefined, silent: 'Connection failed' }) as Partial<PeerReading>,
        ),
      ],
      ['notice glusterd-starting'],
    ],
    [
      'one of two minutes that they still do not see',
      [daemon('gl2', { ageS: 120 }), away],
      ['warning peer-disconnected'],
    ],
    ['one whose age was not told', [daemon('gl2', { ageS: undefined }), away], ['warning peer-disconnected']],
    ['detached on purpose, and alone', [detached('gl3')], [], { bricks: 2, volume: { replica: 2 } }],
    ['known by address in the pool', [seen(['gl1', 'gl3'], 'gl2', { host: '10.1.1.2' })], []],
    [
      'one that is stuck in joining',
      [seen(['gl1'], 'gl3', { state: 'Probe Sent to Peer' })],
      ['warning peer-rejected'],
    ],
    [
      'glusterd down, no quorum asked for: bricks go on',
      [
        daemon('gl2', { state: 'down' }),
        daemon('gl3', { state: 'down' }),
        seen(['gl1'], 'gl2', { connected: false }),
        seen(['gl1'], 'gl3', { connected: false }),
      ],
      ['warning glusterd-down', 'warning glusterd-down'],
    ],
    [
      'a pool of two, ratio 51 %, one away',
      [detached('gl3'), daemon('gl2', { state: 'down' }), seen(['gl1'], 'gl2', { connected: false })],
      ['warning glusterd-down', 'critical server-quorum'],
      pair,
    ],
    ['a rolling upgrade', [peer('gl2', () => ({ version: '11.1' }))], []],
  ])('%s', async (_what, edits, expected, site) => {
    expect((await told(edits, site)).toSorted()).toEqual([...expected].toSorted());
  });
});

describe('clocks', () => {
  const said = async (...offS: number[]): Promise<string[]> =>
    findings((await run(clocks(...offS))).judgement()).map(({ summary }) => summary.split(':')[0] ?? '');
  it.each<[string, number[], string[]]>([
    ['one ahead', [30, 0, 0], ['the clock of gl1 is 30 s ahead']],
    [
      'two, each its own',
      [30, -40, 0],
      ['the clock of gl1 is 30 s ahead', 'the clock of gl2 is 40 s behind'],
    ],
    ['all alike: our own', [-41, -40, -40], ["the clock of this machine is 40 s ahead of all 3 peers'"]],
    [
      'all but one alike, and that one too is off',
      [40, 40, 300],
      ["the clock of this machine is 40 s behind 2 of 3 peers'", 'the clock of gl3 is 260 s ahead'],
    ],
    [
      'all, each its own',
      [30, -40, 90],
      ['the clock of gl1 is 30 s ahead', 'the clock of gl2 is 40 s behind', 'the clock of gl3 is 90 s ahead'],
    ],
    ['a few seconds, all alike', [4, 4, 4], []],
    ['none', [0, 0, 0], []],
  ])('%s', async (_what, offS, expected) => expect(await said(...offS)).toEqual(expected));
});

describe('volumes', () => {
  it.each<Row>([
    [
      'quotas, and a quota daemon on each',
      ['gl1', 'gl2', 'gl3'].map(quotaDaemon),
      [],
      options({ 'features.quota': 'on' }),
    ],
    ['no quotas: no quota daemon is missed', [], [], options({ 'features.quota': 'off' })],
    [
      'quotas, and a glusterd that was started 9 s ago',
      [quotaDaemon('gl1'), quotaDaemon('gl3'), daemon('gl2', { ageS: 9 })],
      [],
      options({ 'features.quota': 'on' }),
    ],
    [
      'no self-heal daemon on a volume without copies',
      ['gl1', 'gl2', 'gl3'].map(noSelfHeal),
      [],
      { volume: { type: 'Distribute', replica: 1 } },
    ],
    [
      'no self-heal daemon where it is switched off',
      ['gl1', 'gl2', 'gl3'].map(noSelfHeal),
      [],
      options({ 'cluster.self-heal-daemon': 'off' }),
    ],
    ['reset-brick under way: its process was stopped', [], ['warning brick-down'], { down: [1] }],
    ['no volume at all', [(pool) => pool.readings.good('gluster.volumes', 'gl1', { volumes: [] })], []],
    [
      'bricks known by address',
      [seen(['gl1', 'gl3'], 'gl2', { host: '10.1.1.2' })],
      ['warning brick-down'],
      {
        down: [1],
        volume: { bricks: ['gl1', '10.1.1.2', 'gl3'].map((host, at) => ({ host, path: `/b/${at}` })) },
      },
    ],
  ])('%s', async (_what, edits, expected, site) => {
    expect(await told(edits, site)).toEqual(expected);
  });

  it('where nobody heals, it is not said that it goes on by itself', async () => {
    const [found] = findings(
      (await run([heal([5, 5, 5])], options({ 'cluster.self-heal-daemon': 'off' }))).judgement(),
    );
    expect(found).toMatchObject({ kind: 'heal-pending', advice: expect.stringMatching(/switched off/) });
  });
});
