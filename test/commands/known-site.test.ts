import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rememberGood, wasSiteGood } from '../../src/commands/known-site.ts';
import { emptyFolder } from '../helpers/folder.ts';

const folder = emptyFolder('known');
const file = join(folder, 'site.yaml');
beforeAll(() => vi.stubEnv('TMPDIR', folder));
afterAll(() => {
  vi.unstubAllEnvs();
});

test('a file is known as good until it changes', async () => {
  expect(await wasSiteGood(file)).toBe(false);
  writeFileSync(file, 'site: a\n');
  expect(await wasSiteGood(file)).toBe(false);
  await rememberGood(file);
  expect(await wasSiteGood(file)).toBe(true);
  writeFileSync(file, 'site: b\n');
  expect(await wasSiteGood(file)).toBe(false);
});
