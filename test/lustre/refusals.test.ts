import { describe, expect, it } from 'vitest';
import { cancelRefusals, setParamRefusals, startRefusals } from '../../probes/lustre/act/refusals.ts';
import { ended, provedBy } from '../helpers/refusing.ts';
import { only, ost, plan, planned, ready } from './planning.ts';

const set = (stderr: string, settings = 1, stdout = '') =>
  provedBy(setParamRefusals(settings), ended(2, stderr, stdout));

describe('words of lctl set_param', () => {
  it.each([
    "error: set_param: param_path 'osp/scratch-OST00ff-osc-MDT0000/active': No such file or directory",
    "error: set_param: opening '/sys/fs/lustre/osp/scratch-OST0009-osc-MDT0000/active': Permission denied",
    "error: set_param: opening '/sys/fs/lustre/osp/x/active': Read-only file system",
    'error: set_param: opening Permission denied: /proc/fs/lustre/osp/x/active',
    'error: set_param: setting /sys/fs/lustre/osp/x/active=7: Invalid argument',
    'error: set_param: setting /proc/fs/lustre/osp/x/max_create_count=5: Numerical result out of range',
    'error: set_param: /proc/{fs,sys}/{lnet,lustre}/osp/x/active: Found no match',
  ])('%j proves that it was not set', (text) => {
    expect(set(`${text}\n`)).toBe('nothing done');
  });

  it.each([
    ['the write began', 'error: set_param: setting /sys/fs/lustre/osp/x/active=1: wrote only 1'],
    [
      'the kernel gave up in the middle',
      'error: set_param: setting /sys/fs/lustre/osp/x/active=0: Connection timed out',
    ],
    ['an error that is not even printed', ''],
    ['reading, not setting', "error: get_param: param_path 'osp/x/active': No such file or directory"],
    ['another language', "error: set_param: opening '/sys/x': Keine Berechtigung"],
  ])('%s: %j proves nothing', (_, text) => {
    expect(set(text)).toBe('not known');
  });

  it('of two parameters both must be refused, and none be set', () => {
    const refused = "error: set_param: opening '/sys/fs/lustre/osp/a/active': Permission denied";
    expect(set(refused, 2)).toBe('not known');
    expect(set(refused, 2, 'osp.b.active=0\n')).toBe('not known');
    expect(set(`${refused}\n${refused.replace('/a/', '/b/')}`, 2)).toBe('nothing done');
  });
});

describe('words of the scripts of tasks', () => {
  it.each([
    [startRefusals, 4, 'it runs already', 'nothing done'],
    [startRefusals, 3, '/var/tmp is not ours: others may rename what lies there', 'nothing done'],
    [startRefusals, 3, 'no folder for tasks: mktemp: No space left on device', 'nothing done'],
    [startRefusals, 1, 'no folder for tasks: mktemp: No space left on device', 'not known'],
    [startRefusals, 5, 'it did not start', 'not known'],
    [startRefusals, 1, 'it runs already', 'not known'],
    [cancelRefusals, 1, 'no such task', 'nothing done'],
    [cancelRefusals, 1, 'sh: 4: kill: No such process', 'not known'],
  ])('%j exit %i %j: %s', (table, exit, text, proof) => {
    expect(provedBy(table, ended(exit, text))).toBe(proof);
  });
});

describe('what an earlier run did is told by another console', () => {
  it('a task that is over by now was cancelled, though none is left to cancel', async () => {
    const world = await ready('ost-drain');
    await world.start(only(plan(world, 'files-on-ost', [ost('0007')])).steps);
    await world.poll(1_000);
    const target = only(plan(world, 'cancel-task', [ost('0007')]));
    await world.start(target.steps);
    await world.poll(1_000);
    expect(planned(world, 'cancel-task', [ost('0007')])).toMatchObject({ reason: 'no task runs on it' });
    const looksBack = { before: target.before ?? [] };
    const now = only(plan(world, 'cancel-task', [ost('0007')], {}, { looksBack }));
    expect(now.verify.check(world.judgement()).state).toBe('yes');
  });
});
