import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../src/model/ports.ts';
import { withFileLock } from '../../src/remedy/file-lock.ts';
import { emptyFolder } from '../helpers/folder.ts';

/** Time that goes on by what is slept only. */
const sleeping = (): { clock: Clock; slept: number[] } => {
  const slept: number[] = [];
  const mono = (): number => slept.reduce((sum, ms) => sum + ms, 0);
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  return { clock: { now: mono, mono, sleep }, slept };
};

afterEach(() => vi.restoreAllMocks());

describe('the lock of a file', () => {
  it('is waited for in longer and longer pauses, 1.5 s in all, and then it is said who is in the way', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const file = join(emptyFolder('lock'), 'lock');
    const { clock, slept } = sleeping();
    const inside = vi.fn();
    await withFileLock(file, clock, async () => {
      await expect(withFileLock(file, clock, async () => inside())).rejects.toThrow(
        'another console holds it',
      );
    });
    expect(inside).not.toHaveBeenCalled();
    expect(slept.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 40, 40]);
    // 1502 ms are the first sum above 1500.
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(1502);
  });

  it('is waited for 1.5 s by the time that goes by, and at 1.5 s once more', async () => {
    const file = join(emptyFolder('lock'), 'lock');
    const times = [7_000, 8_500, 8_501];
    const mono = vi.fn(() => times.shift() ?? 0);
    const sleep = vi.fn(async () => undefined);
    const { clock } = sleeping();
    await withFileLock(file, clock, async () => {
      await expect(withFileLock(file, { now: mono, mono, sleep }, async () => 1)).rejects.toThrow(
        'another console holds it',
      );
    });
    expect(sleep).toHaveBeenCalledTimes(1);
  });

  it('two that wait do not wait in step', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const file = join(emptyFolder('lock'), 'lock');
    const { clock, slept } = sleeping();
    await withFileLock(file, clock, () => withFileLock(file, clock, async () => 1).catch(() => 0));
    expect(slept.slice(0, 3)).toEqual([3, 6, 12]);
  });

  it('is free again at once, be the work done or thrown', async () => {
    const file = join(emptyFolder('lock'), 'lock');
    const { clock, slept } = sleeping();
    await expect(
      withFileLock(file, clock, async () => {
        throw new Error('the work failed');
      }),
    ).rejects.toThrow('the work failed');
    expect(await withFileLock(file, clock, async () => 'done')).toBe('done');
    expect(slept).toEqual([]);
  });

  it('what is no lock at all is said at once: waiting would not help', async () => {
    const file = join(emptyFolder('lock'), 'lock');
    writeFileSync(file, 'somebody’s notes, which are no database '.repeat(50));
    const { clock, slept } = sleeping();
    await expect(withFileLock(file, clock, async () => 1)).rejects.toThrow('not a database');
    expect(slept).toEqual([]);
  });
});
