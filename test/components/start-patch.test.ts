import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import theirs from 'string-width';
import { describe, expect, test } from 'vitest';
import { patchSource } from '../../scripts/patch.ts';
import { startChanges, startPatch } from '../../scripts/start-patch.ts';
import { emptyFolder } from '../helpers/folder.ts';

const resolveDir = dirname(fileURLToPath(import.meta.url));

const load = async (contents: string): Promise<Record<string, unknown>> => {
  const outfile = join(emptyFolder('start-patch'), 'made.mjs');
  const stdin = { contents, resolveDir };
  await build({ stdin, outfile, bundle: true, format: 'esm', plugins: [startPatch], logLevel: 'silent' });
  return (await import(pathToFileURL(outfile).href)) as Record<string, unknown>;
};

const both = `import width from 'string-width'; import yoga from 'yoga-layout';`;

describe('libraries that are changed for the start give what they gave', () => {
  test('the width of every character alone, and of clusters', async () => {
    const made = await load(`${both} export { width }; globalThis.__yoga = yoga;`);
    const ours = made['width'] as typeof theirs;
    const different: string[] = [];
    // Every character that has to do with emoji, and each seventh of the basic plane.
    for (let point = 0; point < 0x1_fb_00; point += point === 0xff_ff ? 0xf0_01 : 1) {
      if (point % 7 !== 0 && !/[\p{Emoji}\p{Extended_Pictographic}]/u.test(String.fromCodePoint(point)))
        continue;
      const text = String.fromCodePoint(point);
      if (ours(text) !== theirs(text)) different.push(point.toString(16));
    }
    expect(different).toEqual([]);
    const piece = constantFrom(
      '👩‍💻',
      '🏳️‍🌈',
      '1️⃣',
      '#⃣',
      '🇩🇪',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '☂️',
      '☂',
      '👍🏽',
      '節',
      'é',
      '─',
      '\u200D',
      '\uFE0F',
    );
    const text = array(oneof(piece, string({ unit: 'binary', maxLength: 3 })), { maxLength: 6 });
    assert(
      property(text, (pieces) => {
        expect(ours(pieces.join(''))).toBe(theirs(pieces.join('')));
      }),
      { numRuns: 1000 },
    );
  });

  test('Yoga is there without a fetch', async () => {
    const { fetch } = globalThis;
    try {
      globalThis.fetch = () => {
        throw new Error('asked to fetch');
      };
      const { node } = await load(
        `${both} export const node = yoga.Node.create(); globalThis.__width = width;`,
      );
      expect(node).toHaveProperty('calculateLayout');
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test('another version than the one it was made for fails the build', () => {
    for (const file of Object.keys(startChanges))
      expect(() => patchSource(startChanges, file, 'something else')).toThrow(/not as expected/);
  });
});
