import { beforeEach, describe, expect, it, test } from 'vitest';
import { inverse } from '../../src/remedy/revive.ts';
import { verifyOne } from '../../src/remedy/verify-sent.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

/** How often it looks while something takes two and a half minutes, and what comes of it. */
const looks = async (everyMs?: number): Promise<{ looks: number; outcome: string }> => {
  let count = 0;
  world.beforeRead = () => (count += 1);
  const { outcome } = await verifyOne(world.parts, {
    text: 'it is so',
    reads: [{ probe: 'fake.nodes', host: 'ctl1' }],
    deadlineMs: 150_000,
    ...(everyMs !== undefined && { everyMs }),
    check: () => ({ state: 'wait', text: 'not yet' }),
  });
  return { looks: count, outcome };
};

test('a reading that costs the machine something is not taken every two seconds, but at the deadline too', async () => {
  expect(await looks(60_000)).toEqual({ looks: 4, outcome: 'failed' });
  expect((await looks()).looks).toBeGreaterThan(60);
});

describe('an undo is judged by the words of its run, the other way round', () => {
  const judged = (state: 'yes' | 'wait' | 'no' | 'unread') =>
    inverse({ text: 'n1 is drained', reads: [], deadlineMs: 1, check: () => ({ state, text: state }) }).check(
      {} as never,
    ).state;

  it('what still reads so is not undone yet, what no longer does is', () => {
    expect(judged('yes')).toBe('wait');
    expect([judged('wait'), judged('no')]).toEqual(['yes', 'yes']);
  });

  it('what is not told is neither', () => expect(judged('unread')).toBe('unread'));
});
