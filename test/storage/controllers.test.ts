import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import { readControllers } from '../../probes/storage/read/read-controllers.ts';
import type { ControllersReading } from '../../probes/storage/readings.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const answer = (parts: Readonly<Record<string, string>>, code = 0): ControllersReading =>
  readControllers(
    answerOf(
      `${Object.entries(parts)
        .map(([word, text]) => `@@faultline ${word}\n${text}\n@@faultline ${word}-exit ${code}\n`)
        .join('')}@@faultline end\n`,
    ),
  ).value;

const disk = (slot: number, more: object = {}): object => ({
  'EID:Slt': `24:${slot}`,
  State: 'Onln',
  DG: 0,
  Size: '1 TB',
  ...more,
});

const place = (slot: number, span: number, more: object = {}): object => ({
  DG: 0,
  Arr: span,
  Row: slot % 2,
  'EID:Slot': `24:${slot}`,
  Type: 'DRIVE',
  ...more,
});

const storcli = (data: object): string =>
  JSON.stringify({
    Controllers: [{ 'Command Status': { Controller: 0, Status: 'Success' }, 'Response Data': data }],
  });

const volume = (level: string, state: string, cache = 'RWBD'): object => ({
  'VD LIST': [{ 'DG/VD': '0/0', TYPE: level, State: state, Cache: cache, Name: 'data' }],
});

const megacli = (current: string, wanted = 'WriteBack'): string =>
  [
    'Adapter #0',
    'Virtual Drive: 0 (Target Id: 0)',
    'RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0',
    'State               : Optimal',
    'Number Of Drives    : 2',
    'Span Depth          : 1',
    `Default Cache Policy: ${wanted}, ReadAhead, Direct, No Write Cache if Bad BBU`,
    `Current Cache Policy: ${current}, ReadAhead, Direct, No Write Cache if Bad BBU`,
    ...[0, 1].flatMap((slot) => [
      `PD: ${slot} Information`,
      'Enclosure Device ID: 32',
      `Slot Number: ${slot}`,
      'Firmware state: Online, Spun Up',
    ]),
    'Exit Code: 0x00',
  ].join('\n');

const battery = (...lines: string[]): string =>
  ['BBU status for Adapter: 0', 'BatteryType: iBBU', ...lines].join('\n');

const found = (
  readings: readonly ControllersReading[],
  ups: readonly object[] = [],
): readonly FindingDraft[] => {
  const sources = new Sources();
  for (const [at, value] of readings.entries())
    sources.good('storage.controllers', 'oss1', value, start - (readings.length - 1 - at) * 600_000, 20, 1);
  const site = siteOf([{ name: 'oss1', roles: ['storage'] }], { settings: { storage: { ups } } });
  return storage.findings(judgementOf({ readings: sources, site }));
};

const told = (...readings: ControllersReading[]): string[] =>
  found(readings).map(({ kind, severity }) => `${kind} ${severity}`);

describe('arrays of controllers', () => {
  it('are gone with one span, and count a place that no disk holds', () => {
    const raid10 = (missing: object): ControllersReading =>
      answer({
        storcli: storcli({
          ...volume('RAID10', 'Dgrd'),
          'PD LIST': [disk(0), disk(1), disk(2)],
          TOPOLOGY: [place(0, 0), place(1, 0), place(2, 1), missing],
        }),
      });
    const [array] = raid10(place(3, 1, { 'EID:Slot': '-', State: 'Msng' })).tools[0]?.arrays ?? [];
    expect(array).toMatchObject({
      id: 'c0/0/0 data',
      layout: { kind: 'spans', of: 'mirror' },
      slots: [{ disk: 'c0 24:0', span: 0 }, { span: 0 }, { span: 1 }, { state: 'missing', span: 1 }],
    });
    expect(told(raid10(place(3, 1, { 'EID:Slot': '-', State: 'Msng' })))).toEqual(['no-redundancy critical']);
  });

  it('are doubted where the array and its disks contradict each other', () => {
    const odd = answer({
      storcli: storcli({
        ...volume('RAID6', 'Optl'),
        'PD LIST': [disk(0), disk(1), disk(2, { State: 'Offln' })],
      }),
    });
    expect(odd.tools[0]?.arrays[0]?.doubt).toBe('it says Optl, and 1 of its disks do not');
    expect(told(odd, odd)).toEqual(['redundancy-unknown warning']);
    const none = answer({ storcli: storcli(volume('RAID6', 'Dgrd')) });
    expect(none.tools[0]?.arrays[0]?.doubt).toBe('its disks are not listed');
  });

  it('take the n-th disk of one half of an HPE mirror and the n-th of the other for a pair', () => {
    const half = (group: number, ...disks: string[]): string[] => [
      `         Mirror Group ${group}:`,
      ...disks.map((id) => `            physicaldrive ${id} (port 1I:box 1:bay 1, SAS HDD, 146 GB, OK)`),
    ];
    const ssacli = [
      'Smart Array P410i in Slot 0 (Embedded)',
      '   Array: B',
      '      Logical Drive: 2',
      '         Fault Tolerance: 1+0',
      '         Status: OK',
      ...half(1, '1I:1:1', '1I:1:2'),
      ...half(2, '1I:1:3', '1I:1:4'),
    ].join('\n');
    expect(answer({ ssacli }).tools[0]?.arrays[0]?.slots).toEqual([
      { disk: 'c0 1I:1:1', state: 'good', span: 0 },
      { disk: 'c0 1I:1:2', state: 'good', span: 1 },
      { disk: 'c0 1I:1:3', state: 'good', span: 0 },
      { disk: 'c0 1I:1:4', state: 'good', span: 1 },
    ]);
  });

  it('bear nothing safe where two controllers have one number', () => {
    const one = {
      'Command Status': { Controller: 0, Status: 'Success' },
      'Response Data': {
        'Product Name': 'X',
        ...volume('RAID6', 'Optl'),
        'PD LIST': [0, 1, 2, 3].map((at) => disk(at)),
      },
    };
    const twice = answer({ storcli: JSON.stringify({ Controllers: [one, one] }) });
    expect(twice.tools[0]?.arrays[0]?.doubt).toBe('two controllers bear one number');
  });
});

describe('write cache', () => {
  it('is off for a bad battery, with its words', () => {
    const off = answer({
      megacli: megacli('WriteThrough'),
      'megacli-battery': battery('Battery Replacement required : Yes'),
    });
    const [one] = found([off]);
    expect(one).toMatchObject({ kind: 'cache-off', severity: 'warning' });
    expect(one?.summary).toBe(
      'oss1: write cache off (controller 0, 1 array): BBU without a state, replacement required',
    );
  });

  it('comes back by itself after a learn cycle', () => {
    const learns = answer({
      megacli: megacli('WriteThrough'),
      'megacli-battery': battery('Battery State : Non Operational', 'Learn Cycle Active : Yes'),
    });
    expect(told(learns)).toEqual(['cache-off notice']);
  });

  it('is said to be set by hand where it is, and battery and cache are told apart', () => {
    const good = battery('Battery State : Operational', 'Battery Replacement required : No');
    expect(told(answer({ megacli: megacli('WriteBack'), 'megacli-battery': good }))).toEqual([]);
    const hand = found([
      answer({ megacli: megacli('WriteThrough', 'WriteThrough'), 'megacli-battery': good }),
    ]);
    expect(hand[0]?.summary).toContain('by its own setting');
    const bad = battery('Battery State : Operational', 'Battery Replacement required : Yes');
    expect(told(answer({ megacli: megacli('WriteBack'), 'megacli-battery': bad }))).toEqual([
      'raid-battery warning',
    ]);
  });

  it('with a battery that only charges, or in a learn cycle, is told of no bad battery; nor twice where it is off', () => {
    const back = (state: string): ControllersReading =>
      answer({ megacli: megacli('WriteBack'), 'megacli-battery': battery(...state.split('; ')) });
    expect(told(back('Battery State : Charging'))).toEqual([]);
    expect(told(back('Battery State : Learning; Learn Cycle Active : Yes'))).toEqual([]);
    expect(told(back('Battery State : Failed'))).toEqual(['raid-battery warning']);
    const off = answer({
      megacli: megacli('WriteThrough'),
      'megacli-battery': battery('Battery State : Failed'),
    });
    expect(told(off)).toEqual(['cache-off warning']);
  });

  it('of storcli is a setting: only with a battery that is bad it is off, and never with AWB', () => {
    const with_ = (cache: string, state?: string): ControllersReading =>
      answer({
        storcli: storcli({
          ...volume('RAID1', 'Optl', cache),
          'PD LIST': [disk(0), disk(1)],
          ...(state !== undefined && { Cachevault_Info: [{ Model: 'CVPM02', State: state }] }),
        }),
      });
    expect(told(with_('RWBD', 'Optimal'))).toEqual([]);
    expect(told(with_('RWBD', 'Failed'))).toEqual(['cache-off warning']);
    expect(told(with_('RAWBD', 'Failed'))).toEqual(['raid-battery warning']);
    expect(told(with_('NRWTD'))).toEqual([]);
    expect(told(with_('NRWTD', 'Optimal'))).toEqual(['cache-off notice']);
  });

  it('of HPE is off with status OK where nothing of it is for writing', () => {
    const hpe = (...lines: string[]): ControllersReading =>
      answer({ ssacli: ['Smart Array P212 in Slot 5', ...lines.map((line) => `   ${line}`)].join('\n') });
    expect(told(hpe('Cache Status: OK', 'Cache Ratio: 25% Read / 75% Write'))).toEqual([]);
    expect(told(hpe('Cache Status: OK', 'Cache Ratio: 100% Read / 0% Write'))).toEqual(['cache-off notice']);
    expect(
      told(hpe('Cache Status: Temporarily Disabled', 'Battery/Capacitor Status: Failed (Replace Batteries)')),
    ).toEqual(['cache-off warning']);
    expect(told(hpe('Cache Status: Temporarily Disabled', 'Battery/Capacitor Status: Recharging'))).toEqual([
      'cache-off notice',
    ]);
  });

  it('is explained by the UPS that the site file puts in front of it', () => {
    const rule = storage.causes?.find(({ name }) => name === 'storage-ups-takes-cache');
    const finding = (kind: string, subject: string, beside: string[]) =>
      ({
        kind,
        subject: { kind: 'host', id: subject },
        suspects: [{ subject: { kind: 'host', id: subject }, cause: kind, confidence: 'high' }],
        beside: beside.map((id) => ({ kind: 'host', id })),
      }) as never;
    const site = {} as never;
    expect(
      rule?.explain(finding('battery-end', 'mgmt1', ['oss1']), finding('cache-off', 'oss1', []), site),
    ).toContain('UPS');
    expect(
      rule?.explain(finding('battery-end', 'mgmt1', ['oss2']), finding('cache-off', 'oss1', []), site),
    ).toBeUndefined();
  });
});

describe('controllers and disks', () => {
  it('that say nothing are told after two readings, with what they say', () => {
    const hangs = answer({ storcli: '' }, 137);
    expect(hangs.tools[0]?.failure).toBe('no answer within 60 s');
    expect(told(hangs)).toEqual([]);
    expect(told(hangs, hangs)).toEqual(['controller-silent warning']);
    const busy = readControllers(answerOf('@@faultline storcli-busy\n@@faultline end\n')).value;
    expect(busy.tools[0]?.failure).toContain('none was started');
  });

  it('that will fail by their controller are told; two of one array are critical', () => {
    const state = (slot: number, count: number): object => ({
      [`Drive /c0/e24/s${slot} State`]: {
        'Predictive Failure Count': count,
        'Media Error Count': 9,
        'Other Error Count': 7,
      },
    });
    const given = (first: number, second: number): ControllersReading =>
      answer({
        storcli: storcli({
          ...volume('RAID6', 'Optl'),
          'PD LIST': [0, 1, 2, 3].map((at) => disk(at)),
          ...state(0, first),
          ...state(1, second),
        }),
      });
    expect(told(given(0, 0))).toEqual([]);
    const alert = (word: string): ControllersReading =>
      answer({
        storcli: storcli({
          ...volume('RAID1', 'Optl'),
          'PD LIST': [disk(0), disk(1)],
          'Drive /c0/e24/s0 State': { 'S.M.A.R.T alert flagged by drive': word },
        }),
      });
    expect(told(alert('No'))).toEqual([]);
    expect(told(alert('Yes'))).toEqual(['disk-failing warning']);
    // A disk that is out without a prediction is told of its array.
    const out = answer({
      storcli: storcli({
        ...volume('RAID6', 'Pdgd'),
        'PD LIST': [disk(0, { State: 'Failed' }), disk(1), disk(2), disk(3)],
      }),
    });
    expect(told(out)).toEqual(['redundancy-reduced warning']);
    expect(told(given(2, 0))).toEqual(['disk-failing warning']);
    expect(told(given(2, 1))).toEqual([
      'disk-failing critical',
      'disk-failing critical',
      'disks-to-replace warning',
    ]);
  });
});
