import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteJsonSchema } from '../../src/site/schema.ts';
import { userKnowledge } from '../../src/commands/user-settings.ts';
import { userJsonSchema } from '../../src/site/user-schema.ts';
import { systems } from '../../src/registries/systems.ts';

const stored = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../schema', name), 'utf8');

it('the schemas in the repository are those of the program; else run "npm run schema"', async () => {
  expect(stored('site.schema.json')).toBe(siteJsonSchema({ systems }));
  expect(stored('config.schema.json')).toBe(userJsonSchema(await userKnowledge()));
});
