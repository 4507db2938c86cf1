import { describe, expect, it } from 'vitest';
import type { Subject } from '../../src/model/subject.ts';
import {
  armedAfterMs,
  confirmTextOf,
  countPhrase,
  higherDanger,
  nameOf,
  raiseDanger,
} from '../../src/remedy/danger.ts';
import { node } from './world.ts';

const lag: Subject = { kind: 'lag', id: 'core1:po1' };
const ost: Subject = { kind: 'ost', id: 'scratch-OST0007' };

describe('the class of an action', () => {
  it('goes one up where a guard is exceeded, and no higher than the highest', () => {
    expect((['reversible', 'service', 'access'] as const).map(raiseDanger)).toEqual([
      'service',
      'access',
      'access',
    ]);
  });

  it('of two is the higher, whichever is named first', () => {
    expect(higherDanger('reversible', 'service')).toBe('service');
    expect(higherDanger('service', 'reversible')).toBe('service');
    expect(higherDanger('access', 'service')).toBe('access');
    expect(higherDanger('reversible', 'access')).toBe('access');
  });

  it('keeps the confirmation closed for two seconds where access may be lost, else not at all', () => {
    expect((['reversible', 'service', 'access'] as const).map(armedAfterMs)).toEqual([0, 0, 2_000]);
  });
});

describe('what must be typed', () => {
  it('is y, the target, or verb and target, by the class', () => {
    expect(confirmTextOf('reversible', 'drain', [node('n1')])).toBe('y');
    expect(confirmTextOf('service', 'drain', [node('n1')])).toBe('n1');
    expect(confirmTextOf('access', 'drain', [node('n1')])).toBe('drain n1');
    expect(confirmTextOf('access', 'drain', [node('n1'), node('n2')])).toBe('drain 2 nodes');
  });

  it('names one, and counts several in the words of the field', () => {
    expect([nameOf([ost]), nameOf([ost, ost])]).toEqual(['scratch-OST0007', '2 OSTs']);
    expect([countPhrase([lag]), countPhrase([lag, lag]), countPhrase([node('n1')])]).toEqual([
      '1 LAG',
      '2 LAGs',
      '1 node',
    ]);
    expect(nameOf([])).toBe('0 hosts');
  });
});
