import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What the guide names in backticks that is a name of code and nothing else: a capital letter stands within or at the start. */
const namesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/`([A-Za-z][A-Za-z0-9]*)(?:\([^`]*\))?`/g)]
      .map(([, name = '']) => name)
      .filter((name) => /[A-Z]/.test(name) && !/^[A-Z0-9]+$/.test(name)),
  ),
];

const words = new Set(
  globSync('{src,probes,components,test}/**/*.{ts,tsx}')
    .filter((path) => !path.endsWith('guide-names.test.ts'))
    .flatMap((path) => readFileSync(path, 'utf8').match(/\b[A-Za-z][A-Za-z0-9]*\b/g) ?? []),
);

it('every name of code that the guide gives is there', () => {
  const names = namesIn(readFileSync('docs/guide.md', 'utf8'));
  expect(names.length).toBeGreaterThan(30);
  expect(names).toContain('FindingDraft');
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

it('a name that was changed is missed', () => {
  expect(namesIn('`readAcme(x)` and `LDLM`, `plain`').filter((name) => !words.has(name))).toEqual([
    'readAcme',
  ]);
});
