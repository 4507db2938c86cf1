import { NotThisFormat } from '../../src/model/errors.ts';
import { jsonError, type SlurmError } from './errors.ts';
import { isObject, type Json, text, words } from './json.ts';
import type { SlurmNode } from './readings.ts';
import { nextStateOf, splitState } from './states.ts';
import { jsonTime } from './times.ts';

export interface NodesDocument {
  nodes: SlurmNode[];
  notUnderstood: number;
  error?: SlurmError;
}

/**
 * Nodes from `sinfo --json` (21.08, 22.05) and `scontrol show nodes --json` (23.02 on), both with a list `nodes`, and
 * from the later `sinfo --json` with a list `sinfo` of nodes that look alike, once per partition.
 */
export const nodesFromJson = (document: Json): NodesDocument => {
  const error = jsonError(document['errors']);
  const result: NodesDocument = { nodes: [], notUnderstood: 0, ...(error && { error }) };
  if (Array.isArray(document['nodes'])) {
    for (const one of document['nodes']) {
      const node = isObject(one) ? nodeOf(one) : undefined;
      if (node) result.nodes.push(node);
      else result.notUnderstood += 1;
    }
    return result;
  }
  if (Array.isArray(document['sinfo'])) return { ...result, ...nodesFromGroups(document['sinfo']) };
  if (!error) throw new NotThisFormat('a JSON document without a list of nodes');
  return result;
};

const nodeOf = (one: Json): SlurmNode | undefined => {
  const name = text(one['name']);
  if (name === undefined) return undefined;
  const { state, flags } = splitState(words(one['state']), words(one['state_flags']));
  if (state === undefined && flags.length === 0) return undefined;
  const node: SlurmNode = { name, flags, partitions: words(one['partitions']).flatMap(splitList) };
  if (state !== undefined) node.state = state;
  const reason = text(one['reason']);
  if (reason !== undefined) addReason(node, reason, one['reason_set_by_user'], one['reason_changed_at']);
  const version = text(one['slurmd_version']) ?? text(one['version']);
  if (version !== undefined) node.version = version;
  if (flags.includes('REBOOT_REQUESTED') || flags.includes('REBOOT_ISSUED')) {
    const next = nextStateOf(
      words(one['next_state_after_reboot']),
      words(one['next_state_after_reboot_flags']),
    );
    if (next !== undefined) node.nextState = next;
  }
  const reservation = text(one['reservation']);
  if (reservation !== undefined) node.reservation = reservation;
  const bootAt = jsonTime(one['boot_time']);
  if (bootAt !== undefined) node.bootAt = bootAt;
  return node;
};

const addReason = (node: SlurmNode, reason: string, user: unknown, at: unknown): void => {
  node.reason = reason;
  const who = text(user);
  if (who !== undefined) node.reasonUser = who;
  const when = jsonTime(at);
  if (when !== undefined) node.reasonAt = when;
};

const splitList = (list: string): string[] => list.split(',').filter((one) => one !== '');

/** Rows of `{node: {state}, nodes: {nodes: [names]}, partition: {name}, reason: {description, user, time}}`. */
const nodesFromGroups = (groups: readonly unknown[]): Pick<NodesDocument, 'nodes' | 'notUnderstood'> => {
  const byName = new Map<string, SlurmNode>();
  let notUnderstood = 0;
  for (const group of groups) {
    const names = isObject(group) && isObject(group['nodes']) ? words(group['nodes']['nodes']) : [];
    const states = isObject(group) && isObject(group['node']) ? words(group['node']['state']) : [];
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
  const node: SlurmNode = { name, flags, partitions: [] };
  if (state !== undefined) node.state = state;
  const reason = isObject(why) ? text(why['description']) : undefined;
  if (isObject(why) && reason !== undefined && reason !== 'none')
    addReason(node, reason, why['user'], why['time']);
  return node;
};
