import { visitorKeys } from 'oxc-parser';
import { z } from 'zod';

/** A node of the syntax tree, as far as the mutators look at it. */
export interface Node {
  type: string;
  start: number;
  end: number;
  readonly [field: string]: unknown;
}

export const nodeSchema = z.looseObject({ type: z.string(), start: z.number(), end: z.number() });

const isNode = (value: unknown): value is Node => nodeSchema.safeParse(value).success;

/** A field that holds a node. */
export const nodeAt = (node: Node, field: string): Node | undefined => {
  const value = node[field];
  return isNode(value) ? value : undefined;
};

/** Types are gone when the program runs; of imports and exports only what they declare does. */
const isCode = ({ type }: Node): boolean =>
  (!type.startsWith('TS') ||
    ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type)) &&
  !['ImportDeclaration', 'ExportAllDeclaration', 'TemplateElement'].includes(type);

/** Nodes directly below, in the order of the source. Names and keys are none: they have nothing to mutate. */
export const childrenOf = (node: Node): Node[] =>
  (visitorKeys[node.type] ?? [])
    .filter((field) => !isName(node, field))
    .flatMap((field): unknown[] => [node[field]].flat())
    .filter(isNode)
    .filter(isCode)
    .toSorted((a, b) => a.start - b.start);

const isName = (node: Node, field: string): boolean =>
  (field === 'key' || field === 'property') && node['computed'] !== true;
