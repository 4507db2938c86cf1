import { mkdirSync, writeFileSync } from 'node:fs';
import { siteJsonSchema } from '../src/site/schema.ts';
import { systems } from '../src/registries/systems.ts';

/** Writes the JSON Schema of the site file, for editors. A test says when it is out of date. */
mkdirSync('schema', { recursive: true });
writeFileSync('schema/site.schema.json', siteJsonSchema({ systems }));
