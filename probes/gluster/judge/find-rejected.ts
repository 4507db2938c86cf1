import type { Judgement } from '../../../src/model/system.ts';
import type { Made } from './find-peers.ts';
import { findNotInCluster, unknownState } from './pool.ts';

/** Peers that are not in each other's cluster. Who was rejected, by whom: each pair once, whoever of the two says so. */
export const rejectedPeers = (judgement: Judgement): Made[] => {
  const pairs = findNotInCluster(judgement).filter(({ state }) => /rejected/i.test(state));
  const joining = findNotInCluster(judgement).filter(
    ({ state, from, to }) => !pairs.some((one) => isSamePair(one, { from, to })) && isTold(state),
  );
  return [...findOddPeers(pairs).map(oddOne), ...notJoined(joining)];
};

interface Pair {
  from: string;
  to: string;
}

const isSamePair = (a: Pair, b: Pair): boolean =>
  (a.from === b.from && a.to === b.to) || (a.from === b.to && a.to === b.from);

/** A state as glusterd prints it, and no word for one that was not read. */
const isTold = (state: string): boolean => state !== unknownState;

/**
 * The odd one of peers that do not have each other, whoever of two says so: the one with the most of the pairs; where two have as many
 * (a pool of two) it can't be told, and both are named.
 */
export const findOddPeers = (pairs: readonly Pair[]): { names: string[]; by: string[] }[] => {
  let left = [...pairs];
  const found: { names: string[]; by: string[] }[] = [];
  while (left.length > 0) {
    const partners = new Map<string, Set<string>>();
    for (const { from, to } of left) {
      partners.set(from, (partners.get(from) ?? new Set()).add(to));
      partners.set(to, (partners.get(to) ?? new Set()).add(from));
    }
    const ranked = [...partners].toSorted((a, b) => b[1].size - a[1].size || (a[0] < b[0] ? -1 : 1));
    const [first, second] = ranked;
    if (!first) break;
    const isTie = second?.[1].size === first[1].size;
    const names = isTie
      ? ranked.filter(([, of]) => of.size === first[1].size).map(([name]) => name)
      : [first[0]];
    found.push({ names, by: isTie ? [] : [...first[1]].sort() });
    left = left.filter(({ from, to }) => !names.includes(from) && !names.includes(to));
  }
  return found;
};

const oddOne = ({ names, by }: { names: string[]; by: string[] }): Made => ({
  host: names[0] ?? '',
  kind: 'peer-rejected',
  severity: 'warning',
  summary:
    by.length > 0
      ? `${names[0]} rejected by ${by.join(', ')}: its copy of the volumes differs from theirs`
      : `${names.join(' and ')} reject each other: their copies of the volumes differ`,
  advice:
    by.length > 0
      ? `Compare /var/lib/glusterd/vols of ${names[0]} with that of ${by[0]} (info and cksum of each volume): the majority agrees. The peer takes part in no command until they match.`
      : 'Which of them is right cannot be seen from here: compare /var/lib/glusterd/vols (info and cksum of each volume).',
  evidence:
    by.length > 0
      ? `peer status: Peer Rejected between ${names[0]} and each of ${by.join(', ')}, which accept each other`
      : `peer status: Peer Rejected between ${names.join(', ')}`,
});

const notJoined = (pairs: readonly (Pair & { state: string })[]): Made[] =>
  [...Map.groupBy(pairs, ({ to }) => to)].map(([name, list]) => ({
    host: name,
    kind: 'peer-rejected',
    severity: 'warning',
    summary: `${name}: "${list[0]?.state ?? '?'}" for ${list.map(({ from }) => from).join(', ')}`,
    advice: 'The peer has not finished joining the pool.',
  }));
