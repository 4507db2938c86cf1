import { Document, YAMLMap, YAMLSeq, type Node } from 'yaml';
import { compareByName, fold } from '../text/nodeset.ts';
import { makeSafe } from '../text/safe.ts';
import type { Draft, DraftHost, DraftSection } from './draft.ts';

/** One line of a comment: nothing that a machine said may end it, or be drawn otherwise than it is. */
const comment = (text: string): string => ` ${makeSafe(text, 400)}`;

const comments = (lines: readonly string[]): string => lines.map(comment).join('\n');

/** Hosts that have all in common stand in one entry. */
const groupsOf = (hosts: readonly DraftHost[]): DraftHost[][] => [
  ...Map.groupBy(hosts, ({ roles, platform, transport, from }) =>
    JSON.stringify([roles, platform, transport, from]),
  ).values(),
];

/** What an entry of `hosts` holds, in the order of the schema. */
const entryOf = (group: readonly DraftHost[]): Record<string, unknown> => {
  const [{ roles = [], platform, transport } = {}] = group;
  return {
    names: fold(group.map(({ name }) => name)),
    ...(roles.length > 0 && { roles: [...roles] }),
    ...(platform !== undefined && { platform }),
    ...(transport !== undefined && { transport }),
  };
};

/** `- { names: ctl1, roles: [ slurm-controller ] }` on one line, with where it comes from above it. */
const flowMap = (document: Document, value: Record<string, unknown>, above: readonly string[]): Node => {
  const node = document.createNode(value, { flow: true });
  node.commentBefore = comments(above);
  return node;
};

/** Entries of hosts in the order of their roles in the registry of systems, then by name. */
export const hostNodes = (document: Document, hosts: readonly DraftHost[]): Node[] =>
  groupsOf(hosts)
    .toSorted(([a], [b]) => (a?.order ?? 0) - (b?.order ?? 0) || compareByName(a?.name ?? '', b?.name ?? ''))
    .map((group) => flowMap(document, entryOf(group), group[0]?.from ?? []));

/** `check.command` and the like as maps in maps; a value of several parts stands on one line. */
const sectionNode = (document: Document, { settings }: DraftSection): YAMLMap => {
  const section = new YAMLMap();
  for (const { key, value, from } of settings) {
    const path = key.split('.');
    let map = section;
    for (const part of path.slice(0, -1)) {
      const known = map.get(part);
      const inner = known instanceof YAMLMap ? known : new YAMLMap();
      if (inner !== known) map.set(part, inner);
      map = inner;
    }
    const node = document.createNode(value, { flow: true });
    if (node !== null && typeof node === 'object') node.comment = comment(from);
    map.set(path.at(-1), node);
  }
  return section;
};

/** The whole file as text: each line with where it comes from, and what could not be found out as comments. */
export const composeSite = (draft: Draft): string => {
  const root = new YAMLMap();
  const document = new Document(root);
  document.commentBefore = comments(draft.head);
  const name = document.createNode(draft.name.value);
  name.comment = comment(draft.name.from);
  root.set('site', name);
  if (draft.sshConfig !== undefined) {
    const file = document.createNode(draft.sshConfig);
    file.comment = comment('given on the command line');
    root.set('sshConfig', file);
  }
  const hosts = new YAMLSeq();
  hosts.items.push(...hostNodes(document, draft.hosts));
  if (draft.afterHosts.length > 0) hosts.comment = comments(draft.afterHosts);
  root.set('hosts', hosts);
  for (const section of draft.sections) {
    if (section.settings.length === 0) continue;
    root.set(section.system, sectionNode(document, section));
  }
  if (draft.notes.length > 0) document.comment = comments(draft.notes);
  return document.toString({ lineWidth: 0 });
};
