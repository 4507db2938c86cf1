import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clusterOf, hostOf } from './cluster.ts';
import { sourceOf } from './clusters.ts';
import type { AliveReading, ConfigReading, SlurmNode } from '../readings.ts';
import type { Group } from './groups.ts';
import { plansOf } from './planned.ts';
import { hasFlag, troubleOf } from './trouble.ts';

/** Nodes that went away at one moment. */
export interface Loss {
  /** `breaker=b7`, or the minute when no label is shared. */
  key: string;
  label?: { name: string; value: string; hosts: number };
  nodes: readonly SlurmNode[];
  /** UTC ms of the first and the last sign. */
  from: number;
  to: number;
  /** Nodes of which Slurm has noticed. */
  noticed: number;
  /** UTC ms at which our own connections dropped, oldest first. */
  dropped: readonly number[];
}

interface Sign {
  node: SlurmNode;
  host: string | undefined;
  at: number;
  noticed: boolean;
  droppedAt?: number;
}

/** Fewer than this at once is no common cause. */
const fewest = 3;
/** Without a shared label it takes more of them to believe in one. */
const fewestWithoutLabel = 8;
/** A label explains a loss only when at least this share of what carries it is gone. */
const coverage = 0.5;

/** slurm.conf(5): SlurmdTimeout's default, s. */
const defaultTimeoutS = 300;

const goneKinds = new Set(['connect', 'lost', 'timeout']);

/**
 * UTC ms since when a host that we did reach does not answer us any more: the first failure in a row, or the moment our
 * connection dropped when that was earlier. Undefined while it answers, and for hosts never reached, which prove nothing.
 */
const silentSince = (host: string, { readings, connections }: Judgement): number | undefined => {
  const source = readings.source<AliveReading>('slurm.alive', host);
  if (!source?.good) return undefined;
  const failing =
    source.failure !== undefined && goneKinds.has(source.failure.kind) ? source.failingSince : undefined;
  const connection = connections.get(host);
  const down =
    connection?.state === 'down' && connection.since > source.good.at ? connection.since : undefined;
  if (failing === undefined) return down;
  return down === undefined ? failing : Math.min(failing, down);
};

/**
 * Nodes that share a location label and went one within a SlurmdTimeout of the other, or many within one. Signs are Slurm's own
 * mark and the moment our own connection dropped, which comes first.
 */
export const findLostTogether = memoPerJudgement((judgement): readonly Loss[] => {
  const timeoutS = sourceOf<ConfigReading>(judgement.readings, 'slurm.config')?.good?.value.slurmdTimeoutS;
  const windowMs = Math.max(60, timeoutS ?? defaultTimeoutS) * 1000;
  return chains(signsOf(judgement), windowMs).flatMap((signs) => explainChain(signs, windowMs, judgement));
});

const signsOf = (judgement: Judgement): Sign[] => {
  const { readings, site } = judgement;
  const cluster = clusterOf(readings);
  if (!cluster) return [];
  const plans = plansOf(judgement);
  const signs: Sign[] = [];
  const ours: Sign[] = [];
  for (const node of cluster.index.nodes) {
    if (plans.has(node.name)) continue;
    const trouble = node.flags.length === 0 && node.state !== 'DOWN' ? undefined : troubleOf(node);
    // It went because a reboot was ordered; slurmctld writes so behind the reason, or alone where there is none (node_mgr.c).
    if (/(?:^|: )reboot (?:issued|timed out)/i.test(node.reason ?? '')) continue;
    const gone =
      trouble === 'notResponding' ||
      (trouble === 'drain' && node.state === 'DOWN' && hasFlag(node, 'NOT_RESPONDING'));
    const host = hostOf(site, node.name);
    const droppedAt = host === undefined ? undefined : silentSince(host, judgement);
    const at = gone && trouble === 'notResponding' ? (node.reasonAt ?? droppedAt) : droppedAt;
    if (at === undefined || (trouble !== undefined && !gone)) continue;
    const sign = { node, host, at, noticed: gone, ...(droppedAt !== undefined && { droppedAt }) };
    if (gone) signs.push(sign);
    else ours.push(sign);
  }
  // When nearly everything is silent to us but not to Slurm, it is our own way there that broke.
  const believable = cluster.source.state === 'fresh' && ours.length < cluster.index.total / 2;
  return [...signs, ...(believable ? ours : [])].sort((a, b) => a.at - b.at);
};

/** Each within a window of the one before: of a large rack slurmctld hears node by node that it is gone. */
const chains = (signs: readonly Sign[], windowMs: number): Sign[][] => {
  const found: Sign[][] = [];
  for (const sign of signs) {
    const current = found.at(-1);
    if (sign.at - (current?.at(-1)?.at ?? -Infinity) <= windowMs) current?.push(sign);
    else found.push([sign]);
  }
  return found.filter((chain) => chain.length >= fewest);
};

/** All within one window: without a label only the moment says that they belong together. */
const sweeps = (signs: readonly Sign[], windowMs: number): Sign[][] => {
  const found: Sign[][] = [];
  for (const sign of signs) {
    const current = found.at(-1);
    if (current && sign.at - (current[0]?.at ?? 0) <= windowMs) current.push(sign);
    else found.push([sign]);
  }
  return found.filter((sweep) => sweep.length >= fewest);
};

const explainChain = (signs: readonly Sign[], windowMs: number, judgement: Judgement): Loss[] => {
  const { site } = judgement;
  const losses: Loss[] = [];
  let left = [...signs];
  for (let label = bestLabel(left, judgement); label !== undefined; label = bestLabel(left, judgement)) {
    const { name, value, hosts } = label;
    const mine = left.filter(({ host }) => host !== undefined && site.host(host)?.location[name] === value);
    losses.push(lossOf(`${name}=${value}`, mine, { name, value, hosts }));
    left = left.filter((sign) => !mine.includes(sign));
  }
  const unlabelled = sweeps(
    left.filter((sign) => sign.noticed),
    windowMs,
  ).filter(({ length }) => length >= fewestWithoutLabel);
  const minuteOf = (sweep: readonly Sign[]): string =>
    new Date(Math.min(...sweep.map((sign) => sign.at))).toISOString().slice(0, 16);
  return [...losses, ...unlabelled.map((sweep) => lossOf(`at ${minuteOf(sweep)}Z`, sweep))];
};

/** The label that most of them carry and that carries little else; of equals the narrower one. */
const bestLabel = (
  signs: readonly Sign[],
  judgement: Judgement,
): { name: string; value: string; hosts: number } | undefined => {
  const { site } = judgement;
  const counts = new Map<string, { name: string; value: string; lost: number }>();
  for (const { host } of signs) {
    for (const [name, value] of Object.entries(
      (host === undefined ? undefined : site.host(host)?.location) ?? {},
    )) {
      const one = counts.get(`${name}=${value}`) ?? { name, value, lost: 0 };
      one.lost += 1;
      counts.set(`${name}=${value}`, one);
    }
  }
  return [...counts.values()]
    .filter(({ lost }) => lost >= fewest)
    .map((one) => ({
      ...one,
      hosts: carriersOf(one, judgement),
    }))
    .filter(({ lost, hosts }) => lost >= hosts * coverage)
    .sort((a, b) => b.lost - a.lost || a.hosts - b.hosts)[0];
};

/** Nodes that went for one reason come back to slurmctld within a boot's scatter, ms. */
const togetherMs = 180_000;

/**
 * The narrowest label that nodes share and that not all of the cluster carries: what it stands for (a rack's power, its switch) is looked
 * at before each of them. They went in one moment, or are half of it and more: of those that a check took out the moment tells
 * nothing, and of what a person did the place, neither.
 */
export const placeOf = (
  group: Pick<Group, 'nodes' | 'trouble' | 'owner' | 'plan'>,
  judgement: Judgement,
): { label: string; id: string; of: number; withinMs?: number } | undefined => {
  const { nodes, owner, plan } = group;
  if (plan || (owner.kind !== 'slurm' && owner.kind !== 'health') || nodes.length < fewest) return undefined;
  const withinMs = scatterOf(group);
  const [first, ...others] = nodes.map(({ name }) => labelsOf(name, judgement));
  const total = clusterOf(judgement.readings)?.index.total ?? 0;
  const [shared] = Object.entries(first ?? {})
    .filter(([name, value]) => others.every((labels) => labels[name] === value))
    .map(([name, value]) => ({ name, value, hosts: carriersOf({ name, value }, judgement) }))
    .filter(({ hosts }) => hosts < total)
    // Three of many may stand in one place by chance; without a moment so may those of one kind of node.
    .filter(
      ({ hosts }) => nodes.length >= hosts * coverage || (withinMs !== undefined && nodes.length > fewest),
    )
    .toSorted((a, b) => a.hosts - b.hosts);
  return (
    shared && {
      label: `${shared.name} ${shared.value}`,
      id: `${shared.name}=${shared.value}`,
      of: shared.hosts,
      ...(withinMs !== undefined && { withinMs }),
    }
  );
};

/** In how many ms all of them went, where that is a moment; undefined: it tells nothing. */
const scatterOf = ({
  nodes,
  trouble,
  owner,
}: Pick<Group, 'nodes' | 'trouble' | 'owner'>): number | undefined => {
  const times = nodes.flatMap(({ reasonAt }) => reasonAt ?? []);
  const isGone = trouble === 'down' || trouble === 'notResponding';
  if (!isGone || owner.kind !== 'slurm' || times.length < nodes.length) return undefined;
  const withinMs = Math.max(...times) - Math.min(...times);
  return withinMs <= togetherMs ? withinMs : undefined;
};

const labelsOf = (node: string, { site }: Judgement): Readonly<Record<string, string>> => {
  const host = hostOf(site, node);
  return (host === undefined ? undefined : site.host(host)?.location) ?? {};
};

/** Slurm's nodes whose host carries the label: a host need not have the role of a compute node to be one. */
const carriersOf = (
  { name, value }: { name: string; value: string },
  { readings, site }: Judgement,
): number =>
  (clusterOf(readings)?.index.nodes ?? []).filter((node) => {
    const host = hostOf(site, node.name);
    return host !== undefined && site.host(host)?.location[name] === value;
  }).length;

const lossOf = (key: string, signs: readonly Sign[], label?: Loss['label']): Loss => ({
  key,
  ...(label && { label }),
  nodes: signs.map((sign) => sign.node),
  from: Math.min(...signs.map((sign) => sign.at)),
  to: Math.max(...signs.map((sign) => sign.at)),
  noticed: signs.filter((sign) => sign.noticed).length,
  dropped: signs.flatMap((sign) => sign.droppedAt ?? []).sort((a, b) => a - b),
});
