import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What of the kit is imported in a file: names by the kit's file. */
const importsIn = (text: string): [file: string, name: string][] =>
  [...text.matchAll(/import (?:type )?\{([^}]*)\} from '[./]*src\/kit\/([a-z-]+)\.ts'/g)].flatMap(
    ([, names = '', file = '']) =>
      names.split(',').flatMap((name): [string, string][] => {
        const plain =
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '';
        return plain === '' ? [] : [[file, plain]];
      }),
  );

const systems = globSync('probes/*').map((path) => basename(path));
const used = new Map<string, Set<string>>();
for (const system of systems)
  for (const path of globSync(`probes/${system}/**/*.ts`))
    for (const [file, name] of importsIn(readFileSync(path, 'utf8')))
      for (const key of [file, `${file} ${name}`]) used.set(key, (used.get(key) ?? new Set()).add(system));

const files = globSync('src/kit/*.ts', { exclude: ['**/*.d.ts'] }).map((path) => ({
  name: basename(path, '.ts'),
  text: readFileSync(path, 'utf8'),
}));

describe('the kit', () => {
  it.each(files)('$name serves at least three systems', ({ name }) =>
    expect([...(used.get(name) ?? [])].length).toBeGreaterThanOrEqual(3),
  );

  it('has nothing that serves one system alone, unless the rest of the kit is made of it', () => {
    const whole = files.map(({ text }) => text).join('\n');
    const lonely = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^export (?:const|class) (\w+)/gm)].flatMap(([, word = '']) => {
        const systemCount = used.get(`${name} ${word}`)?.size ?? 0;
        const mentions = whole.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0;
        return systemCount >= 2 || mentions >= 2 ? [] : [`${name} ${word}`];
      }),
    );
    expect(lonely).toEqual([]);
  });

  it('knows no system', () => {
    for (const { name, text } of files)
      for (const system of systems)
        expect(text, `${name} names ${system}`).not.toMatch(new RegExp(`['/]${system}[:./']`));
  });
});
