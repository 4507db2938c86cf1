import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Lines of each file, as `wc -l` counts them. */
const linesOf = (patterns: readonly string[]): { path: string; lines: number }[] =>
  patterns
    .flatMap((pattern) => globSync(pattern))
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }));

const program = linesOf(['{src,components,probes}/**/*.{ts,tsx}']);

/** A file is one concept. Functions of more than 60 lines are found by the linter. */
it('no file has more than 250 lines', () => {
  expect(program.length).toBeGreaterThan(800);
  const all = [...program, ...linesOf(['scripts/**/*.ts', '{src,probes}/**/*.sh'])];
  expect(all.filter(({ lines }) => lines > 250)).toEqual([]);
});

/** Registries, one make's shutdown, the entry of a thread: more of such files, and one concept is scattered over several. */
it('at most 60 files have no more than 30 lines', () => {
  const fragments = program.filter(({ lines }) => lines <= 30).map(({ path }) => path);
  expect(fragments.length, fragments.join('\n')).toBeLessThanOrEqual(60);
});
