import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSite } from '../../src/site/parse.ts';
import { systems } from '../../src/registries/systems.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

it('the site file in the README can be copied', () => {
  const example = /```yaml\n(site: .*?)```/s.exec(readme)?.[1] ?? '';
  const { site, warnings } = parseSite(example, 'README.md', { systems });
  expect(warnings).toEqual([]);
  expect(site.hosts.length).toBeGreaterThan(200);
  expect(site.traffic?.map(({ probe }) => probe)).toContain('switch.matrix');
});
