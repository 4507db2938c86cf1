import { Document, isMap, isScalar, isSeq, parseDocument, YAMLMap, YAMLSeq, type Node } from 'yaml';
import type { SiteView } from '../model/site.ts';
import { fold } from '../text/nodeset.ts';
import { composeSite, hostNodes } from './compose.ts';
import type { Draft } from './draft.ts';

/** Lines to put into a file behind one of its lines (0: before the first). */
interface Insertion {
  after: number;
  lines: readonly string[];
}

/** What a file lacks of what was found: whole lines to add, and words on what only a person may change in lines of their own. */
export interface Proposal {
  insertions: readonly Insertion[];
  remarks: readonly string[];
}

/** The block of `hosts`: how far in its entries stand, and the line behind which one more may stand. */
const placeOfHosts = (text: string): { after: number; indent: string } | undefined => {
  const { contents } = parseDocument(text);
  const hosts = isMap(contents) ? contents.get('hosts') : undefined;
  if (!isSeq(hosts) || hosts.flow === true) return undefined;
  const first = hosts.items[0] as Node | undefined;
  const last = hosts.items.at(-1) as Node | undefined;
  const begin = first?.range?.[0];
  const end = last?.range?.[1];
  if (begin === undefined || end === undefined) return undefined;
  const dash = text.lastIndexOf('-', begin);
  const lineStart = text.lastIndexOf('\n', dash) + 1;
  const used = text.slice(0, end).trimEnd();
  return { after: used.split('\n').length, indent: text.slice(lineStart, dash) };
};

/** Nodes as the lines of a list whose entries stand so far in. */
const listLines = (nodes: readonly Node[], indent: string): string[] => {
  const list = new YAMLSeq();
  list.items.push(...nodes);
  const text = new Document(list).toString({ lineWidth: 0 }).trimEnd();
  return text.split('\n').map((line) => indent + line);
};

const keysOf = (text: string): ReadonlySet<string> => {
  const { contents } = parseDocument(text);
  return new Set(
    isMap(contents) ? contents.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) : [],
  );
};

/** Sections that the file does not have at all, as lines. */
const sectionLines = (draft: Draft, has: ReadonlySet<string>): string[] => {
  const sections = draft.sections.filter(({ system, settings }) => !has.has(system) && settings.length > 0);
  if (sections.length === 0) return [];
  const text = composeSite({ ...draft, head: [], hosts: [], afterHosts: [], notes: [], sections });
  const lines = text.trimEnd().split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('hosts:')) + 1);
};

/** Hosts of the file that have a role by what was found, and not by the file. */
const roleRemarks = (draft: Draft, site: SiteView): string[] => {
  const lacking = draft.hosts.flatMap(({ name, roles }) => {
    const own = site.resolve('host', name);
    const known = own && site.host(own.id);
    return known
      ? roles.filter((role) => !known.roles.includes(role)).map((role) => ({ name: known.name, role }))
      : [];
  });
  return [...Map.groupBy(lacking, ({ role }) => role)].map(
    ([role, some]) => `${fold(some.map(({ name }) => name))}: add the role ${role}, by what was found`,
  );
};

/** What a site file lacks of what was found. Its own lines stay as they are. */
export const proposeLines = (text: string, site: SiteView, draft: Draft): Proposal => {
  const fresh = draft.hosts.filter(({ name }) => site.resolve('host', name) === undefined);
  const place = placeOfHosts(text);
  const has = keysOf(text);
  const total = text.replace(/\n$/, '').split('\n').length;
  const entries =
    fresh.length === 0 ? [] : listLines(hostNodes(new Document(new YAMLMap()), fresh), place?.indent ?? '  ');
  const sections = sectionLines(draft, has);
  return {
    insertions: [
      ...(place && entries.length > 0 ? [{ after: place.after, lines: entries }] : []),
      ...(sections.length > 0 ? [{ after: total, lines: sections }] : []),
    ],
    remarks: [
      ...(place || entries.length === 0
        ? []
        : [
            'hosts stands on one line here, or in another file, so these entries are yours to add:',
            ...entries,
          ]),
      ...roleRemarks(draft, site),
    ],
  };
};

const CONTEXT = 3;

/** Insertions whose context would meet stand in one hunk. */
const hunksOf = (insertions: readonly Insertion[]): Insertion[][] => {
  const hunks: Insertion[][] = [];
  for (const one of insertions.toSorted((a, b) => a.after - b.after)) {
    const open = hunks.at(-1);
    const last = open?.at(-1);
    if (open && last && one.after - last.after <= 2 * CONTEXT) open.push(one);
    else hunks.push([one]);
  }
  return hunks;
};

/** The insertions as a unified diff of the file, which `patch` and `git apply` take. */
export const unifiedDiff = (file: string, text: string, insertions: readonly Insertion[]): string[] => {
  const old = text.replace(/\n$/, '').split('\n');
  let added = 0;
  const hunks = hunksOf(insertions).flatMap((hunk) => {
    const first = Math.max(0, (hunk[0]?.after ?? 0) - CONTEXT);
    const end = Math.min(old.length, (hunk.at(-1)?.after ?? 0) + CONTEXT);
    const lines: string[] = [];
    let at = first;
    for (const one of [...hunk, { after: end, lines: [] }]) {
      lines.push(
        ...old.slice(at, one.after).map((line) => ` ${line}`),
        ...one.lines.map((line) => `+${line}`),
      );
      at = one.after;
    }
    const start = end > first ? first + 1 : first;
    const head = `@@ -${start},${end - first} +${first + added + 1},${lines.length} @@`;
    added += lines.length - (end - first);
    return [head, ...lines];
  });
  return hunks.length === 0 ? [] : [`--- ${file}`, `+++ ${file}`, ...hunks];
};
