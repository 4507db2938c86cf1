import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { NotThisFormat } from '../../../src/model/errors.ts';
import { errorOfMessage, type ReportedError } from './words.ts';

/** A node of gluster's XML: children by name, always lists; text under `#text`; attributes as `@name`. */
export interface Node {
  [name: string]: Node[] | string;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  alwaysCreateTextNode: true,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
});

/**
 * The `cliOutput` of a `gluster ... --xml` answer and the failure it reports itself (`opRet` other than 0; the exit code
 * may be 0 all the same, observed on 10.3). Throws NotThisFormat when there is no such element, or when elements are not closed: of
 * what was cut an empty list would be made.
 */
export const cliOutput = (text: string): { root: Node; error?: ReportedError } => {
  const root = child(parse(text), 'cliOutput');
  if (!root) throw new NotThisFormat('no <cliOutput>: not an XML answer of gluster');
  const failed = Number(leaf(root, 'opRet') ?? 0) !== 0;
  return { root, ...(failed && { error: failureOf(root) }) };
};

const parse = (text: string): Node => {
  const from = text.indexOf('<');
  if (from < 0) return {};
  const xml = text.slice(from);
  const valid = XMLValidator.validate(xml);
  // Not its other complaints: gluster writes names of files as they are.
  if (valid !== true && (valid.err.code === 'InvalidTag' || valid.err.code === 'InvalidXml'))
    throw new NotThisFormat('not whole XML: an element is not closed');
  try {
    return parser.parse(xml);
  } catch (cause) {
    throw new NotThisFormat('not XML', { cause });
  }
};

const failureOf = (root: Node): ReportedError => {
  const words = leaf(root, 'opErrstr') ?? '';
  const number = leaf(root, 'opErrno') ?? '';
  const error = errorOfMessage(words === '' ? `gluster reports error ${number}` : words);
  return { ...error, kind: byNumber[number] ?? error.kind };
};

/** Observed on 10.3: 30802 another transaction, 30806 no such volume. 30800 (internal) may be anything. */
const byNumber: Readonly<Record<string, ReportedError['kind']>> = { 30802: 'locked', 30806: 'notFound' };

/** All children of that name. */
export const children = (node: Node | undefined, name: string): Node[] => {
  const found = node?.[name];
  return Array.isArray(found) ? found : [];
};

/** The first child of that name. */
export const child = (node: Node | undefined, name: string): Node | undefined => children(node, name)[0];

/** Follows a path of names. */
export const descend = (node: Node | undefined, ...names: string[]): Node | undefined =>
  names.reduce<Node | undefined>((at, name) => child(at, name), node);

/** The trimmed text of a child; undefined when absent, empty, `N/A` or `-`. */
export const leaf = (node: Node | undefined, name: string): string | undefined => {
  const text = child(node, name)?.['#text'];
  const trimmed = typeof text === 'string' ? text.trim() : '';
  return trimmed === '' || trimmed === 'N/A' || trimmed === '-' ? undefined : trimmed;
};

/** A whole number of a child; undefined for anything else. */
export const readWhole = (node: Node | undefined, name: string): number | undefined => {
  const text = leaf(node, name);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
};
