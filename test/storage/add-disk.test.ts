import { describe, expect, it } from 'vitest';
import { addDiskAction } from '../../probes/storage/act/add-disk.ts';
import { replaceInPlaceAction } from '../../probes/storage/act/replace-in-place.ts';
import { createStorageSimulator } from '../../probes/storage/simulate/index.ts';
import type { ArraysReading, ReadArray } from '../../probes/storage/readings.ts';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { start } from '../helpers/judging.ts';
import { ended, provedBy } from '../helpers/refusing.ts';
import { argvs, array, context, judge, raid1, refusals, subject, targetOf } from './make.ts';

const add = (judgement: Judgement, disk: string, serial?: string): Plan | Refusal =>
  addDiskAction.plan(
    [subject],
    { disk, array: 'md6', ...(serial !== undefined && { serial }) },
    context(judgement),
  );
const replace = (judgement: Judgement, disk = 'sdc', spare = 'sdz'): Plan | Refusal =>
  replaceInPlaceAction.plan([subject], { disk, spare }, context(judgement));
const planned = (plan: Plan | Refusal): Plan => {
  if ('refused' in plan) throw new Error(plan.reason);
  return plan;
};

const disks = (more: object) => ({ disks: [{ name: 'sdz', serial: 'SN-sdz', ...more }] });
const held = disks({ holds: 'linux_raid_member', madeFor: 'U9' });

describe('storage.add-disk', () => {
  it('adds a disk by a script that looks once more at what it holds, before mdadm runs', () => {
    const plan = planned(add(judge([array('ggxggg')]), 'sdz'));
    const [line = ''] = argvs(targetOf(plan));
    expect(line).toBe('sh -s -- /dev/md6 /dev/sdz -');
    expect(plan.danger).toBe('service');
    expect(targetOf(plan).undo).toBeNull();
    expect(refusals(targetOf(plan), judge([array('ggxggg')]))).toEqual([]);
  });

  it('waits for the serial number of a disk that holds anything, and is of class access then', () => {
    const said = (more: Partial<ArraysReading>, serial?: string): string =>
      refusals(targetOf(add(judge([array('ggxggg')]), 'sdz', serial)), judge([array('ggxggg')], more)).join();
    expect(said(held)).toBe(
      'it holds linux_raid_member, which is lost: type its serial number to add it all the same',
    );
    expect(said(held, '')).toContain('type its serial number');
    expect(said(held, 'SN-sdy')).toContain('that of no disk of this name');
    expect(said(held, 'SN-sdz')).toBe('');
    // The disk of this name may be another one by now.
    expect(said(disks({ serial: 'NEW' }), 'SN-sdz')).toContain('that of no disk of this name');
    expect(said({ disks: [{ name: 'sdz', holds: 'ext4' }] }, 'SN-sdz')).toContain('has no serial number');
    const plan = planned(add(judge([array('ggxggg')], held), 'sdz', 'SN-sdz'));
    expect(plan.danger).toBe('access');
    expect(argvs(targetOf(plan))[0]).toMatch(/\/dev\/sdz typed$/);
    expect(plan.because.join()).toContain('holds linux_raid_member, which is lost');
    expect(addDiskAction.parameters.safeParse({ disk: 'sdz', array: 'md6', serial: '$(x)' }).success).toBe(
      false,
    );
  });

  it('is refused on an array that does not work, is lost or not known, and for a disk in use', () => {
    const target = targetOf(add(judge([array('ggxggg')]), 'sdz'));
    const said = (live: Judgement): string => refusals(target, live).join('; ');
    expect(said(judge([array('gggggg')]))).toBe('');
    expect(said(judge([array('ggxfgg', { work: 'rebuild' })]))).toBe('');
    expect(said(judge([array('ggxfgg', { work: 'reshape' })]))).toContain('reshape runs');
    expect(said(judge([array('gxxxgg')]))).toBe('it has lost more disks than it can');
    expect(said(judge([array('ggxggg', { usable: false, word: 'broken' })]))).toContain('broken');
    expect(said(judge([array('ggxggg', { doubt: 'not in sysfs' })]))).toContain('not in sysfs');
    expect(said(judge([array('ggxggg', { layout: { kind: 'unknown', word: 'raid9' } })]))).toContain(
      'not known',
    );
    expect(said(judge([array('ggxggg', { spareDisks: ['sdz'] })]))).toBe('it is in md6');
    expect(said(judge([array('ggxggg')], disks({ mounts: ['/boot'] })))).toContain('/boot lies on it');
    expect(said(judge([array('ggxggg')], { unread: { mdstat: 'denied' } }))).toContain('not known');
    expect(said(judge(undefined))).toContain('not read just now');
  });

  it('is refused for a disk that a pool has, or that may be another one by a second path', () => {
    const target = targetOf(add(judge([array('ggxggg')]), 'sdz'));
    const said = (more: Partial<ReadArray>, disks?: ArraysReading['disks']): string =>
      refusals(
        target,
        judge([array('ggxggg'), array('gg', { id: 'tank/mirror-0', pool: 'tank', ...more })], {
          ...(disks && { disks }),
        }),
      ).join('; ');
    const vdev = (disk: string, state = 'ONLINE') => ({ vdevs: [{ disk, state }] });
    expect(said({})).toBe('');
    expect(said({ beside: ['sdz'] })).toBe('it is in the pool tank');
    // One that is filled beside the disk that it replaces has no place of its own.
    expect(said(vdev('sdz'))).toBe('it is in tank/mirror-0');
    const own = { name: 'sdz', serial: 'S1', wwn: '0x1' };
    expect(said({}, [own, { name: 'sdy', serial: 'S1' }])).toContain('sdy bears the same number');
    expect(said({}, [own, { name: 'sdy', serial: 'S9', wwn: '0x1' }])).toContain('sdy bears the same number');
    // Two actuators, or namespaces, of one device: one serial number, and a WWN for each.
    expect(said({}, [own, { name: 'sdy', serial: 'S1', wwn: '0x2' }])).toBe('');
    expect(said({}, [{ name: 'sdz' }, { name: 'sdy' }])).toBe('');
    const held = [{ ...own, holds: 'partitions' }];
    const typed = targetOf(add(judge([array('ggxggg')]), 'sdz', 'S1'));
    const saidTyped = (more: Partial<ReadArray>, disks: ArraysReading['disks']): string =>
      refusals(typed, judge([array('ggxggg'), array('', { id: 'tank/A7', ...more })], { disks })).join();
    expect(saidTyped(vdev('A7'), held)).toBe(
      'it holds partitions, and a pool has A7, which may be this disk',
    );
    // A disk that is gone is not this one, nor is one that bears the superblock of md.
    expect(saidTyped(vdev('A7', 'UNAVAIL'), held)).toBe('');
    expect(saidTyped(vdev('A7'), [{ ...own, holds: 'linux_raid_member', madeFor: 'U9' }])).toBe('');
  });

  it('says when the disk is filled, and adds none to an array without redundancy', () => {
    const because = (more: Partial<ReadArray>): string =>
      planned(add(judge([array('ggxggg', more)]), 'sdz')).because.join();
    expect(because({})).toContain('sdz is filled at once');
    expect(because({ work: 'rebuild' })).toContain('is filled when what runs or is held up there is over');
    expect(because({ frozen: true })).not.toContain('at once');
    const stripe = array('gggggg', { level: 'raid0', layout: { kind: 'stripe' } });
    expect(refusals(targetOf(add(judge([stripe]), 'sdz')), judge([stripe]))).toEqual([
      'raid0 takes neither members nor spares',
    ]);
  });

  it('is proven to have done nothing where the script found something, and not by other words', () => {
    const [step] = targetOf(add(judge([array('ggxggg')], {}, { sudo: true }), 'sdz')).steps;
    const proved = (code: number, said: string): string => provedBy(undefined, ended(code, said), step);
    expect(proved(3, 'faultline: /dev/sdz holds ext4 gpt: nothing was written\n')).toBe('nothing done');
    expect(proved(3, "faultline: what /dev/sdz holds can't be read: nothing was written\n")).toBe(
      'nothing done',
    );
    expect(proved(1, 'mdadm: Cannot open /dev/sdz: Device or resource busy\n')).toBe('nothing done');
    expect(proved(1, 'sudo: a password is required\n')).toBe('nothing done');
    expect(proved(1, 'mdadm: add new device failed for /dev/sdz as 6: Invalid argument\n')).toBe('not known');
    expect(proved(3, 'mdadm: added /dev/sdz\n')).toBe('not known');
  });

  it('is done when the disk is filled or waits as a spare, and a spare that waits is taken out again', () => {
    const target = targetOf(add(judge([array('gggggg')]), 'sdz'));
    const { verify, whyAlreadyDone, undo, was } = target;
    const asSpare = judge([array('gggggg', { spareDisks: ['sdz'], spares: 1 })]);
    expect(verify.check(judge([array('gggggg')])).state).toBe('wait');
    expect(verify.check(asSpare)).toEqual({ state: 'yes', text: 'a spare' });
    expect(whyAlreadyDone(asSpare)).toBe('sdz is in md6');
    expect(whyAlreadyDone(judge(undefined))).toBeUndefined();
    expect(verify.check(judge([array('gggggg', { doubt: 'not in sysfs' })])).state).toBe('unread');
    expect(argvs({ steps: undo ?? [] })).toEqual(['mdadm /dev/md6 --remove /dev/sdz']);
    const back = (values: unknown) => addDiskAction.undoOf?.(subject, values, context(asSpare));
    expect(back(was)).toMatchObject({ steps: [{ argv: ['mdadm', '/dev/md6', '--remove', '/dev/sdz'] }] });
    for (const bad of [undefined, { array: '-x', disk: 'sdz' }, { array: 'md6' }])
      expect(back(bad)).toMatchObject({ refused: true });
  });

  it('offers free disks that hold nothing, arrays with an empty place first', () => {
    const offered = (judgement: Judgement) => addDiskAction.menu.tryWith?.([subject], context(judgement));
    const both = [raid1('gg'), array('ggxggg')];
    expect(offered(judge(both, disks({})))).toEqual([
      { disk: 'sdz', array: 'md6' },
      { disk: 'sdz', array: 'md1' },
    ]);
    expect(offered(judge(both, held))).toMatchObject({ refused: true });
    expect(offered(judge(undefined))).toMatchObject({ refused: true });
  });
});

describe('storage.replace-in-place', () => {
  const whole = array('gggggg', { spares: 1, spareDisks: ['sdz'] });

  it('marks a member to be copied to a spare of its array', () => {
    const plan = planned(replace(judge([whole], {}, { sudo: true })));
    expect(argvs(targetOf(plan))).toEqual(['sudo -n mdadm /dev/md6 --replace /dev/sdc --with /dev/sdz']);
    expect(refusals(targetOf(plan), judge([whole]))).toEqual([]);
  });

  it('is refused where a place is empty, anything runs, or the spare is none', () => {
    const target = targetOf(replace(judge([whole])));
    const said = (live: Judgement): string => refusals(target, live).join();
    const spare = { spares: 1, spareDisks: ['sdz'] };
    expect(said(judge([array('gggxgg', spare)]))).toContain('a place of it is empty');
    expect(said(judge([{ ...whole, work: 'rebuild' }]))).toContain('rebuild runs or waits');
    expect(said(judge([{ ...whole, frozen: true }]))).toContain('frozen');
    expect(said(judge([array('gggggg')]))).toBe('sdz is no spare of it');
    expect(said(judge([{ ...whole, usable: false, word: 'broken' }]))).toContain('broken');
    expect(said(judge([{ ...whole, doubt: 'not in sysfs' }]))).toContain('not in sysfs');
    expect(said(judge(undefined))).toContain('no such array was read just now');
    expect(replace(judge([whole]), 'sdy')).toMatchObject({ refused: true });
  });

  it('is verified by the copy that runs while nothing is missing, or by its end', () => {
    const { verify, whyAlreadyDone } = targetOf(replace(judge([whole])));
    expect(verify.check(judge([whole])).state).toBe('wait');
    expect(verify.check(judge([array('gggggg', { work: 'rebuild', workPct: 7.9 })]))).toEqual({
      state: 'yes',
      text: 'it is being copied',
      goesOn: 'copy 7 %',
    });
    const slots = array('gggggg').slots.map((slot) =>
      slot.disk === 'sdc' ? { ...slot, disk: 'sdz' } : slot,
    );
    const ended = judge([array('gggggg', { slots, out: ['sdc'] })]);
    expect(verify.check(ended).state).toBe('yes');
    expect(whyAlreadyDone(ended)).toBe('sdz has the place of sdc');
    expect(verify.check(judge(undefined)).state).toBe('unread');
  });

  it('proposes no member without a sign of failure', () => {
    const { tryWith, prompts } = replaceInPlaceAction.menu;
    expect(tryWith?.([subject], context(judge([array('gggggg')])))).toMatchObject({ refused: true });
    expect(tryWith?.([subject], context(judge([whole])))).toContainEqual({ disk: 'sda', spare: 'sdz' });
    const asked = prompts?.(planned(replace(judge([whole]))), context(judge([whole])));
    expect(asked).toMatchObject([
      { name: 'disk', required: true },
      { name: 'spare', initial: 'sdz' },
    ]);
    expect(asked?.[0]).not.toHaveProperty('initial');
  });
});

describe('mdadm of the demo', () => {
  it('fills an added disk, keeps a second one as a spare, and copies a member to it', () => {
    const simulator = createStorageSimulator();
    simulator.start('disks-failing', start);
    const run = (now: number, ...argv: string[]) => simulator.call({ host: 'array2', argv, stdin: '', now });
    const mdadm = (now: number, ...argv: string[]): string =>
      String(run(now, 'mdadm', '/dev/md0', ...argv)?.stderr);
    const md0 = (now: number): string =>
      /md0 :[^]*?\n\n/.exec(String(run(now, 'cat', '/proc/mdstat')?.stdout))?.[0] ?? '';
    const [day, later] = [86_400_000, start + 90_000_000];
    mdadm(start, '--fail', '/dev/sdc');
    mdadm(start, '--remove', '/dev/sdc');
    expect(mdadm(start, '--add', '/dev/sdhl')).toBe('mdadm: added /dev/sdhl\n');
    expect(md0(start)).toMatch(/\[6\/5\] \[UU_UUU\]\n.*recovery = 0\.0%/);
    expect(mdadm(later, '--add', '/dev/sdhm')).toBe('mdadm: added /dev/sdhm\n');
    expect(md0(later)).toMatch(/sdhm\[\d+\]\(S\)[^]*\[6\/6\] \[UUUUUU\]/);
    expect(mdadm(later, '--add', '/dev/sda')).toContain('Device or resource busy');
    expect(mdadm(later, '--replace', '/dev/sdd', '--with', '/dev/sdhm')).toBe(
      'mdadm: Marked /dev/sdd (device 3 in /dev/md0) for replacement\nmdadm: Marked /dev/sdhm in /dev/md0 as replacement for device 3\n',
    );
    expect(md0(later)).toMatch(/sdhm\[\d+\]\(R\)[^]*\[UUUUUU\]\n.*recovery/);
    expect(md0(later + day + 60_000)).toMatch(/sdd\[3\]\(F\)/);
  });
});
