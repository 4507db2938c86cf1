import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { inkChanges, inkPatch } from '../../scripts/ink-patch.ts';
import { patchSource } from '../../scripts/patch.ts';
import { emptyFolder } from '../helpers/folder.ts';

const ink = dirname(fileURLToPath(import.meta.resolve('ink')));

interface Output {
  write(x: number, y: number, text: string, options: { transformers: readonly unknown[] }): void;
  clip(clip: { x1: number; x2: number; y1: number; y2: number }): void;
  unclip(): void;
  get(): { output: string; height: number };
}
type OutputClass = new (size: { width: number; height: number }) => Output;

describe('Ink with our changes draws what Ink draws', () => {
  const folder = emptyFolder('ink');
  let Theirs: OutputClass;
  let Ours: OutputClass;

  const load = async (name: string, changed: boolean): Promise<OutputClass> => {
    const outfile = join(folder, `${name}.mjs`);
    const entry = `export { default } from '${ink}/output.js'; import '${ink}/render-node-to-output.js'; import '${ink}/log-update.js';`;
    await build({
      stdin: { contents: entry, resolveDir: ink },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: changed ? [inkPatch] : [],
      logLevel: 'silent',
    });
    const { default: made } = (await import(pathToFileURL(outfile).href)) as { default: OutputClass };
    return made;
  };

  beforeAll(async () => {
    [Theirs, Ours] = await Promise.all([load('theirs', false), load('ours', true)]);
  });

  const piece = constantFrom(
    'node1 ',
    'idle',
    ' ',
    '\n',
    '节点',
    'é',
    'e\u0301',
    '👩‍💻',
    '─',
    '▁▅█',
    '\u200B',
    '\u001B[31m',
    '\u001B[39m',
    '\u001B[1m',
    '\u001B[22m',
    '\u001B[1;36m',
    '\u001B[0m',
    '\u001B[7m',
    '\u001B[27m',
  );
  const write = record({
    x: integer({ min: -3, max: 22 }),
    y: integer({ min: -1, max: 6 }),
    text: array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    clip: constantFrom(undefined, { x1: 2, x2: 15, y1: 1, y2: 4 }),
    upper: constantFrom(false, true),
  });
  const frame = tuple(array(write, { maxLength: 8 }), constantFrom(20, 24));

  const draw = (Class: OutputClass, [writes, width]: [Write[], number]): unknown => {
    const output = new Class({ width, height: 6 });
    for (const { x, y, text, clip, upper } of writes) {
      if (clip) output.clip(clip);
      output.write(x, y, text, { transformers: upper ? [(line: string) => line.toUpperCase()] : [] });
      if (clip) output.unclip();
    }
    return output.get();
  };
  interface Write {
    x: number;
    y: number;
    text: string;
    clip: { x1: number; x2: number; y1: number; y2: number } | undefined;
    upper: boolean;
  }

  test('frame after frame, with wide characters, colours, covers and clips', () => {
    assert(
      property(array(frame, { minLength: 1, maxLength: 4 }), (frames) => {
        // Each frame twice: the second is drawn from what the first left.
        for (const one of frames.flatMap((same) => [same, same]))
          expect(draw(Ours, one)).toEqual(draw(Theirs, one));
      }),
      { numRuns: 500 },
    );
  });

  test('another Ink than the one it was made for fails the build', () => {
    const source = readFileSync(join(ink, 'output.js'), 'utf8');
    const file = 'ink/build/output.js';
    expect(patchSource(inkChanges, file, source)).not.toBe(source);
    const other = source.replace('new OutputCaches()', 'undefined');
    expect(() => patchSource(inkChanges, file, other)).toThrow(/not as expected/);
  });
});
