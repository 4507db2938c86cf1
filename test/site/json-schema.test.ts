import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteJsonSchema } from '../../src/site/schema.ts';
import { systems } from '../../src/registries/systems.ts';

it('the schema in the repository is the one of the program; else run "npm run schema"', () => {
  const stored = readFileSync(join(import.meta.dirname, '../../schema/site.schema.json'), 'utf8');
  expect(stored).toBe(siteJsonSchema({ systems }));
});
