import { NotThisFormat } from '../../../src/model/errors.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, jsonError } from './errors.ts';
import { isObject, type Json, isJson, readJson, rowsIn, text, wordsIn } from './json.ts';
import { nodesFromText, type NodesDocument } from './parse-nodes-text.ts';
import type { SlurmNode } from '../readings.ts';
import { nextStateOf, splitState } from './states.ts';
import { jsonTime } from './times.ts';

/**
 * Nodes from any of the forms. `error` is set when the output says that the controller did not answer, even with exit 0
 * and an empty list. Throws NotThisFormat, ParseError.
 */
export const parseNodes = ({ stdout, stderr = '', exitCode, tz = 'UTC' }: ParseInput): NodesDocument => {
  const json = isJson(stdout) && !stdout.startsWith('NodeName=');
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

/**
 * Nodes from `sinfo --json` (21.08, 22.05) and `scontrol show nodes --json` (23.02 on), both with a list `nodes`, and
 * from the later `sinfo --json` with a list `sinfo` of nodes that look alike, once per partition.
 */
const nodesFromJson = (document: Json): NodesDocument => {
  if (Array.isArray(document['nodes']) || !Array.isArray(document['sinfo'])) {
    const { rows: nodes, ...rest } = rowsIn(document, 'nodes', nodeOf);
    return { nodes, ...rest };
  }
  return {
    ...dropUndefined({ error: jsonError(document['errors']) }),
    ...nodesFromGroups(document['sinfo']),
  };
};

const nodeOf = (one: Json): SlurmNode | undefined => {
  const name = text(one['name']);
  if (name === undefined) return undefined;
  const { state, flags } = splitState(wordsIn(one['state']), wordsIn(one['state_flags']));
  if (state === undefined && flags.length === 0) return undefined;
  const isRebooting = flags.includes('REBOOT_REQUESTED') || flags.includes('REBOOT_ISSUED');
  return {
    name,
    flags,
    partitions: wordsIn(one['partitions']).flatMap(splitList),
    ...dropUndefined({
      state,
      ...reasonIn(text(one['reason']), one['reason_set_by_user'], one['reason_changed_at']),
      version: text(one['slurmd_version']) ?? text(one['version']),
      nextState: isRebooting
        ? nextStateOf(wordsIn(one['next_state_after_reboot']), wordsIn(one['next_state_after_reboot_flags']))
        : undefined,
      reservation: text(one['reservation']),
      bootAt: jsonTime(one['boot_time']),
    }),
  };
};

const reasonIn = (reason: string | undefined, user: unknown, at: unknown) =>
  reason === undefined ? {} : { reason, reasonUser: text(user), reasonAt: jsonTime(at) };

const splitList = (list: string): string[] => list.split(',').filter((one) => one !== '');

/** Rows of `{node: {state}, nodes: {nodes: [names]}, partition: {name}, reason: {description, user, time}}`. */
const nodesFromGroups = (groups: readonly unknown[]): Pick<NodesDocument, 'nodes' | 'notUnderstood'> => {
  const byName = new Map<string, SlurmNode>();
  let notUnderstood = 0;
  for (const group of groups) {
    const names = isObject(group) && isObject(group['nodes']) ? wordsIn(group['nodes']['nodes']) : [];
    const states = isObject(group) && isObject(group['node']) ? wordsIn(group['node']['state']) : [];
    if (!isObject(group) || names.length === 0 || states.length === 0) {
      // A partition without nodes is such a row too: nothing in it was skipped.
      if (!isObject(group) || names.length > 0) notUnderstood += 1;
      continue;
    }
    const partition = isObject(group['partition']) ? text(group['partition']['name']) : undefined;
    for (const name of names) {
      const node = byName.get(name) ?? groupNode(name, states, group['reason']);
      byName.set(name, node);
      if (partition !== undefined && !node.partitions.includes(partition)) node.partitions.push(partition);
    }
  }
  return { nodes: [...byName.values()], notUnderstood };
};

const groupNode = (name: string, states: readonly string[], why: unknown): SlurmNode => {
  const { state, flags } = splitState(states);
  const { description, user, time }: Json = isObject(why) ? why : {};
  const reason = text(description);
  return {
    name,
    flags,
    partitions: [],
    ...dropUndefined({ state, ...reasonIn(reason === 'none' ? undefined : reason, user, time) }),
  };
};
