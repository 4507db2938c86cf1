import { expect, test } from 'vitest';
import { BUSY_MS, openPoisoned, startPoisoned } from './poisoned.ts';

const timeout = 3 * BUSY_MS;

test(
  'an answer that no reader ends with: its host is named, the others are shown, and r asks it again at once',
  { timeout },
  async () => {
    const { siteFile, heal } = await startPoisoned('oss2', 'health_check');
    const session = openPoisoned(['--site', siteFile, '--read-only'], 'ended');
    await session.until(/oss2[^\n]* can't be read: not done within 2 s/, BUSY_MS);
    await session.until('17 of 18 pass it now', BUSY_MS);
    heal();
    await session.type('/oss2');
    await session.keys('Enter', 'r');
    await session.until((screen) => !/oss2[^\n]*can't be read/.test(screen), BUSY_MS);
  },
);

test('what is asked on demand alone, and chokes: r asks it again at once', { timeout }, async () => {
  const { siteFile, heal } = await startPoisoned('node31', 'dmesg');
  const at = openPoisoned(['--site', siteFile, '--read-only'], 'ended');
  const openPage = async (): Promise<void> => {
    await at.keys(':');
    await at.type('host node31');
    await at.keys('Enter');
    await at.until('Kernel errors');
  };
  /** Until the page says so: on a busy machine its host can't be reached at first, and a page holds what was known when it was opened. */
  const untilPage = async (shows: RegExp, again: () => Promise<void>): Promise<void> => {
    for (let tries = 0; tries < 100 && !shows.test(at.screen()); tries += 1) {
      await again();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    expect(at.screen()).toMatch(shows);
  };
  await at.until(/ 1 Slurm /);
  await openPage();
  expect(at.screen()).toContain('asked on demand only');
  await untilPage(/can't be read: not done within 2 s/, () => at.keys('K'));
  heal();
  await at.keys('Esc', 'r');
  await at.until(/asked \d+ sources again/);
  await untilPage(/kernel 6\.1\.0-18-amd64, up \d+ d/, async () => {
    await at.keys('Esc');
    await openPage();
  });
  expect(at.screen()).not.toContain("can't be read");
});
