import { describe, expect, it } from 'vitest';
import { foreignFindings } from '../../probes/storage/judge/find-foreign.ts';
import { storage } from '../../probes/storage/index.ts';
import { mdArrays } from '../../probes/storage/read/md-arrays.ts';
import { parseMultipath } from '../../probes/storage/read/parse-multipath.ts';
import { parseZpool } from '../../probes/storage/read/parse-zpool.ts';
import { zfsArrays } from '../../probes/storage/read/zfs-arrays.ts';
import { readControllers } from '../../probes/storage/read/read-controllers.ts';
import type { ArraysReading, ControllersReading, ReadArray } from '../../probes/storage/readings.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { array, judge } from './make.ts';

const said = (arrays: readonly ReadArray[], more: Partial<ArraysReading> = {}): string[] =>
  storage
    .findings(judge(arrays, more))
    .map(({ severity, kind, summary }) => `${severity} ${kind}: ${String(summary)}`);

describe('an array of md that takes no writes', () => {
  const read = (state: string, where: Partial<ReadArray> = { mount: '/srv/archive' }): ReadArray[] =>
    mdArrays(
      [{ name: 'md5', active: true, level: 'raid5', disks: [], expected: 2, pattern: 'UU' }],
      [
        {
          name: 'md5',
          arrayState: state,
          raidDisks: 2,
          disks: ['sda', 'sdb'].map((name, slot) => ({ name, slot, state: 'in_sync' })),
        },
      ],
      new Map(),
    ).map((one) => ({ ...one, ...where }));

  it('is told, as a notice where nobody has it mounted', () => {
    expect(said(read('readonly'))).toEqual([
      'warning array-read-only: array2: md5 on /srv/archive (raid5) is read-only: every write to it fails',
    ]);
    expect(said(read('readonly', {}))).toEqual([
      'notice array-read-only: array2: md5 (raid5) is read-only: every write to it fails',
    ]);
  });

  it.each(['clean', 'read-auto', 'active'])('says nothing of %s', (state) => {
    expect(said(read(state))).toEqual([]);
  });
});

describe('logs and caches of a pool', () => {
  const pool = (rows: string): ReadArray[] =>
    zfsArrays(
      parseZpool({
        stdout: `  pool: tank\n state: DEGRADED\nconfig:\n\n\tNAME        STATE     READ WRITE CKSUM\n\ttank        DEGRADED     0     0     0\n\t  mirror-0  ONLINE       0     0     0\n\t    sda     ONLINE       0     0     0\n\t    sdb     ONLINE       0     0     0\n${rows}\nerrors: No known data errors\n`,
      }).pools ?? [],
    );

  it('a log that is gone is a warning, half of one and a cache are notices', () => {
    expect(said(pool('\tlogs\n\t  nvme0n1   FAULTED      0    87     0  too many errors\n'))).toEqual([
      'warning pool-beside-lost: array2: pool tank: log device FAULTED, synchronous writes go to its data disks: nvme0n1',
    ]);
    expect(
      said(
        pool(
          '\tlogs\n\t  mirror-1  DEGRADED     0     0     0\n\t    nvme0n1 ONLINE       0     0     0\n\t    nvme1n1 UNAVAIL      0     0     0\n\tcache\n\t  nvme2n1   REMOVED      0     0     0\n',
        ),
      ),
    ).toEqual([
      'notice pool-beside-lost: array2: pool tank: log device UNAVAIL, 1 left: nvme1n1',
      'notice pool-beside-lost: array2: pool tank: cache device REMOVED: nvme2n1',
    ]);
  });

  it.each([
    [
      'all are well',
      '\tlogs\n\t  nvme0n1   ONLINE       0     0     0\n\tcache\n\t  nvme2n1   ONLINE       0     0     0\n',
    ],
    ['there are none', ''],
    ['a spare is in use', '\tspares\n\t  sdz       INUSE     currently in use\n'],
  ])('nothing is said where %s', (_, rows) => {
    expect(said(pool(rows)).filter((line) => line.includes('beside'))).toEqual([]);
  });
});

describe('paths with errors now and then', () => {
  it('are known by the mark of multipathd', () => {
    const { maps = [] } = parseMultipath({
      stdout: JSON.stringify({
        maps: [
          {
            name: 'mpatha',
            path_groups: [
              { paths: [{ dev: 'sdb', dm_st: 'active', chk_st: 'ready', marginal_st: 'normal' }] },
              { paths: [{ dev: 'sdd', dm_st: 'active', chk_st: 'ready', marginal_st: 'marginal' }] },
            ],
          },
        ],
      }),
    });
    expect(maps[0]?.groups.flatMap(({ paths }) => paths.map(({ marginal }) => marginal ?? false))).toEqual([
      false,
      true,
    ]);
  });

  const map = { name: 'mpatha', usable: 4, paths: 4 };
  it('are a warning, alone or beside one that is lost', () => {
    expect(said([array('gggggg')], { maps: [{ ...map, marginal: ['sdd'] }] })).toEqual([
      'warning paths-marginal: array2: mpatha: sdd marginal, 3 of 4 paths left that work well',
    ]);
    expect(
      said([array('gggggg')], { maps: [{ ...map, usable: 3, lost: ['sdh'], marginal: ['sdd'] }] }),
    ).toEqual(['warning paths-lost: array2: mpatha has 3 of 4 paths, of these sdd marginal']);
  });

  it('nothing is said where none is, or where multipathd has no such mark', () => {
    expect(said([array('gggggg')], { maps: [map] })).toEqual([]);
    expect(said([array('gggggg')], { maps: [{ ...map, usable: 2, paths: 2 }] })).toEqual([]);
  });
});

/** storcli of one controller, twice the same; `numbers`: what is asked of the disks apart is answered. */
const controller = (data: object, numbers = true): string[] => {
  const text = JSON.stringify({
    Controllers: [{ 'Command Status': { Controller: 0, Status: 'Success' }, 'Response Data': data }],
  });
  const part = (word: string, body: string): string =>
    `@@faultline ${word}\n${body}\n@@faultline ${word}-exit 0\n`;
  const { value } = readControllers(
    answerOf(
      `${part('storcli', text)}${part('storcli-disks', numbers ? text : 'unrecognized arguments')}@@faultline end\n`,
    ),
  );
  const sources = new Sources();
  for (const at of [start - 60_000, start]) sources.good('storage.controllers', 'array2', value, at, 20, 1);
  const site = siteOf([{ name: 'array2', roles: ['storage'] }], { settings: { storage: {} } });
  return storage
    .findings(judgementOf({ readings: sources, site }))
    .map(({ severity, kind, summary }) => `${severity} ${kind}: ${String(summary)}`);
};
const disk = (slot: number, more: object = {}): object => ({
  'EID:Slt': `32:${slot}`,
  State: 'Onln',
  DG: 0,
  ...more,
});
const two = (first: string, second: string): object => ({
  'VD LIST': [
    { 'DG/VD': '0/239', TYPE: 'RAID1', State: 'Optl', Cache: first, Name: 'ost10' },
    { 'DG/VD': '1/238', TYPE: 'RAID1', State: 'Optl', Cache: second, Name: 'ost11' },
  ],
  'PD LIST': [disk(0), disk(1), disk(2, { DG: 1 }), disk(3, { DG: 1 })],
});

describe('a controller', () => {
  it('with one array set to write through beside one that writes back: by name, a notice', () => {
    expect(controller(two('RWTD', 'RWBD')).filter((line) => line.includes('cache-off'))).toEqual([
      'notice cache-off: array2: write cache off (controller 0, c0/0/239 ost10): by its own setting',
    ]);
  });

  it.each([
    ['all write back', two('RWBD', 'RWBD')],
    ['all are set to write through, and nothing keeps a cache', two('RWTD', 'RWTD')],
  ])('nothing is said of its cache where %s', (_, data) => {
    expect(controller(data).filter((line) => line.includes('cache'))).toEqual([]);
  });

  it('of which only the numbers of its disks are not told is a notice', () => {
    const silent = controller(two('RWBD', 'RWBD'), false).filter((line) => line.includes('silent'));
    expect(silent).toEqual([
      expect.stringMatching(/^notice controller-silent: array2: storcli does not say all/),
    ]);
    expect(controller(two('RWBD', 'RWBD')).filter((line) => line.includes('silent'))).toEqual([]);
  });

  it('with a foreign disk says which', () => {
    const foreign = disk(5, { State: 'UGood', DG: 'F' });
    const data = {
      'VD LIST': [{ 'DG/VD': '0/239', TYPE: 'RAID1', State: 'Optl', Cache: 'RWBD' }],
      'PD LIST': [disk(0), disk(1), foreign],
    };
    expect(controller(data).filter((line) => line.includes('foreign'))).toEqual([
      'notice disk-foreign: array2: disk c0 32:5 is foreign',
    ]);
    expect(controller(two('RWBD', 'RWBD')).filter((line) => line.includes('foreign'))).toEqual([]);
  });
});

describe('a foreign disk beside an array that waits for one', () => {
  const told = (id: string): string[] => {
    const slots = [{ disk: 'c0 32:1', state: 'good' as const }, { state: 'missing' as const }];
    const arrays = [{ id, level: 'RAID1', layout: { kind: 'mirror' as const }, slots }];
    const tool = { tool: 'storcli', arrays, caches: [], batteries: [], suspects: [], foreign: ['c0 32:5'] };
    const sources = new Sources();
    sources.good('storage.controllers', 'array2', { tools: [tool] }, start, 20, 1);
    const source = sources.source<ControllersReading>('storage.controllers', 'array2');
    if (!source) throw new Error('no source');
    return foreignFindings(source, tool as never).map(
      ({ severity, summary }) => `${severity} ${String(summary)}`,
    );
  };

  it('is what that waits for, where both hang on one controller', () => {
    expect(told('c0/0/239 home')).toEqual([
      'warning array2: disk c0 32:5 is foreign: c0/0/239 home waits for a disk and does not rebuild',
    ]);
    expect(told('c1/0/239 home')).toEqual(['notice array2: disk c0 32:5 is foreign']);
  });
});

describe('errors of members of a pool that work', () => {
  /** A raidz2 of eight; `fourth` is its row, `cksum` the errors of its second disk. */
  const pool = (cksum: number, fourth = '\t    sdd     ONLINE       0     0     0', state = 'ONLINE') =>
    zfsArrays(
      parseZpool({
        stdout: `  pool: tank\n state: ${state}\nconfig:\n\n\tNAME        STATE     READ WRITE CKSUM\n\ttank        ${state}     0     0     0\n\t  raidz2-0  ${state}     0     0     0\n\t    sda     ONLINE       0     0     0\n\t    sdb     ONLINE       0     0   ${cksum}\n\t    sdc     ONLINE       0     0     0\n${fourth}\n\nerrors: No known data errors\n`,
      }).pools ?? [],
    );
  const errors = (read: ReadArray[]): string[] => said(read).filter((line) => line.includes('member-errors'));
  const away = '\t    sdd     UNAVAIL      3     1     7';

  it('are a warning while redundancy is reduced, else a notice', () => {
    expect(errors(pool(318, away, 'DEGRADED'))).toEqual([
      'warning member-errors: array2: tank/raidz2-0: sdb has 318 checksum errors, redundancy is reduced',
    ]);
    expect(errors(pool(318))).toEqual([
      'notice member-errors: array2: tank/raidz2-0: sdb has 318 checksum errors',
    ]);
  });

  it.each([
    ['there are none', pool(0, away, 'DEGRADED')],
    ['there are a few, and nothing is missing', pool(5)],
    ['the pool takes no IO: that is told', pool(318, away, 'SUSPENDED')],
    [
      'the disk that is filled has them',
      pool(
        0,
        '\t    replacing-3  DEGRADED     0     0     0\n\t      sdd   UNAVAIL      3     1     7\n\t      sde   ONLINE       0     0   318  (resilvering)',
        'DEGRADED',
      ),
    ],
  ])('are not told where %s', (_, read) => expect(errors(read)).toEqual([]));
});
