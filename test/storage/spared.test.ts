import { expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import type { ReadArray } from '../../probes/storage/readings.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const told = (array: Partial<ReadArray>, spared: readonly string[] = ['a1']): string[] => {
  const whole: ReadArray = {
    id: 'md1',
    level: 'raid6',
    layout: { kind: 'parity', tolerance: 2 },
    slots: [0, 1, 2, 3].map((at) => ({ disk: `sd${'abcd'[at]}`, state: 'good' })),
    usable: true,
    spares: 0,
    ...array,
  };
  const sources = new Sources();
  sources.good('storage.arrays', 'a1', { arrays: [whole], disks: [], unread: {} }, start);
  const site = siteOf([{ name: 'a1', roles: ['storage'] }], { settings: { storage: { spared } } });
  return storage.findings(judgementOf({ readings: sources, site })).map(({ summary }) => String(summary));
};

it('an array without a spare is told on hosts that are to have them', () => {
  expect(told({})).toEqual(['a1: md1: no spare left, the site file wants one: the next failure finds none']);
});

it('nothing is told of an array with a spare, on other hosts, without redundancy, or where spares are not counted', () => {
  expect(told({ spares: 1 })).toEqual([]);
  expect(told({}, [])).toEqual([]);
  expect(told({ level: 'raid0', layout: { kind: 'stripe' } })).toEqual([]);
  expect(told({ spares: undefined } as never)).toEqual([]);
});
