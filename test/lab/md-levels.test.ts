import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KernelSession, summaries } from './kernel-session.ts';
import { isLeftOut, levelsLab, type MdHost } from './md-kernels.ts';
import { until } from './processes.ts';

const HOST = 'array1';

describe.skipIf(isLeftOut(levelsLab))('other levels of md in a real kernel', () => {
  const lab = new KernelSession<MdHost>(levelsLab, 'storage', 'md-levels');
  beforeAll(() => lab.begin());
  afterAll(() => lab.end());

  const on = (script: string): string => lab.on(HOST, script).text.trim();
  const mdstat = (): string => on('cat /proc/mdstat');
  const write = (array: string): string =>
    on(`echo 3 >/proc/sys/vm/drop_caches; date >/srv/${array}/now && sync -f /srv/${array} && echo written`);
  const takeOut = (disk: string) => lab.act('storage.fail-remove', HOST, HOST, '--set', `disk=${disk}`);
  const isWhole = (array: string, pattern: string): Promise<void> =>
    until(`${array} is whole`, () => mdstat().includes(pattern), 60_000);

  it('finds nothing where all is well', async () => {
    expect(summaries(await lab.status())).toEqual([]);
  });

  it('RAID10: with one disk of a pair gone neither its partner nor a disk of the other pair goes, and no array is broken', async () => {
    on('mdadm /dev/md10 --fail /dev/sda');
    expect(summaries(await lab.status())).toEqual([
      'critical no-redundancy: array1: md10 on /srv/md10 (raid10) has no redundancy left: the next disk that fails takes its data',
    ]);
    for (const disk of ['sdb', 'sdc']) {
      const refused = await takeOut(disk);
      expect(refused.code).toBe(4);
      expect(refused.said).toContain('md10: would leave 0 of 1 (replace in place)');
    }
    expect(mdstat()).toContain('[4/3] [_UUU]');
    expect(on('cat /sys/block/md10/md/array_state')).not.toBe('broken');
    expect(write('md10')).toBe('written');
    expect((await takeOut('sda')).said).toContain('"done"');
    on('mdadm /dev/md10 --re-add /dev/sda');
    await isWhole('md10', '[4/4] [UUUU]');
  });

  it('RAID5: the second disk stays in, and the array takes writes afterwards', async () => {
    on('mdadm /dev/md5 --fail /dev/sde');
    expect(summaries(await lab.status())).toEqual([
      'critical no-redundancy: array1: md5 on /srv/md5 (raid5) has no redundancy left: the next disk that fails takes its data',
    ]);
    const refused = await takeOut('sdf');
    expect(refused.code).toBe(4);
    expect(refused.said).toContain('md5: would leave 0 of 1 (replace in place)');
    expect(mdstat()).toContain('[3/2] [_UU]');
    expect(write('md5')).toBe('written');
    on('mdadm /dev/md5 --remove failed; mdadm /dev/md5 --re-add /dev/sde');
    await isWhole('md5', '[3/3] [UUU]');
    expect(summaries(await lab.status())).toEqual([]);
  });

  it('bad sectors that md writes anew by itself are no fault of the array', async () => {
    on('dmsetup message dust0 0 addbadblock 6000; dmsetup message dust0 0 addbadblock 6001');
    on('dmsetup message dust0 0 enable; echo check >/sys/block/md3/md/sync_action');
    await until('the check is over', () => on('cat /sys/block/md3/md/sync_action') === 'idle', 60_000);
    expect(on('dmsetup message dust0 0 queryblock 6000; dmesg | tail -n 3')).toContain('not found');
    expect(mdstat()).toMatch(/md3 : active raid1 [^]*?\[2\/2\] \[UU\]/);
    expect(summaries(await lab.status())).toEqual([]);
  });

  it('bad sectors of the only copy that is left are no disk that failed: md keeps it, and so does the console', async () => {
    on('mdadm /dev/md3 --fail /dev/sdi; dmsetup message dust0 0 addbadblock 6002');
    on('dd if=/dev/md3 of=/dev/null bs=64k iflag=direct 2>&1');
    expect(mdstat()).toMatch(/md3 : active raid1 [^]*?\[2\/1\] \[U_\]/);
    expect(summaries(await lab.status())).toEqual([
      'critical no-redundancy: array1: md3 on /srv/md3 (raid1) has no redundancy left: the next disk that fails takes its data',
    ]);
    const refused = await takeOut('sdh');
    expect(refused.code).toBe(4);
    expect(mdstat()).toMatch(/md3 : active raid1 [^]*?\[2\/1\] \[U_\]/);
  });
});
