import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Recheck from 'recheck';
import { parseAst } from 'vitest/node';

// The checker in pure JavaScript: by itself it would look for a program or for Java.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof Recheck;

const REPOSITORY = join(import.meta.dirname, '../..');

/** A regular expression of the program and the files in which it stands. */
export interface Expression {
  source: string;
  flags: string;
  files: readonly string[];
}

interface Node {
  type: string;
  [key: string]: unknown;
}

type Constants = ReadonlyMap<string, Node>;

/** Stands for what is only known when the program runs: a plain word, as all that is put into expressions must be. */
const WORD = 'word';

/** How long the worst text keeps an expression busy, by its length; `undecided`: the checker found no answer in its time. */
export type Verdict = 'linear' | 'quadratic' | 'worse' | 'undecided';

/** What the list of verdicts holds (expressions.json). Of undecided ones it says why they do no harm. */
export interface Verdicts {
  linear: readonly string[];
  quadratic: readonly string[];
  undecided: Readonly<Record<string, string>>;
}

export const verdictOf = (
  { source, flags }: Pick<Expression, 'source' | 'flags'>,
  timeoutMs: number,
): Verdict => {
  const found = checkSync(source, flags, { timeout: timeoutMs });
  if (found.status === 'safe') return 'linear';
  if (found.status === 'unknown') return 'undecided';
  const { complexity } = found;
  return complexity.type === 'polynomial' && complexity.degree === 2 ? 'quadratic' : 'worse';
};

/** Every expression of the program's own source: literals, those put together of constants of the same file, those of devices' command lines. */
export const allExpressions = (): readonly Expression[] => {
  const files = globSync('{src,probes,components}/**/*.{ts,tsx}', { cwd: REPOSITORY }).toSorted();
  const found = files.flatMap((file) =>
    expressionsIn(readFileSync(join(REPOSITORY, file), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts').map(
      (expression) => ({ ...expression, file }),
    ),
  );
  return [...Map.groupBy(found, keyOf).values()].flatMap(([first, ...more]) =>
    first
      ? [
          {
            source: first.source,
            flags: first.flags,
            files: [...new Set([first, ...more].map(({ file }) => file))],
          },
        ]
      : [],
  );
};

/** The expressions in a text of TypeScript. */
export const expressionsIn = (
  text: string,
  lang: 'ts' | 'tsx' = 'ts',
): Pick<Expression, 'source' | 'flags'>[] => {
  const nodes = allNodes(parseAst(text, { lang }));
  const constants = constantsOf(nodes);
  return nodes.flatMap((node) => [...expressionIn(node, constants), ...dialectIn(node, constants)]);
};

/** What names an expression in the list of verdicts. */
export const keyOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string =>
  `/${source}/${flags}`;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const allNodes = (root: unknown): readonly Node[] => {
  const nodes: Node[] = [];
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isNode(next)) nodes.push(next);
    if (typeof next === 'object' && next !== null)
      waiting.push(...Object.values(next).filter((value) => typeof value === 'object' && value !== null));
  }
  return nodes;
};

const constantsOf = (nodes: readonly Node[]): Constants =>
  new Map(
    nodes.flatMap(({ type, id, init }): [string, Node][] =>
      type === 'VariableDeclarator' && isNode(id) && isNode(init) ? [[String(id['name']), init]] : [],
    ),
  );

const expressionIn = (node: Node, constants: Constants): Pick<Expression, 'source' | 'flags'>[] => {
  const regex = node['regex'] as { pattern: string; flags: string } | undefined;
  if (node.type === 'Literal' && regex) return [{ source: regex.pattern, flags: regex.flags }];
  const callee = node['callee'];
  if (node.type !== 'NewExpression' || !isNode(callee) || callee['name'] !== 'RegExp') return [];
  const [source, flags] = node['arguments'] as Node[];
  const text = source && textOf(source, constants);
  return text === undefined || text === WORD
    ? []
    : [{ source: text, flags: (flags && flagsOf(flags)) ?? '' }];
};

/** Fields of a `Dialect` that hold sources of expressions. */
const ofDialect: ReadonlySet<unknown> = new Set(['prompt', 'pager', 'errors']);

const dialectIn = (node: Node, constants: Constants): Pick<Expression, 'source' | 'flags'>[] => {
  const [key, value] = [node['key'], node['value']];
  if (node.type !== 'Property' || !isNode(key) || !isNode(value) || !ofDialect.has(key['name'])) return [];
  const sources = value.type === 'ArrayExpression' ? (value['elements'] as Node[]) : [value];
  return sources
    .map((source) => textOf(source, constants))
    .filter((source) => source !== WORD && isExpression(source))
    .map((source) => ({ source: `^(?:${source})`, flags: 'i' }));
};

const isExpression = (source: string): boolean => {
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
};

const flagsOf = ({ value }: Node): string | undefined => (typeof value === 'string' ? value : undefined);

/** The text that an expression is made of. */
const textOf = (node: Node, constants: Constants): string => {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'Literal' && node['regex']) return (node['regex'] as { pattern: string }).pattern;
  if (node.type === 'TaggedTemplateExpression') return templateOf(node['quasi'] as Node, 'raw', constants);
  if (node.type === 'TemplateLiteral') return templateOf(node, 'cooked', constants);
  const [left, right, object] = [node['left'], node['right'], node['object']];
  if (node.type === 'BinaryExpression' && isNode(left) && isNode(right))
    return textOf(left, constants) + textOf(right, constants);
  if (node.type === 'MemberExpression' && isNode(object)) return textOf(object, constants);
  const constant = node.type === 'Identifier' ? constants.get(String(node['name'])) : undefined;
  return constant ? textOf(constant, constants) : WORD;
};

const templateOf = (template: Node, form: 'raw' | 'cooked', constants: Constants): string => {
  const quasis = template['quasis'] as { value: { raw: string; cooked: string } }[];
  const values = template['expressions'] as Node[];
  return quasis
    .map(({ value }, index) => {
      const next = values[index];
      return value[form] + (next ? textOf(next, constants) : '');
    })
    .join('');
};
