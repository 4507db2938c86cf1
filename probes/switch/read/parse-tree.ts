import { XMLParser } from 'fast-xml-parser';
import { isRecord, toList, textOf, type Json } from './parse-json.ts';

/** An element of XML, or the same thing in Junos' JSON: its own text and its elements by name, in order. */
export interface Tree {
  readonly text: string;
  readonly elements: ReadonlyMap<string, readonly Tree[]>;
}

const leaf = (own: string): Tree => ({ text: own.trim(), elements: new Map() });

/** Entities can grow without bounds in a hostile answer, so only a few are undone. */
const entities = { enabled: true, maxTotalExpansions: 100_000, maxEntityCount: 0 };

const parser = new XMLParser({ parseTagValue: false, removeNSPrefix: true, processEntities: entities });

const fromElement = (value: Json): Tree => {
  if (!isRecord(value)) return leaf(textOf(value) ?? '');
  const elements = new Map<string, readonly Tree[]>();
  for (const [name, inner] of Object.entries(value))
    if (name !== '#text') elements.set(name, toList(inner).map(fromElement));
  return { text: (textOf(value['#text']) ?? '').trim(), elements };
};

/**
 * The XML documents of an answer: OS10 sends one after the other in one reply, and a prompt or an echo may stand around
 * them. A document cut off in the middle gives the elements that were closed.
 */
export const xmlIn = (answer: string): readonly Tree[] => {
  const from = answer.search(/<\??[A-Za-z]/);
  if (from < 0) return [];
  return answer
    .slice(from, answer.lastIndexOf('>') + 1)
    .split(/(?=<\?xml\b)/)
    .filter((part) => part.trim() !== '')
    .flatMap((part) => {
      try {
        return [fromElement(parser.parse(part) as Json)];
      } catch {
        return [];
      }
    });
};

/** Junos' JSON as a tree: every element is a list, a leaf is `[{"data": "..."}]`. */
export const junosTree = (value: Json): Tree => {
  if (!isRecord(value)) return leaf(textOf(value) ?? '');
  const elements = new Map<string, readonly Tree[]>();
  for (const [name, inner] of Object.entries(value))
    if (name !== 'data' && name !== 'attributes') elements.set(name, toList(inner).map(junosTree));
  return { text: (textOf(value['data']) ?? '').trim(), elements };
};

/** The elements under a path of names. */
export const elementsUnder = (tree: Tree | undefined, ...path: readonly string[]): readonly Tree[] =>
  path.reduce<readonly Tree[]>(
    (level, name) => level.flatMap((one) => one.elements.get(name) ?? []),
    tree ? [tree] : [],
  );

/** The text of the first element under a path; undefined when there is none or it is empty. */
export const textAt = (tree: Tree | undefined, ...path: readonly string[]): string | undefined =>
  elementsUnder(tree, ...path)[0]?.text || undefined;

/** All elements of a name, at any depth, in order. */
export const findEverywhere = (trees: readonly Tree[], name: string): readonly Tree[] =>
  trees.flatMap((tree) =>
    [...tree.elements].flatMap(([own, list]) => (own === name ? list : findEverywhere(list, name))),
  );
