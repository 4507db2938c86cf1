import { describe, expect, it } from 'vitest';
import type { Past } from '../../src/audit/past-runs.ts';
import { coolDown } from '../../src/remedy/cool-down.ts';
import { node } from './world.ts';

const MINUTE = 60_000;

const past = (minutesAgo: number, run = `r-${minutesAgo}`): Past => ({
  run,
  verb: 'resume',
  subject: 'node n1',
  at: 1e12 - minutesAgo * MINUTE,
  by: 'bob',
});

describe('coolDown', () => {
  it.each([
    [[], true],
    [[past(11)], true],
    [[past(9)], false],
    [[past(60), past(300)], false],
    [[past(60), past(60)], true],
    [[past(60), past(25 * 60)], true],
    [
      [
        { ...past(1), verb: 'drain' },
        { ...past(1), subject: 'node n2' },
      ],
      true,
    ],
  ])('%j: %s', (all, ok) => {
    expect(coolDown(all, 'resume', node('n1'), 1e12).ok).toBe(ok);
  });

  it('counts each object of a subject apart, and what was done to all of it for each', () => {
    const of = (object: string, minutesAgo: number): Past => ({ ...past(minutesAgo), object });
    const onA = (all: readonly Past[]) => coolDown(all, 'resume', node('n1'), 1e12, '/a');
    expect(onA([of('/b', 1), of('/b', 2), of('/c', 3)])).toEqual({
      ok: true,
      text: 'resume of n1 /a: not done in the last 24 h',
    });
    expect(onA([of('/a', 3)]).text).toMatch(/^resume of n1 \/a was done 3 min ago by bob: wait 10 min/);
    expect(onA([of('/a', 30), of('/a', 60), of('/b', 1)]).text).toContain('2 times in 24 h, last 30 min ago');
    expect(onA([past(3)]).ok).toBe(false);
    expect(coolDown([of('/a', 3)], 'resume', node('n1'), 1e12).ok).toBe(false);
  });

  it('says who, when, and how to do it all the same', () => {
    expect(coolDown([past(3)], 'resume', node('n1'), 1e12).text).toBe(
      'resume of n1 was done 3 min ago by bob: wait 10 min for its effect; to do it all the same: --set exceed13="why"',
    );
    expect(coolDown([past(30), past(60)], 'resume', node('n1'), 1e12).text).toContain(
      'stop: suspect hardware',
    );
  });
});
