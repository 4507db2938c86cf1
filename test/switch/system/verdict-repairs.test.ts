import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../probes/switch/verdict/verdict.ts';
import { A, B, lane, sender, receiver, repair, place } from './verdict-ends.ts';
import { expectVerdict, type VerdictRow } from './verdict-rows.ts';

const table: readonly VerdictRow[] = [
  {
    what: 'the far optic was swapped and errors go on: the near one next',
    from: { repairs: [repair('nfs-sw1:te1/12', 'optic')] },
    best: 'nearOptic',
    first: B,
  },
  {
    what: 'the near optic was swapped: the far one stays first',
    to: { repairs: [repair('core3:te3/46', 'optic')] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'both optics swapped: the fibre',
    from: { repairs: [repair('nfs-sw1:te1/12', 'optic')] },
    to: { repairs: [repair('core3:te3/46', 'optic')] },
    best: 'fibre',
    first: A,
  },
  {
    what: 'optics and fibre replaced: the ports themselves',
    from: { repairs: [repair('nfs-sw1:te1/12', 'optic'), repair('nfs-sw1:te1/12', 'fibre')] },
    to: { repairs: [repair('core3:te3/46', 'optic')] },
    best: 'port',
    first: B,
  },
  {
    what: 'cleaned and the light is still low: the fibre',
    to: { lanes: [lane(-2.5, -13)], repairs: [repair('core3:te3/46', 'cleaned')] },
    best: 'fibre',
    first: B,
  },
];

describe('the verdict after repairs', () => {
  it.each(table)('$what', expectVerdict);

  it('with the near optic ruled out the fibre comes next, not the ports', () => {
    const to = receiver({ repairs: [repair('core3:te3/46', 'optic')] });
    expect(verdictOf({ from: sender(), to, bothWays: false })).toMatchObject({
      first: { at: place(A) },
      next: { at: place(A), steps: ['swap the fibre or cable'] },
    });
  });

  it('what was only cleaned is to be swapped next', () => {
    const from = sender({ repairs: [repair('nfs-sw1:te1/12', 'reseated')] });
    expect(verdictOf({ from, to: receiver(), bothWays: false })?.first).toEqual({
      at: place(A),
      steps: ['swap the optic'],
    });
  });
});
