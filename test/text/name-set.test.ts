import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNameSet } from '../../src/text/name-set.ts';
import { expand, fold } from '../../src/text/nodeset.ts';

const name = fc
  .array(fc.constantFrom('n', 'r', '-', '0', '1', '2', '9', '10', '08'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

it('a name is in a set when it is among the names that the set stands for', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 12 }), fc.array(name), (names, others) => {
      const folded = fold(names);
      const all = new Set(expand(folded));
      const set = createNameSet(folded);
      for (const one of [...names, ...others]) expect(set.has(one), `${one} in ${folded}`).toBe(all.has(one));
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['n0[1-99999]', ['n01', 'n099999'], ['n1', 'n0100000', 'n001', 'n0']],
  ['n[08-11],gl1', ['n08', 'n11', 'gl1'], ['n8', 'n011', 'gl', 'n[08-11]x']],
  ['r[1-2]n[1-9/2]', ['r1n1', 'r2n9'], ['r3n1', 'r1n2', 'r1n', 'r1n1x']],
  ['n[1-2][0-3]', ['n10', 'n23'], ['n1', 'n24', 'n100']],
  ['n[1-9999999999999999999999]', ['n1', 'n9999999999999999999999'], ['n0', 'n10000000000000000000000']],
  // What is no expression is one name.
  ['n[3-1]', ['n[3-1]'], ['n1', 'n3', 'n2']],
  ['n[1', ['n[1'], ['n1', 'n']],
  ['n[]', ['n[]'], ['n']],
])('%s', (folded, within, without) => {
  const set = createNameSet(folded);
  expect(within.filter((one) => !set.has(one))).toEqual([]);
  expect(without.filter((one) => set.has(one))).toEqual([]);
});

it('asking costs no more for a set of a billion names', () => {
  const set = createNameSet(`n[1-${'9'.repeat(900)}]`.repeat(1));
  expect(set.has(`n${'1'.repeat(2000)}`)).toBe(false);
  const many = createNameSet(Array.from({ length: 350 }, () => 'n[1-9][1-9]').join());
  expect(many.has('n123')).toBe(false);
  expect(many.has('n12')).toBe(true);
});
