import { describe, expect, it } from 'vitest';
import { batteryEnd, readDates } from '../../probes/storage/judge/battery-dates.ts';
import { storage } from '../../probes/storage/index.ts';
import { readArrays } from '../../probes/storage/read/read-arrays.ts';
import { readUps } from '../../probes/storage/read/read-ups.ts';
import type { ArraysReading, ReadArray, UpsReading, UpsUnit } from '../../probes/storage/readings.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import type { Point } from '../../src/model/reading.ts';
import { answerOf } from '../helpers/answer.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const MINUTE = 60_000;

/** `ggx`: in sync, in sync, missing. */
const array = (pattern: string, more: Partial<ReadArray> = {}): ReadArray => ({
  id: 'md6',
  level: 'raid6',
  layout: { kind: 'parity', tolerance: 2 },
  slots: [...pattern].map((letter, at) => ({
    disk: `sd${String.fromCharCode(97 + at)}`,
    state: letter === 'g' ? 'good' : letter === 'f' ? 'filling' : letter === 'x' ? 'missing' : 'unknown',
  })),
  usable: true,
  spares: 0,
  ...more,
});

const reading = (arrays: ReadArray[], more: Partial<ArraysReading> = {}): ArraysReading => ({
  arrays,
  disks: ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf'].map((name) => ({ name, serial: `SN-${name}` })),
  unread: {},
  ...more,
});

const judge = (
  readings: readonly ArraysReading[],
  {
    everyMs = 30_000,
    series = {},
    ups = [],
    units = [],
  }: {
    everyMs?: number;
    series?: Record<string, readonly Point[]>;
    ups?: readonly object[];
    units?: readonly UpsUnit[][];
  } = {},
) => {
  const sources = new Sources();
  for (const [at, value] of readings.entries())
    sources.good('storage.arrays', 'oss1', value, start - (readings.length - 1 - at) * everyMs, 20, 5);
  for (const [at, list] of units.entries())
    sources.good(
      'storage.ups',
      'mgmt1',
      { units: list } satisfies UpsReading,
      start - (units.length - 1 - at) * 30_000,
      20,
      5,
    );
  const site = siteOf(
    [
      { name: 'oss1', roles: ['storage'] },
      { name: 'mgmt1', roles: ['ups'] },
    ],
    { settings: { storage: { ups } } },
  );
  return judgementOf({ readings: sources, site, history: historyOf(series) });
};

const found = (...given: Parameters<typeof judge>): readonly FindingDraft[] =>
  storage.findings(judge(...given));
const kinds = (...given: Parameters<typeof judge>): string[] => found(...given).map(({ kind }) => kind);

describe('redundancy', () => {
  it('is counted from the members, and a place that is being filled is missing', () => {
    expect(kinds([reading([array('gggggg')])])).toEqual([]);
    expect(kinds([reading([array('gggggx')])])).toEqual(['redundancy-reduced']);
    expect(kinds([reading([array('ggggxx')])])).toEqual(['no-redundancy', 'disks-to-replace']);
    expect(kinds([reading([array('ggggfx', { work: 'rebuild', workPct: 3 })])])).toEqual([
      'no-redundancy',
      'rebuild',
    ]);
    expect(kinds([reading([array('gggxxx')])])).toEqual(['array-lost', 'disks-to-replace']);
  });

  it('is not missing where there never was any, nor of a check', () => {
    expect(kinds([reading([array('gg', { layout: { kind: 'stripe' }, level: 'raid0' })])])).toEqual([]);
    expect(kinds([reading([])])).toEqual([]);
  });

  it('says that an array refuses IO whatever its members say', () => {
    const [one] = found([reading([array('gg', { usable: false, word: 'broken', mount: '/mnt/ost3' })])]);
    expect(one).toMatchObject({ kind: 'array-lost', severity: 'critical' });
    expect(one?.summary).toBe('oss1: md6 on /mnt/ost3 (raid6) refuses IO: broken');
  });

  it('is a warning where a member that was removed stands in an inactive array of its own', () => {
    const inactive = (more: Partial<ReadArray> = {}) =>
      found([reading([array('x', { usable: false, word: 'inactive', ...more })])])[0]?.severity;
    expect(inactive()).toBe('warning');
    expect(inactive({ mount: '/home' })).toBe('critical');
  });

  it('names a disk that was pulled while the array still counts it', () => {
    const [one] = found([reading([array('gggggx', { pulled: ['sdf'] })])]);
    expect(one?.evidence.map(({ text }) => text)).toContain(
      'sdf: no longer in /sys/block, the array still counts it',
    );
  });

  it('says that nobody can say, but not of one reading that was made in between', () => {
    const odd = reading([array('gggggg', { doubt: 'mdstat and sysfs contradict each other' })]);
    expect(kinds([odd])).toEqual([]);
    expect(kinds([odd, odd])).toEqual(['redundancy-unknown']);
    const strange = reading([array('gggg', { layout: { kind: 'unknown', word: 'raid7' } })]);
    expect(found([strange, strange])[0]?.summary).toContain('level raid7 is not known here');
    expect(kinds([reading([array('ggggg?')]), reading([array('ggggg?')])])).toEqual(['redundancy-unknown']);
  });

  it('says nothing of a source that fails', () => {
    const judgement = judge([reading([array('ggggxx')])]);
    (judgement.readings as Sources).fail('storage.arrays', 'oss1', { kind: 'connect', message: 'no way' });
    expect(storage.findings(judgement)).toEqual([]);
  });
});

describe('rebuilds', () => {
  const rebuilding = (done: number, more: Partial<ReadArray> = {}): ArraysReading =>
    reading([
      array('gggggf', { work: 'rebuild', workPct: 43, workDone: done, workTotal: 10_000_000, ...more }),
    ]);

  it('have a rate and an end by our own readings', () => {
    const all = found([rebuilding(1_000_000), rebuilding(1_300_000)]);
    expect(all.find(({ kind }) => kind === 'rebuild')?.summary).toBe(
      'oss1: md6 rebuilds: 43 %, 10 MB/s, ends in about 14 min',
    );
  });

  it('stand still when the position is the same for ten minutes, not before, and not while they wait', () => {
    const series = (ago: number) => ({ 'storage.rebuild:oss1:md6': [{ at: start - ago, value: 5 }] });
    const stalled = (ago: number, more: Partial<ReadArray> = {}): boolean =>
      kinds([rebuilding(5, more)], { series: series(ago) }).includes('rebuild-stalled');
    expect(stalled(10 * MINUTE)).toBe(true);
    expect(stalled(9 * MINUTE)).toBe(false);
    expect(stalled(10 * MINUTE, { waits: 'DELAYED' })).toBe(false);
    expect(stalled(10 * MINUTE, { workDone: 6 })).toBe(false);
  });

  it('are frozen at once, and critical where nothing is left', () => {
    const frozen = found([reading([array('ggggxx', { frozen: true })])]);
    expect(frozen.find(({ kind }) => kind === 'rebuild-stalled')?.severity).toBe('critical');
    expect(kinds([reading([array('gggggg', { frozen: true })])])).toEqual([]);
  });

  it('do not begin though a spare waits for two minutes', () => {
    const idle = reading([array('gggggx', { spares: 1 })]);
    expect(kinds([idle, idle, idle, idle, idle])).toContain('rebuild-stalled');
    expect(kinds([idle, idle, idle])).not.toContain('rebuild-stalled');
    const none = reading([array('gggggx')]);
    expect(kinds([none, idle, idle, idle, idle])).not.toContain('rebuild-stalled');
  });
});

describe('spares', () => {
  it('are missed where there was one within a week, and nowhere else', () => {
    const had = (value: number) => ({ 'storage.spares:oss1:md6': [{ at: start - 3_600_000, value }] });
    const [one] = found([reading([array('gggggg')])], { series: had(1) });
    expect(one).toMatchObject({ kind: 'no-spare', severity: 'warning' });
    expect(kinds([reading([array('gggggg')])], { series: had(0) })).toEqual([]);
    expect(kinds([reading([array('gggggg')])])).toEqual([]);
    expect(kinds([reading([array('gggggg', { spares: 1 })])], { series: had(2) })).toEqual([]);
  });
});

describe('paths', () => {
  const map = (usable: number, paths: number, queueing = true) => ({
    maps: [{ name: 'mpatha', usable, paths, queueing }],
  });

  it('are compared with those of a day: one that was deleted is not listed any more', () => {
    const series = { 'storage.paths:oss1:mpatha': [{ at: start - MINUTE, value: 2 }] };
    expect(kinds([reading([], map(2, 2))])).toEqual([]);
    expect(kinds([reading([], map(1, 1))])).toEqual([]);
    expect(found([reading([], map(1, 1))], { series })[0]?.summary).toBe('oss1: mpatha has 1 of 2 paths');
    expect(found([reading([], map(0, 2))])[0]?.summary).toBe(
      'oss1: mpatha has no path: IO waits without an error',
    );
    expect(found([reading([], map(0, 2, false))])[0]?.summary).toContain('IO fails');
  });
});

describe('UPS', () => {
  const unit = (more: Partial<UpsUnit> = {}): UpsUnit => ({
    name: 'rack1@localhost',
    status: ['OL'],
    onBattery: false,
    lowBattery: false,
    replaceBattery: false,
    ...more,
  });
  const setting = { host: 'mgmt1', name: 'rack1@localhost', tool: 'nut', feeds: ['oss1'] };
  const told = (list: UpsUnit[][], ups: readonly object[] = [setting]): readonly FindingDraft[] =>
    found([], { ups, units: list });

  it('wants its battery replaced, or runs on it; LB alone is no emergency', () => {
    expect(told([[unit()]])).toEqual([]);
    expect(told([[unit({ lowBattery: true, status: ['OL', 'CHRG', 'LB'] })]])).toEqual([]);
    expect(told([[unit({ replaceBattery: true })]])[0]?.summary).toBe(
      'UPS rack1@localhost: wants its battery replaced; it feeds oss1',
    );
    expect(told([[unit({ onBattery: true, lowBattery: true })]])[0]).toMatchObject({
      kind: 'ups-on-battery',
      severity: 'critical',
    });
  });

  it('is told on bypass, not while it calibrates or boosts', () => {
    const on = (...status: string[]) => told([[unit({ status })]]).map(({ kind }) => kind);
    expect(on('OL', 'BYPASS')).toEqual(['ups-bypass']);
    expect(on('OL', 'CAL', 'BYPASS')).toEqual([]);
    expect(on('OL', 'BOOST')).toEqual([]);
  });

  it('takes the power of what it feeds once its battery is nearly empty, or it was told to shut down; before that of nothing', () => {
    const breaks = (more: Partial<UpsUnit>, ups: readonly object[] = [setting]) =>
      told([[unit({ onBattery: true, ...more })]], ups)[0]?.breaks;
    const power = [{ what: 'power', of: [{ kind: 'host', id: 'oss1' }] }];
    expect(breaks({ lowBattery: true })).toEqual(power);
    expect(breaks({ status: ['OB', 'FSD'] })).toEqual(power);
    expect(breaks({ status: ['OB', 'DISCHRG'] })).toBeUndefined();
    expect(breaks({ lowBattery: true }, [{ ...setting, feeds: [] }])).toBeUndefined();
  });

  it('neither runs on its battery nor wants one where power came back, contact is lost, or it is not read now', () => {
    const back = [unit({ status: ['OL', 'CHRG'], chargePct: 12, runtimeS: 60 })];
    expect(told([[unit({ onBattery: true, replaceBattery: true })], back])).toEqual([]);
    const lost: UpsUnit[] = [{ name: 'rack1@localhost', status: ['COMMLOST'], commLost: true }];
    expect(told([lost])).toEqual([]);
    const view = storage.view(judge([], { ups: [setting], units: [lost] }));
    expect(view.sign).toBe('unknown');
    const judgement = judge([], {
      ups: [setting],
      units: [[unit({ onBattery: true, replaceBattery: true })]],
    });
    (judgement.readings as Sources).fail('storage.ups', 'mgmt1', { kind: 'timeout', message: 'late' });
    expect(storage.findings(judgement)).toEqual([]);
  });

  it('is silent after three readings in a row, not after two, and not where one of them spoke', () => {
    const dead = [unit({ failure: 'Data stale', status: [] })];
    expect(told([dead, dead, dead]).map(({ kind }) => kind)).toEqual(['ups-silent']);
    expect(told([dead, dead])).toEqual([]);
    expect(told([dead, [unit()], dead])).toEqual([]);
  });

  it('ends by the date of its battery, where the site says how long it lives', () => {
    const dated = [[unit({ batteryDate: '2024/12/20' })]];
    const life = (lifeYears: number) => told(dated, [{ ...setting, lifeYears }]);
    expect(life(2)[0]).toMatchObject({ kind: 'battery-end', severity: 'warning' });
    expect(life(2)[0]?.summary).toContain('battery ends by its date on 2026-12-20');
    expect(life(1.92)[0]?.severity).toBe('critical');
    expect(life(3)).toEqual([]);
    expect(told(dated)).toEqual([]);
  });

  it('reads a date that may mean two days as both', () => {
    expect(readDates('06/07/14').map((at) => new Date(at).toISOString().slice(0, 10))).toEqual([
      '2014-06-07',
      '2014-07-06',
    ]);
    expect(readDates('2014/06/06')).toHaveLength(1);
    expect(readDates('soon')).toEqual([]);
    expect(batteryEnd('31/31/14', 2)).toBeUndefined();
  });

  it('is read with what it says when it fails', () => {
    const answer = answerOf(
      '@@faultline unit nut a@b\nError: Data stale\n\n@@faultline unit apcupsd c:1\nSTATUS   : ONLINE\nHOSTNAME : x\n\n@@faultline unit nut d@e\n\n@@faultline end\n',
    );
    expect(readUps(answer).value.units).toMatchObject([
      { name: 'a@b', status: [], failure: 'Data stale' },
      { name: 'c:1', status: ['ONLINE'], onBattery: false },
      { name: 'd@e', failure: 'no answer within 10 s' },
    ]);
  });
});

describe('the answer of a host', () => {
  const answer = (parts: Readonly<Record<string, string>>): ReturnType<typeof readArrays> =>
    readArrays(
      answerOf(
        [
          ...Object.entries({ mdstat: '', mdsys: '', gone: '', ...parts }).flatMap(([word, text]) => [
            `@@faultline ${word}`,
            text,
          ]),
          ...(parts['zpool'] === undefined ? [] : ['@@faultline zpool-exit 0']),
          '@@faultline disks',
          'NAME="sda" PKNAME="" TYPE="disk" SERIAL="A1" WWN="0x5000" MOUNTPOINT=""',
          'NAME="sda1" PKNAME="sda" TYPE="part" SERIAL="" WWN="" MOUNTPOINT=""',
          'NAME="md1" PKNAME="sda1" TYPE="raid1" SERIAL="" WWN="" MOUNTPOINT="/home"',
          '@@faultline disks-exit 0',
          '@@faultline end',
          '',
        ].join('\n'),
      ),
    );

  const stat = (pattern: string): string =>
    `Personalities : [raid1]\nmd1 : active raid1 sdb[1] sda1[0]\n 64 blocks super 1.2 [2/2] [${pattern}]\nunused devices: <none>`;
  const sys = (state: string): string =>
    [
      ...['array_state:clean', 'raid_disks:2', 'sync_action:idle', 'level:raid1'].map(
        (line) => `/sys/block/md1/md/${line}`,
      ),
      '/sys/block/md1/md/dev-sda1/state:in_sync',
      '/sys/block/md1/md/dev-sda1/slot:0',
      `/sys/block/md1/md/dev-sdb/state:${state}`,
      '/sys/block/md1/md/dev-sdb/slot:1',
    ].join('\n');

  it('joins places of sysfs with the pattern of mdstat, and disks with their partitions', () => {
    const { arrays, disks } = answer({ mdstat: stat('UU'), mdsys: sys('in_sync') }).value;
    expect(disks).toEqual([{ name: 'sda', serial: 'A1', wwn: '0x5000', holds: 'partitions' }]);
    expect(arrays).toEqual([
      {
        id: 'md1',
        level: 'raid1',
        layout: { kind: 'mirror' },
        slots: [
          { disk: 'sda', state: 'good' },
          { disk: 'sdb', state: 'good' },
        ],
        spares: 0,
        parts: [{ disk: 'sda', member: 'sda1' }],
        usable: true,
        mount: '/home',
      },
    ]);
  });

  it('doubts what contradicts itself, and counts a disk that has left as missing', () => {
    expect(answer({ mdstat: stat('U_'), mdsys: sys('in_sync') }).value.arrays[0]?.doubt).toBeDefined();
    const gone = { mdstat: stat('UU'), mdsys: sys('in_sync'), gone: '/sys/block/md1/md/dev-sdb/block' };
    expect(answer(gone).value.arrays[0]).toMatchObject({
      slots: [{ state: 'good' }, { disk: 'sdb', state: 'missing' }],
      pulled: ['sdb'],
    });
    expect(answer({ mdstat: stat('UU') }).value.arrays[0]).toMatchObject({ doubt: 'not in sysfs' });
  });

  it('counts a spare of ZFS as empty until the resilver has ended', () => {
    const zpool = (scan: string): string =>
      [
        '  pool: tank',
        ' state: DEGRADED',
        `  scan: ${scan}`,
        'config:',
        '',
        '\tNAME            STATE     READ WRITE CKSUM',
        '\ttank            DEGRADED     0     0     0',
        '\t  raidz2-0      DEGRADED     0     0     0',
        '\t    spare-0     DEGRADED     0     0     0',
        '\t      /dev/a    FAULTED      0     0     0',
        '\t      /dev/s    ONLINE       0     0     0',
        '\t    /dev/b      ONLINE       0     0     0',
        '\t    /dev/c      UNAVAIL      0     0     0',
        '\tspares',
        '\t  /dev/s        INUSE     currently in use',
      ].join('\n');
    const [running] = answer({ zpool: zpool('resilver in progress since Sun') }).value.arrays;
    expect(running).toMatchObject({ id: 'tank/raidz2-0', work: 'rebuild', spares: 0 });
    expect(running?.slots.map(({ state }) => state)).toEqual(['filling', 'good', 'missing']);
    const [ended] = answer({ zpool: zpool('resilvered 1M in 00:00:01 with 0 errors on Sun') }).value.arrays;
    expect(ended?.slots.map(({ disk, state }) => `${disk} ${state}`)).toEqual([
      's good',
      'b good',
      'c missing',
    ]);
    expect(ended?.out).toEqual(['a']);
  });

  it('says in the page of a host which failed disk may be pulled', () => {
    const blocks = storage.detail({ kind: 'host', id: 'oss1' }, judge([reading([array('ggggxx')])]));
    const safe = blocks.find(({ id }) => id === 'storage-safe');
    expect(safe).toMatchObject({
      lines: [
        { text: 'now: sde, serial SN-sde: md6: out already, 0 of 2 left, no spare takes over' },
        { text: 'wait: sdf, serial SN-sdf: md6: after sde, one at a time' },
      ],
    });
  });
});
