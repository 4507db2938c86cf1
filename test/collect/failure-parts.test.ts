import { expect, test } from 'vitest';
import { delayFailure, failureOn, readFailure } from '../../src/collect/failures.ts';
import { CommandFailed } from '../../src/model/errors.ts';

const asked = { host: 'h1', command: 'slurm.ping', deadlineMs: 1000 };
const heard = (words: string) => readFailure(new CommandFailed('other', words), asked);

test('what is added to a failure stands behind what was to do next, and what failed stays the same', () => {
  const first = failureOn('h1', 'timeout', { what: 'sinfo timed out after 9 s' });
  const second = delayFailure(delayFailure(first, 'the link is slow'), 'asked again in 5 min');
  expect(second).toEqual({
    kind: 'timeout',
    message: 'h1: sinfo timed out after 9 s; the link is slow; asked again in 5 min',
    said: { what: 'sinfo timed out after 9 s', next: 'the link is slow; asked again in 5 min' },
  });
});

test('a line of a tool is taken apart, and whole again in the message', () => {
  const [one, two, three] = ['down (connect failure); retry (soon)', 'a (b) c', 'plain'].map(heard);
  expect(one?.message).toBe('h1: down (connect failure); retry (soon)');
  expect(one?.said).toEqual({ what: 'down', detail: 'connect failure', next: 'retry (soon)' });
  expect(two?.said).toEqual({ what: 'a (b) c' });
  expect(three?.said).toEqual({ what: 'plain' });
});
