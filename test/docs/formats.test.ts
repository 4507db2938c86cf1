import { expect, test } from 'vitest';
import { chapter, spansOf } from './markdown.ts';
import { sourcesOf } from './sources.ts';

const page = chapter('docs/formats.md');

/** Where the parsers of formats stand that bear another name than their system. */
const folders: Readonly<Record<string, string>> = { network: 'switch', ups: 'storage' };

/** Each chapter of a format, with the folder whose parser prints it. */
const sections = [...page.text.matchAll(/^### (\w+)\.(\w+)\n([\s\S]*?)(?=^#)/gm)].map(
  ([, system = '', name = '', text = '']) => ({
    format: `${system}.${name}`,
    folder: `probes/${folders[system] ?? system}`,
    keys: spansOf({ path: page.path, text })
      .filter((span) => span.startsWith('{'))
      .flatMap((span) => span.match(/[A-Za-z]\w*/g) ?? []),
  }),
);

/** Words in a shape that stand for a list of the same rows. */
const prose = new Set(['the', 'same']);

test.each(sections)('keys of $format are known to its parser', ({ folder, keys }) => {
  const text = sourcesOf(folder)
    .map((source) => source.text)
    .join('\n');
  // Keys of Slurm, Lustre and counters are made of the tool's own by a rule: then the code has them as the tool writes them.
  const known = (key: string): boolean =>
    new RegExp(`\\b${key}\\b`).test(text) ||
    new RegExp(
      key.replaceAll(/[A-Z]/g, (letter) => `[_ ]?${letter.toLowerCase()}`),
      'i',
    ).test(text);
  expect(keys.filter((key) => !prose.has(key) && !known(key))).toEqual([]);
});

test('keys of a finding and a reading are those of the report', () => {
  const text = sourcesOf('src/commands/status')
    .map((source) => source.text)
    .join('\n');
  const named = [...page.text.matchAll(/^\| `(\w+)` +\|/gm)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
});
