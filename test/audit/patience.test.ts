import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAuditReader } from '../../src/audit/audit-read.ts';
import { createPatience } from '../../src/audit/patience.ts';
import { emptyFolder } from '../helpers/folder.ts';

/** A clock whose time is over at once. */
const atOnce = (): Promise<void> => Promise.resolve();
const never = <T>(): Promise<T> => new Promise<T>(() => {});

describe('a disk that does not answer', () => {
  it('is given up on, and nothing more is begun on it until what hangs has ended', async () => {
    const patience = createPatience(atOnce);
    let end = (): void => {};
    const hanging = new Promise<void>((resolve) => (end = resolve));
    await expect(patience(() => hanging, 2_000)).rejects.toThrow('the disk did not answer within 2 s');
    let begun = false;
    const next = async (): Promise<void> => void (begun = true);
    await expect(patience(next, 2_000)).rejects.toThrow('the disk still does not answer');
    expect(begun).toBe(false);
    end();
    await hanging;
    await new Promise((resolve) => setImmediate(resolve));
    await createPatience(never)(next, 2_000);
    await patience(next, 2_000).catch(() => undefined);
    expect(begun).toBe(true);
  });

  it('what the work says is what it gives, and its time is not waited for', async () => {
    const patience = createPatience(
      (_ms, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over')))),
    );
    expect(await patience(() => Promise.resolve(7), 1)).toBe(7);
    await expect(patience(() => Promise.reject(new Error('EIO')), 1)).rejects.toThrow('EIO');
    expect(await patience(() => Promise.resolve(8), 1)).toBe(8);
  });

  it.each([
    [600, /^this machine is too busy: /],
    [500, /^the disk did not answer within 2 s$/],
    [0, /^the disk did not answer within 2 s$/],
  ])('is not blamed for a machine that is busy: our own timers %i ms late', async (lateMs, said) => {
    const patience = createPatience(atOnce, () => () => lateMs);
    await expect(patience(never, 2_000)).rejects.toThrow(said);
    const next = lateMs === 600 ? /^this machine is too busy: / : /^the disk still does not answer$/;
    await expect(patience(never, 2_000)).rejects.toThrow(next);
  });

  it('a short wait is no measure: 200 ms late of 400 ms say nothing', async () => {
    const patience = createPatience(atOnce, () => () => 200);
    await expect(patience(never, 400)).rejects.toThrow('the disk did not answer within 0.4 s');
  });

  it('an answer in time is taken however late our timers were', async () => {
    expect(await createPatience(never, () => () => 5_000)(() => Promise.resolve(7), 2_000)).toBe(7);
  });

  it.each([
    [2, 'an answer'],
    [3, /^this machine is too busy: /],
  ])('has its time again where the machine had none: late in %i waits', async (busyTurns, said) => {
    let [turn, end] = [0, (_text: string): void => {}];
    const work = new Promise<string>((resolve) => (end = resolve));
    const patience = createPatience(
      async () => {
        turn += 1;
        if (turn > busyTurns) {
          end('an answer');
          await never();
        }
      },
      () => () => 600,
    );
    const given = patience(() => work, 2_000).catch((error: unknown) => (error as Error).message);
    await expect(given).resolves.toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  });

  it('a thread that stood still is told by its own timers: what comes in the next wait is in time', async () => {
    const patience = createPatience();
    const waited = patience(() => new Promise((resolve) => setTimeout(() => resolve('late'), 900)), 400);
    const until = performance.now() + 800;
    while (performance.now() < until);
    expect(await waited).toBe('late');
  });

  it('the audit log is read with a deadline', async () => {
    const read = createAuditReader(join(emptyFolder('patience'), 'audit.jsonl'), (_work, deadlineMs) =>
      Promise.reject(new Error(`late after ${deadlineMs}`)),
    );
    await expect(read()).rejects.toThrow('late after 10000');
  });
});
