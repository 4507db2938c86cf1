import type { Facts } from '../model/fact.ts';
import { hostOf, type Topology } from './topology.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const graphs = new WeakMap<Facts, Graph>();

/** Which switches are cabled to which; several cables between two are one way. */
const graphOf = (facts: Facts): Graph => {
  const made = graphs.get(facts);
  if (made) return made;
  const graph = new Map<string, Set<string>>();
  for (const { value } of facts.list('cable')) {
    const [a, b] = value.ports.map(hostOf);
    if (a === undefined || b === undefined) continue;
    graph.set(a, (graph.get(a) ?? new Set()).add(b));
    graph.set(b, (graph.get(b) ?? new Set()).add(a));
  }
  graphs.set(facts, graph);
  return graph;
};

/** Cables from a switch to each that can be reached. */
const distancesFrom = (start: string, graph: Graph): ReadonlyMap<string, number> => {
  const found = new Map([[start, 0]]);
  for (const [at, far] of found)
    for (const next of graph.get(at) ?? []) if (!found.has(next)) found.set(next, far + 1);
  return found;
};

/** The switches at both ends of the cable in this port, as the switches tell it. */
export const cableEnds = (port: string, { facts }: Topology): readonly [string, string] | undefined => {
  const link = facts?.list('cable').find(({ value }) => value.ports.includes(port));
  if (!link) return undefined;
  const [a, b] = link.value.ports;
  return [hostOf(a), hostOf(b)];
};

/**
 * Whether what goes between these switches may cross the cable between two others: it lies on a shortest way. Parallel members and
 * ways of the same length are chosen by hashes of addresses and ports, so each of them may be the one.
 */
export const mayCross = (
  [one, other]: readonly [string, string],
  from: readonly string[],
  to: readonly string[],
  { facts }: Topology,
): boolean => {
  if (!facts) return false;
  const graph = graphOf(facts);
  const [ofOne, ofOther] = [distancesFrom(one, graph), distancesFrom(other, graph)];
  const sum = (a: number | undefined, b: number | undefined): number => (a ?? Infinity) + 1 + (b ?? Infinity);
  return to.some((end) => {
    const left = distancesFrom(end, graph);
    return from.some((start) => {
      const whole = left.get(start);
      return (
        whole !== undefined &&
        (sum(ofOne.get(start), left.get(other)) === whole || sum(ofOther.get(start), left.get(one)) === whole)
      );
    });
  });
};
