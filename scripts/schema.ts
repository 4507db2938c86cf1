import { mkdirSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { siteReferenceMarkdown } from '../src/commands/manual/reference.ts';
import { rightsMarkdown } from '../src/commands/manual/rights.ts';
import { siteJsonSchema } from '../src/site/schema.ts';
import { userKnowledge } from '../src/commands/user-settings.ts';
import { userJsonSchema } from '../src/site/user-schema.ts';
import { systems } from '../src/registries/systems.ts';

/** Writes the JSON Schemas of the site file and of an operator's settings, for editors, the reference of the site file, and the lines for sudoers. A test says when they are out of date. */
mkdirSync('schema', { recursive: true });
writeFileSync('schema/site.schema.json', siteJsonSchema({ systems }));
writeFileSync('schema/config.schema.json', userJsonSchema(await userKnowledge()));
const writePage = async (name: string, text: string): Promise<void> => {
  const file = new URL(`../docs/${name}`, import.meta.url);
  const options = { ...(await resolveConfig(file)), parser: 'markdown' };
  writeFileSync(file, await format(text, options));
};
await writePage('site-file.md', siteReferenceMarkdown(systems));
await writePage('rights.md', rightsMarkdown(systems));
