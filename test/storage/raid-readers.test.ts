import { describe, expect, it } from 'vitest';
import { parseArcconf } from '../../probes/storage/read/parse-arcconf.ts';
import { parseMegacli } from '../../probes/storage/read/parse-megacli.ts';
import { parseSsacli } from '../../probes/storage/read/parse-ssacli.ts';
import { parseStorcli } from '../../probes/storage/read/parse-storcli.ts';
import { raidArrays } from '../../probes/storage/read/raid-arrays.ts';
import { NotThisFormat } from '../../src/model/errors.ts';

const lines = (...all: string[]): { stdout: string } => ({ stdout: `${all.join('\n')}\n` });

const controllers = (...data: object[]): { stdout: string } => ({
  stdout: JSON.stringify({
    Controllers: data.map((response, at) => ({
      'Command Status': { Controller: at, Status: 'Success', Description: 'None' },
      'Response Data': response,
    })),
  }),
});

describe('storcli', () => {
  it('gives places to disks of their own drive group only, and keeps two controllers of one number apart', () => {
    const disk = { 'EID:Slt': '252:1', State: 'Onln', DG: 0, Size: '1.0 TB', Model: 'A  B ' };
    const place = { DG: 0, Arr: 1, Row: 2, 'EID:Slot': '252:1', State: 'Onln' };
    const read = parseStorcli(
      controllers(
        { 'PD LIST': [disk, { ...disk, 'EID:Slt': ' :7', DG: '-' }], TOPOLOGY: [place, { ...place, DG: 4 }] },
        { 'PD LIST': [disk] },
      ),
    );
    expect(read.disks).toEqual([
      {
        id: '252:1',
        controller: 0,
        state: 'Onln',
        array: '0',
        size: '1.0 TB',
        model: 'A B',
        span: 1,
        row: 2,
      },
      { id: ':7', controller: 0, state: 'Onln', size: '1.0 TB', model: 'A B' },
      { id: '252:1', controller: 1, state: 'Onln', array: '0', size: '1.0 TB', model: 'A B' },
    ]);
  });

  it('reads a battery from properties and values, and says why a command failed beside its data', () => {
    const read = parseStorcli({
      stdout: JSON.stringify({
        Controllers: [
          {
            'Command Status': {
              Controller: 3,
              Status: 'Failure',
              Description: 'None',
              'Detailed Status': [
                { Ctrl: 3, Status: 'Success', ErrMsg: '-' },
                { Ctrl: 3, Status: 'Failed', ErrMsg: 'Un-supported Command' },
              ],
            },
            'Response Data': {
              BBU_Info: [
                { Property: 'Type', Value: 'BBU' },
                { Property: 'Temperature', Value: '31 C' },
                { Property: 'Battery State', Value: 'Dgd (Needs Attention)' },
              ],
              BBU_Firmware_Status: [
                { Property: 'Learn Cycle Active', Value: 'No' },
                { Property: 'Battery Pack Missing', Value: 'Yes' },
              ],
            },
          },
        ],
      }),
    });
    expect(read.batteries).toEqual([
      {
        controller: 3,
        kind: 'BBU',
        model: 'BBU',
        tempC: 31,
        state: 'Dgd (Needs Attention)',
        learnActive: false,
        missing: true,
      },
    ]);
    expect(read.error).toEqual({ kind: 'unsupported', message: 'Un-supported Command' });
  });

  it('takes the last of two keys and says so', () => {
    const read = parseStorcli({
      stdout:
        '{"Controllers": [{"Command Status": {"Controller": 0, "Status": "Success"}, "Response Data": {"VD LIST": [{"DG/VD": "0/0", "State": "Optl", "State": "Dgrd"}]}}]}',
    });
    expect(read).toMatchObject({ arrays: [{ state: 'Dgrd' }], duplicateKeys: ['State'] });
  });

  it('reads tables of text whose names are empty or hold blanks', () => {
    const { arrays, disks, error } = parseStorcli(
      lines(
        'Controller = 0',
        'Status = Success',
        'Description = None',
        '',
        'VD LIST :',
        '=======',
        '',
        '------------------------------------',
        'DG/VD TYPE  State Access Cache      Size Name',
        '------------------------------------',
        '0/0   RAID1 Optl  RW     RWBD 465.25 GB',
        '0/1   RAID1 Dgrd  RW     RWTD  10.00 GB my data',
        '------------------------------------',
        '',
        'Physical Drives = 1',
        '',
        'PD LIST :',
        '=======',
        '',
        '------------------------------------',
        'EID:Slt DID State DG  Size Intf Med SED PI SeSz Model      Sp Type',
        '------------------------------------',
        ':3        8 Onln   0 1 TB SATA SSD N   N  512B INTEL X  1 U  -',
        '------------------------------------',
      ),
    );
    expect(arrays).toMatchObject([{ size: '465.25 GB' }, { size: '10.00 GB', name: 'my data' }]);
    expect(arrays?.[0]).not.toHaveProperty('name');
    expect(disks).toMatchObject([{ id: ':3', model: 'INTEL X 1', size: '1 TB' }]);
    expect(error).toBeUndefined();
  });
});

it('storcli as text: host bus adapters stand in a table of their own', () => {
  const rule = '-'.repeat(34);
  const { controllers: found } = parseStorcli(
    lines(
      'Status Code = 0',
      'Status = Success',
      'Description = None',
      '',
      'IT System Overview :',
      '==================',
      '',
      rule,
      'Ctl Model         AdapterType   VendId DevId SubVendId SubDevId PCI Address',
      rule,
      '  1 HBA 9400-16i  SAS3416(B0)   0x1000  0xAC    0x1000   0x3000 00:3b:00:00',
      rule,
    ),
  );
  expect(found).toEqual([{ id: 1, model: 'HBA 9400-16i' }]);
});

it('storcli as text: properties and values of a battery hold blanks', () => {
  const rule = '-'.repeat(34);
  const table = (title: string, ...rows: string[]): string[] => [
    `${title} :`,
    '='.repeat(title.length),
    '',
    rule,
    'Property             Value',
    rule,
    ...rows,
    rule,
    '',
  ];
  const read = parseStorcli(
    lines(
      'Controller = 0',
      'Status = Success',
      '',
      ...table(
        'BBU_Info',
        'Type                 BBU',
        'Temperature          31 C',
        'Battery State        Dgd (Needs Attention)',
      ),
      ...table('BBU_Firmware_Status', 'Learn Cycle Active   No', 'Battery Pack Missing Yes'),
    ),
  );
  expect(read.batteries).toEqual([
    {
      controller: 0,
      kind: 'BBU',
      model: 'BBU',
      tempC: 31,
      state: 'Dgd (Needs Attention)',
      learnActive: false,
      missing: true,
    },
  ]);
});

describe('MegaCli', () => {
  it('keeps adapters apart, and a disk without an enclosure', () => {
    const { disks, batteries, error } = parseMegacli(
      lines(
        'Adapter #0',
        'Enclosure Device ID: N/A',
        'Slot Number: 3',
        'Drive Temperature : N/A',
        'Adapter #1',
        'Enclosure Device ID: 32',
        'Slot Number: 3',
        "Drive's postion: DiskGroup: 1, Span: 2, Arm: 0",
        'BBU status for Adapter: 1',
        'BatteryType: CVPM02',
        'Temperature: 30 C',
        '  Temperature   : OK',
        'Battery state: ',
        'Exit Code: 0x00',
      ),
    );
    expect(disks).toEqual([
      { id: ':3', controller: 0 },
      { id: '32:3', controller: 1, array: '1', span: 2, row: 0 },
    ]);
    expect(batteries).toEqual([{ controller: 1, kind: 'CacheVault', model: 'CVPM02', tempC: 30 }]);
    expect(error).toBeUndefined();
  });
});

describe('ssacli', () => {
  it('keeps a slot that the tool itself does not know, and no array that is none', () => {
    const read = parseSsacli(
      lines(
        'Smart Array P400 in Slot ATTR_VALUE_SLOT_UNKNOWN',
        '   Controller Status: OK',
        '   Cache Status: OK',
      ),
    );
    expect(read).toEqual({
      controllers: [
        { id: 'ATTR_VALUE_SLOT_UNKNOWN', model: 'Smart Array P400', status: 'OK', cacheStatus: 'OK' },
      ],
    });
    const none = parseSsacli({ stdout: 'Error: The specified device does not have any logical drives.\n' });
    expect(none.error?.message).toBe('The specified device does not have any logical drives.');
  });

  it('reads levels and states with parentheses and commas', () => {
    const {
      arrays,
      disks,
      controllers: found,
    } = parseSsacli(
      lines(
        'Smart Array P440 in Slot 2    (sn: PDNMF0ARH1)',
        '   Array A (SAS, Unused Space: 0 MB)',
        '      logicaldrive 1 (136.7 GB, RAID 6 (ADG), Recovering, 12% complete)',
        '      physicaldrive 1I:1:4 (port 1I:box 1:bay 4, SAS HDD, 300 GB, OK, spare)',
        '   Unassigned',
        '      physicaldrive 1I:1:5 (port 1I:box 1:bay 5, SAS HDD, 300 GB, Predictive Failure)',
      ),
    );
    expect(found).toEqual([{ id: '2', model: 'Smart Array P440', serial: 'PDNMF0ARH1' }]);
    expect(arrays).toMatchObject([{ level: '6 (ADG)', state: 'Recovering, 12% complete', group: 'A' }]);
    expect(disks).toMatchObject([
      { id: '1I:1:4', state: 'OK', driveType: 'spare', array: 'A' },
      { id: '1I:1:5', state: 'Predictive Failure' },
    ]);
    expect(disks?.[1]).not.toHaveProperty('array');
  });
});

describe('arcconf', () => {
  it('takes no cache for an array or a disk, and a missing segment without a place', () => {
    const rule = '-'.repeat(70);
    const read = parseArcconf(
      lines(
        rule,
        'Controller information',
        rule,
        '   Controller Status    : Optimal',
        rule,
        'Logical device information',
        rule,
        'Logical Device number 1',
        '   Segment 0   : Missing',
        '   Group 1, Segment 2 : Present (10MB, SATA, Slot:1)  SN 1',
        rule,
        'Physical Device information',
        rule,
        '      Device #0',
        '         Device is a Solid State Cache',
        '         Reported Channel,Device(T:L)       : 0,1(1:0)',
        '      Device #1',
        '         Device is a Hard drive',
        '         Reported Channel,Device(T:L)       : 0,2(2:0)',
      ),
    );
    expect(read.disks).toEqual([{ id: '0,2', controller: 1, kind: 'Hard drive' }]);
    expect(read.arrays?.[0]?.segments).toEqual([
      { segment: 0, state: 'Missing' },
      { group: 1, segment: 2, state: 'Present', where: '10MB, SATA, Slot:1', serial: 'SN 1' },
    ]);
  });
});

describe('arcconf of other series', () => {
  const rule = '-'.repeat(70);
  const physical = [rule, 'Physical Device information', rule];

  it('takes the disks of releases that print no (T:L)', () => {
    const { disks } = parseArcconf(
      lines(
        ...physical,
        '      Device #0',
        '         Device is a Hard drive',
        '         State                              : Failed',
        '         Reported Channel,Device            : 0,1',
        '      Device #2',
        '         Device is an Enclosure services device',
        '         Reported Channel,Device            : 2,0',
      ),
    );
    expect(disks).toEqual([{ id: '0,1', controller: 1, kind: 'Hard drive', state: 'Failed' }]);
  });

  it('takes of SmartRAID what its cache and backup power say, and which disks hold an array', () => {
    const read = parseArcconf(
      lines(
        rule,
        'Controller information',
        rule,
        '   Controller Status        : Optimal',
        '   Cache Status             : Temporarily Disabled',
        '   Backup Power Status      : Not Fully Charged',
        rule,
        'Array Information',
        rule,
        'Array Number 0',
        '   Status                   : Ok',
        rule,
        'Logical device information',
        rule,
        'Logical Device number 3',
        '   Disk Name                : /dev/sdc',
        '   Status of Logical Device : Degraded',
        '   Caching                  : Enabled',
        '   Device Type              : Data',
        '   Device 4                 : Present (9MB, SAS, HDD, Connector:1, Device:4) SN4',
        '   Device 5                 : Missing',
        ...physical,
        '      Device #4',
        '         Device is a Hard drive',
        '         Reported Channel,Device(T:L)         : 0,4(4:0)',
        '         Current Temperature                  : 34 deg C',
        `      ${rule}`,
        '      Device Error Counters',
        `      ${rule}`,
        '         Predictive Failures                  : 2',
      ),
    );
    expect(read.controllers).toMatchObject([
      { cacheStatus: 'Temporarily Disabled', backupUnitStatus: 'Not Fully Charged' },
    ]);
    expect(read.arrays).toMatchObject([
      {
        id: '3',
        state: 'Degraded',
        cache: 'Enabled',
        device: '/dev/sdc',
        segments: [
          { segment: 4, state: 'Present', serial: 'SN4' },
          { segment: 5, state: 'Missing' },
        ],
      },
    ]);
    expect(read.disks).toMatchObject([{ id: '0,4', tempC: 34, predictiveFailures: 2 }]);
  });
});

describe('arcconf, newer and older', () => {
  const wide = '-'.repeat(70);
  const short = '-'.repeat(56);

  it('keeps the arrays behind a part whose rules stand at the left', () => {
    const array = (number: number, state: string): string[] => [
      `Logical Device number ${number}`,
      '   RAID level                : 1',
      `   Status of Logical Device  : ${state}`,
      short,
      '   Array Physical Device Information',
      short,
      '   Device ID                 : Availability (SizeMB, Protocol) Serial Number',
      short,
      `   Device ${number}                  : Present (9MB, SAS) SN${number}`,
      '',
    ];
    const { arrays } = parseArcconf(
      lines(short, 'Logical device information', short, ...array(0, 'Optimal'), ...array(1, 'Degraded')),
    );
    expect(arrays).toEqual([
      {
        id: '0',
        controller: 1,
        level: '1',
        state: 'Optimal',
        segments: [{ segment: 0, state: 'Present', where: '9MB, SAS', serial: 'SN0' }],
      },
      {
        id: '1',
        controller: 1,
        level: '1',
        state: 'Degraded',
        segments: [{ segment: 1, state: 'Present', where: '9MB, SAS', serial: 'SN1' }],
      },
    ]);
  });

  it('reads logical drives of series 2, also without margins', () => {
    const read = parseArcconf(
      lines(
        wide,
        '',
        'Controller information',
        wide,
        'Controller Status : Okay',
        'Logical drives/Offline/Critical : 1/0/1',
        short,
        'Controller Battery Information',
        short,
        'Status : Okay',
        wide,
        'Logical drive information',
        wide,
        'Logical drive number 1',
        'Logical drive name : home',
        'Status of logical drive : Critical',
        'Defunct stripes : Yes',
      ),
    );
    expect(read).toEqual({
      controllers: [{ id: 1, status: 'Okay', summary: '1/0/1', batteryStatus: 'Okay' }],
      arrays: [{ id: '1', controller: 1, name: 'home', state: 'Critical', failedStripes: 'Yes' }],
    });
  });

  it('says why a command was aborted, where nothing else is printed', () => {
    expect(
      parseArcconf(lines('Controllers found: 1', 'This series cannot do that.', '', 'Command aborted.')),
    ).toEqual({ error: { kind: 'other', message: 'This series cannot do that.' } });
    expect(parseArcconf(lines('Controllers found: 1', 'Command aborted.'))).toEqual({
      error: { kind: 'other', message: 'Command aborted.' },
    });
    const { controllers: read, error } = parseArcconf(
      lines(wide, 'Controller information', wide, 'Controller Status : Okay', 'Command aborted.'),
    );
    expect([read, error?.message]).toEqual([[{ id: 1, status: 'Okay' }], 'Command aborted.']);
  });
});

describe('storcli of other controllers', () => {
  it('takes virtual drives without drive groups, and no running operation for one', () => {
    const { arrays } = parseStorcli(
      controllers({
        'VD LIST': [{ VD: 3, TYPE: 'RAID1', State: 'Dgrd', Size: '9 GB', Name: 'root' }],
        'VD Operation Status': [{ VD: 4, Operation: 'CC', 'Progress%': 3, Status: 'In progress' }],
      }),
    );
    expect(arrays).toEqual([
      { id: '3', controller: 0, level: 'RAID1', state: 'Dgrd', size: '9 GB', name: 'root' },
    ]);
  });

  it('reads the columns of the second edition, as text', () => {
    const rule = '-'.repeat(60);
    const read = parseStorcli(
      lines(
        'Controller = 0',
        'Status = Success',
        'Description = None',
        '',
        'VD LIST :',
        '=======',
        rule,
        'DG/VD TYPE  State Access CurrentCache DefaultCache      Size Name',
        rule,
        '0/1   RAID1 Dgrd  RW     NR,WT        NR,WB       20.955 GiB two words',
        rule,
        'PD LIST :',
        '=======',
        rule,
        'EID:Slt PID State Status  DG      Size Intf Med SED_Type SeSz Model    Sp LU/NS Count Alt-EID',
        rule,
        '30:0      3 Conf  Online  0  1.000 TiB SATA SSD -        512B TWO WORD U            1 -',
        '30:4      7 Conf  Rebuild 0  1.000 TiB SATA SSD -        512B TWO WORD U              -',
        rule,
      ),
    );
    expect(read.arrays).toEqual([
      {
        id: '0/1',
        controller: 0,
        level: 'RAID1',
        state: 'Dgrd',
        cache: 'NR,WT',
        cacheDefault: 'NR,WB',
        size: '20.955 GiB',
        name: 'two words',
      },
    ]);
    expect(read.disks?.map(({ model, size, status }) => [model, size, status])).toEqual([
      ['TWO WORD', '1.000 TiB', 'Online'],
      ['TWO WORD', '1.000 TiB', 'Rebuild'],
    ]);
    expect(raidArrays('storcli', read)[0]?.slots.map(({ state }) => state)).toEqual(['good', 'filling']);
  });

  it('reads the JSON of the second edition', () => {
    const disk = { 'EID:Slt': '32:2', State: 'Conf', Status: 'Online', DG: 0, Size: '893 GiB' };
    const array = { 'DG/VD': '0/1', TYPE: 'RAID1', State: 'Dgrd', CurrentCache: 'NR,WB', Size: '893 GiB' };
    const { controllers: shown } = parseStorcli(
      controllers({ 'System Overview': [{ Ctrl: 3, 'Product Name': 'Tri-Mode', Status: 'Optimal' }] }),
    );
    expect(shown).toEqual([{ id: 3, model: 'Tri-Mode', status: 'Optimal' }]);
    const read = parseStorcli(
      controllers({
        'Product Name': 'Tri-Mode',
        'Firmware Version': '8.6',
        TOPOLOGY: [
          { DG: 0, Span: 0, Row: 0, 'EID:Slot': '32:2', Type: 'DRIVE', State: 'Conf' },
          { DG: 0, Span: 0, Row: 1, 'EID:Slot': '-', Type: 'DRIVE', State: '-' },
        ],
        'Virtual Drives': [{ 'VD Info': array, PDs: [disk] }],
        'Energy Pack Info': [{ Type: 'Supercap', SubType: 'F1', 'Temperature(C)': 23, Status: 'Failed' }],
      }),
    );
    expect(read).toEqual({
      controllers: [{ id: 0, model: 'Tri-Mode', firmware: '8.6' }],
      arrays: [
        {
          id: '0/1',
          controller: 0,
          level: 'RAID1',
          state: 'Dgrd',
          cache: 'NR,WB',
          size: '893 GiB',
          emptyAt: [0],
        },
      ],
      disks: [
        {
          id: '32:2',
          controller: 0,
          state: 'Conf',
          status: 'Online',
          array: '0',
          size: '893 GiB',
          span: 0,
          row: 0,
        },
      ],
      batteries: [{ controller: 0, kind: 'CacheVault', model: 'F1', state: 'Failed', tempC: 23 }],
    });
  });

  it('reads the list of disks of the second edition, each with its details', () => {
    const { disks } = parseStorcli(
      controllers({
        'Drives List': [
          {
            'Drive Information': { 'EID:Slt': '306:0', State: 'JBOD', Status: 'Online', Size: '9 TiB' },
            'Drive Detailed Information': { 'Serial Number': 'W1 ', WWN: '5000C5', 'Media Error Count': 3 },
          },
          { 'Drive Information': { 'EID:Slt': '306:4', State: 'UConf', Status: 'Bad', Size: '9 TiB' } },
        ],
      }),
    );
    expect(disks).toEqual([
      {
        id: '306:0',
        controller: 0,
        state: 'JBOD',
        status: 'Online',
        size: '9 TiB',
        serial: 'W1',
        wwn: '5000C5',
        mediaErrors: 3,
      },
      { id: '306:4', controller: 0, state: 'UConf', status: 'Bad', size: '9 TiB' },
    ]);
  });

  it("takes the CacheVault's next learn cycle from its properties, and no other properties for one", () => {
    const { batteries } = parseStorcli(
      controllers(
        {
          Cachevault_Info: [{ Property: 'State', Value: 'Optimal' }],
          Properties: [{ Property: 'Next Learn time', Value: '2026/12/24 03:00:00' }],
        },
        { Properties: [{ Property: 'Ports', Value: '8' }] },
      ),
    );
    expect(batteries).toEqual([
      { controller: 0, kind: 'CacheVault', state: 'Optimal', nextLearn: '2026/12/24 03:00:00' },
    ]);
  });
});

it("keeps what an HPE array says of itself beside its logical drives, and doubts these where it isn't whole", () => {
  const read = parseSsacli(
    lines(
      'Smart Array P440 in Slot 0',
      '   Array: A',
      '      Interface Type: SAS',
      '      Status: Failed Physical Drive',
      '      Logical Drive: 1',
      '         Fault Tolerance: 1',
      '         Status: OK',
      '      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS HDD, 1 TB, OK)',
      '   array B (Failed)',
      '      logicaldrive 2 (1 TB, RAID 0, Failed)',
      '   array C (SAS, Unused Space: 0 MB)',
      '      logicaldrive 3 (1 TB, RAID 0, OK)',
    ),
  );
  expect(read.arrays?.map(({ id, group, groupState }) => [id, group, groupState])).toEqual([
    ['1', 'A', 'Failed Physical Drive'],
    ['2', 'B', 'Failed'],
    ['3', 'C', undefined],
  ]);
  expect(raidArrays('ssacli', read)[0]?.doubt).toBe('it says OK, and its array Failed Physical Drive');
});

it('takes a disk that MegaCli calls failed, in whatever case, for missing', () => {
  const read = parseMegacli(
    lines(
      'Adapter #0',
      '',
      'Virtual Drive: 3 (Target Id: 3)',
      'RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0',
      'State               : Degraded',
      'Number Of Drives    : 2',
      'Enclosure Device ID: 252',
      'Slot Number: 0',
      'Firmware state: failed',
      'Enclosure Device ID: 252',
      'Slot Number: 1',
      'Firmware state: Online, Spun Up',
    ),
  );
  expect(raidArrays('megacli', read)[0]?.slots.map(({ state }) => state)).toEqual(['missing', 'good']);
});

it('takes no part of a number for one', () => {
  const { batteries } = parseMegacli(
    lines(
      'BBU status for Adapter: 0',
      'BatteryType: iBBU',
      'Temperature: 31:10',
      'Relative State of Charge: 97,5 %',
    ),
  );
  expect(batteries).toEqual([{ controller: 0, kind: 'BBU', model: 'iBBU' }]);
});

it('takes the battery from what ssacli called it before release 8', () => {
  const { controllers: read } = parseSsacli(
    lines(
      'Smart Array P400 in Slot 1',
      '   Controller Status: OK',
      '   Battery Pack Count: 1',
      '   Battery Status: Failed (Replace Batteries)',
    ),
  );
  expect(read).toMatchObject([{ batteryCount: 1, batteryStatus: 'Failed (Replace Batteries)' }]);
});

it.each([
  ['storcli', parseStorcli],
  ['MegaCli', parseMegacli],
  ['ssacli', parseSsacli],
  ['arcconf', parseArcconf],
])('%s knows another output', (_name, parse) => {
  expect(() => parse({ stdout: 'total 12\ndrwxr-xr-x 2 root root\n' })).toThrow(NotThisFormat);
});
