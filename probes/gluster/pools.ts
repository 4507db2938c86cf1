import { memoPer } from '../../src/kit/memo.ts';
import type { Reading, Readings } from '../../src/model/reading.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { LockReading, PeerReading } from './readings.ts';
import { role } from './settings.ts';

/** Hosts of the site whose glusterd know each other: one trusted pool. */
export interface TrustedPool {
  /** Its first host in the site file. */
  name: string;
  hosts: readonly string[];
}

/** What pools are told by. */
interface Scope {
  site: SiteView;
  readings: Readings;
}

interface Member {
  host: string;
  uuid?: string | undefined;
  pool?: PeerReading['pool'];
}

const memberOf = (host: string, good: Reading<PeerReading> | undefined, readings: Readings): Member => ({
  host,
  uuid: good?.value.uuid ?? readings.source<LockReading>('gluster.lock', host)?.good?.value.uuid,
  pool: good?.value.pool,
});

/** Those that a member lists. By name only a host that knows no other peer: others may have hosts of the same names. */
const listedBy = (member: Member, members: readonly Member[], site: SiteView): Member[] =>
  (member.pool ?? []).flatMap(({ uuid, host }) => {
    const own = members.find((one) => one.uuid === uuid);
    if (own) return [own];
    const named = host === 'localhost' ? undefined : site.resolve('host', host)?.id;
    return members.filter((one) => one.host === named && (one.pool?.length ?? 0) <= 1);
  });

/**
 * Who is in one pool with whom, by their own lists of peers, in the order of the site file. A glusterd keeps its list over restarts and
 * names in it also those that are away, so where one peer of a pool was heard its pool is known whole. Hosts that no list names and that
 * told none are counted to the only pool, and beside several are a pool whose members are not known.
 */
const groupMembers = (members: readonly Member[], site: SiteView): TrustedPool[] => {
  const groups: Set<Member>[] = [];
  for (const member of members) {
    const near = new Set([member, ...listedBy(member, members, site)]);
    const mine = groups.filter((group) => !group.isDisjointFrom(near));
    for (const group of mine) {
      groups.splice(groups.indexOf(group), 1);
      for (const one of group) near.add(one);
    }
    groups.push(near);
  }
  const heard = groups.filter((group) => [...group].some(({ pool }) => pool !== undefined));
  const unheard = new Set(groups.filter((group) => !heard.includes(group)).flatMap((group) => [...group]));
  const found = heard.length < 2 ? [new Set(members)] : [...heard, ...(unheard.size > 0 ? [unheard] : [])];
  return found
    .map((group) => members.flatMap((one) => (group.has(one) ? [one.host] : [])))
    .map((hosts) => ({ name: hosts[0] ?? '?', hosts }))
    .toSorted(
      (a, b) =>
        members.findIndex(({ host }) => host === a.name) - members.findIndex(({ host }) => host === b.name),
    );
};

interface Known {
  rests: readonly unknown[];
  pools: readonly TrustedPool[];
}
const knownOf = memoPer((_site: SiteView): { last?: Known } => ({}));

/** The pools of the site; looked at for each question, so made anew only when a peer has told something new. */
const poolsOf = ({ site, readings }: Scope): readonly TrustedPool[] => {
  const known = knownOf(site);
  const goods = site
    .hostsWithRole(role)
    .map(({ name }) => ({ name, good: readings.source<PeerReading>('gluster.peer', name)?.good }));
  const rests = goods.map(({ good }) => good);
  const { last } = known;
  if (last && last.rests.length === rests.length && last.rests.every((one, at) => one === rests[at]))
    return last.pools;
  const pools = groupMembers(
    goods.map(({ name, good }) => memberOf(name, good, readings)),
    site,
  );
  known.last = { rests, pools };
  return pools;
};

/** Site and readings as if there were no other pool. */
const limitScope = <T extends Scope>(scope: T, { hosts }: TrustedPool): T => {
  const { site, readings } = scope;
  const others = new Set(
    site.hostsWithRole(role).flatMap(({ name }) => (hosts.includes(name) ? [] : [name])),
  );
  const isOthers = ({ probe, host }: { probe: string; host: string }): boolean =>
    others.has(host) && probe.startsWith('gluster.');
  const own: SiteView = {
    ...site,
    host: (name) => site.host(name),
    hostsWithRole: (wanted) =>
      site.hostsWithRole(wanted).filter(({ name }) => wanted !== role || !others.has(name)),
    // Two pools may have peers of one name: what a peer calls gl1 is no host of the other pool.
    resolve: (kind, id) => {
      const found = site.resolve(kind, id);
      return kind === 'host' && found && others.has(found.id) ? undefined : found;
    },
  };
  const seen: Readings = {
    source: (probe, host) => (isOthers({ probe, host }) ? undefined : readings.source(probe, host)),
    sources: (probe) => readings.sources<never>(probe).filter((one) => !isOthers(one)),
    listOnHost: (host) => readings.listOnHost(host).filter((one) => !isOthers(one)),
    listUnreached: () => readings.listUnreached(),
    listUnread: () => readings.listUnread().filter((one) => !isOthers(one)),
  };
  return { ...scope, site: own, readings: seen };
};

/** What a host's question may look at: its own pool. */
export const narrowToPool = <T extends Scope>(host: Pick<HostView, 'name'>, scope: T): T => {
  const pools = poolsOf(scope);
  const own = pools.length < 2 ? undefined : pools.find(({ hosts }) => hosts.includes(host.name));
  return own ? limitScope(scope, own) : scope;
};

/** What is known of one pool of the site: a judgement as if there were no other. */
export interface PoolView {
  pool: TrustedPool;
  judgement: Judgement;
}

/** A judgement for each pool, in the order of the site file. */
export const eachPool = memoPer((judgement: Judgement): readonly PoolView[] => {
  const pools = poolsOf(judgement);
  return pools.map((pool) => ({
    pool,
    judgement: pools.length === 1 ? judgement : limitScope(judgement, pool),
  }));
});
