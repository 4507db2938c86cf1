import { describe, expect, it } from 'vitest';
import { fold } from '../../src/text/nodeset.ts';
import { expandSet, type Groups, isSet } from '../../src/text/set-arithmetic.ts';

const members: Readonly<Record<string, readonly string[]>> = {
  compute: ['node1', 'node2', 'node3', 'node4', 'node5', 'node6', 'node7', 'node8'],
  gpu: ['node5', 'node6'],
  rack1: ['node1', 'node2'],
  rack2: ['node3'],
  'slurm:batch': ['node7', 'node8'],
  none: [],
};

const groups: Groups = {
  members: (name) => {
    const found = members[name];
    if (!found) throw new RangeError(`there is no group "@${name}"`);
    return found;
  },
};

const names = (expression: string): string => fold(expandSet(expression, groups));

describe('arithmetic of node sets', () => {
  // Each right-hand side is what ClusterShell 1.9.1 prints for `nodeset -f`.
  it.each([
    ['@compute', 'node[1-8]'],
    ['@compute!node5,node1', 'node[1-4,6-8]'],
    ['node[1-8]!node5', 'node[1-4,6-8]'],
    ['node[1-4]!node2,node2', 'node[1-4]'],
    ['node[1-4],node9!node[2-9]', 'node1'],
    ['node[1-4]^node[3-6]', 'node[1-2,5-6]'],
    ['node[1-4]^node[3-6]&node6', 'node6'],
    ['node[1-3] & node2', 'node2'],
    ['@compute&@gpu', 'node[5-6]'],
    ['@rack[1-2]', 'node[1-3]'],
    ['@slurm:batch,gl[1-2]', 'gl[1-2],node[7-8]'],
    ['node1,@gpu', 'node[1,5-6]'],
    ['@gpu!@compute', ''],
    ['@none', ''],
    ['node[1-2]^node[1-2]', ''],
  ])('%s', (expression, folded) => {
    expect(names(expression)).toBe(folded);
  });

  it('keeps the order in which names came in: labels are dealt out by it', () => {
    expect(expandSet('node[3,1],@gpu!node3', groups)).toEqual(['node1', 'node5', 'node6']);
  });

  it('leaves what has no group and no operator to expand, also names that are there twice', () => {
    expect(expandSet('n1,n1', groups)).toEqual(['n1', 'n1']);
    expect(expandSet('a@b', groups)).toEqual(['a@b']);
  });

  it.each([
    ['!node1', 'a name is missing beside "!" in "!node1"'],
    ['node1!', 'a name is missing beside "!" in "node1!"'],
    ['node1&&node2', 'a name is missing beside "&" in "node1&&node2"'],
    ['@gpu,', 'a name is missing beside "," in "@gpu,"'],
    ['@', 'an empty name in a node set'],
    ['node[1!2]', '"1!2" in "node[1!2]" is not a number or range like 1-200'],
    ['@gpu!node[1', 'brackets do not match in "node[1"'],
    ['@gup!node1', 'there is no group "@gup"'],
    ['node[1-99999],@gpu,x[1-99999]!y', 'stands for more than 100000 names'],
    ['@gpu,node[1-999999999]', 'stands for more than 100000 names'],
  ])('refuses %s', (expression, why) => {
    expect(() => expandSet(expression, groups)).toThrow(RangeError);
    expect(() => expandSet(expression, groups)).toThrow(why);
  });

  it('tells a set from a name', () => {
    expect(['node[1-2]', 'a,b', '@gpu', 'a!b', 'a&b', 'a^b'].filter((one) => !isSet(one))).toEqual([]);
    expect(['node1', 'core3:te3/46', 'home0@gl1', 'gl1:/data'].filter(isSet)).toEqual([]);
  });
});
