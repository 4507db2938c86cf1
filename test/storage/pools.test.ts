import { describe, expect, it } from 'vitest';
import { poolClearAction } from '../../probes/storage/act/pool-clear.ts';
import { poolOfflineAction, poolOnlineAction } from '../../probes/storage/act/pool-disks.ts';
import { poolReplaceAction } from '../../probes/storage/act/pool-replace.ts';
import { readArrays } from '../../probes/storage/read/read-arrays.ts';
import type { ArraysReading } from '../../probes/storage/readings.ts';
import { Pool } from '../../probes/storage/simulate/pool.ts';
import type { Action, Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** Rows of `zpool status`: depth, name, guid, state, checksum errors; without a state the title of a section. */
type Row = readonly [depth: number, name: string, guid: string, state: string, cksum?: number, note?: string];

const wwn = (at: number): string => `0x5000c500a0b0c00${at}`;
const disk = (at: number, state = 'ONLINE', cksum = 0): Row => [
  2,
  `/dev/disk/by-id/wwn-${wwn(at)}-part1`,
  `900${at}`,
  state,
  cksum,
];
const whole: readonly Row[] = [1, 2, 3, 4, 5, 6].map((at) => disk(at));
const raidz = (rows: readonly Row[], name = 'raidz2-0'): Row[] => [
  [0, 'tank', '77', 'ONLINE'],
  [1, name, '88', 'ONLINE'],
  ...rows,
];

const status = (rows: readonly Row[], byGuid: boolean, scan = ''): string =>
  [
    '  pool: tank',
    ' state: DEGRADED',
    `  scan: ${scan === '' ? 'none requested' : scan}`,
    'config:',
    '',
    '\tNAME  STATE  READ WRITE CKSUM',
    ...rows.map(([depth, name, guid, state, cksum = 0, note = '']) =>
      state === ''
        ? `\t${name}`
        : `\t${'  '.repeat(depth)}${byGuid && depth > 0 ? guid : name}  ${state}  0  0  ${cksum}${note === '' ? '' : `  ${note}`}`,
    ),
    '',
    'errors: No known data errors',
  ].join('\n');

interface Given {
  rows?: readonly Row[];
  named?: readonly Row[];
  scan?: string;
}

const read = ({ rows = raidz(whole), named = rows, scan }: Given): ArraysReading =>
  readArrays(
    answerOf(
      [
        '@@faultline mdstat',
        'cat: /proc/mdstat: No such file or directory',
        '@@faultline disks',
        ...[1, 2, 3, 4, 5, 6, 7].map(
          (at) =>
            `NAME="sd${'abcdefg'[at - 1]}" PKNAME="" TYPE="disk" SERIAL="ZA1${at}" WWN="${wwn(at)}" MOUNTPOINT=""`,
        ),
        '@@faultline disks-exit 0',
        '@@faultline zpool',
        status(rows, false, scan),
        '',
        '@@faultline zpool-exit 0',
        '@@faultline guids',
        status(named, true, scan),
        '',
        '@@faultline guids-exit 0',
        '@@faultline end',
        '',
      ].join('\n'),
    ),
  ).value;

const judge = (reading: ArraysReading | undefined, settings: object = {}): Judgement => {
  const sources = new Sources();
  if (reading) sources.good('storage.arrays', 'a1', reading, start);
  return judgementOf({
    readings: sources,
    site: siteOf([{ name: 'a1', roles: ['storage'] }], { settings: { storage: settings } }),
  });
};

const subject = { kind: 'host', id: 'a1' } as const;
const plan = <P>(action: Action<P>, parameters: P, live: Judgement): Plan | Refusal =>
  action.plan([subject], parameters, { judgement: live, operator: 'op' });
const targetOf = (made: Plan | Refusal): PlanTarget => {
  const [target] = 'refused' in made ? [] : made.targets;
  if (!target) throw new Error('reason' in made ? made.reason : 'no target');
  return target;
};
const argvOf = (made: Plan | Refusal): string[] =>
  targetOf(made).steps.map((step) => ('argv' in step ? step.argv.join(' ') : ''));
const said = ({ guards }: PlanTarget, live: Judgement): string[] =>
  guards.flatMap(({ check }) => {
    const result = check(live);
    return result.ok ? [] : [result.text];
  });
const live = (given: Given = {}): Judgement => judge(read(given));
const offline = (name: string, given: Given = {}) => plan(poolOfflineAction, { disk: name }, live(given));

describe('disks of a pool', () => {
  it('are joined to those of the kernel by WWN, and know their guid', () => {
    const [array] = read({}).arrays;
    expect(array).toMatchObject({
      id: 'tank/raidz2-0',
      pool: 'tank',
      slots: [{ disk: 'sda' }, { disk: 'sdb' }, {}, {}, {}, {}],
      parts: [{ member: `wwn-${wwn(1)}-part1`, disk: 'sda' }, {}, {}, {}, {}, {}],
      vdevs: [
        { disk: 'sda', guid: '9001', state: 'ONLINE', read: 0, write: 0, cksum: 0 },
        {},
        {},
        {},
        {},
        {},
      ],
    });
  });

  it('of its logs, caches and spares are known beside the vdevs', () => {
    const more: Row[] = [
      [0, 'logs', '', ''],
      [1, 'mirror-1', '5', 'ONLINE'],
      [2, `wwn-${wwn(6)}-part1`, '9006', 'ONLINE'],
      [0, 'cache', '', ''],
      [1, 'A9', '9009', 'ONLINE'],
      [0, 'spares', '', ''],
      [1, `wwn-${wwn(7)}-part1`, '9007', 'AVAIL'],
    ];
    const rows = [...raidz(whole.slice(0, 5)), ...more];
    expect(read({ rows }).arrays).toMatchObject([{ spares: 1, beside: ['sdf', 'A9', 'sdg'] }]);
    const made = plan(poolReplaceAction, { disk: 'sda', by: 'sdg' }, live());
    expect(said(targetOf(made), live({ rows }))).toContain('it is in the pool tank');
  });

  it('have no guid where both trees differ, and none that is no number', () => {
    const guids = (given: Given): unknown[] => read(given).arrays[0]?.vdevs?.map(({ guid }) => guid) ?? [];
    expect(guids({ named: raidz(whole.slice(1)) })).toEqual(Array.from({ length: 6 }));
    expect(guids({ named: raidz([disk(1, 'OFFLINE'), ...whole.slice(1)]) })).toEqual(
      Array.from({ length: 6 }),
    );
    expect(guids({ named: raidz([[2, 'x', '-f', 'ONLINE'], ...whole.slice(1)]) })[0]).toBeUndefined();
  });
});

describe('storage.pool-offline', () => {
  it('names the disk by its guid, and can be undone by it', () => {
    expect(argvOf(offline('sdc'))).toEqual(['zpool offline tank 9003']);
    const target = targetOf(plan(poolOfflineAction, { disk: 'sdc' }, judge(read({}), { sudo: true })));
    expect(target.steps).toMatchObject([{ argv: ['sudo', '-n', 'zpool', 'offline', 'tank', '9003'] }]);
    expect(target.undo).toMatchObject([{ argv: ['sudo', '-n', 'zpool', 'online', 'tank', '9003'] }]);
    const undo = (was: unknown) =>
      poolOfflineAction.undoOf?.(subject, was, { judgement: live(), operator: 'op' });
    expect(undo(target.was)).toMatchObject({ steps: [{ argv: ['zpool', 'online', 'tank', '9003'] }] });
    for (const bad of [undefined, { pool: 'tank' }, { pool: '-f', guid: '1' }, { pool: 'tank', guid: 'x' }])
      expect(undo(bad)).toMatchObject({ refused: true });
  });

  it('is refused by our own guard where zpool would obey', () => {
    const target = targetOf(offline('sdc'));
    expect(said(target, live())).toEqual([]);
    expect(said(target, live({ rows: raidz([disk(1, 'FAULTED'), ...whole.slice(1)]) }))).toEqual([
      'tank/raidz2-0: would leave 0 of 2 (wait)',
    ]);
    const mirror = targetOf(offline('sda', { rows: raidz(whole.slice(0, 2), 'mirror-0') }));
    expect(said(mirror, live({ rows: raidz(whole.slice(0, 2), 'mirror-0') }))).toEqual([
      'tank/mirror-0: would leave 0 of 1 (replace in place)',
    ]);
  });

  it('is refused while anything resilvers, where the disk is another one now, and where nothing was read', () => {
    const target = targetOf(offline('sdc'));
    const scan = 'resilver in progress since Sun Nov 22 15:19:20 2026';
    expect(said(target, live({ scan })).join()).toContain('tank resilvers, wait');
    const other = whole.map((row, at): Row => (at === 2 ? [row[0], row[1], '555', row[3]] : row));
    expect(said(target, live({ rows: raidz(other) }))).toEqual(['another disk is called sdc now']);
    expect(said(target, judge(undefined))).toHaveLength(2);
    expect(said(target, judge({ ...read({}), unread: { zpool: 'no answer within 10 s' } })).join()).toContain(
      'not known',
    );
  });

  it('has no plan for a disk that no pool names, or whose guid nobody knows', () => {
    const reason = (made: Plan | Refusal): string => ('refused' in made ? made.reason : 'planned');
    expect(reason(offline('sdg'))).toBe('sdg is in no pool of a1');
    expect(reason(offline('sda', { named: raidz(whole.slice(1)) }))).toBe(
      'the guid of sda is not known: by hand',
    );
    expect(poolOfflineAction.parameters.safeParse({ disk: '-f' }).success).toBe(false);
    expect(poolOfflineAction.parameters.safeParse({ disk: 'sda sdb' }).success).toBe(false);
  });
});

describe('storage.pool-online', () => {
  const given = { rows: raidz([disk(1, 'OFFLINE'), ...whole.slice(1)]) };

  it('brings back what was taken offline, and is verified by its state', () => {
    const made = plan(poolOnlineAction, { disk: 'sda' }, live(given));
    expect(argvOf(made)).toEqual(['zpool online tank 9001']);
    const target = targetOf(made);
    expect(said(target, live(given))).toEqual([]);
    expect(target.verify.check(live()).state).toBe('yes');
    expect(target.verify.check(live(given)).state).toBe('wait');
    expect(target.verify.check(judge(undefined)).state).toBe('unread');
    expect(target.whyAlreadyDone(live())).toBe('sda is online');
  });

  it('is refused for a disk that is faulted or gone, and while the pool resilvers', () => {
    const target = targetOf(plan(poolOnlineAction, { disk: 'sda' }, live(given)));
    expect(said(target, live({ rows: raidz([disk(1, 'FAULTED'), ...whole.slice(1)]) }))).toEqual([
      'it is FAULTED',
    ]);
    expect(said(target, live({ ...given, scan: 'resilver in progress since x' }))).toEqual([
      'tank resilvers, wait',
    ]);
  });
});

describe('storage.pool-clear', () => {
  const given = { rows: raidz([disk(1, 'FAULTED', 169), ...whole.slice(1)]) };

  it('keeps the counters in the plan and for the log', () => {
    const made = plan(poolClearAction, { disk: 'sda' }, live(given));
    expect(argvOf(made)).toEqual(['zpool clear tank 9001']);
    expect('because' in made && made.because.join()).toContain(
      'FAULTED, 0 read, 0 write, 169 checksum errors',
    );
    expect(targetOf(made).was).toMatchObject({ state: 'FAULTED', cksum: 169 });
    expect(said(targetOf(made), live(given))).toEqual([]);
    expect(targetOf(made).verify.check(live()).state).toBe('yes');
    expect(targetOf(made).verify.check(live(given)).state).toBe('wait');
    expect(targetOf(made).undo).toBeNull();
  });

  it('is refused where more was counted since, and on a pool that does not work', () => {
    const target = targetOf(plan(poolClearAction, { disk: 'sda' }, live(given)));
    expect(
      said(target, live({ rows: raidz([disk(1, 'FAULTED', 170), ...whole.slice(1)]) })).join(),
    ).toContain('170');
    const [array, ...others] = read(given).arrays;
    const stopped = { ...read(given), arrays: [{ ...array, usable: false, word: 'SUSPENDED' }, ...others] };
    expect(said(target, judge(stopped as ArraysReading))).toEqual(['the pool does not work: SUSPENDED']);
    expect(target.whyAlreadyDone(live())).toBe('no error is counted');
  });
});

describe('storage.pool-replace', () => {
  const given = { rows: raidz([disk(1, 'FAULTED'), ...whole.slice(1)]) };

  it('puts a free disk in by a name that lasts, never by force', () => {
    const made = plan(poolReplaceAction, { disk: 'sda', by: 'sdg' }, live(given));
    expect(argvOf(made)).toEqual([`zpool replace tank 9001 /dev/disk/by-id/wwn-${wwn(7)}`]);
    expect(said(targetOf(made), live(given))).toEqual([]);
  });

  it('is verified by the serial number of the new disk', () => {
    const { verify } = targetOf(plan(poolReplaceAction, { disk: 'sda', by: 'sdg' }, live(given)));
    const filling: readonly Row[] = [
      [2, 'replacing-0', '66', 'DEGRADED'],
      [3, `wwn-${wwn(1)}-part1`, '9001', 'FAULTED'],
      [3, `wwn-${wwn(7)}-part1`, '9007', 'ONLINE', 0, '(resilvering)'],
      ...whole.slice(1),
    ];
    const scan = 'resilver in progress since Sun Nov 22 15:19:20 2026';
    expect(verify.check(live({ rows: raidz(filling), scan }))).toMatchObject({
      state: 'yes',
      text: 'sdg, serial ZA17, is being filled',
    });
    expect(verify.check(live(given)).state).toBe('wait');
    const swapped = read({ rows: raidz(filling), scan });
    const disks = swapped.disks.map((one) => (one.name === 'sdg' ? { ...one, serial: 'OTHER' } : one));
    expect(verify.check(judge({ ...swapped, disks })).text).toBe('sdg does not bear the serial number ZA17');
  });

  it('is refused for a disk in use, one without a serial number of its own, and while the pool resilvers', () => {
    const target = targetOf(plan(poolReplaceAction, { disk: 'sda', by: 'sdg' }, live(given)));
    const withDisk = (more: object): Judgement => {
      const reading = read(given);
      return judge({
        ...reading,
        disks: reading.disks.map((one) => (one.name === 'sdg' ? { ...one, ...more } : one)),
      });
    };
    expect(said(target, withDisk({ mounts: ['/boot'] })).join()).toContain('/boot lies on it');
    expect(said(target, withDisk({ serial: 'OTHER' }))).toEqual(['it does not bear the serial number ZA17']);
    expect(said(target, live({ ...given, scan: 'resilver in progress since x' })).join()).toContain(
      'resilvers',
    );
    expect(plan(poolReplaceAction, { disk: 'sda', by: 'sdg' }, withDisk({ serial: 'ZA16' }))).toMatchObject({
      refused: true,
    });
    expect(
      said(targetOf(plan(poolReplaceAction, { disk: 'sda', by: 'sdb' }, live(given))), live(given)),
    ).toEqual(['it is in tank/raidz2-0']);
  });
});

describe('zpool of the demo', () => {
  it('takes a disk offline and back, and fills a new one', () => {
    const pool = new Pool();
    const guid = /^\t {4}(\d{18}) /m.exec(pool.status(true))?.[1] ?? '';
    expect(pool.call(['offline', 'fast', guid], start)?.mutated).toBe(true);
    expect(pool.status(false)).toContain('OFFLINE');
    expect(pool.call(['online', 'fast', guid], start)?.mutated).toBe(true);
    expect(pool.call(['offline', 'fast', '1'], start)).toMatchObject({ exitCode: 1 });
    expect(pool.call(['replace', 'fast', guid, '/dev/nvme6n1'], start)?.mutated).toBe(true);
    expect(pool.status(false)).toContain('replacing-0');
    pool.advance(start + 3_600_000);
    expect(pool.status(false)).not.toContain('replacing');
    expect(pool.status(false)).toContain('nvme6n1p1');
  });
});
