import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { platforms } from '../../src/site/platforms.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { chapter, chapters, codeIn, linksOf, pages, rowsOf, top } from './markdown.ts';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

const schema = JSON.parse(readFileSync(join(top, 'schema/site.schema.json'), 'utf8')) as JsonSchema;

test('docs/design.md names every key of the site file, and no other', () => {
  const rows = rowsOf(chapter('docs/design.md'), 'key').filter(({ key }) => codeIn(key).length > 0);
  const systems = new Set(knowledge.systems.flatMap(({ id, settings }) => (settings ? [id] : [])));
  const keys = Object.keys(schema.properties ?? {}).filter((key) => !systems.has(key));
  expect(rows.flatMap(({ key }) => codeIn(key)).toSorted()).toEqual(keys.toSorted());
  const hosts = rows.find(({ key }) => key === '`hosts`');
  for (const key of Object.keys(schema.properties?.['hosts']?.items?.properties ?? {}))
    expect(codeIn(hosts?.['what'])).toContain(key);
});

test('docs/systems/switch.md names every platform, and no other', () => {
  const rows = rowsOf(chapter('docs/systems/switch.md'), 'platform');
  expect(rows.flatMap(({ platform }) => codeIn(platform)).toSorted()).toEqual([...platforms].toSorted());
  const makes = rowsOf(chapter('docs/systems/switch.md'), 'make').flatMap(({ make }) => codeIn(make));
  expect(platforms).toEqual(expect.arrayContaining(makes));
});

test('incidents that the documents name exist', () => {
  const known = new Set([
    'night',
    'quiet',
    ...createSimulators().flatMap(({ incidents }) => incidents.map(({ name }) => name)),
  ]);
  const named = chapters.flatMap((page) =>
    [...page.text.matchAll(/--incident ([a-z][a-z-]+)/g)].map((match) => match[1] ?? ''),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('the index of the decisions lists each of them once', () => {
  const index = pages.find(({ path }) => path === 'docs/decisions/README.md');
  const rows = index ? rowsOf(index, 'decision') : [];
  const listed = rows.flatMap(({ decision = '' }) =>
    linksOf({ path: 'docs/decisions/README.md', text: decision }).map(({ link }) => link),
  );
  const there = readdirSync(join(top, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
  expect(listed.toSorted()).toEqual(there.toSorted());
});
