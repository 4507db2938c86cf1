import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { z } from 'zod';
import { replacements, type Edit } from './operators.ts';
import { childrenOf, nodeSchema, type Node } from './tree.ts';

/** One change of one place. */
export interface Mutant {
  /** `FILE HASH NUMBER`: of the function it stands in, and its place there. An edit elsewhere in the file leaves it as it is. */
  id: string;
  line: number;
  /** What stands there, and what stood there instead: one line each. */
  from: string;
  to: string;
}

export interface Mutated {
  /** The source with all its mutants, of which `globalThis.mutant` chooses one at a time. */
  code: string;
  mutants: readonly Mutant[];
}

const errorSchema = z.object({ message: z.string() });

/** What tells whether a text is the one that was tried. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Puts every mutant into the source of a file: only the one whose turn it is does anything. */
export const mutate = (file: string, source: string): Mutated => {
  const { program, errors } = parseSync(file, source);
  const [error] = z.array(errorSchema).parse(errors);
  if (error) throw new Error(`${file}: ${error.message}`);
  const mutants: Mutant[] = [];
  let top = { hash: '', before: 0 };
  const add = (edit: Edit, node: Node): string => {
    const id = `${file} ${top.hash} ${mutants.length - top.before}`;
    const from = source.slice(edit.at?.start ?? node.start, edit.at?.end ?? node.end);
    mutants.push({
      id,
      line: source.slice(0, node.start).split('\n').length,
      from: oneLine(from),
      to: oneLine(edit.shown ?? edit.text),
    });
    return JSON.stringify(id);
  };
  /** The text of a node with its mutants: those of a node around those of what is in it. */
  const emit = (node: Node, parent: Node | undefined): string => {
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      if (!parent) top = { hash: hashOf(source.slice(child.start, child.end)), before: mutants.length };
      text += source.slice(at, child.start) + emit(child, node);
      at = child.end;
    }
    text += source.slice(at, node.end);
    for (const edit of replacements(node, parent, source)) {
      const turn = `globalThis.mutant(${add(edit, node)})`;
      if (edit.kind === 'statement') text = `if (${turn}) { ${edit.text} } else { ${text} }`;
      else if (edit.kind === 'block') text = `{ if (${turn}) { ${edit.text} } else ${text} }`;
      else text = `(${turn} ? (${edit.text}) : (${text}))`;
    }
    return text;
  };
  const root = nodeSchema.parse(program);
  const code = source.slice(0, root.start) + emit(root, undefined) + source.slice(root.end);
  return { code, mutants };
};

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 60)} ... ${line.slice(-24)}` : line;
};
