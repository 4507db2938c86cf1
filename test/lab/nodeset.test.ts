import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { expand, fold } from '../../src/text/nodeset.ts';
import { expandSet } from '../../src/text/set-arithmetic.ts';

/** ClusterShell is the oracle: what `nodeset` folds and expands is what admins type elsewhere. */
const oracle = (method: 'fold' | 'expand', input: readonly unknown[]): unknown[] =>
  JSON.parse(
    execFileSync(
      '/usr/bin/python3',
      [
        '-c',
        'import sys, json\nfrom ClusterShell.NodeSet import NodeSet\ncases = json.load(sys.stdin)\n' +
          (method === 'fold'
            ? 'print(json.dumps([str(NodeSet.fromlist(one)) for one in cases]))'
            : 'print(json.dumps([list(NodeSet(one)) for one in cases]))'),
      ],
      { input: JSON.stringify(input), encoding: 'utf8' },
    ),
  ) as unknown[];

/** The same numbers in every run, so that a failure can be looked at again. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

const next = numbers(42);
const below = (limit: number): number => Math.floor(next() * limit);

const randomNames = (): string[] => {
  const heads = ['node', 'gl', 'n', 'wn-d-', 'login', 'cn-r1-'];
  const tails = ['', '', '', '-ib', '.site'];
  return Array.from({ length: 1 + below(30) }, () => {
    const width = [1, 1, 2, 3][below(4)] ?? 1;
    const number = String(below([5, 20, 200][below(3)] ?? 5)).padStart(width, '0');
    return `${heads[below(heads.length)]}${number}${tails[below(tails.length)]}`;
  });
};

const sorted = (names: readonly unknown[]): unknown[] => [...new Set(names)].sort();

describe('node sets against ClusterShell', () => {
  it('agrees with the nodeset command on the plain cases', () => {
    const nodeset = (...words: string[]): string =>
      execFileSync('nodeset', words, { encoding: 'utf8' }).trim();
    const names = ['node7', 'node1', 'node2', 'node3', 'node4', 'gl1', 'node12'];
    expect(fold(names)).toBe(nodeset('-f', ...names));
    expect(sorted(expand('node[08-11],gl1')).join(' ')).toBe(nodeset('-e', 'node[08-11],gl1'));
  });

  it('expands what ClusterShell folds, to the same names', () => {
    const cases = Array.from({ length: 500 }, randomNames);
    const theirs = oracle('fold', cases);
    for (const [index, names] of cases.entries()) {
      expect(sorted(expand(String(theirs[index]))), String(theirs[index])).toEqual(sorted(names));
    }
  });

  it('folds to what ClusterShell expands to the same names', () => {
    const cases = Array.from({ length: 500 }, randomNames);
    const theirs = oracle('expand', cases.map(fold));
    for (const [index, names] of cases.entries()) {
      expect(sorted(theirs[index] as unknown[]), fold(names)).toEqual(sorted(names));
    }
  });

  it('calculates as ClusterShell does, from left to right', () => {
    const set = (): string => `n[${below(9)}-${9 + below(20)}]`;
    const cases = Array.from({ length: 500 }, () =>
      Array.from({ length: 1 + below(5) }, (_, at) => `${at === 0 ? '' : ',!&^'[below(4)]}${set()}`).join(''),
    );
    const groups = { members: () => [] };
    const theirs = oracle('expand', cases);
    for (const [index, text] of cases.entries())
      expect(sorted(expandSet(text, groups)), text).toEqual(sorted(theirs[index] as unknown[]));
  });

  it('folds plain names to the very same text', () => {
    const cases = Array.from({ length: 300 }, () =>
      Array.from({ length: 1 + below(40) }, () => `${['node', 'gl', 'oss'][below(3)]}${1 + below(60)}`),
    );
    expect(cases.map(fold)).toEqual(oracle('fold', cases));
  });
});
