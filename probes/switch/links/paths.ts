import { memoPer } from '../../../src/kit/memo.ts';
import type { Link } from './link.ts';

/** Neighbouring hosts by the links between them. */
const graphOf = (links: readonly Link[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const graph = new Map<string, Set<string>>();
  const join = (one: string, other: string): void => {
    graph.set(one, (graph.get(one) ?? new Set()).add(other));
  };
  for (const { a, b } of links) {
    if (a.host === undefined || b.host === undefined || a.host === b.host) continue;
    join(a.host, b.host);
    join(b.host, a.host);
  }
  return graph;
};

/** Steps to every host that can be reached. */
const distances = (
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
): ReadonlyMap<string, number> => {
  const far = new Map([[from, 0]]);
  const queue = [from];
  for (let host = queue.shift(); host !== undefined; host = queue.shift()) {
    for (const next of graph.get(host) ?? []) {
      if (far.has(next)) continue;
      far.set(next, (far.get(host) ?? 0) + 1);
      queue.push(next);
    }
  }
  return far;
};

/** Asked for a host at a time, and kept for as long as the links are the same. */
const distancesIn = memoPer((links: readonly Link[]) => {
  const graph = graphOf(links);
  const all = new Map<string, ReadonlyMap<string, number>>();
  return (from: string): ReadonlyMap<string, number> => {
    const found = all.get(from) ?? distances(graph, from);
    all.set(from, found);
    return found;
  };
});

/**
 * Whether a path from one host to another may lead over this link: it lies on a shortest way between them; which of several such ways
 * the switches' hash takes nobody knows. Undefined: no way is known, one of the hosts is cabled to nothing that was read.
 */
export const mayPass = (
  links: readonly Link[],
  { a, b }: Link,
  from: string,
  to: string,
): boolean | undefined => {
  const ask = distancesIn(links);
  const [near, far] = [ask(from), ask(to)];
  const whole = near.get(to);
  if (whole === undefined) return undefined;
  if (a.host === undefined || b.host === undefined) return false;
  return [
    [a.host, b.host],
    [b.host, a.host],
  ].some(([one = '', two = '']) => (near.get(one) ?? NaN) + 1 + (far.get(two) ?? NaN) === whole);
};
