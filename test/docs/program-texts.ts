import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

const REPOSITORY = join(import.meta.dirname, '../..');

/** What the program's source holds, less what only machines read: simulated machines and the demo, whose words are those of other programs. */
const SOURCES = '{src,probes,components}/**/*.{ts,tsx}';
const OF_OTHERS = /^src\/demo\/|^probes\/[^/]+\/simulate\//;

/** Fields whose value stands on the screen even if it is a single word. */
const SHOWN: ReadonlySet<unknown> = new Set(
  'advice description detail head header help hint label message reason said summary text title verdict what why'.split(
    ' ',
  ),
);

/** One text of the program as it stands in its source; what is put in at run time stands in braces. */
export interface ProgramText {
  file: string;
  line: number;
  /** The field or argument it is given as, where it has one: `summary`, `advice`. */
  as?: string;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Every text of the program that a person can meet: on the screen, in plans, refusals, help, errors and the log. By file and line. */
export const programTexts = (): readonly ProgramText[] =>
  globSync(SOURCES, { cwd: REPOSITORY })
    .toSorted()
    .filter((file) => !OF_OTHERS.test(file))
    .flatMap((file) =>
      textsIn(readFileSync(join(REPOSITORY, file), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts').map(
        (text) => ({
          file,
          ...text,
        }),
      ),
    );

/** The texts in a source of TypeScript. */
export const textsIn = (source: string, lang: 'ts' | 'tsx' = 'ts'): readonly Omit<ProgramText, 'file'>[] => {
  const lineAt = lineOf(source);
  const texts: Omit<ProgramText, 'file'>[] = [];
  const visit = (node: Node, as: string | undefined): void => {
    if (node.type.startsWith('Import') || node.type.startsWith('TS')) return;
    const text = textOf(node, source);
    if (text !== undefined && (isProse(text) || (SHOWN.has(as) && /\p{L}{2}/u.test(text)))) {
      texts.push({ line: lineAt(node.start), ...(as !== undefined && { as }), text });
      // What stands in its braces was printed with it.
      return;
    }
    for (const [child, name] of childrenOf(node, as)) visit(child, name);
  };
  visit(parseAst(source, { lang }) as unknown as Node, undefined);
  return texts.toSorted((one, other) => one.line - other.line);
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The nodes below, each with the field it is the value of: a field passes through conditions, arrays and calls, not through functions' bodies. */
const childrenOf = (node: Node, as: string | undefined): readonly [Node, string | undefined][] => {
  const key = node['key'];
  const own =
    node.type === 'Property' && isNode(key)
      ? (key['name'] ?? key['value'])
      : node.type === 'BlockStatement'
        ? undefined
        : as;
  return Object.entries(node)
    .filter(([name]) => name !== 'key' && name !== 'regex')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .map((child) => [child, typeof own === 'string' ? own : undefined]);
};

const textOf = (node: Node, source: string): string | undefined => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type === 'JSXText') return String(node['value']).trim();
  if (node.type !== 'TemplateLiteral') return undefined;
  const pieces = node['quasis'] as { value: { cooked: string } }[];
  const values = node['expressions'] as Node[];
  return pieces
    .map(({ value }, index) => {
      const next = values[index];
      return value.cooked + (next ? `{${source.slice(next.start, next.end).replaceAll(/\s+/g, ' ')}}` : '');
    })
    .join('');
};

/** Two words beside each other, or more, that are not options, paths or shell. */
const isProse = (text: string): boolean => {
  const said = text.replaceAll(/\{[^{}]*\}/g, '');
  return (
    /(?:^|[\s(,"])\p{L}[\p{L}'’-]+[,:;]? [\p{L}'’-]{2,}/u.test(said) ||
    (/^[ ,;:(]+\p{L}{2,}/u.test(said) && /\s/.test(said))
  );
};

const lineOf = (source: string): ((offset: number) => number) => {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
};
