import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import type { Path } from './problem.ts';

export interface Place {
  line: number;
  col: number;
  /** Where that is not the site file itself. */
  file?: string;
}

export interface ParsedYaml {
  /** Plain data; undefined when there were errors. */
  value: unknown;
  errors: readonly { place: Place; text: string }[];
  warnings: readonly { place: Place; text: string }[];
  /** Where a value (or its key) stands; for what is missing, the nearest thing around it that is there. */
  locate(path: Path, atKey?: boolean): Place;
}

const hints: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with blanks',
  DUPLICATE_KEY: 'merge the two or delete one',
  MULTIPLE_DOCS: 'write one document: remove the "---" line',
  BLOCK_AS_IMPLICIT_KEY: 'put texts that hold ": " in quotes',
};

const bracketHint = 'put texts that hold brackets in quotes: names: "node[1-200]"';

/** YAML to plain data with a way back to line and column. Never throws. */
export const parseYaml = (text: string): ParsedYaml => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), col: Math.max(1, col) };
  };
  const message = (error: { code: string; message: string }): string => {
    const hint = hints[error.code] ?? (/flow-(?:seq|map)/i.test(error.message) ? bracketHint : undefined);
    const what = (error.message.split('\n')[0] ?? '').replace(/; please use .*/, '');
    return hint === undefined ? `not valid YAML: ${what}` : `not valid YAML: ${what}; ${hint}`;
  };
  const list = (errors: Document['errors'] | Document['warnings']) =>
    errors.map((error) => ({ place: place(error.pos[0]), text: message(error) }));
  const errors = list(document.errors);
  let value: unknown;
  if (errors.length === 0) {
    try {
      value = document.toJS();
    } catch (error) {
      errors.push({ place: { line: 1, col: 1 }, text: `not valid YAML: ${(error as Error).message}` });
    }
  }
  return {
    value,
    errors,
    warnings: list(document.warnings),
    locate: (path, atKey) => place(offsetOf(document, path, atKey === true)),
  };
};

const offsetOf = (document: Document, path: Path, atKey: boolean): number => {
  let node: Node | null = document.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document) ?? null;
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String(isScalar(item.key) ? item.key.value : item.key) === String(part),
      );
      if (!pair) return offset;
      const key = pair.key as Node | null;
      offset = key?.range?.[0] ?? offset;
      if (atKey && depth === path.length - 1) return offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(part)];
    }
    if (next === undefined || next === null) return offset;
    node = next as Node;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
};
