import { expect, it, vi } from 'vitest';
import type { Past } from '../../src/audit/past-runs.ts';
import type { SharedRead } from '../../src/audit/shared-past.ts';
import { createRecentPast } from '../../src/remedy/recent-past.ts';
import { logged, START } from './logged.ts';

const past = (over: Partial<Past> = {}): Past => ({
  run: 'r-9',
  verb: 'drain',
  subject: 'node n9',
  at: START,
  by: 'carol',
  ...over,
});

/** What the shared folder gives, one reading after the other. */
const recentOf = (...reads: readonly SharedRead[]) => {
  const log = vi.fn();
  const rest = [...reads];
  const sharedActions = { read: async () => rest.shift() ?? { past: [] } };
  return { recent: createRecentPast({ sharedActions: sharedActions as never, log }), log };
};

const runsOf = ({ past: all }: { past: readonly Past[] }): readonly string[] =>
  all.map(({ run, subject }) => `${run} ${subject}`);

it('is what our log tells and what colleagues did; of a run that both tell of the log counts', async () => {
  const lines = [
    past(),
    past({ run: 'r-1', subject: 'node n1', by: 'mallory' }),
    past({ run: 'r-1', subject: 'node n2' }),
  ];
  const { recent } = recentOf({ past: lines });
  expect(recent.known()).toEqual({ past: [] });
  await recent.read([logged()]);
  expect(recent.known()).toEqual({
    past: [{ run: 'r-1', verb: 'drain', subject: 'node n1', at: START, by: 'bob' }, lines[0], lines[2]],
  });
  expect(recent.colleagues()).toEqual(lines);
});

it('what the log knows to have come to nothing does not count, whatever stands in the folder', async () => {
  const { recent } = recentOf({ past: [past({ run: 'r-1', subject: 'node n1' })] });
  await recent.read([logged({ outcome: 'refused' })]);
  expect(recent.known().past).toEqual([]);
});

it('what nobody could read takes nothing back, and is said once while it stays the same', async () => {
  const { recent, log } = recentOf(
    { past: [past()] },
    { unclear: 'admin1 did not answer' },
    { unclear: 'admin1 did not answer' },
    { past: [] },
    { unclear: 'admin1 did not answer' },
  );
  await recent.read([]);
  expect(recent.known()).toEqual({ past: [past()] });
  await recent.read([]);
  await recent.read([]);
  expect(recent.known()).toEqual({ past: [past()], unclear: 'admin1 did not answer' });
  expect(log.mock.calls).toEqual([['the actions of colleagues: admin1 did not answer']]);
  await recent.read([]);
  expect(recent.known()).toEqual({ past: [] });
  await recent.read([]);
  expect(log).toHaveBeenCalledTimes(2);
});

it('without a shared folder it is what our log tells', async () => {
  const recent = createRecentPast({ log: () => undefined });
  await recent.read([logged()]);
  expect(runsOf(recent.known())).toEqual(['r-1 node n1']);
  expect(recent.colleagues()).toEqual([]);
});
