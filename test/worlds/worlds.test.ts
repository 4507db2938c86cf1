import { describe, expect, test } from 'vitest';
import { chosen, optionsOf } from './options.ts';
import { faultsIn, totalOf, verdictsIn, withMissing } from './verdicts.ts';

const names = ['a', 'b', 'c', 'd', 'e'];

describe('which situations', () => {
  test('parts are a part each, and together all', () => {
    const parts = [1, 2].map((part) => chosen(names, optionsOf(['--part', `${part}/2`], 1)));
    expect(parts).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
    expect([8, 9].map((day) => chosen(names, optionsOf(['--part', 'day/2'], day)))).toEqual(parts);
    expect(chosen(names, optionsOf(['--only', 'c', '--only', 'a'], 1))).toEqual(['a', 'c']);
  });

  test.each([['--part'], ['--part', '3/2'], ['--part', '0/2'], ['--other', 'x']])('not %s %s', (...words) => {
    expect(() => optionsOf(words, 1)).toThrow(/npm run test:worlds/);
  });
});

const output = `right   dirty_connector_eos          rc=1  4.4s  dirty connector
wrong   just_up                      rc=1  3.7s  errors on a link
        -> false finding: spine2 eth11
false alarm  slurm-maintenance-window             4.8 s  16 nodes down
right        slurm-two-racks-lost                 4.2 s  16 nodes down
not judged   slurm-blind                          0.0 s  RuntimeError: ctl1 did not come up

30 right / 6 wrong / 3 silent of 39`;

test('verdicts of both runners are read, with the reason', () => {
  expect(verdictsIn(output)).toEqual([
    { name: 'dirty_connector_eos', verdict: 'right', why: expect.anything() },
    { name: 'just_up', verdict: 'wrong', why: 'false finding: spine2 eth11' },
    { name: 'slurm-maintenance-window', verdict: 'false alarm', why: '16 nodes down' },
    { name: 'slurm-two-racks-lost', verdict: 'right', why: '16 nodes down' },
    { name: 'slurm-blind', verdict: 'not judged', why: 'RuntimeError: ctl1 did not come up' },
  ]);
});

test('fails on what is not right and not listed, on what is listed and right, and on what was not judged', () => {
  const verdicts = withMissing(['dirty_connector_eos', 'just_up', 'gone'], verdictsIn(output));
  expect(faultsIn(verdicts, {})).toEqual([
    'just_up is wrong: false finding: spine2 eth11',
    'gone is not judged: its world said nothing',
  ]);
  const listed = { just_up: 'why', gone: 'why', dirty_connector_eos: 'why' };
  expect(faultsIn(verdicts, listed)).toEqual([
    'dirty_connector_eos is right: take it off the list of known-wrong.ts',
  ]);
  expect(totalOf(verdicts, listed)).toBe('1 right, 1 wrong, 1 not judged of 3, 2 of them known');
});
