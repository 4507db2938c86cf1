import { mkdirSync, writeFileSync } from 'node:fs';
import { siteJsonSchema } from '../src/site/schema.ts';
import { userKnowledge } from '../src/commands/user-settings.ts';
import { userJsonSchema } from '../src/site/user-schema.ts';
import { systems } from '../src/registries/systems.ts';

/** Writes the JSON Schemas of the site file and of an operator's settings, for editors. A test says when they are out of date. */
mkdirSync('schema', { recursive: true });
writeFileSync('schema/site.schema.json', siteJsonSchema({ systems }));
writeFileSync('schema/config.schema.json', userJsonSchema(await userKnowledge()));
