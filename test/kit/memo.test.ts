import { describe, expect, it, vi } from 'vitest';
import { memoPer, memoPerJudgement, memoPerSubject } from '../../src/kit/memo.ts';
import type { Judgement } from '../../src/model/system.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';

const site = siteOf([]);
const judge = (readings = new Sources(), of = site): Judgement => judgementOf({ readings, site: of });

describe('what is kept', () => {
  it('is made once for each object, also when it is undefined', () => {
    const make = vi.fn((one: { name?: string }) => one.name);
    const nameOf = memoPer(make);
    const [first, second] = [{}, { name: 'b' }];
    expect([nameOf(first), nameOf(first), nameOf(second)]).toEqual([undefined, undefined, 'b']);
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('of a subject is made again when something that it rests on is another', () => {
    const make = vi.fn((host: string, { readings }: Judgement) => readings.source('a', host)?.good?.value);
    const valueOf = memoPerSubject((host: string, { readings }) => [readings.source('a', host)?.good], make);
    const readings = new Sources();
    readings.good('a', 'h1', 1);
    readings.good('a', 'h2', 2);
    expect([valueOf('h1', judge(readings)), valueOf('h2', judge(readings))]).toEqual([1, 2]);
    expect(valueOf('h1', judge(readings))).toBe(1);
    expect(make).toHaveBeenCalledTimes(2);
    readings.good('a', 'h1', 3);
    expect([valueOf('h1', judge(readings)), valueOf('h2', judge(readings))]).toEqual([3, 2]);
    expect(make).toHaveBeenCalledTimes(3);
  });

  it('of one site is not that of another', () => {
    const nameOf = memoPerSubject(
      () => [],
      (host: string, judgement) => `${judgement.site.name} ${host}`,
    );
    expect(nameOf('h1', judge())).toBe('test h1');
    expect(nameOf('h1', judge(new Sources(), siteOf([], { name: 'other' })))).toBe('other h1');
  });

  it('of a judgement is made anew for the next, or when what it rests on is another', () => {
    const make = vi.fn(() => []);
    const listOf = memoPerJudgement(make);
    const one = judge();
    expect(listOf(one)).toBe(listOf(one));
    expect(listOf(judge())).not.toBe(listOf(one));

    const resting = memoPerJudgement(make, ({ readings }) => readings.sources('a').map(({ good }) => good));
    const readings = new Sources();
    readings.good('a', 'h1', 1);
    const before = resting(judge(readings));
    expect(resting(judge(readings))).toBe(before);
    readings.good('a', 'h2', 1);
    expect(resting(judge(readings))).not.toBe(before);
  });
});
