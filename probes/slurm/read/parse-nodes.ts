import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError } from './errors.ts';
import { looksLikeJson, readJson } from './json.ts';
import { nodesFromJson, type NodesDocument } from './parse-nodes-json.ts';
import { nodesFromText } from './parse-nodes-text.ts';

/**
 * Nodes from any of the forms. `error` is set when the output says that the controller did not answer, even with exit 0
 * and an empty list. Throws NotThisFormat, ParseError.
 */
export const parseNodes = ({ stdout, stderr = '', exitCode, tz = 'UTC' }: ParseInput): NodesDocument => {
  const json = looksLikeJson(stdout) && !stdout.startsWith('NodeName=');
  const document = json ? nodesFromJson(readJson(stdout)) : nodesFromText(stdout, tz);
  if (document.error) return document;
  const error = document.nodes.length > 0 && exitCode === 0 ? undefined : errorOf(stdout, stderr, document);
  if (error)
    return { ...document, notUnderstood: document.nodes.length > 0 ? document.notUnderstood : 0, error };
  if (!json && document.nodes.length === 0 && !/^No nodes in the system/m.test(stdout)) {
    throw new NotThisFormat('no line starts with NodeName=, and it is not JSON');
  }
  return document;
};

const errorOf = (stdout: string, stderr: string, document: NodesDocument): NodesDocument['error'] =>
  findError(stderr) ??
  findError(document.nodes.length === 0 ? stdout : (/^Node .* not found$/m.exec(stdout)?.[0] ?? ''));
