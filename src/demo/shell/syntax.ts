/** What the demo's small shell understands of POSIX sh: enough for the scripts this program sends, and a bit over. */
export type Part =
  | { type: 'text'; text: string; quoted: boolean }
  | { type: 'variable'; name: string; fallback?: { word: Word; when: 'unset' | 'empty' }; quoted: boolean }
  | { type: 'output'; body: Node; quoted: boolean };

export type Word = readonly Part[];

/** `duplicate` is `2>&1`; `here` is a here-document with its text in `target`. */
export interface Redirect {
  fd: number;
  kind: 'write' | 'append' | 'read' | 'duplicate' | 'here';
  target: Word;
}

export type Node =
  | {
      type: 'simple';
      settings: readonly { name: string; value: Word }[];
      words: readonly Word[];
      redirects: readonly Redirect[];
    }
  | { type: 'group'; subshell: boolean; body: Node; redirects: readonly Redirect[] }
  | { type: 'if'; branches: readonly { condition: Node; body: Node }[]; otherwise?: Node }
  | { type: 'loop'; until: boolean; condition: Node; body: Node }
  | { type: 'for'; name: string; words: readonly Word[]; body: Node }
  | { type: 'function'; name: string; body: Node }
  | { type: 'pipe'; negate: boolean; commands: readonly Node[] }
  | { type: 'and' | 'or'; left: Node; right: Node }
  | { type: 'list'; items: readonly Node[] };

/** The text ends inside a construct: a shell reading standard input would wait for more. */
export class Incomplete extends Error {}

export class SyntaxFault extends Error {}

/** What sh says of a text that it can't parse; any other error is thrown on. */
export const syntaxProblem = (error: unknown): string => {
  if (!(error instanceof SyntaxFault || error instanceof Incomplete)) throw error;
  return `sh: 1: Syntax error: ${error instanceof Incomplete ? 'end of file unexpected' : error.message}\n`;
};
