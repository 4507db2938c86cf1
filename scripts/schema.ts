import { mkdirSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { siteReferenceMarkdown } from '../src/commands/manual/reference.ts';
import { siteJsonSchema } from '../src/site/schema.ts';
import { userKnowledge } from '../src/commands/user-settings.ts';
import { userJsonSchema } from '../src/site/user-schema.ts';
import { systems } from '../src/registries/systems.ts';

/** Writes the JSON Schemas of the site file and of an operator's settings, for editors, and the reference of the site file. A test says when they are out of date. */
mkdirSync('schema', { recursive: true });
writeFileSync('schema/site.schema.json', siteJsonSchema({ systems }));
writeFileSync('schema/config.schema.json', userJsonSchema(await userKnowledge()));
const reference = new URL('../docs/site-file.md', import.meta.url);
const options = { ...(await resolveConfig(reference)), parser: 'markdown' };
writeFileSync(reference, await format(siteReferenceMarkdown(systems), options));
