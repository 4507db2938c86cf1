import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

interface Exported {
  name: string;
  /** It is a function that says yes or no. */
  isQuestion: boolean;
}

/** What a file exports as constants, functions mostly. */
const exportsOf = (path: string, text: string): Exported[] =>
  parseSync(path, text).program.body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined;
    if (declared?.type !== 'VariableDeclaration') return [];
    return declared.declarations.flatMap(({ id, init }): Exported[] => {
      if (id.type !== 'Identifier') return [];
      const returned = init?.type === 'ArrowFunctionExpression' ? init.returnType?.typeAnnotation : undefined;
      const isYesOrNo =
        returned?.type === 'TSBooleanKeyword' || (returned?.type === 'TSTypePredicate' && !returned.asserts);
      return [{ name: id.name, isQuestion: isYesOrNo }];
    });
  });

const question = /^(?:is|has|may|can|needs|was)[A-Z]/;

/** They do something, and say whether they did. */
const doers = new Set(['pressHeld', 'readByAction', 'runKey', 'saveNew']);

/** Words that say nothing of what a function takes or gives: a participle, a pronoun, a yes. */
const riddles = new Set(
  'ok no yes one other told done meant snug filled joined overdue readable where when as asOf answered said'.split(
    ' ',
  ),
);

const all = globSync('{src,probes,components,scripts}/**/*.{ts,tsx}', { exclude: ['**/*.d.ts'] }).flatMap(
  (path) => exportsOf(path, readFileSync(path, 'utf8')).map((one) => ({ ...one, path })),
);

describe('names of what is exported', () => {
  it('are read out of the files', () => {
    expect(all.length).toBeGreaterThan(2000);
    expect(
      exportsOf('a.ts', 'export const isA = (b: string): b is "a" => b === "a"; const own = 1;'),
    ).toEqual([{ name: 'isA', isQuestion: true }]);
    expect(exportsOf('a.ts', 'export const read = (): Promise<boolean> => ask();')).toEqual([
      { name: 'read', isQuestion: false },
    ]);
  });

  it('are questions where they give yes or no', () => {
    const others = all.filter(
      ({ name, isQuestion }) => isQuestion && !question.test(name) && !doers.has(name),
    );
    expect(others.map(({ name, path }) => `${path} ${name}`)).toEqual([]);
  });

  it('are no riddles', () =>
    expect(all.filter(({ name }) => riddles.has(name)).map(({ name, path }) => `${path} ${name}`)).toEqual(
      [],
    ));
});
