import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareByName, expand, fold } from '../../src/text/nodeset.ts';

const digits = fc.oneof(
  fc.nat(200).map(String),
  fc.nat(200).map((value) => String(value).padStart(3, '0')),
  fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
);
const word = fc.stringMatching(/^[a-z][a-z._-]{0,4}$/);
const name = fc.tuple(word, digits, fc.constantFrom('', '-ib', '.x', 'r1')).map((parts) => parts.join(''));
const deep = fc.tuple(word, fc.nat(4), word, fc.nat(4)).map((parts) => parts.join(''));

describe('fold', () => {
  // Each right-hand side is what ClusterShell 1.9.1 prints for `nodeset -f`.
  it.each([
    ['n08 n09 n10', 'n[08-10]'],
    ['n8 n9 n10 n08', 'n[8-9,08,10]'],
    ['n1 n01 n001', 'n[1,01,001]'],
    ['a1b1 a2b1', 'a[1-2]b1'],
    ['a1b1 a1b2 a2b1 a2b2', 'a[1-2]b[1-2]'],
    ['a1b1c1 a1b2c1 a2b1c2 a2b2c2', 'a1b[1-2]c1,a2b[1-2]c2'],
    ['n1.c1 n2.c1 n1.c2', 'n1.c[1-2],n2.c1'],
    ['b1 a1 c', 'a1,b1,c'],
    ['node10 node2 x', 'node[2,10],x'],
    ['n1a n2a', 'n[1-2]a'],
    ['n99 n100 n101', 'n[99-101]'],
    ['n099 n100', 'n[099-100]'],
    ['n95 n96 n97 n98 n99 n100 n101 n094', 'n[95-99,094,100-101]'],
    ['n98 n99 n100 n097', 'n[98-99,097,100]'],
    ['ib0 ib1-x', 'ib0,ib1-x'],
    ['1 2 3', '[1-3]'],
    ['0 00', '[0,00]'],
    ['a-1 a-2', 'a-[1-2]'],
    ['n1.x n2.x', 'n[1-2].x'],
    ['B1 a1 A1', 'A1,B1,a1'],
    ['n9 n09 n10 n010', 'n[9,09-10,010]'],
    ['n123456789012345678901 n123456789012345678902', 'n[123456789012345678901-123456789012345678902]'],
  ])('folds %s as ClusterShell does', (names, folded) => {
    expect(fold(names.split(' '))).toBe(folded);
  });

  it('keeps padding apart from what grows out of it: n[08-99,100-101], as a range has one width', () => {
    const names = Array.from({ length: 94 }, (_, at) => `n${String(at + 8).padStart(2, '0')}`);
    expect(fold(names)).toBe('n[08-99,100-101]');
  });

  it('gives nothing for nothing', () => {
    expect(fold([])).toBe('');
  });

  it('leaves names that hold set syntax as they are', () => {
    expect(fold(['a%s1', 'n1', 'x[1]', 'n2'])).toBe('n[1-2],a%s1,x[1]');
  });

  it('loses no name and invents none', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(name, deep), { minLength: 1, maxLength: 40 }), (names) => {
        expect(new Set(expand(fold(names)))).toEqual(new Set(names));
        expect(expand(fold(names))).toHaveLength(new Set(names).size);
      }),
    );
  });

  it('does not depend on order and folds its own output to itself', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(name, deep), { minLength: 1, maxLength: 20 }), (names) => {
        expect(fold(names.toReversed())).toBe(fold(names));
        expect(fold(expand(fold(names)))).toBe(fold(names));
      }),
    );
  });
});

describe('expand', () => {
  it.each([
    ['ctl1', ['ctl1']],
    ['n[1-3,7],gl1', ['n1', 'n2', 'n3', 'n7', 'gl1']],
    ['n[08-11]', ['n08', 'n09', 'n10', 'n11']],
    ['r[1-2]n[1-2]', ['r1n1', 'r1n2', 'r2n1', 'r2n2']],
    ['n[1-7/3]', ['n1', 'n4', 'n7']],
    ['n[3,1]', ['n3', 'n1']],
    [' a , b ', ['a', 'b']],
    ['[1-2]', ['1', '2']],
    ['n[99999999999999999998-99999999999999999999]', ['n99999999999999999998', 'n99999999999999999999']],
  ])('expands %s in the order written', (expression, names) => {
    expect(expand(expression)).toEqual(names);
  });

  it.each([
    ['n[1-2', 'brackets do not match'],
    ['n1-2]', 'brackets do not match'],
    ['n[[1]]', 'brackets do not match'],
    ['', 'an empty name'],
    ['a,,b', 'an empty name'],
    ['n[]', 'not a number or range'],
    ['n[a]', 'not a number or range'],
    ['n[1-]', 'not a number or range'],
    ['n[5-3]', 'runs backwards'],
    ['n[08-101]', 'not padded alike'],
    ['n[8-010]', 'not padded alike'],
    ['n[1-9/0]', 'step of 0'],
    ['n[1-999999999]', 'more than'],
    ['n[1-99999]x[1-99999]', 'more than'],
    ['n[1-90000],m[1-90000]', 'more than'],
    [`n[${'1-90000,'.repeat(1000)}1]`, 'more than'],
  ])('refuses %s, saying what is wrong', (expression, what) => {
    expect(() => expand(expression)).toThrow(RangeError);
    expect(() => expand(expression)).toThrow(what);
  });

  it('never fails in another way', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('n', '1', '9', '-', ',', '[', ']', '/', ' ') }),
        (text) => {
          try {
            expect(expand(text).length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
          }
        },
      ),
    );
  });
});

it('byName puts node2 before node10', () => {
  expect(['node10', 'node2', 'gl1'].toSorted(compareByName)).toEqual(['gl1', 'node2', 'node10']);
});
