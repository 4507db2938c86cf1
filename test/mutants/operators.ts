import { nodeAt, type Node } from './tree.ts';

/** What stands in the place of a node: in an expression, for a statement, or as the whole body of a block. */
export interface Edit {
  kind: 'expression' | 'statement' | 'block';
  text: string;
  /** How it is shown, where the text says more than that. */
  shown?: string;
  /** What of the node is shown as changed. */
  at?: { start: number; end: number };
}

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '>': ['>=', '<='],
  '<=': ['<', '>'],
  '>=': ['>', '<'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
};
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
/** Methods that decide, by what takes their place; `''`: left out. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  filter: '',
  toSorted: '',
  toReversed: '',
  slice: '',
  trim: '',
};

/**
 * Mutants of one node. Words are left alone (what a text says is no decision), and whatever the compiler would refuse anyhow.
 */
export const replacements = (node: Node, parent: Node | undefined, source: string): Edit[] => {
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const expression = (text: string, at?: Edit['at']): Edit => ({
    kind: 'expression',
    text,
    ...(at && { at }),
  });
  const [left, right, test, argument] = [
    nodeAt(node, 'left'),
    nodeAt(node, 'right'),
    nodeAt(node, 'test'),
    nodeAt(node, 'argument'),
  ];
  const operator = String(node['operator']);
  switch (node.type) {
    case 'BinaryExpression':
      if (!left || !right) return [];
      return (BINARY[operator] ?? []).map((other) => expression(`${textOf(left)} ${other} ${textOf(right)}`));
    case 'LogicalExpression':
      if (!left || !right) return [];
      return [
        expression(
          operator === '??' ? textOf(left) : `(${textOf(left)}) ${LOGICAL[operator]} (${textOf(right)})`,
        ),
      ];
    case 'ConditionalExpression':
      return branches(node, textOf);
    case 'UnaryExpression':
      return operator === '!' && argument ? [expression(textOf(argument))] : [];
    case 'Literal':
      return literals(node);
    case 'IfStatement':
      return test ? ifWithout(node, textOf) : [];
    case 'CallExpression':
      return calls(node, source);
    case 'ArrayExpression':
      return textOf(node).replaceAll(/\s/g, '') === '[]' ? [] : [expression('[]')];
    case 'ExpressionStatement':
      return node['directive'] === undefined ? [{ kind: 'statement', text: '', shown: '(nothing)' }] : [];
    case 'BlockStatement':
      return isBody(parent) && textOf(node).length > 2 ? [{ kind: 'block', text: '', shown: '{ }' }] : [];
    default:
      return [];
  }
};

const branches = (node: Node, textOf: (node: Node) => string): Edit[] =>
  ['consequent', 'alternate'].flatMap((field) => {
    const branch = nodeAt(node, field);
    return branch ? [{ kind: 'expression', text: textOf(branch) }] : [];
  });

/** The condition is taken for true, and for false. */
const ifWithout = (node: Node, textOf: (node: Node) => string): Edit[] => {
  const [test, then, otherwise] = [
    nodeAt(node, 'test'),
    nodeAt(node, 'consequent'),
    nodeAt(node, 'alternate'),
  ];
  if (!test || !then) return [];
  const at = { start: test.start, end: test.end };
  return [
    { kind: 'statement', text: textOf(then), shown: 'true', at },
    { kind: 'statement', text: otherwise ? textOf(otherwise) : '', shown: 'false', at },
  ];
};

const literals = ({ value }: Node): Edit[] => {
  if (typeof value === 'boolean') return [{ kind: 'expression', text: String(!value) }];
  if (typeof value === 'number') return [{ kind: 'expression', text: String(value + 1) }];
  return [];
};

const calls = (node: Node, source: string): Edit[] => {
  const callee = nodeAt(node, 'callee');
  const object = callee && nodeAt(callee, 'object');
  const property = callee && nodeAt(callee, 'property');
  if (!callee || !object || !property || node['optional'] === true || isInChain(callee)) return [];
  const name = String(property['name']);
  const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (other === undefined) return [];
  const head = source.slice(object.start, object.end);
  if (other === '') return [{ kind: 'expression', text: head }];
  return [
    {
      kind: 'expression',
      text: `${head}.${other}${source.slice(property.end, node.end)}`,
      shown: `.${other}(...)`,
      at: { start: property.start, end: node.end },
    },
  ];
};

/** Parentheses would end what `?.` leaves out. */
const isInChain = (node: Node): boolean => {
  for (let at: Node | undefined = node; at; at = nodeAt(at, 'object') ?? nodeAt(at, 'callee'))
    if (at['optional'] === true) return true;
  return false;
};

/** Functions and loops; of an `if` both ways are mutants already. */
const isBody = (parent: Node | undefined): boolean =>
  /Function|^For|^While|^Do|^Try|^Catch/.test(parent?.type ?? '');
