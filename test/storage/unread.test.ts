import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import { readArrays } from '../../probes/storage/read/read-arrays.ts';
import { readControllers } from '../../probes/storage/read/read-controllers.ts';
import { readSmart } from '../../probes/storage/read/read-smart.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { TableBlock } from '../../src/model/view.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

type Parts = Readonly<Record<string, string>>;

const text = (parts: Parts): string =>
  `${Object.entries(parts)
    .map(([word, body]) => `@@faultline ${word}\n${body}\n`)
    .join('')}@@faultline end\n`;

const lsblk = [
  ...['a', 'b', 'c', 'd'].map(
    (letter) =>
      `NAME="sd${letter}" PKNAME="" TYPE="disk" SERIAL="SN-${letter}" WWN="" MOUNTPOINT=""\n` +
      `NAME="sd${letter}1" PKNAME="sd${letter}" TYPE="part" SERIAL="" WWN="" MOUNTPOINT=""`,
  ),
  'NAME="sdb2" PKNAME="sdb" TYPE="part" SERIAL="" WWN="" MOUNTPOINT="[SWAP]"',
].join('\n');

const stat = [
  'Personalities : [raid6]',
  'md1 : active raid6 sdd1[3] sdc1[2] sdb1[1](F) sda1[0]',
  ' 64 blocks super 1.2 level 6, 512k chunk, algorithm 2 [4/3] [U_UU]',
  'unused devices: <none>',
].join('\n');

const sys = [
  ...['array_state:clean', 'raid_disks:4', 'sync_action:idle', 'level:raid6'].map(
    (line) => `/sys/block/md1/md/${line}`,
  ),
  ...['a', 'b', 'c', 'd'].flatMap((letter, at) => [
    `/sys/block/md1/md/dev-sd${letter}1/state:${letter === 'b' ? 'faulty' : 'in_sync'}`,
    `/sys/block/md1/md/dev-sd${letter}1/slot:${at}`,
  ]),
].join('\n');

/** One failed disk of four, all of it read. */
const known: Parts = {
  mdstat: stat,
  mdsys: sys,
  gone: '',
  disks: lsblk.replace('[SWAP]', ''),
  'disks-exit': '',
};

const judged = (parts: Parts, more: (sources: Sources) => void = () => undefined): Judgement => {
  const readings = new Sources();
  const exit = text(parts).replaceAll(/^@@faultline (\S+-exit)$/gm, '@@faultline $1 0');
  readings.good('storage.arrays', 'oss1', readArrays(answerOf(exit)).value);
  more(readings);
  return judgementOf({ readings, site: siteOf([{ name: 'oss1', roles: ['storage'] }]) });
};

const unreadOf = (judgement: Judgement): string[] =>
  storage.findings(judgement).flatMap(({ kind, summary }) => (kind === 'part-unread' ? [summary] : []));

const rowsOf = (judgement: Judgement): string[] =>
  (storage.view(judgement).blocks[0] as TableBlock).rows.map(
    ({ cells }) => `${cells['array']?.text}: ${cells['state']?.text}, ${cells['work']?.text}`,
  );

const pulled = (judgement: Judgement): string => {
  const block = storage
    .detail({ kind: 'host', id: 'oss1' }, judgement)
    .find(({ id }) => id === 'storage-safe');
  return block?.type === 'text' ? block.lines.map((line) => line.text).join('\n') : '';
};

describe('a part that was not read', () => {
  const denied = { ...known, zpool: 'cannot open pools: permission denied', 'zpool-exit': '' };

  it('is a notice and a row, and takes the pane out of the healthy ones', () => {
    const judgement = judged({ ...denied, mdstat: 'cat: denied' });
    expect(unreadOf(judgement)).toEqual([
      'Storage of oss1: arrays of md not known: cat: denied',
      'Storage of oss1: ZFS pools not known: cannot open pools: permission denied',
    ]);
    expect(rowsOf(judgement)).toEqual([
      'arrays of md: not read, cat: denied',
      'ZFS pools: not read, cannot open pools: permission denied',
    ]);
    expect(storage.view(judgement).sign).toBe('unknown');
    expect(storage.detail({ kind: 'host', id: 'oss1' }, judgement)[0]).toMatchObject({ rows: [{}, {}] });
  });

  it('leaves no disk that is safe to pull while something else of it is in use', () => {
    const more = (lines: readonly string[]): string =>
      pulled(judged({ ...known, disks: `${known.disks}\n${lines.join('\n')}` }));
    const row = (name: string, parent: string, type: string, mount = ''): string =>
      `NAME="${name}" PKNAME="${parent}" TYPE="${type}" SERIAL="" WWN="" MOUNTPOINT="${mount}"`;
    const [part, volume] = [row('sdb3', 'sdb', 'part'), row('vg-var', 'sdb3', 'lvm', '/var')];
    expect(more([part, volume])).toContain('cannot say: sdb, serial SN-b: /var lies on it');
    expect(more([part, row('vg-swap', 'sdb3', 'lvm')])).toContain('vg-swap lies on it');
    // What lies on the array is not beside it, and a partition alone is nothing.
    const onArray = [row('md1', 'sdb1', 'raid1'), row('vg-home', 'md1', 'lvm', '/home')];
    expect(more([part, ...onArray])).toMatch(/^now: sdb/);
  });

  it('leaves no disk that is safe to pull: it may be in what was not read', () => {
    expect(pulled(judged(known))).toBe(
      'now: sdb, serial SN-b: md1: out already, 1 of 2 left, no spare takes over',
    );
    expect(pulled(judged(denied))).toBe(
      'cannot say: sdb, serial SN-b: ZFS pools not known: cannot open pools: permission denied',
    );
  });

  it('is counted by its lines where some of them were not understood', () => {
    const odd = { ...known, mdsys: `${sys}\n/sys/block/md1/md/dev-sda1 state in_sync` };
    const read = readArrays(answerOf(text(odd).replace('disks-exit', 'disks-exit 0')));
    expect(read.notUnderstood).toBe(1);
    expect(read.value.unread).toEqual({ mdstat: '1 line not understood' });
  });

  it('is none where there is no md, no pool and no path, nor where nothing at all was read', () => {
    const none = { mdstat: 'cat: /proc/mdstat: No such file or directory', mdsys: '', gone: '' };
    expect(unreadOf(judged({ ...known, ...none }))).toEqual([]);
    expect(unreadOf(judged({ ...known, zpool: 'no pools available', 'zpool-exit': '' }))).toEqual([]);
    const away = judged(denied, (readings) =>
      readings.fail('storage.arrays', 'oss1', { kind: 'connect', message: 'oss1: no way' }),
    );
    expect(unreadOf(away)).toEqual([]);
  });

  it('is the health of disks without smartctl, and not where disks only sleep', () => {
    const withSmart = (answer: string) =>
      judged(known, (readings) => {
        readings.good('storage.smart', 'oss1', readSmart(answerOf(answer)).value);
      });
    expect(unreadOf(withSmart('@@faultline none\n@@faultline end\n'))).toEqual([
      'Storage of oss1: health of some disks not known: smartctl: not installed',
    ]);
    expect(unreadOf(withSmart('@@faultline end\n'))).toEqual([]);
  });
});

it('a disk from which something is mounted beside its array is not named as safe', () =>
  expect(pulled(judged({ ...known, disks: lsblk }))).toBe(
    'cannot say: sdb, serial SN-b: [SWAP] lies on it, outside of any array',
  ));

describe('a controller that gives nothing while another does', () => {
  const controllers = (...status: readonly string[]) =>
    JSON.stringify({
      Controllers: status.map((word, id) => ({
        'Command Status': { Controller: id, Status: word, Description: 'Controller is hung' },
        'Response Data':
          word === 'Success'
            ? {
                Basics: { Model: 'X' },
                'VD LIST': [{ 'DG/VD': '0/0', TYPE: 'RAID1', State: 'Optl', Cache: 'RWBD' }],
                'PD LIST': [0, 1].map((slot) => ({ 'EID:Slt': `1:${slot}`, State: 'Onln', DG: 0 })),
              }
            : {},
      })),
    });
  const read = (parts: Parts) =>
    readControllers(answerOf(text(parts).replaceAll(/-exit$/gm, '-exit 0'))).value;
  const judge = (value: ReturnType<typeof read>) => {
    const readings = new Sources();
    for (const at of [start - 600_000, start]) readings.good('storage.controllers', 'oss1', value, at, 20, 1);
    return judgementOf({ readings, site: siteOf([{ name: 'oss1', roles: ['storage'] }]) });
  };

  it('is told, beside the arrays of the other', () => {
    const judgement = judge(read({ storcli: controllers('Success', 'Failure'), 'storcli-exit': '' }));
    expect(storage.findings(judgement).map(({ summary }) => summary)).toEqual([
      'oss1: storcli does not say all: controller 1: Controller is hung',
    ]);
    expect(rowsOf(judgement)).toEqual([
      'storcli: not read, controller 1: Controller is hung',
      'c0/0/0: whole, ',
    ]);
  });

  it('is no failure where all tables came, nor where one asks it once', () => {
    const whole = read({ storcli: controllers('Success', 'Success'), 'storcli-exit': '' });
    expect(storage.findings(judge(whole))).toEqual([]);
    const readings = new Sources();
    const part = read({ storcli: controllers('Success', 'Failure'), 'storcli-exit': '' });
    readings.good('storage.controllers', 'oss1', part);
    const once = judgementOf({ readings, site: siteOf([{ name: 'oss1', roles: ['storage'] }]) });
    expect(storage.findings(once)).toEqual([]);
  });

  it('is told of the others where arcconf finds several and is asked for the first', () => {
    const rule = '-'.repeat(40);
    const arcconf = (found: number) =>
      `Controllers found: ${found}\n${rule}\nController information\n${rule}\n   Controller Status : Optimal`;
    const failure = (found: number) =>
      read({ arcconf: arcconf(found), 'arcconf-exit': '' }).tools[0]?.failure;
    expect(failure(2)).toBe('it is asked for the first of 2 controllers');
    expect(failure(1)).toBeUndefined();
  });

  it('is told of batteries that MegaCli lists apart, not of a controller that has none', () => {
    const megacli =
      'Adapter #0\nVirtual Drive: 0 (Target Id: 0)\nState               : Optimal\nExit Code: 0x00';
    const parts = { megacli, 'megacli-exit': '' };
    const late = answerOf(
      `${text(parts).replace('-exit\n', '-exit 0\n').replace('@@faultline end\n', '')}@@faultline megacli-battery\n@@faultline megacli-battery-exit 137\n@@faultline end\n`,
    );
    expect(readControllers(late).value.tools[0]?.failure).toBe('batteries: no answer within 60 s');
    const none = {
      'megacli-battery':
        'FW error description:\n  The required hardware component is not present.\n\nExit Code: 0x22',
    };
    expect(read({ ...parts, ...none, 'megacli-battery-exit': '' }).tools[0]?.failure).toBeUndefined();
  });
});
