import { memoPer } from '../../../src/kit/memo.ts';
import type { SiteView } from '../../../src/model/site.ts';

/** A cluster and the names of its nodes. */
export interface NamedNodes {
  cluster: string;
  nodes: ReadonlySet<string>;
}

const keptOf = memoPer(
  (_site: SiteView) => new Map<string, { shared: ReadonlySet<string>; view: SiteView }>(),
);

/**
 * The site as one of several clusters sees it: a node whose name another cluster has, too, is `gpu/node1`, and no host is known to be
 * behind it, since the host of that name may be the other's. The same view as last time while the names are the same.
 */
export const narrowSite = (site: SiteView, own: NamedNodes, others: readonly NamedNodes[]): SiteView => {
  const idOf = (name: string): string => site.resolve('node', name)?.id ?? name;
  const taken = new Set(others.flatMap(({ nodes }) => [...nodes].map(idOf)));
  const shared = new Set([...own.nodes].filter((name) => taken.has(idOf(name))));
  const kept = keptOf(site).get(own.cluster);
  if (kept?.shared.size === shared.size && kept.shared.isSubsetOf(shared)) return kept.view;
  const view = shared.size === 0 ? site : viewOf(site, own.cluster, shared);
  keptOf(site).set(own.cluster, { shared, view });
  return view;
};

const viewOf = (site: SiteView, cluster: string, shared: ReadonlySet<string>): SiteView => ({
  ...site,
  host: (name) => (shared.has(name) ? undefined : site.host(name)),
  resolve: (kind, id) => {
    if (kind !== 'node') return site.resolve(kind, id);
    if (shared.has(id)) return { kind, id: `${cluster}/${id}` };
    if (!id.startsWith(`${cluster}/`)) return site.resolve(kind, id);
    return shared.has(id.slice(cluster.length + 1)) ? site.resolve(kind, id) : undefined;
  },
});

/** `gpu/node1` to its cluster and the node's own name; a plain name has no cluster. */
export const splitNode = (id: string): { cluster?: string; name: string } => {
  const at = id.indexOf('/');
  return at < 0 ? { name: id } : { cluster: id.slice(0, at), name: id.slice(at + 1) };
};
