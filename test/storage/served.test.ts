import { describe, expect, it } from 'vitest';
import { facts as lustreFacts } from '../../probes/lustre/judge/facts.ts';
import { readIo } from '../../probes/lustre/read/read-io.ts';
import { mountedFrom } from '../../probes/lustre/read/parse-params.ts';
import { storage } from '../../probes/storage/index.ts';
import { servedBy } from '../../probes/storage/judge/served.ts';
import { devicesIn, withDisks } from '../../probes/storage/read/devices.ts';
import type { ArraysReading, ReadArray } from '../../probes/storage/readings.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import { factsOf, judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { array } from './make.ts';

const ost = (index: number) => ({ kind: 'ost', id: `scratch-OST000${index}` }) as const;
const host = (id: string) => ({ kind: 'host', id }) as const;
const place = (index: number, on: string, server = 'oss1'): Fact => ({
  name: 'data.place',
  subject: ost(index),
  value: { host: server, on },
});

/** oss1 with these arrays, and what its targets were mounted from. */
const judge = (
  arrays: readonly ReadArray[],
  places: readonly Fact[],
  more: Partial<ArraysReading> = {},
  serves: readonly object[] = [],
): Judgement => {
  const sources = new Sources();
  sources.good('storage.arrays', 'oss1', { arrays: [...arrays], disks: [], unread: {}, ...more }, start);
  const site = siteOf([{ name: 'oss1', roles: ['storage'] }], { settings: { storage: { serves } } });
  return judgementOf({ readings: sources, site, facts: factsOf(places) });
};

const lost = (more: Partial<ReadArray> = {}): ReadArray => array('gxxxgg', { usable: true, ...more });
const first = (judgement: Judgement) => storage.findings(judgement)[0];

describe('what lies on an array', () => {
  it.each<[string, string, Partial<ReadArray>, Partial<ArraysReading>]>([
    ['the array itself', '/dev/md6', {}, {}],
    ['a volume of LVM on it', '/dev/vg-a/ost5', { above: ['vg--a-ost5'] }, {}],
    ['the same by its map', '/dev/mapper/vg--a-ost5', { above: ['vg--a-ost5'] }, {}],
    [
      'the id of md',
      '/dev/disk/by-id/md-uuid-3aaa0122:29827cfa:5331ad66:ca767371',
      {},
      { disks: [{ name: 'sda', madeFor: '3aaa0122-2982-7cfa-5331-ad66ca767371' }] },
    ],
    ['a dataset of its pool', 'tank/ost5', { pool: 'tank' }, {}],
    ['the folder where it is mounted', '/data/brick1', { mount: '/data/brick1' }, {}],
  ])('is known by %s', (_, on, more, reading) => {
    const found = first(judge([lost(more)], [place(1, on), place(2, '/dev/md7')], reading));
    expect(found?.kind).toBe('array-lost');
    expect(found?.summary).toContain('oss1: md6 below scratch-OST0001 (raid6)');
    expect(found?.breaks).toEqual([{ what: 'data', of: [ost(1)] }]);
  });

  it.each<[string, readonly Fact[]]>([
    ['targets lie on other devices', [place(1, '/dev/md7'), place(2, 'tank/ost2')]],
    ['a link by a name that nobody resolves', [place(1, '/dev/md/ost5')]],
    ['a target is on another server', [place(1, '/dev/md6', 'oss2')]],
    ['nothing is known of any', []],
  ])('is all of the host where %s', (_, places) => {
    const found = first(judge([lost()], places));
    expect(found?.summary).not.toContain('below');
    expect(found?.breaks).toEqual([{ what: 'data', of: [host('oss1')] }]);
  });

  it('is known of a map of paths, by its name and by its WWN', () => {
    const maps = [{ name: 'mpatha', wwid: '360080e500041c2aa', usable: 0, paths: 2, queueing: true }];
    for (const on of [
      '/dev/mapper/mpatha',
      '/dev/disk/by-id/dm-uuid-mpath-360080e500041c2aa',
      '/dev/disk/by-id/wwn-0x60080e500041c2aa',
      '/dev/disk/by-id/scsi-360080e500041c2aa',
    ]) {
      const found = first(judge([], [place(1, on)], { maps }));
      expect(found?.summary).toBe(
        'oss1: mpatha below scratch-OST0001 has no path: IO waits without an error',
      );
      expect(found?.breaks).toEqual([{ what: 'data', of: [ost(1)] }]);
    }
    expect(first(judge([], [place(1, '/dev/mapper/mpathb')], { maps }))?.breaks).toEqual([
      { what: 'data', of: [host('oss1')] },
    ]);
  });

  it('stands beside the array in the pane', () => {
    const [table] = storage.view(
      judge([array('gggggg')], [place(1, '/dev/md6'), place(2, '/dev/md6')]),
    ).blocks;
    expect(table?.type === 'table' && table.rows[0]?.cells['holds']?.text).toBe('scratch-OST[0001-0002]');
  });

  it('on it: lsblk tells which volumes', () => {
    const devices = devicesIn(
      [
        'NAME="sda" PKNAME="" TYPE="disk" SERIAL="1" WWN="" MOUNTPOINT="" FSTYPE="linux_raid_member" UUID="u"',
        'NAME="md6" PKNAME="sda" TYPE="raid6" SERIAL="" WWN="" MOUNTPOINT="" FSTYPE="LVM2_member" UUID=""',
        'NAME="vg-ost5" PKNAME="md6" TYPE="lvm" SERIAL="" WWN="" MOUNTPOINT="" FSTYPE="" UUID=""',
        'NAME="luks5" PKNAME="vg-ost5" TYPE="crypt" SERIAL="" WWN="" MOUNTPOINT="" FSTYPE="" UUID=""',
      ].join('\n'),
    );
    expect(withDisks(array('gg'), devices).above).toEqual(['vg-ost5', 'luks5']);
    expect(withDisks(array('gg', { id: 'md7' }), devices).above).toBeUndefined();
  });
});

describe('whose data lies on the arrays of a host', () => {
  const serves = [{ host: 'array1', to: ['oss1', 'oss2'], devices: ['/dev/mapper/array1-*'] }];
  const of = (places: readonly Fact[], more: Partial<ArraysReading> = {}, list: readonly object[] = serves) =>
    servedBy('array1', judge([], places, more, list));

  it('is the targets that were mounted from its devices', () => {
    expect(
      of([
        place(1, '/dev/mapper/array1-lun1'),
        place(2, '/dev/mapper/array2-lun1'),
        place(3, '/dev/mapper/array1-lun7', 'oss2'),
      ]),
    ).toEqual({ subjects: [ost(1), ost(3)], words: '2 OSTs' });
  });

  it('is all of a server whose targets are not known by their devices, and of one without devices', () => {
    expect(of([place(1, '/dev/mapper/array1-lun1')])).toEqual({
      subjects: [ost(1), host('oss2')],
      words: '1 OST, oss2',
    });
    const whole = [{ host: 'array1', to: ['oss1', 'oss2'] }];
    expect(of([place(1, '/dev/mapper/array1-lun1')], {}, whole)).toEqual({
      subjects: [host('oss1'), host('oss2')],
      words: 'oss[1-2]',
    });
  });

  it('is nothing where all targets lie elsewhere, or the entry is of another host', () => {
    const elsewhere = [place(1, '/dev/md6'), place(2, 'tank/ost2', 'oss2')];
    expect(of(elsewhere)).toEqual({ subjects: [], words: '' });
    expect(of(elsewhere, {}, [{ host: 'array2', to: ['oss1'] }])).toEqual({ subjects: [], words: '' });
  });

  it('is known by WWN where the server has the target by another name', () => {
    const byWwn = [{ host: 'array1', to: ['oss1'], devices: ['/dev/disk/by-id/wwn-0x60080e500041c2*'] }];
    const maps = [{ name: 'ost1', wwid: '360080e500041c2aa', usable: 2, paths: 2 }];
    const disks = [{ name: 'sdq', wwn: '0x60080e500041c2ab' }];
    const places = [place(1, '/dev/mapper/ost1'), place(2, '/dev/sdq'), place(3, '/dev/mapper/ost3')];
    expect(of(places, { maps, disks }, byWwn).subjects).toEqual([ost(1), ost(2)]);
    expect(of(places, {}, byWwn).subjects).toEqual([]);
  });
});

describe('what Lustre was mounted from', () => {
  const io = (params: Record<string, string>) =>
    readIo({ params: { params }, devices: [], failed: [], notUnderstood: 0 }).value;

  it('is a device or a dataset, by OST', () => {
    const read = io({
      'osd-ldiskfs.scratch-OST0001.mntdev': '/dev/mapper/array1-lun1',
      'osd-zfs.scratch-OST0002.mntdev': 'tank/ost2',
      'osd-zfs.scratch-OST0003.mntdev': 'two words',
    });
    expect(read.osts).toEqual([
      { name: 'scratch-OST0001', times: [], mountedFrom: '/dev/mapper/array1-lun1' },
      { name: 'scratch-OST0002', times: [], mountedFrom: 'tank/ost2' },
      { name: 'scratch-OST0003', times: [] },
    ]);
    for (const text of ['', '/dev/sda; reboot', `/${'a'.repeat(300)}`])
      expect(mountedFrom(new Map([['mntdev', text]]))).toBeUndefined();
  });

  it('is told of servers that answer now, and of no others', () => {
    const value = io({ 'osd-ldiskfs.scratch-OST0001.mntdev': '/dev/mapper/array1-lun1' });
    const sources = new Sources();
    sources.good('lustre.oss-io', 'oss1', value, start);
    const told = (readings: Sources) =>
      lustreFacts(judgementOf({ readings, site: siteOf([]) })).filter(({ name }) => name === 'data.place');
    expect(told(sources)).toEqual([place(1, '/dev/mapper/array1-lun1')]);
    sources.fail('lustre.oss-io', 'oss1', { kind: 'timeout', message: 'late' });
    expect(told(sources)).toEqual([]);
  });
});
