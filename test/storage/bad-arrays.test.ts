import { describe, expect, it } from 'vitest';
import { addDiskAction } from '../../probes/storage/act/add-disk.ts';
import { failRemoveAction } from '../../probes/storage/act/fail-remove.ts';
import { safeDisksOf } from '../../probes/storage/judge/safe-disks.ts';
import { readArrays } from '../../probes/storage/read/read-arrays.ts';
import type { ArraysReading } from '../../probes/storage/readings.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { context, judge, refusals, subject, targetOf } from './make.ts';

const LETTERS = ['a', 'b', 'c', 'd'] as const;
const members = LETTERS.map((letter, at) => `sd${letter}[${at}]`).join(' ');

interface Told {
  /** The lines of mdstat, by default of a RAID6 that is whole. */
  stat?: string;
  level?: string;
  state?: string;
  /** What sysfs says of each member. */
  words?: readonly string[];
  serials?: readonly string[];
}

const RAID6 = `md6 : active raid6 ${members}\n      45056 blocks super 1.2 level 6, 512k chunk, algorithm 2 [4/4] [UUUU]\n`;

/** The answer of a host with one RAID6 of four disks and a disk beside it, but for what is told otherwise. */
const read = ({
  stat = RAID6,
  level = 'raid6',
  state = 'clean',
  words = [],
  serials = [],
}: Told): ArraysReading => {
  const md = '/sys/block/md6/md';
  return readArrays(
    answerOf(
      [
        '@@faultline mdstat',
        'Personalities : [raid6]',
        stat,
        'unused devices: <none>',
        '@@faultline mdsys',
        ...[`array_state:${state}`, 'raid_disks:4', 'sync_action:idle', `level:${level}`].map(
          (line) => `${md}/${line}`,
        ),
        ...LETTERS.flatMap((letter, at) => [
          `${md}/dev-sd${letter}/state:${words[at] ?? 'in_sync'}`,
          `${md}/dev-sd${letter}/slot:${at}`,
        ]),
        '@@faultline gone',
        '@@faultline disks',
        ...[...LETTERS, 'z'].map(
          (letter, at) =>
            `NAME="sd${letter}" PKNAME="" TYPE="disk" SERIAL="${serials[at] ?? `S${letter}`}" WWN="" MOUNTPOINT="" FSTYPE="" UUID=""`,
        ),
        '',
        '@@faultline disks-exit 0',
        '@@faultline end',
        '',
      ].join('\n'),
    ),
  ).value;
};

const liveOf = (reading: ArraysReading): Judgement => judge(reading.arrays, reading);
/** What stands against taking sdb out of an array that was whole when the plan was made, and adding sdz to it. */
const against = (told: Told): { remove: string; add: string } => {
  const plain = liveOf(read({}));
  const live = liveOf(read(told));
  const remove = targetOf(failRemoveAction.plan([subject], { disk: 'sdb' }, context(plain)));
  const add = targetOf(addDiskAction.plan([subject], { disk: 'sdz', array: 'md6' }, context(plain)));
  return { remove: refusals(remove, live).join('; '), add: refusals(add, live).join('; ') };
};

describe('arrays of which not all is known', () => {
  it('may be worked on where all is known', () => expect(against({})).toEqual({ remove: '', add: '' }));

  it('changed while they were read: mdstat and sysfs are of two moments, and nobody says safe', () => {
    const changed = [
      { words: ['in_sync', 'spare'] },
      { stat: RAID6.replace('[4/4] [UUUU]', '[4/3] [UU_U]') },
    ];
    for (const told of changed) {
      const { remove, add } = against(told);
      expect(remove).toContain('mdstat and sysfs contradict each other (cannot say)');
      expect(add).toContain('mdstat and sysfs contradict each other');
    }
    const [only] = read({ stat: '' }).arrays;
    expect(only).toBeUndefined();
    expect(against({ stat: '' }).remove).toContain('not known which array it belongs to');
  });

  it('have a level or a state whose word nobody knows', () => {
    const other = RAID6.replace('raid6', 'raid7');
    expect(against({ stat: other, level: 'raid7' }).remove).toContain(
      'its level or the place of its disks is not known',
    );
    expect(against({ stat: other, level: 'raid7' }).add).toContain('level raid7 is not known here');
    expect(against({ state: 'resting' }).remove).toContain('its state is not known');
    expect(against({ state: 'resting' }).add).toContain('it does not work');
    expect(against({ words: ['in_sync', ''] }).remove).toContain('the state of a member is not known');
  });

  it('bear one name twice: neither is the one that is meant', () => {
    const { remove, add } = against({ stat: `${RAID6}\n${RAID6}` });
    expect(remove).toContain('two arrays bear this name');
    expect(add).toContain('two arrays bear this name');
    expect(
      safeDisksOf('array2', liveOf(read({ stat: `${RAID6}\n${RAID6}`, words: ['faulty'] })))?.now,
    ).toEqual([]);
  });

  it('lie on disks without serial numbers, or with one that two bear: what failed is not named as safe to pull', () => {
    const failed = {
      stat: RAID6.replace('[4/4] [UUUU]', '[4/3] [U_UU]').replace('sdb[1]', 'sdb[1](F)'),
      words: ['in_sync', 'faulty'],
    };
    const safe = (serials: readonly string[]) => safeDisksOf('array2', liveOf(read({ ...failed, serials })));
    expect(safe([])?.now.map(({ disk }) => disk)).toEqual(['sdb']);
    for (const serials of [
      ['Sa', ''],
      ['SAME', 'SAME'],
    ]) {
      expect(safe(serials)?.now).toEqual([]);
      expect(safe(serials)?.later).toMatchObject([{ disk: 'sdb', instead: 'cannot say' }]);
    }
  });
});
