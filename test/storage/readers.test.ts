import { describe, expect, it } from 'vitest';
import { parseLvs } from '../../probes/storage/read/parse-lvs.ts';
import { parseMdadm } from '../../probes/storage/read/parse-mdadm.ts';
import { parseMdstat } from '../../probes/storage/read/parse-mdstat.ts';
import { parseMdsys } from '../../probes/storage/read/parse-mdsys.ts';
import { parseMultipath } from '../../probes/storage/read/parse-multipath.ts';
import { parseSmart } from '../../probes/storage/read/parse-smart.ts';
import { parseUps } from '../../probes/storage/read/parse-ups.ts';
import { parseZpool } from '../../probes/storage/read/parse-zpool.ts';
import { storageFormats } from '../../probes/storage/read/formats.ts';
import { CommandFailed, NotThisFormat, ParseError } from '../../src/model/errors.ts';

const lines = (...all: string[]): { stdout: string } => ({ stdout: `${all.join('\n')}\n` });

describe('md', () => {
  it('reads several flags of one disk, a state that waits, and the word broken', () => {
    const { arrays } = parseMdstat(
      lines(
        'Personalities : [raid6]',
        'md6 : active (auto-read-only) raid6 sdf[3](W)(F) sdl[6](S) sdc[0]',
        '      122880 blocks super 1.2 level 6, 512k chunk, algorithm 2 [6/4] [UUUU__]',
        '      \trecovery=DELAYED',
        '',
        'md0 : broken raid0 sda[0] sdb[1](F)',
        '      2048 blocks super 1.2 512k chunks',
      ),
    );
    expect(arrays).toMatchObject([
      {
        readOnly: 'auto-read-only',
        disks: [{ name: 'sdf', number: 3, flags: ['W', 'F'] }, { flags: ['S'] }, { name: 'sdc' }],
        pattern: 'UUUU__',
        sync: { action: 'recovery', state: 'DELAYED' },
      },
      { name: 'md0', active: false, broken: true, level: 'raid0' },
    ]);
  });

  it('says that there is no mdstat, and knows another file', () => {
    const none = parseMdstat({ stdout: '', stderr: 'cat: /proc/mdstat: No such file or directory\n' });
    expect(none.error?.kind).toBe('notFound');
    expect(() => parseMdstat(lines('processor : 0', 'vendor_id : x'))).toThrow(NotThisFormat);
  });

  it('keeps the word of a pulled disk, and where its copy lives', () => {
    const { arrays } = parseMdadm(
      lines(
        '/dev/md10:',
        '             State : clean, degraded, resyncing (DELAYED) ',
        '    Number   Major   Minor   RaidDevice State',
        '       0       8        0        0      active sync set-A   /dev/sda',
        '       1       8       16        1      faulty   missing',
        '       -       0        0        2      removed',
      ),
    );
    expect(arrays?.[0]).toMatchObject({
      state: ['clean', 'degraded', 'resyncing (DELAYED)'],
      disks: [
        { state: 'active sync set-A', device: '/dev/sda' },
        { number: 1, state: 'faulty   missing' },
        { raidDevice: 2, state: 'removed' },
      ],
    });
    expect(arrays?.[0]?.disks[1]).not.toHaveProperty('device');
  });

  it('takes what stands behind the UUID of metadata 0.90 for no part of it', () => {
    const { arrays } = parseMdadm(
      lines('/dev/md0:', '        Version : 0.90', '           UUID : a1:b2:c3:d4 (local to host node07)'),
    );
    expect(arrays?.[0]?.uuid).toBe('a1:b2:c3:d4');
  });

  it('reads what a reshape writes, and no array where nothing was printed', () => {
    const { arrays } = parseMdsys(
      lines('/sys/block/md0/md/raid_disks:4 (3)', '/sys/block/md0/md/dev-dm-0/slot:none'),
    );
    expect(arrays).toEqual([{ name: 'md0', raidDisks: 4, disks: [{ name: 'dm-0' }] }]);
    expect(parseMdsys({ stdout: '' })).toEqual({ arrays: [] });
  });
});

describe('zpool', () => {
  const pool = (...rows: string[]): { stdout: string } =>
    lines('  pool: tank', ' state: ONLINE', 'config:', '', '\tNAME  STATE     READ WRITE CKSUM', ...rows);

  it('keeps rounded counters as text, and a note behind them', () => {
    const { pools } = parseZpool(pool('\ttank  DEGRADED     0  1.2K     3  too many errors'));
    expect(pools?.[0]?.vdevs).toEqual([
      {
        name: 'tank',
        state: 'DEGRADED',
        read: 0,
        writeText: '1.2K',
        cksum: 3,
        note: 'too many errors',
        class: 'data',
      },
    ]);
  });

  it.each(['\t', ' '.repeat(8), ' '.repeat(4)])(
    'reads the tree behind %j, and no column of -s as a note',
    (margin) => {
      const { pools, notUnderstood } = parseZpool(
        lines(
          '  pool: tank',
          'config:',
          '',
          `${margin}NAME      STATE     READ WRITE CKSUM  SLOW`,
          `${margin}tank      ONLINE       0     0     0     -`,
          `${margin}  sda     ONLINE       0     0  6,3K    12  (untrimmed)`,
          `${margin}spares`,
          `${margin}  sdb     INUSE     currently in use`,
        ),
      );
      expect(notUnderstood).toBeUndefined();
      expect(pools?.[0]?.vdevs).toEqual([
        { name: 'tank', state: 'ONLINE', read: 0, write: 0, cksum: 0, class: 'data' },
        {
          name: 'sda',
          state: 'ONLINE',
          read: 0,
          write: 0,
          cksumText: '6,3K',
          note: '(untrimmed)',
          class: 'data',
          parent: 'tank',
        },
        { name: 'sdb', state: 'INUSE', note: 'currently in use', class: 'spare' },
      ]);
    },
  );

  it('takes the remark below a pool of which a vdev is missing for no vdev', () => {
    const read = parseZpool(
      lines(
        '   pool: tank',
        ' config:',
        '',
        '\ttank   UNAVAIL  missing device',
        '\t  sda  ONLINE',
        '',
        '\tAdditional devices are known to be part of this pool, though their',
        '\texact configuration cannot be determined.',
      ),
    );
    expect(read.pools?.[0]?.vdevs.map(({ name }) => name)).toEqual(['tank', 'sda']);
    expect(read).not.toHaveProperty('notUnderstood');
  });

  it.each([
    [['scrub in progress since Sun', '  1M repaired, 7,05% done'], 'scrub', 'inProgress', 7.05],
    [
      ['scrub in progress since Sun', '  7.5% done', 'resilvered (draid1:2d:4c:1s-0) 1M'],
      'scrub',
      'inProgress',
      7.5,
    ],
    [
      ['scrub repaired 0B', 'resilver (draid1:2d:4c:1s-0) in progress', '  50% done'],
      'resilver',
      'inProgress',
      50,
    ],
    [['scrub repaired 0B', 'resilvered (draid1:2d:4c:1s-0) 1M'], 'resilver', 'finished', undefined],
  ])('reads of scans one below the other what runs: %j', (texts, what, state, pct) => {
    const printed = texts.map((text) => (text.startsWith(' ') ? `\t${text}` : `  scan: ${text}`));
    const { scan } = parseZpool(lines('  pool: t', ...printed)).pools?.[0] ?? {};
    expect([scan?.function, scan?.state, scan?.pct]).toEqual([what, state, pct]);
    expect(scan?.text).toBe(texts.map((text) => text.trim()).join('\n'));
  });

  it('takes a file that is called like a field for a file', () => {
    const { pools } = parseZpool({
      stdout: `${pool('\ttank  ONLINE 0 0 0').stdout}\nerrors: Permanent errors:\n\n        state: x\n`,
    });
    expect(pools?.[0]).toMatchObject({ state: 'ONLINE', errors: 'Permanent errors:\nstate: x' });
  });

  it.each([
    ['resilver (draid2:4d:9c:1s-0) in progress since Sun', 'resilver', 'inProgress'],
    ['scrub canceled on Sun', 'scrub', 'canceled'],
    ['resilvered (draid1:2d:4c:1s-0) 1M in 00:00:01 with 0 errors on Sun', 'resilver', 'finished'],
    ['none requested', undefined, 'none'],
  ])('reads that "%s"', (text, what, state) => {
    const { scan } = parseZpool(lines('  pool: t', `  scan: ${text}`)).pools?.[0] ?? {};
    expect([scan?.function, scan?.state]).toEqual([what, state]);
  });

  it('keeps guids of --json-int exact, says which keys stood twice, and reads comments', () => {
    const read = parseZpool({
      stdout:
        '{"pools": {"t": {"name": "t", /* a // b */ "pool_guid": 17435643580472622790, "state": "ONLINE", "state": "SUSPENDED",\n"vdevs": {"t": {"name": "t", "not_present": 1, "read_errors": 3}}}}} // end',
    });
    expect(read.duplicateKeys).toEqual(['state']);
    expect(read.pools).toMatchObject([
      { guid: '17435643580472622790', state: 'SUSPENDED', vdevs: [{ notPresent: true, read: 3 }] },
    ]);
  });
});

describe('smart', () => {
  const smart = (rest: object, exit = 0): ReturnType<typeof parseSmart> =>
    parseSmart({ stdout: JSON.stringify({ smartctl: { exit_status: exit }, ...rest }) });

  it('leaves a sleeping disk asleep without an error', () => {
    const read = parseSmart({
      stdout: JSON.stringify({
        smartctl: {
          exit_status: 2,
          messages: [{ string: 'Device is in STANDBY mode, exit(2)', severity: 'information' }],
        },
      }),
    });
    expect(read).toMatchObject({ standby: true, exitBits: [1] });
    expect(read.error).toBeUndefined();
  });

  it('makes the name of a disk of its three parts', () => {
    expect(smart({ wwn: { naa: 5, oui: 3152, id: 3846131387 } }).wwn).toBe('5000c500e53f4ebb');
    expect(smart({ wwn: { naa: 5 } }).wwn).toBeUndefined();
  });

  it('has no error of a command that failed within, and one of a device that did not open', () => {
    expect(smart({}, 4).error).toBeUndefined();
    expect(smart({}, 1).error?.kind).toBe('other');
    expect(() => parseSmart({ stdout: '{"x": 1}' })).toThrow(NotThisFormat);
  });
});

describe('scans in the JSON of zpool', () => {
  const scanOf = (stats: object): unknown =>
    parseZpool({ stdout: JSON.stringify({ pools: { p: { name: 'p', scan_stats: stats } } }) }).pools?.[0]
      ?.scan;

  it('tells a scan that runs from one that is paused, with numbers and with texts', () => {
    const scan = { function: 'SCRUB', state: 'SCANNING', errors: 0 };
    expect(
      [0, '-', 1795363778, 'Sun Nov 22 16:09:29 2026'].map((scrub_pause) => scanOf({ ...scan, scrub_pause })),
    ).toMatchObject([
      { state: 'inProgress' },
      { state: 'inProgress' },
      { state: 'paused' },
      { state: 'paused' },
    ]);
  });

  it('takes an error scrub for a scrub', () => {
    const textOf = (scan: string): unknown =>
      parseZpool({ stdout: `  pool: p\n state: ONLINE\n  scan: ${scan}\nconfig:\n` }).pools?.[0]?.scan;
    expect([
      textOf('error scrub in progress since Sun Nov 22\n\t12.50% done, issued I/O for 3 error blocks'),
      textOf('scrubbed 24 error blocks in 0 days 00:00:02 on Sun Nov 22'),
      textOf('error scrub canceled on Sun Nov 22'),
    ]).toMatchObject([
      { function: 'scrub', state: 'inProgress', pct: 12.5 },
      { function: 'scrub', state: 'finished' },
      { function: 'scrub', state: 'canceled' },
    ]);
  });

  it('takes the rebuild that runs beside a scan that is over, and keeps a scan that runs', () => {
    const rebuild_stats = { 'draid1-0': { state: 'COMPLETE' }, 'draid1-1': { state: 'ACTIVE', errors: '2' } };
    const running = { function: 'resilver', state: 'inProgress', errors: 2 };
    expect(scanOf({ function: 'SCRUB', state: 'FINISHED', errors: '0', rebuild_stats })).toEqual(running);
    expect(scanOf({ rebuild_stats })).toEqual(running);
    expect(scanOf({ rebuild_stats: { 'mirror-0': { state: 'COMPLETE' } } })).toEqual({
      function: 'resilver',
      state: 'finished',
    });
    expect(scanOf({ function: 'SCRUB', state: 'SCANNING', scrub_pause: '-', rebuild_stats })).toEqual({
      function: 'scrub',
      state: 'inProgress',
    });
    expect(
      scanOf({ function: 'SCRUB', state: 'FINISHED', rebuild_stats: { 'mirror-0': { state: 'COMPLETE' } } }),
    ).toEqual({ function: 'scrub', state: 'finished' });
  });
});

it("takes NVMe's own multipath for maps of their own, not for the end of the one before", () => {
  const { maps } = parseMultipath({
    stdout: [
      'mpatha (3600a09) dm-0 MAKER,LUN',
      "size=10G features='1 queue_if_no_path' hwhandler='1 alua' wp=rw",
      "`-+- policy='service-time 0' prio=50 status=active",
      '  `- 0:0:0:1 sdb 8:16 active ready running',
      'eui.00e6d65b [nvme]:nvme1n1 NVMe,Some Controller,FFFFFFFF',
      "size=2147483648 features='n/a' hwhandler='ANA' wp=rw",
      "`-+- policy='n/a' prio=10 status=non-optimized",
      '  `- 1:3:8192 nvme1c3n1 0:0 n/a   non-optimized live',
    ].join('\n'),
  });
  expect(maps?.map(({ name, dm, size, queueing }) => [name, dm, size, queueing])).toEqual([
    ['mpatha', 'dm-0', '10G', true],
    ['eui.00e6d65b', '[nvme]:nvme1n1', '2147483648', undefined],
  ]);
  expect(maps?.[1]?.groups[0]?.paths).toMatchObject([
    { hctl: '1:3:8192', dev: 'nvme1c3n1', devState: 'live' },
  ]);
});

describe('multipath', () => {
  it('takes names and WWIDs that hold blanks, and no message for a map', () => {
    const { maps } = parseMultipath({
      stdout: [
        'mpatha (1IET     00080001) dm-0 IET,VIRTUAL-DISK',
        '1IET     00080007 dm-19 MAKER,Two Words',
        'no path left for dm-19',
      ].join('\n'),
    });
    expect(maps).toEqual([
      {
        name: 'mpatha',
        wwid: '1IET     00080001',
        dm: 'dm-0',
        vendor: 'IET',
        product: 'VIRTUAL-DISK',
        groups: [],
      },
      {
        name: '1IET     00080007',
        wwid: '1IET     00080007',
        dm: 'dm-19',
        vendor: 'MAKER',
        product: 'Two Words',
        groups: [],
      },
    ]);
  });

  it('reads an alias, a product with blanks, and a path whose device is gone', () => {
    const { maps } = parseMultipath(
      lines(
        'mpatha (3600508b4000156d700012000000b0000) dm-0 DGC,RAID  5',
        "size=10G features='0' hwhandler='0' wp=ro",
        "`-+- policy='round-robin 0' prio=-1 status=enabled",
        '  `- #:#:#:# -   #:#  active undef running',
      ),
    );
    expect(maps).toEqual([
      {
        name: 'mpatha',
        wwid: '3600508b4000156d700012000000b0000',
        dm: 'dm-0',
        vendor: 'DGC',
        product: 'RAID 5',
        size: '10G',
        features: '0',
        queueing: false,
        readOnly: true,
        groups: [
          {
            policy: 'round-robin 0',
            prio: -1,
            status: 'enabled',
            paths: [{ dmState: 'active', checker: 'undef', devState: 'running' }],
          },
        ],
      },
    ]);
  });

  it('reads a checker that waits, and a vendor that is not known', () => {
    const { maps } = parseMultipath(
      lines(
        '3600508b4000156d700012000000b0001 dm-3 ##,##',
        "size=10G features='0' hwhandler='0' wp=rw",
        "`-+- policy='service-time 0' prio=50 status=active",
        '  |- 1:0:0:1  sdb 8:16 active i/o pending running',
        '  `- 1:0:10:1 sdc 8:32 failed faulty      offline',
      ),
    );
    expect(maps?.[0]).not.toHaveProperty('vendor');
    expect(maps?.[0]).not.toHaveProperty('product');
    expect(maps?.[0]?.groups[0]?.paths).toMatchObject([
      { dev: 'sdb', dmState: 'active', checker: 'i/o pending', devState: 'running' },
      { dev: 'sdc', dmState: 'failed', checker: 'faulty', devState: 'offline' },
    ]);
  });

  it('reads the words of releases before 0.5', () => {
    const { maps, notUnderstood } = parseMultipath(
      lines(
        'data (3600508b4000156d700012000000b0002) dm-2 DGC,RAID 5',
        '[size=1.0T][features=1 queue_if_no_path][hwhandler=1 emc][rw]',
        '\\_ round-robin 0 [prio=2][active]',
        ' \\_ 2:0:0:0 sdb 8:16  [active][ready]',
        '\\_ round-robin 0 [enabled]',
        ' \\_ 1:0:1:0 sdc 8:32  [failed][faulty]',
      ),
    );
    expect(notUnderstood).toBeUndefined();
    expect(maps).toMatchObject([
      { name: 'data', size: '1.0T', features: '1 queue_if_no_path', queueing: true, readOnly: false },
    ]);
    expect(maps?.[0]?.groups).toEqual([
      {
        policy: 'round-robin 0',
        prio: 2,
        status: 'active',
        paths: [{ hctl: '2:0:0:0', dev: 'sdb', devT: '8:16', dmState: 'active', checker: 'ready' }],
      },
      {
        policy: 'round-robin 0',
        status: 'enabled',
        paths: [{ hctl: '1:0:1:0', dev: 'sdc', devT: '8:32', dmState: 'failed', checker: 'faulty' }],
      },
    ]);
  });

  it('tells no map from a daemon that does not answer', () => {
    expect(parseMultipath({ stdout: '' })).toEqual({ maps: [] });
    expect(parseMultipath({ stdout: 'timeout\n' }).error?.message).toBe('timeout');
    expect(
      parseMultipath({ stdout: '', stderr: 'ux_socket_connect: Connection refused\n' }).error?.kind,
    ).toBe('notReachable');
  });
});

describe('lvs and UPS', () => {
  it('keeps an unknown device, and no size in another unit', () => {
    const stdout = JSON.stringify({
      report: [{ lv: [{ lv_name: '[a]', lv_size: '1g', devices: '[unknown](7)', copy_percent: '' }] }],
    });
    expect(parseLvs({ stdout })).toEqual({ lvs: [{ name: 'a', internal: true, devices: ['[unknown]'] }] });
  });

  it('knows nothing of the battery of a UPS that is lost', () => {
    const lost = parseUps(lines('HOSTNAME : x', 'STATUS   : COMMLOST', 'XOFFBATT : N/A'));
    expect(lost).toEqual({ tool: 'apcaccess', status: ['COMMLOST'], commLost: true });
    expect(parseUps(lines('ups.status: WAIT')).onBattery).toBeUndefined();
    expect(parseUps(lines('ups.status: RB')).replaceBattery).toBe(true);
  });

  it('tells a hung driver from a dead one, and the usage text from both', () => {
    const kind = (stderr: string): string | undefined =>
      parseUps({ stdout: '', stderr, exitCode: 1 }).error?.kind;
    expect(kind('Init SSL without certificate database\nError: Data stale\n')).toBe('timedOut');
    expect(kind('Error: Driver not connected\n')).toBe('notReachable');
    expect(kind('Error: Connection failure: Connection refused\n')).toBe('notReachable');
    expect(() => parseUps({ stdout: 'usage: upsc -l\n', stderr: "upsc: invalid option -- 'j'\n" })).toThrow(
      NotThisFormat,
    );
  });
});

it.each(Object.entries(storageFormats))('%s takes anything and never fails otherwise', (_name, parse) => {
  for (const stdout of [
    '',
    '{',
    '{"smartctl": 1}',
    '\t\t',
    'md0 : active',
    ': : :\n[=\n',
    '/dev/md0:\n  -  -',
  ]) {
    try {
      expect(parse({ stdout, stderr: 'x', exitCode: 3 })).toBeTypeOf('object');
    } catch (error) {
      expect([NotThisFormat, ParseError, CommandFailed].some((kind) => error instanceof kind)).toBe(true);
    }
  }
});
