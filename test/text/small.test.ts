import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { age, clock, clockTime, durationMs } from '../../src/text/ages.ts';
import { editDistance, nearestWord } from '../../src/text/nearest.ts';
import { groupKey } from '../../probes/slurm/judge/groups.ts';
import { count, groupThousands, percent } from '../../src/text/units.ts';

describe('age', () => {
  it.each([
    [-5, '0 s'],
    [4000, '4 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [8_940_000, '2 h 29 m'],
    [3 * 86_400_000, '3 d'],
    [Number.NaN, '?'],
    [Infinity, '?'],
  ])('says %d ms as %s', (ms, text) => {
    expect(age(ms)).toBe(text);
  });
});

describe('clock and moment', () => {
  const at = new Date(2026, 10, 19, 2, 41, 7).getTime();

  it('give local time, the date only on another day', () => {
    expect(clock(at)).toBe('02:41:07');
    expect(clockTime(at, at + 1000)).toBe('02:41');
    expect(clockTime(at, at + 86_400_000)).toBe('2026-11-19 02:41');
  });
});

describe('durationMs', () => {
  it.each([
    ['30s', 30_000],
    ['5 min', 300_000],
    ['5m', 300_000],
    ['1.5h', 5_400_000],
    ['3d', 259_200_000],
    ['500 ms', 500],
  ])('reads %s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['30', '', 's', '-5s', '5 weeks', '1e9s', '5s5', '5  s'])('does not read %j', (text) => {
    expect(durationMs(text)).toBeUndefined();
  });
});

describe('nearest', () => {
  const known = ['status', 'doctor', 'audit', 'names', 'roles'];

  it.each([
    ['statsu', 'status'],
    ['nmaes', 'names'],
    ['Doctor', 'doctor'],
    ['rols', 'roles'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearestWord(word, known)).toBe(meant);
  });

  it('does not guess far', () => {
    expect(nearestWord('xyzzy', known)).toBeUndefined();
    expect(nearestWord('', known)).toBeUndefined();
  });

  it('measures as a distance should: nothing to itself, the same both ways, at most the longer word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});

describe('groupKey', () => {
  it('puts reasons together that differ in numbers, case and blanks', () => {
    expect(groupKey('NHC:  HDFS mount\nlost (3 of 12)')).toBe('nhc: hdfs mount lost (# of #)');
    expect(groupKey('Low RealMemory 0x1f3a')).toBe(groupKey('low realmemory  0xdeadbee1'));
    expect(groupKey('feed the cat')).toBe('feed the cat');
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(groupKey(groupKey(text))).toBe(groupKey(text));
      }),
    );
  });
});

describe('units', () => {
  it.each([
    [0, '0 %'],
    [0.057, '5.7 %'],
    [0.0999, '10 %'],
    [0.5, '50 %'],
    [1, '100 %'],
    [0.0001, '<0.1 %'],
    [0.995, '>99 %'],
    [0.994, '99 %'],
  ])('says the share %d as %s', (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it('groups thousands of integers of any size', () => {
    expect(groupThousands(1204)).toBe('1,204');
    expect(groupThousands(18_446_744_073_709_551_615n)).toBe('18,446,744,073,709,551,615');
    expect(groupThousands(-1234.5)).toBe('-1,234.5');
  });

  it('counts with the right word', () => {
    expect(count(1, 'node')).toBe('1 node');
    expect(count(1700, 'node')).toBe('1,700 nodes');
    expect(count(0, 'switch', 'switches')).toBe('0 switches');
  });
});
