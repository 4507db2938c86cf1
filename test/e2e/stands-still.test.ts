import { expect, test } from 'vitest';
import { BUSY_MS, openPoisoned, startPoisoned } from './poisoned.ts';

const timeout = 3 * BUSY_MS;

test(
  'a collector that stands still is started again by itself; what it choked on rests and is named, the others are shown',
  { timeout },
  async () => {
    const { siteFile } = await startPoisoned('oss2', 'health_check');
    const session = openPoisoned(['wall', '--site', siteFile], 'undying');
    await session.until(/oss2[^\n]*made the collector stand still/, BUSY_MS);
    await session.until('17 of 18 pass it now', BUSY_MS);
    expect(session.screen()).not.toContain('collector stopped');
  },
);
