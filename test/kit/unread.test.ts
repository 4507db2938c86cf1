import { describe, expect, it } from 'vitest';
import type { Source } from '../../src/model/reading.ts';
import { whyAllUnread, whyUnread } from '../../src/kit/unread.ts';
import { Sources, start } from '../helpers/judging.ts';

const source = (more: Partial<Source>): Source => ({
  probe: 'slurm.nodes',
  host: 'ctl1',
  state: 'never',
  before: [],
  everyMs: 10_000,
  durations: [],
  ...more,
});
const good = {
  probe: 'slurm.nodes',
  host: 'ctl1',
  at: start,
  mono: 0,
  durationMs: 1,
  value: 1,
  notUnderstood: 0,
};

describe('why a reading is not there', () => {
  it.each<[string, Source | undefined, string | undefined]>([
    ['fresh', source({ state: 'fresh', good }), undefined],
    [
      'failing, never read before',
      source({ state: 'failed', failure: { kind: 'connect', message: 'ctl1: connection refused' } }),
      'ctl1: connection refused',
    ],
    ['stale', source({ state: 'stale', good }), 'ctl1 last answered 45 s ago (slurm.nodes)'],
    [
      'on its way',
      source({ askedAt: start + 31_000 }),
      'ctl1 gave no answer yet (slurm.nodes, asked 14 s ago)',
    ],
    ['never asked', source({}), 'ctl1 gave no answer yet (slurm.nodes: it was not asked)'],
    ['not wanted', source({ state: 'notAsked' }), 'ctl1 is not asked for it now (slurm.nodes)'],
    ['asked nowhere', undefined, 'no host of the site is asked for it (slurm.nodes)'],
  ])('%s', (_name, one, said) => expect(whyUnread('slurm.nodes', one, start + 45_000)).toBe(said));

  it('of several hosts the one that fails is told, and nothing while one answers', () => {
    const readings = new Sources();
    expect(whyAllUnread('a', readings, start)).toBe('no host of the site is asked for it (a)');
    readings.put(source({ probe: 'a', host: 'h1' }));
    readings.fail('a', 'h2', { kind: 'timeout', message: 'h2: timed out' });
    expect(whyAllUnread('a', readings, start)).toBe('h2: timed out');
    readings.good('a', 'h3', 1);
    expect(whyAllUnread('a', readings, start)).toBeUndefined();
  });
});
