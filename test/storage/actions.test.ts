import { describe, expect, it } from 'vitest';
import { failRemoveAction } from '../../probes/storage/act/fail-remove.ts';
import { readdAction } from '../../probes/storage/act/re-add.ts';
import { createStorageSimulator } from '../../probes/storage/simulate/index.ts';
import { readArrays } from '../../probes/storage/read/read-arrays.ts';
import type { ArraysReading } from '../../probes/storage/readings.ts';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { start } from '../helpers/judging.ts';
import { argvs, array, context, judge, raid1, refusals, subject, targetOf } from './make.ts';

const takeOut = (judgement: Judgement, disk: string): Plan | Refusal =>
  failRemoveAction.plan([subject], { disk }, context(judgement));
const putBack = (judgement: Judgement, disk: string, to = 'md6'): Plan | Refusal =>
  readdAction.plan([subject], { disk, array: to }, context(judgement));

describe('storage.fail-remove', () => {
  it('fails a member and takes it out, by the names that the array has', () => {
    expect(argvs(targetOf(takeOut(judge([array('gggggg')]), 'sdc')))).toEqual([
      'mdadm /dev/md6 --fail /dev/sdc',
      'mdadm /dev/md6 --remove /dev/sdc',
    ]);
    const parts = [{ member: 'sdc2', disk: 'sdc' }];
    const target = targetOf(takeOut(judge([array('gggggg', { parts })], {}, { sudo: true }), 'sdc'));
    expect(argvs(target)).toEqual([
      'sudo -n mdadm /dev/md6 --fail /dev/sdc2',
      'sudo -n mdadm /dev/md6 --remove /dev/sdc2',
    ]);
    expect(argvs({ steps: target.undo ?? [] })).toEqual(['sudo -n mdadm /dev/md6 --re-add /dev/sdc2']);
  });

  it('only takes out what failed already', () => {
    const out = judge([array('ggxggg', { out: ['sdz'] })]);
    const target = targetOf(takeOut(out, 'sdz'));
    expect(argvs(target)).toEqual(['mdadm /dev/md6 --remove /dev/sdz']);
    expect(refusals(target, out)).toEqual([]);
  });

  it('is refused before mdadm runs where nothing could be lost afterwards', () => {
    const whole = targetOf(takeOut(judge([array('gggggg')]), 'sdc'));
    expect(refusals(whole, judge([array('gggggg')]))).toEqual([]);
    // What was so when the plan was made is none of its business: the reading of now is.
    expect(refusals(whole, judge([array('gggggx')]))).toEqual(['md6: would leave 0 of 2 (wait)']);
    expect(refusals(whole, judge([array('ggggxx')]))).toEqual(['md6: would leave 0 of 2 (wait)']);
    const mirror = targetOf(takeOut(judge([raid1('gg')]), 'sda'));
    for (const pattern of ['gg', 'gx'])
      expect(refusals(mirror, judge([raid1(pattern)]))).toEqual([
        'md1: would leave 0 of 1 (replace in place)',
      ]);
  });

  it('is refused where nobody knows, and while anything is filled', () => {
    const target = targetOf(takeOut(judge([array('gggggg')]), 'sdc'));
    const said = (live: Judgement): string => refusals(target, live).join();
    expect(said(judge(undefined))).toBe('the arrays were not read just now');
    expect(said(judge([array('gggggg', { doubt: 'not in sysfs' })]))).toBe('md6: not in sysfs (cannot say)');
    expect(said(judge([array('gggfgg', { work: 'rebuild', workPct: 12 })]))).toContain('rebuild 12 %, wait');
    expect(said(judge([array('gggggg')], { unread: { zpool: 'no answer' } }))).toContain(
      'ZFS pools not known',
    );
    expect(said(judge([array('gggggg', { usable: false })]))).toContain('never');
    expect(said(judge([array('gggggg')], { disks: [] }))).toBe('no such disk was read just now');
    const dark = { ...raid1('xx'), doubt: 'not in sysfs' };
    expect(said(judge([array('gggggg'), dark]))).toBe(
      'md1: not in sysfs, and it may be in that one (cannot say)',
    );
  });

  it('says what to do with the disk afterwards as far as it is known, and of a spare that could take its place', () => {
    const planOf = (live: Judgement): Plan => {
      const plan = takeOut(live, 'sdc');
      if ('refused' in plan) throw new Error(plan.reason);
      return plan;
    };
    const plan = planOf(judge([array('gggggg', { spares: 1 })]));
    expect(plan.afterwards).toContain('find it by its serial number, pull it');
    expect(plan.because.join('\n')).toContain('storage.replace-in-place');
    expect(planOf(judge([array('gggggg', { spares: 0 })])).because.join('\n')).not.toContain(
      'replace-in-place',
    );
    expect(planOf(judge([array('ggxggg', { spares: 1, out: ['sdc'] })])).because.join('\n')).not.toContain(
      'replace-in-place',
    );
    for (const disks of [[{ name: 'sdc' }], ['sdc', 'sdd'].map((name) => ({ name, serial: 'SAME' }))])
      expect(planOf(judge([array('gggggg')], { disks })).afterwards).toContain('find out which disk it is');
  });

  it('has no plan for a disk in no array, in two of them, or with two partitions in one', () => {
    const reasonOf = (plan: Plan | Refusal): string => ('refused' in plan ? plan.reason : '');
    expect(reasonOf(takeOut(judge([array('gggggg')]), 'sdz'))).toBe('sdz is in no array of array2');
    expect(reasonOf(takeOut(judge([array('gggggg'), raid1('gg')]), 'sda'))).toContain('md6, md1: by hand');
    const parts = ['sdc1', 'sdc2'].map((member) => ({ member, disk: 'sdc' }));
    expect(reasonOf(takeOut(judge([array('gggggg', { parts })]), 'sdc'))).toContain('several partitions');
    expect(reasonOf(takeOut(judge(undefined), 'sdc'))).toContain('not read just now');
    expect(reasonOf(takeOut(judge([array('gggggg', { id: 'tank/raidz2-0' })]), 'sdc'))).toContain('by hand');
    expect(failRemoveAction.parameters.safeParse({ disk: 'sda /dev/sdb' }).success).toBe(false);
  });

  it('is done when the array no longer names it, and undone by values of the log alone', () => {
    const { verify, was, whyAlreadyDone } = targetOf(takeOut(judge([array('gggggg')]), 'sdc'));
    expect(verify.check(judge([array('gggggg')])).state).toBe('wait');
    expect(verify.check(judge([array('ggxggg', { out: ['sdc'] })])).state).toBe('wait');
    expect(verify.check(judge([array('ggxggg')])).state).toBe('yes');
    expect(verify.check(judge([])).state).toBe('unread');
    expect(verify.check(judge(undefined)).state).toBe('unread');
    expect(whyAlreadyDone(judge([array('ggxggg')]))).toBe('md6 does not name sdc');
    expect(whyAlreadyDone(judge([array('gggggg')]))).toBeUndefined();
    expect(whyAlreadyDone(judge(undefined))).toBeUndefined();
    // Nobody says that it was taken out where md was not read, or mdstat and sysfs contradict each other.
    const dark = [
      judge([], { unread: { mdstat: 'denied' } }),
      judge([array('xxxxxx', { doubt: 'not in sysfs' })]),
    ];
    for (const live of dark) {
      expect(whyAlreadyDone(live)).toBeUndefined();
      expect(verify.check(live).state).toBe('unread');
    }
    const undo = (values: unknown) =>
      failRemoveAction.undoOf?.(subject, values, context(judge([array('ggxggg')])));
    expect(undo(was)).toMatchObject({ steps: [{ argv: ['mdadm', '/dev/md6', '--re-add', '/dev/sdc'] }] });
    for (const bad of [
      undefined,
      { array: 'md6' },
      { array: 'md6', member: '--zero' },
      { array: '-x', member: 'sda' },
    ])
      expect(undo(bad)).toMatchObject({ refused: true });
  });
});

describe('the menu', () => {
  const tried = (judgement: Judgement) => failRemoveAction.menu.tryWith?.([subject], context(judgement));
  it('offers to take out what failed or is suspect, as far as it may go now', () => {
    expect(tried(judge([array('ggxggg', { out: ['sdz'] })]))).toEqual([{ disk: 'sdz' }]);
    expect(tried(judge([array('gggggg')]))).toMatchObject({ refused: true });
    expect(tried(judge([array('ggxfgg', { out: ['sdz'], work: 'rebuild' })]))).toMatchObject({
      refused: true,
    });
    expect(tried(judge(undefined))).toMatchObject({ refused: true });
  });

  it('offers to put back a free disk where a place is empty, first one that was made for that array', () => {
    const offered = (judgement: Judgement) => readdAction.menu.tryWith?.([subject], context(judgement));
    const disks = [
      { name: 'sda', madeFor: 'U6', holds: 'linux_raid_member' },
      { name: 'sdx' },
      { name: 'sdy', madeFor: 'U9', holds: 'linux_raid_member' },
      { name: 'sdz', madeFor: 'U6', holds: 'linux_raid_member' },
    ];
    expect(offered(judge([array('ggxggg')], { disks }))).toEqual([
      { disk: 'sdz', array: 'md6' },
      { disk: 'sdx', array: 'md6' },
    ]);
    expect(offered(judge([array('gggggg')], { disks }))).toMatchObject({ refused: true });
    expect(offered(judge([array('ggxggg', { spareDisks: ['sdz', 'sdx'] })], { disks }))).toMatchObject({
      refused: true,
    });
    expect(offered(judge(undefined))).toMatchObject({ refused: true });
  });
});

describe('storage.re-add', () => {
  it('puts a former member back where a place is empty, and never adds a spare', () => {
    const live = judge([array('ggxggg')]);
    const target = targetOf(putBack(live, 'sdz'));
    expect(argvs(target)).toEqual(['mdadm /dev/md6 --re-add /dev/sdz']);
    expect(refusals(target, live)).toEqual([]);
  });

  it('is refused on an array without an empty place, that does not work, or that nobody knows', () => {
    const target = targetOf(putBack(judge([array('ggxggg')]), 'sdz'));
    const said = (live: Judgement): string => refusals(target, live).join('; ');
    expect(said(judge([array('gggggg')]))).toBe('no place of it is empty');
    expect(said(judge([array('ggxggg', { usable: false, word: 'broken' })]))).toBe(
      'it does not work: broken',
    );
    expect(said(judge([array('ggxfgg', { work: 'rebuild' })]))).toBe('rebuild runs or waits there');
    expect(said(judge([array('ggxggg', { doubt: 'not in sysfs' })]))).toContain('not in sysfs');
    const parts = [{ member: 'sda2', disk: 'sda' }];
    expect(said(judge([array('ggxggg', { parts })]))).toBe('its members are partitions: by hand');
    expect(said(judge(undefined))).toContain('no such array was read just now');
  });

  it('is refused for a disk that is in an array, mounted, or not there', () => {
    const said = (disk: string, more: Partial<ArraysReading> = {}): string =>
      refusals(targetOf(putBack(judge([array('ggxggg')]), disk)), judge([array('ggxggg')], more)).join();
    expect(said('sda')).toBe('it is in md6');
    expect(said('sdy')).toBe('no such disk was read just now');
    expect(said('sdz', { disks: [{ name: 'sdz', mounts: ['/boot'] }] })).toContain('/boot lies on it');
    expect(said('sdz', { unread: { mdstat: 'denied' } })).toContain('not known');
    const dark = { ...raid1('xx'), doubt: 'not in sysfs' };
    expect(said('sdz', { arrays: [array('ggxggg'), dark] })).toContain('it may be in that one');
  });

  it('is verified by the member in sync, or by the rebuild that goes on', () => {
    const { verify, whyAlreadyDone } = targetOf(putBack(judge([array('ggxggg')]), 'sdc'));
    expect(verify.check(judge([array('ggxggg')])).state).toBe('wait');
    expect(verify.check(judge([array('gggggg')]))).toEqual({ state: 'yes', text: 'in sync' });
    expect(verify.check(judge([array('ggfggg', { work: 'rebuild', workPct: 3.2 })]))).toEqual({
      state: 'yes',
      text: 'it is being filled',
      goesOn: 'rebuild 3 %',
    });
    expect(verify.check(judge(undefined)).state).toBe('unread');
    expect(whyAlreadyDone(judge([array('gggggg')]))).toBe('sdc is in md6');
    const dark = judge([array('gggggg', { doubt: 'mdstat and sysfs contradict each other' })]);
    expect(whyAlreadyDone(dark)).toBeUndefined();
    expect(verify.check(dark).state).toBe('unread');
  });
});

describe('mdadm of the demo', () => {
  it('takes a member out and puts it back, in its own words', () => {
    const simulator = createStorageSimulator();
    const run = (...argv: string[]) => simulator.call({ host: 'array2', argv, stdin: '', now: start });
    const mdstat = (): string => String(run('cat', '/proc/mdstat')?.stdout);
    expect(run('mdadm', '/dev/md0', '--remove', '/dev/sdc')).toMatchObject({ exitCode: 1 });
    expect(run('mdadm', '/dev/md0', '--fail', '/dev/sdc')?.mutated).toBe(true);
    expect(mdstat()).toContain('sdc[2](F)');
    expect(run('mdadm', '/dev/md0', '--remove', '/dev/sdc')?.mutated).toBe(true);
    expect(mdstat()).toContain('[6/5] [UU_UUU]');
    expect(run('mdadm', '/dev/md1', '--re-add', '/dev/sdc')).toMatchObject({ exitCode: 1 });
    expect(run('mdadm', '/dev/md0', '--re-add', '/dev/sdc')?.mutated).toBe(true);
    expect(mdstat()).not.toContain('_');
  });
});

describe('members that are partitions', () => {
  it('are read with the disk that they lie on', () => {
    const text = [
      '@@faultline mdstat',
      'Personalities : [raid1]',
      'md1 : active raid1 sdb1[1] sda1[0]',
      '      64512 blocks super 1.2 [2/2] [UU]',
      '',
      'unused devices: <none>',
      '@@faultline mdsys',
      ...['array_state:clean', 'raid_disks:2', 'level:raid1'].map((line) => `/sys/block/md1/md/${line}`),
      ...['a', 'b'].flatMap((letter, at) => [
        `/sys/block/md1/md/dev-sd${letter}1/state:in_sync`,
        `/sys/block/md1/md/dev-sd${letter}1/slot:${at}`,
      ]),
      '@@faultline disks',
      ...['sda', 'sdb'].flatMap((disk) => [
        `NAME="${disk}" PKNAME="" TYPE="disk" SERIAL="S${disk}" WWN="" MOUNTPOINT=""`,
        `NAME="${disk}1" PKNAME="${disk}" TYPE="part" SERIAL="" WWN="" MOUNTPOINT=""`,
      ]),
      '',
      '@@faultline disks-exit 0',
      '@@faultline end',
      '',
    ].join('\n');
    const { parts = [] } = readArrays(answerOf(text)).value.arrays[0] ?? {};
    expect(parts.toSorted((a, b) => (a.member < b.member ? -1 : 1))).toEqual([
      { member: 'sda1', disk: 'sda' },
      { member: 'sdb1', disk: 'sdb' },
    ]);
  });
});
