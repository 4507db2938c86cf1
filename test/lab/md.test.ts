import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KernelSession, MOST_KEYS, summaries, type Found } from './kernel-session.ts';
import { isLeftOut, mdLab, type MdHost } from './md-kernels.ts';
import { until } from './processes.ts';

const HOST = 'array1';

describe.skipIf(isLeftOut(mdLab))('arrays of md in a real kernel', () => {
  const lab = new KernelSession<MdHost>(mdLab, 'storage', 'md');
  beforeAll(() => lab.begin());
  afterAll(() => lab.end());

  const on = (script: string): string => lab.on(HOST, script).text.trim();
  const state = (array: string): string => on(`cat /sys/block/${array}/md/array_state`);
  const write = (array: string): string =>
    on(`echo 3 >/proc/sys/vm/drop_caches; date >/srv/${array}/now && sync -f /srv/${array} && echo written`);
  const takeOut = (disk: string) => lab.act('storage.fail-remove', HOST, HOST, '--set', `disk=${disk}`);
  const isWhole = (array: string, pattern: string): Promise<void> =>
    until(`${array} is whole`, () => on('cat /proc/mdstat').includes(pattern), 60_000);
  const found = async (kind: string): Promise<Found | undefined> =>
    (await lab.status()).find((one) => one.kind === kind);

  it('finds nothing where all is well', async () => {
    expect(summaries(await lab.status())).toEqual([]);
  });

  it('RAID1: a failed disk is found at the first poll, the last one stays in, and the other is put back by keys and followed to its end', async () => {
    on('mdadm /dev/md1 --fail /dev/sdb');
    expect(summaries(await lab.status())).toEqual([
      'critical no-redundancy: array1: md1 on /srv/md1 (raid1) has no redundancy left: the next disk that fails takes its data',
    ]);
    const refused = await takeOut('sda');
    expect(refused.code).toBe(4);
    expect(refused.said).toContain('md1: would leave 0 of 1 (replace in place)');
    expect(state('md1')).not.toBe('broken');
    expect(write('md1')).toBe('written');

    // What failed already is only taken out.
    expect((await takeOut('sdb')).said).toContain('"done"');
    on('echo 1500 >/sys/block/md1/md/sync_speed_max');
    const keys = await lab.cureByKeys({
      finding: /md1 on \/srv\/md1 \(raid1\) has no redundancy left/,
      action: />\s+put a former member back/,
      // Both fields hold what udev knows of the disk.
      form: ['', ''],
      dialog: /will run +mdadm \/dev\/md1 --re-add \/dev\/sdb[^]*type "array1"/,
      word: HOST,
      cured: /verified|rebuild \d+ %/,
    });
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
    expect((await found('rebuild'))?.summary).toMatch(/^array1: md1 on \/srv\/md1 rebuilds: [\d.]+ %/);
    await isWhole('md1', '[2/2] [UU]');
    expect(summaries(await lab.status())).toEqual([]);
  });

  it('RAID6: two failed disks are counted, and the third stays in', async () => {
    on('mdadm /dev/md6 --fail /dev/sdc');
    expect(summaries(await lab.status())).toEqual([
      'warning redundancy-reduced: array1: md6 on /srv/md6 (raid6) has 1 of 2 left',
    ]);
    on('mdadm /dev/md6 --fail /dev/sdd');
    expect((await found('no-redundancy'))?.severity).toBe('critical');
    const refused = await takeOut('sde');
    expect(refused.code).toBe(4);
    expect(refused.said).toContain('md6: would leave 0 of 2 (wait)');
    expect(on('cat /proc/mdstat')).toContain('[4/2] [__UU]');
    expect(write('md6')).toBe('written');
    on('mdadm /dev/md6 --remove failed; mdadm /dev/md6 --re-add /dev/sdc /dev/sdd');
    await isWhole('md6', '[4/4] [UUUU]');
  });

  it('a disk that was pulled is found although mdstat still counts it', async () => {
    on('echo 1 >/sys/block/sdf/device/delete');
    expect(on('cat /proc/mdstat')).toContain('[4/4] [UUUU]');
    // By then md may have written to it by itself, and counts it as failed: found it is either way.
    expect((await found('redundancy-reduced'))?.summary).toContain('md6 on /srv/md6 (raid6) has 1 of 2 left');
    expect((await takeOut('sdf')).said).toContain('no such disk was read just now');
    write('md6');
    on('mdadm /dev/md6 --remove detached; mdadm /dev/md6 --add /dev/sdj');
    await isWhole('md6', '[4/4] [UUUU]');
  });

  it('a place is filled by keys with a new disk; one that holds anything is added by its serial number alone', async () => {
    on(
      'mdadm /dev/md6 --fail /dev/sdd; mdadm /dev/md6 --remove /dev/sdd; echo 20000 >/sys/block/md6/md/sync_speed_max',
    );
    const keys = await lab.cureByKeys({
      finding: /md6 on \/srv\/md6 \(raid6\) has 1 of 2 left/,
      choose: '2',
      action: />\s+add a disk to an array/,
      form: ['', '', ''],
      dialog: /will run +sh -s -- \/dev\/md6 \/dev\/sdg -[^]*type "array1"/,
      word: HOST,
      cured: /verified|rebuild \d+ %/,
    });
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
    await isWhole('md6', '[4/4] [UUUU]');

    on('mkfs.ext4 -q /dev/sdh; udevadm trigger --action=change --name-match=/dev/sdh; udevadm settle');
    const add = (disk: string, confirm: string, ...more: string[]) =>
      lab.act('storage.add-disk', HOST, confirm, '--set', `disk=${disk}`, '--set', 'array=md6', ...more);
    expect((await add('sdh', HOST)).said).toContain('it holds ext4, which is lost');
    // What udev does not know yet is seen in the moment before mdadm runs.
    on('udevadm control --stop-exec-queue; mkfs.ext4 -q /dev/sdi');
    expect((await add('sdi', HOST)).said).toContain('/dev/sdi holds ext4: nothing was written');
    on('udevadm control --start-exec-queue; udevadm settle');
    expect(on('cat /proc/mdstat')).not.toMatch(/sd[hi]/);
    expect((await add('sdh', `add ${HOST}`, '--set', 'serial=16000')).said).toContain('"done"');
    expect(on('cat /proc/mdstat')).toMatch(/sdh\[\d+\]\(S\)/);
  });

  it('a member is replaced in place without losing redundancy, at a speed that is set and put back', async () => {
    on('for one in min max; do echo 200 >/sys/block/md6/md/sync_speed_$one; done');
    const replaced = await lab.act(
      'storage.replace-in-place',
      HOST,
      HOST,
      '--set',
      'disk=sdc',
      '--set',
      'spare=sdh',
    );
    expect(replaced.said).toContain('"done"');
    expect(on('cat /proc/mdstat')).toMatch(/sdh\[\d+\]\(R\)[^]*\[4\/4\] \[UUUU\]/);
    // The spare that it takes was the last one.
    expect(summaries(await lab.status())).toEqual([
      expect.stringMatching(
        /^warning no-spare: array1: md6 on \/srv\/md6: no spare left, 1 within the last week/,
      ),
      expect.stringMatching(/^notice rebuild: array1: md6 on \/srv\/md6 rebuilds: [\d.]+ %/),
    ]);
    const faster = ['--set', 'array=md6', '--set', 'least=700', '--set', 'most=700', '--set', 'minutes=1'];
    expect((await lab.act('storage.rebuild-speed', HOST, 'y', ...faster)).said).toContain('"done"');
    const speeds = (): string => on('cat /sys/block/md6/md/sync_speed_min /sys/block/md6/md/sync_speed_max');
    expect(speeds()).toBe('700 (local)\n700 (local)');
    // The minute is counted by the kernel of the guest.
    await until('the speed comes back', () => speeds() === '200 (local)\n200 (local)', 180_000);
    on('echo 200000 >/sys/block/md6/md/sync_speed_max');
    await until('the copy ends', () => on('cat /proc/mdstat').includes('sdc[0](F)'), 60_000);
    expect(on('cat /proc/mdstat')).toContain('[4/4] [UUUU]');
    expect((await takeOut('sdc')).said).toContain('"done"');
  });

  it('an array that mdadm broke with "busy" is found, and nothing is done to it', async () => {
    on('mdadm /dev/md1 --fail /dev/sda');
    expect(on('mdadm /dev/md1 --fail /dev/sdb')).toContain('Device or resource busy');
    expect(write('md1')).not.toContain('written');
    expect(state('md1')).toBe('broken');
    expect((await found('array-lost'))?.summary).toBe('array1: md1 on /srv/md1 (raid1) refuses IO: broken');
    for (const disk of ['sda', 'sdb']) expect((await takeOut(disk)).said).toContain('never');
  });
});
